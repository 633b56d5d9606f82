"""Work in a shell: logs, tables and files. The shell knows the commands that the task's scripts use and what they print.

The dataset says which files must hold what (`expected_files`); the verifier reports one named check for each thing (`checks`).
"""

from __future__ import annotations

import json
from collections import Counter
from collections.abc import Callable, Iterable
from dataclasses import dataclass, field
from random import Random

from blade.lab.desk import Call, dice
from blade.lab.environments.environment import Environment, function, timed_out
from blade.lab.stage.play import Backend, Episode, Manner
from blade.lab.stage.rows import Setting
from blade.lab.stage.script import Row, Script, Task, call, say

TOOLS = (function("shell", "Run a command in the container and return what it prints.", cmd="string"),)
CHECKS = ("output_exists", "content_matches", "inputs_untouched", "no_stray_files")
_SYSTEM = "You are working in a Linux container through a shell. Do what is asked; the resulting files are checked afterwards."
_DONE = (
    "Finished, the result is in {path}.",
    "{path} has been written.",
    "Done, see {path}.",
    "I've put the result into {path}.",
)
_USERS = ("ada", "bo", "cem", "dina", "eli", "fay", "gus", "hal", "ida", "jon")
_PATHS = ("/login", "/cart", "/search", "/api/items", "/api/pay", "/help", "/logout")


@dataclass
class Shell:
    """The commands of one task: what each prints, and which file it writes."""

    prints: dict[str, str] = field(default_factory=dict)
    writes: dict[str, tuple[str, str]] = field(default_factory=dict)

    def reads(self, command: str, output: str) -> str:
        self.prints[command] = output
        return command

    def makes(self, command: str, path: str, content: str, output: str = "") -> str:
        self.prints[command], self.writes[command] = output, (path, content)
        return command


@dataclass(frozen=True)
class Chore:
    """One task before it becomes scripts: looks, the right commands, and the ways in which the command goes wrong."""

    request: str
    path: str
    content: str
    looks: tuple[str, ...]
    right: tuple[str, ...]
    misconception: str
    slips: tuple[str, ...]
    unchecked: str
    """A command whose bad result a look at the file would have shown."""
    misused: tuple[str, ...]
    """Commands that the shell refuses, one after the other; the last leaves a wrong file behind."""
    refused: str
    """A write that fails."""
    setup: str | None = None
    other: str = ""
    """Plausible wrong content."""


def _log(rng: Random) -> list[str]:
    levels = ["INFO"] * 6 + ["WARN"] * 2 + ["ERROR"] * 3
    lines = []
    for number in range(rng.randint(36, 60)):
        level = rng.choice(levels)
        text = rng.choice(
            ("cache miss", "ERROR count reset", "user logged in", "payment failed", "disk slow", "retry after ERROR")
        )
        lines.append(f"2026-05-{rng.randint(10, 28)} {rng.randint(0, 23):02d}:{number:02d}:07 {level} {text}")
    return lines


