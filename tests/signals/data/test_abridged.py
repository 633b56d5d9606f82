"""Lists that end with how much of them was left out."""

from dataclasses import replace

import pytest

from blade.signals.data.abridged import _abridged
from blade.signals.example import Example, call
from tests.signals.support import steps

LIST = "Set the menu M-204:\n* onion soup\n* trout\n"
WHOLE = ["onion soup", "trout", "lemon tart"]


@pytest.mark.parametrize(
    ("line", "cut"),
    [
        ("... 1 more", True),
        ("… and 3 more dishes", True),
        ("* + 4 others", True),
        ("[12 more rows]", True),
        ("(2 items not shown)", True),
        ("... (truncated)", True),
        ("* 2 eggs", False),
        ("3 items", False),
        ("- 2 more chairs", False),
        ("- 2 more", True),
        ("- 2 more.", True),
        ("[2 more chairs]", True),
        ("* 2 more eggs than last time, please, and no salt", False),
        ("Serve it in 20 more minutes or so.", False),
    ],
)
def test_lines_with_which_a_list_breaks_off(line, cut):
    assert (_abridged(LIST + line) is not None) is cut


@pytest.mark.parametrize(
    ("lines", "cut"),
    [
        ("1. onion soup\n…\n4. trout", True),
        ("* onion soup\n* [...]\n* trout", True),
        ("onion soup\n. . .\ntrout", True),
        ("1. onion soup\n2. trout\n…", False),  # nothing follows, and no number tells that anything was left out
        ("1. onion soup …\n2. trout", False),
        ("onion soup\n\n...\n\ntrout", False),  # a pause between paragraphs
        ("onion soup\n---\ntrout", False),
        ("Keep it simple.\n...\nThanks for everything", False),  # a pause between sentences
    ],
)
def test_dots_that_stand_for_entries(lines, cut):
    assert (_abridged(f"Set the menu M-204:\n{lines}") is not None) is cut


def test_what_the_dots_stand_for_is_told_nowhere():
    gap = menu(["onion soup", "lemon tart"], "Set the menu M-204:\n1. onion soup\n…\n3. lemon tart")
    assert steps("list_abridged", gap) == [0]
    assert steps("list_abridged", menu(WHOLE, "Set the menu M-204:\n1. onion soup\n…\n3. lemon tart")) == []


def menu(given, asked, *before):
    wanted = [{"name": "set_menu", "arguments": {"menu_id": "M-204", "dishes": WHOLE}}]
    made = (*before, call("set_menu", "ok", menu_id="M-204", dishes=given))
    return Example(made, asked=asked, fields={"expected_calls": wanted})


def test_what_is_expected_is_told_nowhere():
    cut = menu(WHOLE[:2], LIST + "... 1 more")
    assert steps("list_abridged", cut) == [0]
    assert steps("list_abridged", replace(cut, asked=LIST)) == []
    assert steps("list_abridged", menu(WHOLE, LIST + "... 1 more")) == []  # it was found somewhere
    assert (
        steps("list_abridged", menu(WHOLE[:2], LIST + "... 1 more", call("get_menu", "lemon tart, trout", menu_id="M-204"))) == []
    )


@pytest.mark.parametrize(
    ("wanted", "given", "asked", "found"),
    [
        (["table", "chair"], ["table", "table"], "Order:\n- 4 tables\n- 2 chairs\n... 1 more", []),  # told in the plural
        (["table", "berry"], ["table", "table"], "Order:\n- 4 tables\n- berries\n... 1 more", []),
        (["table", "chair"], ["chair", "chair"], "Order:\n- 4 tables\n... 1 more", []),  # and the rollout has it
        (["table", "chair"], ["table", "table"], "Order:\n- 4 tables\n... 1 more", [0]),
        (["table", "chair"], ["table", "table"], "Order:\n- 4 tables\n- 2 more stools", []),  # an entry like any other
    ],
)
def test_what_counts_as_untold(wanted, given, asked, found):
    example = Example(
        (call("set_order", "ok", event="E-200", items=given),),
        asked=asked,
        fields={"expected_calls": [{"name": "set_order", "arguments": {"event": "E-200", "items": wanted}}]},
    )
    assert steps("list_abridged", example) == found
