"""Errands of a dairy's laboratory: scores of cell counts, acidity, batches that are released or not, and what they are tested for."""

from __future__ import annotations

from collections.abc import Sequence
from itertools import permutations
from random import Random
from typing import Final

from blade.lab.environments.dairy.books import Analysis, Books, Herd
from blade.lab.environments.dairy.desk import FIGURES, PANEL
from blade.lab.environments.dairy.errands import Errand, looked_up, source, task_of
from blade.lab.environments.draws import mostly_upwards, swallowed
from blade.lab.stage.errand import scripts
from blade.lab.stage.script import Row, Script, Task, call

_REMARKS: Final = ("ask Dr Wilms before it leaves", "sample again after the weekend", "keep apart from the other racks")


def _figure(herd: Herd, figure: str, value: float) -> Errand:
    change = call("set_herd_figure", changes=True, herd_id=herd.id, figure=figure, value=value)
    reads = (*looked_up(herd), call("get_readings", record_id=herd.id))
    told = f"a somatic cell score of {value}" if figure == FIGURES[0] else f"an acidity of {value} degrees Dornic"
    return Errand(reads, (change,), f"{herd.name} has {told}")


def score(index: int, books: Books, rng: Random) -> Task:
    """The linear score of the latest cell count, where another analysis stands first."""
    herd, neighbour = rng.sample(books.herds, 2)
    right, older = herd.latest.score, herd.analyses[0].score
    words = rng.choice(
        (
            "For the breeding report: set the somatic cell score of {herd} ({id}), that is the linear SCS, from its most recent analysis by date.",
            "Please work out the linear somatic cell score (SCS) of the herd {herd}, {id}, from the cell count of the latest sample and set it on the card.",
        )
    )

    def put(value: float, one: Herd = herd) -> Errand:
        return _figure(one, FIGURES[0], value)

    others = [round(right + off, 1) for off in rng.sample((-1.7, -1.4, -0.8, -0.5, 0.4, 0.6, 1.3, 1.8), 5)]
    request, errand = words.format(herd=herd.name, id=herd.id), put(right)
    faulty: dict[str, tuple[Script, ...]] = {
        "wavering_argument": scripts([put(one).but() for one in others[:4]], rng),
        "number_spelling": scripts([errand.but(decisive=False, value=float(right))] * 2, rng),
        "skipped_lookup": tuple(put(one).unread(rng, "get_readings") for one in (2.5, 3.5, 4.5)),
    }
    if right - 3 not in {one.score for one in herd.analyses}:
        faulty["score_offset_missing"] = scripts([put(right - 3).but()] * 2, rng)
    if older != right - 3:
        faulty["older_reading_taken"] = scripts([put(older).but()] * 2, rng)
    why = [
        f"The sample of {herd.latest.sampled} is the latest one of {herd.name}, {1_000 * herd.latest.cells} cells per ml. The linear score, log2(cells / 100000) + 3, is {one}."
        for one in (right, others[4])
    ]
    merged = swallowed(
        source("scores"), request, errand, words.format(herd=neighbour.name, id=neighbour.id), put(neighbour.latest.score, neighbour), rng
    )  # fmt: skip
    return task_of(index, "scores", request, errand, put(others[4]), why, faulty, books, rng, remade={"swallowed_row": merged})


def acidity(index: int, books: Books, rng: Random) -> Task:
    """The latest acidity on another scale."""
    herd = mostly_upwards(books.herds, lambda one: 10 * one.latest.exact_dornic, rng)
    neighbour = rng.choice([one for one in books.herds if one != herd])
    latest: Analysis = herd.latest
    right, exact = latest.dornic, latest.exact_dornic
    older, cut = herd.analyses[0].dornic, int(10 * exact + 1e-6) / 10
    listed = {one.dornic for one in herd.analyses}
    words = rng.choice(
        (
            "The cheesemakers want to see degrees Dornic. Set the acidity of {herd} ({id}) on that scale, from the latest sample by date and rounded to one decimal.",
            "Please convert the acidity in the most recent analysis of {herd}, {id}, to degrees Dornic and set it on the herd's card, rounded to one decimal.",
        )
    )

    def put(value: float, one: Herd = herd) -> Errand:
        return _figure(one, FIGURES[1], value)

    offs = rng.sample((-2.7, -1.8, -1.1, -0.6, 0.4, 0.9, 1.3, 2.2, 3.1), 9)
    others = [one for off in offs if (one := round(right + off, 1)) not in {*listed, cut, latest.acidity}]
    request, errand = words.format(herd=herd.name, id=herd.id), put(right)
    faulty: dict[str, tuple[Script, ...]] = {
        "wavering_acidity": scripts([put(one).but() for one in others[:4]], rng),
        "skipped_lookup": tuple(put(one).unread(rng, "get_readings") for one in (14.0, 15.0, 16.0) if one != right),
    }
    if older != cut and older != latest.acidity:
        faulty["older_reading_taken"] = scripts([put(older).but()] * 2, rng)
    if cut not in listed:
        faulty["wrong_rounding"] = scripts([put(cut).but()] * 2, rng)
    why = [
        f"The latest sample of {herd.name} was taken on {latest.sampled} and has {latest.acidity} degrees SH, which are {one} degrees Dornic."
        for one in (right, others[-1])
    ]
    merged = swallowed(
        source("acidity"), request, errand, words.format(herd=neighbour.name, id=neighbour.id), put(neighbour.latest.dornic, neighbour), rng
    )  # fmt: skip
    return task_of(
        index, "acidity", request, errand, put(others[-1]), why, faulty, books, rng, remade={"swallowed_row": merged},
        rounded=None if abs(exact - right) < 1e-6 else right, exact=exact,
    )  # fmt: skip