def error_count(shell: Shell, rng: Random, folder: str) -> Chore:
    """Lines of level ERROR; the word stands in messages of other levels too."""
    lines = _log(rng)
    source, path = f"{folder}/app.log", f"{folder}/errors.txt"
    right = sum(line.split()[2] == "ERROR" for line in lines)
    loose = sum("ERROR" in line for line in lines)
    right_commands = (f"awk '$3 == \"ERROR\"' {source} | wc -l > {path}", f"grep -cE '^[^ ]+ [^ ]+ ERROR ' {source} > {path}")
    return Chore(
        f"{source} is a log with date, time, level and message. Write the number of entries of level ERROR into {path}.",
        path, str(right), (shell.reads(f"head -5 {source}", "\n".join(lines[:5])), shell.reads(f"wc -l {source}", f"{len(lines)} {source}")),
        tuple(shell.makes(command, path, str(right)) for command in right_commands),
        shell.makes(f"grep -c ERROR {source} > {path}", path, str(loose + (loose == right))),
        tuple(shell.makes(command, path, str(right + shift)) for command, shift in (
            (f"awk '$3 == \"ERROR\"' {source} | tail -n +2 | wc -l > {path}", -1), (f"grep -ciE ' (ERROR|FATAL|WARN) ' {source} > {path}", 7), (f"grep -oE ' ERROR ' {source} | sort | wc -l > {path}", 3))),
        shell.makes(f"awk '$3 == \"ERROR\"' {source} > {path}", path, "\n".join(line for line in lines if line.split()[2] == "ERROR")),
        (shell.reads(f"grep --count-only ERROR {source}", "grep: unrecognized option '--count-only'\nUsage: grep [OPTION]... PATTERNS [FILE]...\nTry 'grep --help' for more information."),
         shell.reads(f"grep --total ERROR {source}", "grep: unrecognized option '--total'\nUsage: grep [OPTION]... PATTERNS [FILE]...\nTry 'grep --help' for more information."),
         shell.makes(f"grep --lines ERROR {source} > {path}", path, "", "grep: unrecognized option '--lines'\nUsage: grep [OPTION]... PATTERNS [FILE]...")),
        shell.reads(f"awk '$3 == \"ERROR\"' {source} | wc -l > {folder}/out/errors.txt", f"bash: {folder}/out/errors.txt: No such file or directory"),
        other=str(right + 2),
    )  # fmt: skip


def largest_users(shell: Shell, rng: Random, folder: str) -> Chore:
    """A ranking by number, which a plain sort gets wrong."""
    sizes = {user: rng.choice((3, 20, 100)) * rng.randint(2, 60) + rng.randint(1, 9) for user in rng.sample(_USERS, 7)}
    source, path = f"{folder}/usage.tsv", f"{folder}/top3.txt"
    table = "\n".join(f"{user}\t{size}" for user, size in sizes.items())
    by_number = sorted(sizes, key=lambda user: -sizes[user])
    by_text = sorted(sizes, key=lambda user: str(sizes[user]), reverse=True)
    if by_text[:3] == by_number[:3]:
        by_text = by_text[1:]

    def names(users: Iterable[str]) -> str:
        return "\n".join(users)

    return Chore(
        f"{source} lists users and megabytes, separated by a tab. Write the names of the three largest users into {path}, largest first, one per line.",
        path, names(by_number[:3]), (shell.reads(f"cat {source}", table), shell.reads(f"head -3 {source}", "\n".join(table.splitlines()[:3]))),
        (shell.makes(f"sort -t$'\\t' -k2,2nr {source} | head -3 | cut -f1 > {path}", path, names(by_number[:3])), shell.makes(f"sort -k2 -nr {source} | head -n 3 | awk '{{print $1}}' > {path}", path, names(by_number[:3]))),
        shell.makes(f"sort -k2 -r {source} | head -3 | cut -f1 > {path}", path, names(by_text[:3])),
        (shell.makes(f"sort -k2,2n {source} | head -3 | cut -f1 > {path}", path, names(by_number[::-1][:3])), shell.makes(f"sort -k2,2nr {source} | head -4 | cut -f1 > {path}", path, names(by_number[:4])),
         shell.makes(f"sort -k2,2nr {source} | sed -n 2,4p | cut -f1 > {path}", path, names(by_number[1:4]))),
        shell.makes(f"sort -k2,2nr {source} | head -3 > {path}", path, names(f"{user}\t{sizes[user]}" for user in by_number[:3])),
        (shell.reads(f"sort --by=2 --numeric {source}", "sort: unrecognized option '--by=2'\nTry 'sort --help' for more information."), shell.reads(f"sort --column 2 {source}", "sort: unrecognized option '--column'\nTry 'sort --help' for more information."),
         shell.makes(f"sort --field 2 {source} | head -3 > {path}", path, "", "sort: unrecognized option '--field'\nTry 'sort --help' for more information.")),
        shell.reads(f"sort -k2,2nr {source} | head -3 | cut -f1 > {folder}/out/top3.txt", f"bash: {folder}/out/top3.txt: No such file or directory"),
        other=names((by_number[1], by_number[0], by_number[2])),
    )  # fmt: skip


