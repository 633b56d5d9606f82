"""A run under way, on stderr: one line that keeps changing on a terminal, a line now and then elsewhere."""

import sys
import time
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from blade.gym.collect.tally import Tally

SECONDS_BETWEEN_LINES = 15.0
MOST_CLASSES = 4


class CollectionScreen:
    """Tells how far a run is; give `watch` to the collector and leave it with `close`."""

    def __init__(self) -> None:
        self._live: Any = None
        self._told_at = time.monotonic()
        self._last = ""
        if sys.stderr.isatty():
            from rich.live import Live

            from blade.cli.terminal import console

            self._live = Live(console=console(sys.stderr), transient=True, refresh_per_second=4)
            self._live.start()

    def watch(self, tally: "Tally") -> None:
        if self._live is not None:
            from rich.text import Text

            from blade.cli.terminal import clean_line

            self._live.update(Text(clean_line(progress_line(tally), 400), no_wrap=True, overflow="ellipsis"))
        elif time.monotonic() - self._told_at > SECONDS_BETWEEN_LINES:
            self._told_at = time.monotonic()
            self.say(progress_line(tally))

    def say(self, line: str) -> None:
        from blade.cli.terminal import clean_line

        if self._live is not None:
            self._live.console.print(clean_line(line, 400))
        else:
            print(clean_line(line, 400), file=sys.stderr, flush=True)

    def close(self) -> None:
        if self._live is not None:
            self._live.stop()


def progress_line(tally: "Tally") -> str:
    """Done of all, the score so far with its interval, failures by class, tokens, and the time left."""
    settled = tally.before + tally.done + tally.given_up
    parts = [f"{settled:,} of {tally.total:,} rollouts"]
    if (score := tally.score()) is not None:
        value, bounds = score
        name, scale = ("pass rate", 100) if tally.binary else ("mean reward", 1)
        shown = f"{name} {value * scale:.3g}" + (" %" if tally.binary else "")
        parts.append(shown + (f" [{bounds[0] * scale:.3g}, {bounds[1] * scale:.3g}]" if bounds else ""))
    if tally.failures:
        listed = [f"{name} {count:,}" for name, count in tally.failures.most_common(MOST_CLASSES)]
        parts.append("failed attempts: " + ", ".join(listed))
    if tally.given_up:
        parts.append(f"given up {tally.given_up:,}")
    if tally.output_tokens:
        parts.append(f"tokens {_thousands(tally.input_tokens)} in, {_thousands(tally.output_tokens)} out")
    if tally.running and (left := tally.seconds_left()) is not None:
        parts.append(f"{_duration(left)} left")
    return " · ".join(parts)


def _thousands(count: int) -> str:
    for size, unit in ((1_000_000_000, "G"), (1_000_000, "M"), (1_000, "k")):
        if count >= size:
            return f"{count / size:.3g}{unit}"
    return str(count)


def _duration(seconds: float) -> str:
    whole = round(seconds)
    if whole < 90:
        return f"{whole} s"
    minutes = round(whole / 60)
    return f"{minutes} min" if minutes < 90 else f"{whole / 3600:.1f} h"
