"""What a user has said of memory stands; else DuckDB is told to give it back."""

import os

import pytest

from blade.engines.memory import FIRST_READ, keep_little, share_one_store


def test_a_setting_of_the_user_stands(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv(FIRST_READ, "dirty_decay_ms:5000")
    keep_little()
    assert os.environ[FIRST_READ] == "dirty_decay_ms:5000"


def test_else_freed_memory_goes_back_at_once(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv(FIRST_READ, "")
    monkeypatch.delenv(FIRST_READ)
    keep_little()
    assert "dirty_decay_ms:0" in os.environ[FIRST_READ]


def test_one_store_can_be_asked_for_twice() -> None:
    share_one_store()
    share_one_store()
