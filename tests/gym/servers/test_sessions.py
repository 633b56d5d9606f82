"""Which cookie finds which session, and which sessions are forgotten."""

import pytest

from blade.gym.servers.sessions import UNUSED_SECONDS, NoSession, Sessions


@pytest.mark.parametrize("cookie", [None, "", "x", "x.y", "é.é", "a.\udc80", "\udc80.b", "." * 5_000])
def test_a_cookie_that_is_none_of_ours_is_no_session(cookie: str | None) -> None:
    with pytest.raises(NoSession):
        Sessions().find(cookie)


def test_the_longest_unused_sessions_are_forgotten() -> None:
    now = 0.0
    sessions = Sessions(most=3, clock=lambda: now)
    first, second, third = (sessions.begin(state) for state in (b"1", b"2", b"3"))
    sessions.find(first)
    fourth = sessions.begin(b"4")
    assert [sessions.find(cookie).state for cookie in (first, third, fourth)] == [b"1", b"3", b"4"]
    with pytest.raises(NoSession, match="has ended"):
        sessions.find(second)


def test_sessions_that_nobody_uses_are_forgotten_after_hours() -> None:
    now = 0.0
    sessions = Sessions(clock=lambda: now)
    lost, kept = sessions.begin(b"lost"), sessions.begin(b"kept")
    now = UNUSED_SECONDS - 1
    sessions.find(kept)
    now = UNUSED_SECONDS + 1
    sessions.begin(b"new")
    assert len(sessions) == 2
    assert sessions.find(kept).state == b"kept"
    with pytest.raises(NoSession, match="has ended"):
        sessions.find(lost)