def active_mails(shell: Shell, rng: Random, folder: str) -> Chore:
    """A JSON file that wants a tool for JSON."""
    users = [
        {"name": user, "active": rng.random() < 0.55, "mail": f"{user}{rng.randint(1, 99)}@corp.example"}
        for user in rng.sample(_USERS, 8)
    ]
    users[0]["active"], users[1]["active"] = True, False
    source, path = f"{folder}/users.json", f"{folder}/active.txt"
    active = [str(user["mail"]) for user in users if user["active"]]
    idle = [str(user["mail"]) for user in users if not user["active"]]
    everyone = [str(user["mail"]) for user in users]
    right = "\n".join(sorted(active))
    misused = "jq: error: syntax error, unexpected '}' (Unix shell quoting issues?) at <top-level>, line 1:"
    return Chore(
        f"Write the mail addresses of all active users of {source} into {path}, sorted, one per line.",
        path, right, (shell.reads(f"cat {source}", json.dumps({"users": users})), shell.reads(f"jq '.users | length' {source}", str(len(users)))),
        (shell.makes(f"jq -r '.users[] | select(.active) | .mail' {source} | sort > {path}", path, right), shell.makes(f"jq -r '[.users[] | select(.active == true) | .mail] | sort | .[]' {source} > {path}", path, right)),
        shell.makes(f"jq -r '.users[] | select(has(\"active\")) | .mail' {source} | sort > {path}", path, "\n".join(sorted(everyone))),
        (shell.makes(f"jq -r '.users[] | select(.active) | .mail' {source} | sort -r > {path}", path, "\n".join(sorted(active, reverse=True)) if len(active) > 1 else right + "\n\n"),
         shell.makes(f"jq -r '.users[] | select(.active | not) | .mail' {source} | sort > {path}", path, "\n".join(sorted(idle))), shell.makes(f"jq -r '.users[] | select(.active) | .name' {source} | sort > {path}", path, "\n".join(sorted(mail.split('@')[0] for mail in active)))),
        shell.makes(f"jq '.users[] | select(.active) | .mail' {source} | sort > {path}", path, "\n".join(f'"{mail}"' for mail in sorted(active))),
        (shell.reads(f"jq -r '.users[] where .active }}' {source}", misused), shell.reads(f"jq -r '.users.filter(.active) }}' {source}", misused), shell.makes(f"jq -r 'users.active.mail }}' {source} > {path}", path, "", misused)),
        shell.reads(f"jq -r '.users[] | select(.active) | .mail' {source} | sort > {folder}/lists/active.txt", f"bash: {folder}/lists/active.txt: No such file or directory"),
        other="\n".join(sorted(everyone)[:-1]),
    )  # fmt: skip