def batch(index: int, books: Books, rng: Random) -> Task:
    """A batch is released if it has few germs and gets a remark otherwise, which is what it mostly comes to."""
    one, remark = rng.choice(books.batches), rng.choice(_REMARKS)
    few = rng.random() < 0.1
    limit = one.germs + rng.randint(1, 12) if few else one.germs - rng.randint(0, 12)
    reads = (*looked_up(one), call("get_readings", record_id=one.id))
    status = call("set_batch_status", changes=True, batch_id=one.id, status="released")
    words = call("add_batch_remark", changes=True, batch_id=one.id, text=remark)
    released = Errand(reads, (status,), f"{one.name} is released")
    marked = Errand(reads, (words,), f"{one.name} has the remark")
    right, wrong = (released, marked) if few else (marked, released)
    request = rng.choice(
        (
            f'If the germ count of {one.name} is below {limit} thousand per ml, release the batch. Otherwise leave its status alone and put the remark "{remark}" on it.',
            f'What happens to {one.name} depends on its germ count: with fewer than {limit} thousand per ml it is released, with {limit} thousand or more it keeps its status and only gets the remark "{remark}". Please see to it.',
        )
    )
    both = (
        Errand(reads, (status, words), f"{one.name} is released and has the remark"),
        Errand(reads, (words, status), f"{one.name} has its remark and is released"),
    )
    faulty: dict[str, tuple[Script, ...]] = {
        "both_branches_taken": scripts([each.but(each.changes.index(wrong.changes[0])) for each in both], rng)
    }
    if not few:
        faulty["condition_unchecked"] = tuple(released.unread(rng, "get_readings") for _ in range(2))
    did = {True: "it is released", False: f"it gets the remark ({remark})"}
    why = [f"{one.name} has {one.germs} thousand germs per ml; the limit is {limit}; so {did[case]}." for case in (few, not few)]
    return task_of(index, "batches", request, right, wrong, why, faulty, books, rng)


def panel(index: int, books: Books, rng: Random) -> Task:
    """The tests on a list are set, all but for one, and the batch goes into testing."""
    one, namesake = rng.sample(books.batches, 2)
    chosen = rng.sample(PANEL, 8)
    wanted, theirs, excepted, at = chosen[: rng.randint(3, 4)], chosen[4:7], chosen[7], rng.randint(0, 3)

    def entered(some: Sequence[str], remark: str = "") -> Errand:
        changes = (
            call("set_test_panel", changes=True, batch_id=one.id, tests=list(some)),
            call("set_batch_status", changes=True, batch_id=one.id, status="in testing"),
        )
        return Errand(looked_up(one), changes, f"{one.name} is in testing, with {len(some)} tests{remark}")

    request = rng.choice(
        (
            f'{one.name} is to be tested. Set its panel to the tests in the list below, but leave out "{excepted}", and after that change the status of the batch to "in testing".',
            f'Please set the test panel of {one.name} from the list below (everything except "{excepted}"), then its status: "in testing".',
        )
    )

    def with_list(name: str, some: Sequence[str]) -> str:
        lines = [f"  {number}. {test}" for number, test in enumerate((*some[:at], excepted, *some[at:]), 1)]
        return "\n".join((request, "", f"Tests for {name}:", *lines))

    others = [some for some in permutations(wanted) if list(some) != wanted]
    faulty = {
        "set_as_list": scripts(map(entered, rng.sample(others, 3)), rng),
        "exception_overlooked": scripts([entered([*wanted[:at], excepted, *wanted[at:]]).but()] * 2, rng),
    }
    slip = [*wanted[:-1], theirs[0]]
    why = [f"{one.name} is tested for {', '.join(some)}, without {excepted}, and is in testing." for some in (wanted, slip)]
    remark = f" (the heading of the list says {namesake.name})"
    mixed_up: Row = {
        "request": with_list(namesake.name, theirs),
        "sound": scripts([entered(theirs), entered(theirs, remark), entered(theirs, remark)], rng),
    }
    return task_of(
        index, "panels", with_list(one.name, wanted), entered(wanted), entered(slip), why, faulty, books, rng,
        unattached=request, remade={"swapped_attachment": mixed_up},
    )  # fmt: skip