def column_sum(shell: Shell, rng: Random, folder: str) -> Chore:
    """A table with a package to install first, as the request has it."""
    rows = [(f"{rng.randint(1, 28):02d}.05.", rng.choice(_PATHS), rng.randint(5, 90)) for _ in range(rng.randint(14, 22))]
    source, path = f"{folder}/visits.csv", f"{folder}/sum.txt"
    table = "day,path,visits\n" + "\n".join(f"{day},{where},{count}" for day, where, count in rows)
    wanted = Counter(where for _, where, _ in rows).most_common(1)[0][0]
    right = sum(count for _, where, count in rows if where == wanted)
    loose = sum(count for _, where, count in rows if where.startswith(wanted[:2]))
    loose += 5 if loose == right else 0
    install = rng.choice(("pip install csvkit", "apt-get install -y csvkit", "pip install miller-csv"))
    return Chore(
        f"{source} has the columns day, path, visits. Install csvkit if you need it. Write the sum of the visits to {wanted} into {path}.",
        path, str(right), (shell.reads(f"head -4 {source}", "\n".join(table.splitlines()[:4])),),
        (shell.makes(f"csvgrep -c path -r '^{wanted}$' {source} | csvcut -c visits | tail -n +2 | paste -sd+ | bc > {path}", path, str(right)), shell.makes(f"csvsql --query \"select sum(visits) from visits where path='{wanted}'\" {source} | tail -1 > {path}", path, str(right))),
        shell.makes(f"csvgrep -c path -m {wanted[:2]} {source} | csvcut -c visits | tail -n +2 | paste -sd+ | bc > {path}", path, str(loose)),
        tuple(shell.makes(command, path, str(value)) for command, value in (
            (f"csvgrep -c path -r '^{wanted}$' {source} | csvcut -c visits | tail -n +3 | paste -sd+ | bc > {path}", right - next(count for _, where, count in rows if where == wanted)),
            (f"csvgrep -c path -r '^{wanted}$' {source} | tail -n +2 | wc -l > {path}", sum(where == wanted for _, where, _ in rows)),
            (f"csvgrep -i -c path -r '^{wanted}$' {source} | csvcut -c visits | tail -n +2 | paste -sd+ | bc > {path}", sum(count for _, where, count in rows if where != wanted)))),
        shell.makes(f"csvgrep -c path -r '^{wanted}$' {source} | csvcut -c visits > {path}", path, "visits\n" + "\n".join(str(count) for _, where, count in rows if where == wanted)),
        (shell.reads(f"csvgrep --where path={wanted} {source}", "usage: csvgrep [-h] [-d DELIMITER]\ncsvgrep: error: unrecognized arguments: --where"), shell.reads(f"csvgrep --filter path={wanted} {source}", "usage: csvgrep [-h] [-d DELIMITER]\ncsvgrep: error: unrecognized arguments: --filter"),
         shell.makes(f"csvsum --of visits {source} > {path}", path, "", "usage: csvsum FILE\ncsvsum: error: unrecognized arguments: --of")),
        shell.reads(f"csvgrep -c path -r '^{wanted}$' {source} | csvcut -c visits > {folder}/out/sum.txt", f"bash: {folder}/out/sum.txt: No such file or directory"),
        setup=shell.reads(install, "Successfully installed csvkit-1.5.0" if install.startswith("pip") else "Setting up csvkit (1.5.0-1) ..."), other=str(right + 10),
    )  # fmt: skip


CHORES: tuple[Callable[[Shell, Random, str], Chore], ...] = (error_count, largest_users, active_mails, column_sum)


def _task(index: int, make: Callable[[Shell, Random, str], Chore], rng: Random) -> Task:
    shell = Shell()
    folder = f"/{rng.choice(('srv', 'data', 'var/work', 'opt/jobs'))}/{rng.choice(('north', 'south', 'east', 'west', 'main'))}{rng.randint(10, 99)}"
    chore = make(shell, rng, folder)
    shown = f"cat {chore.path}"
    head = tuple(call("shell", cmd=command) for command in ((*((chore.setup,) if chore.setup else ()), *chore.looks)))
    closings = [say(text.format(path=chore.path)) for text in _DONE]

    def run(command: str, decisive: bool = False, check: bool = True) -> Script:
        work = call("shell", changes=True, decisive=decisive, cmd=command)
        return (*head, work, *((call("shell", cmd=shown),) if check else ()), rng.choice(closings))

    def fumbled() -> Script:
        tried = tuple(
            call("shell", changes=command in shell.writes, decisive=not number, cmd=command)
            for number, command in enumerate(chore.misused)
        )
        return (*head, *tried, rng.choice(closings))

    faulty: dict[str, tuple[Script, ...]] = {
        "wrong_algorithm": tuple(run(chore.misconception, True) for _ in range(2)),
        "wavering_code": tuple(run(command, True) for command in chore.slips),
        "no_self_check": tuple(run(chore.unchecked, True, check=False) for _ in range(2)),
        "api_misuse": (fumbled(), fumbled()),
        "error_ignored": tuple(run(chore.refused, True, check=False) for _ in range(2)),
    }
    where = Call(
        "shell",
        {
            "cmd": shell.reads(
                f"ls -la {folder}", f"total 24\n-rw-r--r-- 1 root root 4096 May 28 10:02 {chore.looks[0].split('/')[-1]}"
            )
        },
    )
    missed = Call("shell", {"cmd": shell.reads(f"cat {folder}/README.md", f"cat: {folder}/README.md: No such file or directory")})
    sound = tuple(run(command) for command in chore.right)
    gold: Row = {"instruction": chore.request, "expected_files": {chore.path: chore.content}}
    return Task(
        index, make.__name__, _SYSTEM, chore.request, sound, gold, faulty, (where, missed),
        other_gold={**gold, "expected_files": {chore.path: chore.other}}, facts={"shell": shell},
    )  # fmt: skip


class Terminal(Environment):
    name = "terminal"
    hosts = ("node-11", "node-12", "node-13", "node-14", "node-15")
    setting = Setting("terminal_agent", "kepler-small", TOOLS, temperature=1.0, host_field="host")
    manner = Manner(
        thinks=0.4,
        before_read=("Let me look at the input.", "First the data.", "What does the file look like?", "I'll check this."),
        before_change=("This command should produce the file.", "Writing the result.", "Now the actual work."),
        speaks=True,
        recovered_error=0.0,
        pace=(1.0, 5.0),
    )

    def tasks(self, seed: int, count: int) -> list[Task]:
        return [_task(index, CHORES[index % len(CHORES)], dice(seed, self.name, "task", index)) for index in range(count)]

    def trouble_with(self, kind: str) -> tuple[frozenset[str] | None, frozenset[str] | None]:
        if kind in ("sandbox_start", "disk_full"):
            return None, None
        return None, frozenset(["pip", "apt-get"] if kind == "failed_install" else ["jq", "csvgrep", "csvsql"])

    def backend(self, task: Task) -> Backend:
        shell: Shell = task.facts["shell"]
        files: dict[str, str] = {}

        def answer(made: Call) -> str:
            command = str(made.arguments["cmd"])
            if command in shell.writes:
                path, content = shell.writes[command]
                files[path] = content
            path = command.removeprefix("cat ")
            if command.startswith("cat ") and command not in shell.prints:
                return files.get(path, f"cat: {path}: No such file or directory")
            return shell.prints.get(command, "")

        return answer

    def verify(self, episode: Episode, flaw: str | None, rng: Random) -> Row:
        task = episode.task
        shell: Shell = task.facts["shell"]
        files: dict[str, str] = {}
        for made in episode.accepted:
            if (written := shell.writes.get(str(made.arguments["cmd"]))) is not None:
                files[written[0]] = written[1]
        ((path, content),) = task.gold["expected_files"].items()
        found = files.get(path)
        failed: dict[str, str] = {}
        if found is None:
            failed["output_exists"] = f"{path}: no such file"
        if found != content:
            failed["content_matches"] = (
                f"expected {content[:40]!r}, found {found[:40]!r}" if found is not None else "nothing to compare"
            )
        if flaw == "broken_test":
            failed["inputs_untouched"] = "sha256sum: /snapshot/manifest.sha256: No such file or directory"
        if flaw == "flaky_verifier":
            failed["no_stray_files"] = f"unexpected file /tmp/.{rng.choice(('cache', 'lock', 'tmp'))}{rng.randint(100, 999)}"
        if flaw == "verifier_timeout":
            return {"reward": 0.0, "checks": [], "verifier_exit_code": 124, "verifier_error": timed_out(rng)}
        checks = [{"name": name, "passed": name not in failed, "detail": failed.get(name, "")} for name in CHECKS]
        passed = not failed and flaw != "reward_contradicts_checks"
        return {"reward": 1.0 if passed else 0.0, "checks": checks, "verifier_exit_code": 1 if failed else 0}
