"""Questions at the observatory: a figure from the queue, an order of brightness, a quiz for the summer school."""

from __future__ import annotations

from collections.abc import Sequence
from random import Random

from blade.lab.desk import Call
from blade.lab.environments.observatory.night_work import SYSTEM
from blade.lab.environments.observatory.sky import BLOCKS_PER_PAGE, Sky
from blade.lab.stage.script import Row, Script, Task, call, say

_QUIZ = (
    ("Which coordinate is measured along the celestial equator?", "Right ascension", ("Declination", "Altitude", "Galactic latitude")),
    ("What does a seeing of one arcsecond describe?", "Blurring by the air", ("Tracking drift", "Pixel size", "Pointing error")),
    ("Which frames remove differences in pixel sensitivity?", "Flat fields", ("Darks", "Bias frames", "Arc frames")),
    ("Which frames record the wavelength scale of a spectrograph?", "Arc frames", ("Flat fields", "Twilight frames", "Darks")),
    ("At which airmass does a target stand in the zenith?", "1", ("0", "2", "90")),
    ("Which time runs with the stars?", "Sidereal time", ("Civil time", "Atomic time", "Ephemeris second")),
    ("Which unit of distance rests on the parallax of one arcsecond?", "Parsec", ("Light year", "Astronomical unit", "Jansky")),
    ("What is a magnitude of 1 compared with one of 6?", "100 times brighter", ("5 times brighter", "6 times fainter", "10 times brighter")),
    ("Which unit gives the flux density of radio sources?", "Jansky", ("Kelvin", "Lumen", "Magnitude")),
    ("What limits a diffraction-limited telescope?", "Its aperture", ("Its focal length", "Its mount", "Its dome")),
    ("Which line is the 21 cm line?", "Neutral hydrogen", ("Ionised helium", "Carbon monoxide", "Water vapour")),
    ("Which mirror does a Cassegrain telescope have in front of the focus?", "A convex secondary", ("A flat secondary", "A concave secondary", "A corrector lens")),
    ("What does adaptive optics need besides a deformable mirror?", "A wavefront sensor", ("A slit", "A grating", "A second dome")),
    ("Where does the ecliptic cross the equator in March?", "At the vernal equinox", ("At the solstice", "At the pole", "At the node of the Moon")),
)  # fmt: skip
_STARS = ("HV 211", "HV 874", "Kap 33", "Lor 5", "Mira B7", "Nyx 40", "Ost 12", "Per-Q9", "RZ 118", "SX 64", "Tal 3", "UW 77")
_LEADS = ("I went through it once.", "From the list of blocks.", "Here is what I get.", "Checked against the queue.", "In short:")
_FAREWELLS = (
    "Let me know if you need the blocks one by one.",
    "Clear skies tonight!",
    "Anything else for the queue?",
    "(Blocks on hold are not part of it.)",
)
_PONDERS = (
    "What exactly is asked?",
    "One thing at a time.",
    "Careful with the convention here.",
    "Nothing to change for this one.",
)


def _gold(answer: str, **more: object) -> Row:
    return {"expected_actions": [], "target": answer, **more}


def shutter_time(index: int, sky: Sky, rng: Random) -> Task | None:
    """The open-shutter time of a programme in hours, to one decimal, where cutting off and rounding differ."""
    programme = rng.choice(sky.programmes)
    queued = [block for block in programme.blocks if block.state == "queued"]
    seconds = sum(block.exposures * block.seconds for block in queued)
    hours = seconds / 3_600
    right, cut = f"{hours:.1f}", f"{int(hours * 10) / 10:.1f}"
    if right == cut or not 0.002 < float(right) - hours < 0.048 or hours < 1:
        return None
    who = programme.investigator
    pages = -(-len(programme.blocks) // BLOCKS_PER_PAGE)
    reads = (
        call("findProgramme", investigator=who),
        call("listBlocks", programme=programme.code),
        *(call("listBlocks", programme=programme.code, page=page) for page in range(2, pages + 1)),
    )

    def told(figure: str, decisive: bool, form: str = "Result: {}", after: str = "") -> Script:
        return (*reads, say(f"{rng.choice(_LEADS)}\n{form.format(figure)}{after}", decisive=decisive))

    solution = f"Sum over {len(queued)} queued blocks: {seconds} s = {seconds / 60:.1f} min = {hours:.3f} h"

    def gold(answer: str, truth: str = solution, unit: str = "h") -> Row:
        return _gold(answer, tolerance=0.05, answer_unit=unit, reference_solution=truth)

    near = [f"{float(right) + shift:.1f}" for shift in rng.sample((0.3, -0.4, 0.9, 1.2, -0.7, 2.1), 4)]
    loose = ("That makes {} hours of open shutter.", "In total {} h are queued.", "It comes to {} hours.")
    faulty = {
        "wrong_rounding": tuple(told(cut, True) for _ in range(2)),
        "scattered_numbers": tuple(told(figure, True) for figure in near if float(figure) > 0),
        "last_line_only": tuple(told(right, True, after=f"\n\n{farewell}") for farewell in _FAREWELLS),
        "wrong_format": tuple(told(right, True, form) for form in loose),
    }
    wrong = f"{hours + 1.2:.3f}"
    request = rng.choice(
        (
            "How much open-shutter time does {w} have in the queue (queued blocks only, not those on hold)? In hours, rounded to one decimal",
            "I need the sum of exposure time over all queued blocks of {w}, without those on hold, in hours to one decimal",
        )
    ).format(w=who) + rng.choice((". Include a line 'Result: <number>'.", ", written as 'Result: <number>'."))  # fmt: skip
    return Task(
        index, "queue statistics", SYSTEM, request, tuple(told(right, False) for _ in range(3)), gold(f"{hours:.3f}"), faulty,
        (Call("findProgramme", {"investigator": who.split()[-1]}),),
        other_gold=gold(wrong, solution.replace(f"{hours:.3f}", wrong)), other_script=told(f"{float(wrong):.1f}", False),
        contradicted_gold=gold(wrong),
        facts={"sky": sky, "answer_field": "target", "other_unit_gold": gold(f"{seconds / 60:.1f}")},
    )  # fmt: skip


def brightness(index: int, sky: Sky, rng: Random) -> Task:
    """Stars by brightness: magnitudes run backwards, and some are below zero."""
    stars = rng.sample(_STARS, 5)
    figures = rng.sample([number / 10 for number in range(-14, 60)], 5)
    ranked = [star for _, star in sorted(zip(figures, stars, strict=True))]

    def told(order: Sequence[str], decisive: bool) -> Script:
        return (say(f"{rng.choice(_LEADS[:3:2])}\nResult: {', '.join(order)}", thought=rng.choice(_PONDERS), decisive=decisive),)

    def swapped(at: int) -> list[str]:
        return [*ranked[:at], ranked[at + 1], ranked[at], *ranked[at + 2 :]]

    backwards = ranked[::-1]
    slips = [swapped(at) for at in rng.sample(range(4), 4)]
    faulty = {
        "wavering_order": tuple(told(order, True) for order in slips),
        "wrong_fact": tuple(told(backwards, True) for _ in range(2)),
        "last_line_only": tuple((say(f"Result: {', '.join(ranked)}\n{why}", decisive=True),) for why in (
            "The lower the magnitude, the brighter the star.", "This goes by the visual magnitudes you gave.", "Clear skies!",
        )),
    }  # fmt: skip
    listed = "; ".join(f"{star} {figure:+.1f}" for star, figure in zip(stars, figures, strict=True))
    request = f"Put these stars in order, brightest first (visual magnitudes): {listed}. Reply with 'Result: <names, separated by commas>'."
    truth = f"Ascending magnitude: {' < '.join(ranked)}"
    return Task(
        index, "finding charts", SYSTEM, request, tuple(told(ranked, False) for _ in range(3)),
        _gold(", ".join(ranked), reference_solution=truth), faulty,
        other_gold=_gold(", ".join(backwards), reference_solution=f"Ascending magnitude: {' < '.join(backwards)}"),
        other_script=told(backwards, False), contradicted_gold=_gold(", ".join(backwards), reference_solution=truth),
        facts={"sky": sky, "answer_field": "target"},
    )  # fmt: skip


def quiz(index: int, sky: Sky, rng: Random) -> Task:
    text, right, wrong = rng.choice(_QUIZ)
    shown = rng.sample((right, *wrong), 4)
    options = dict(zip("ABCD", shown, strict=True))
    letter = "ABCD"[shown.index(right)]
    others = rng.sample([key for key in "ABCD" if key != letter], 3)

    def told(choice: str, decisive: bool, after: str = "") -> Script:
        return (say(f"Result: {choice}{after}", thought=rng.choice(_PONDERS), decisive=decisive),)

    def gold(choice: str, truth: str) -> Row:
        return _gold(choice, choices=[f"{key}. {option}" for key, option in options.items()], reference_solution=truth)

    faulty = {
        "wrong_option": tuple(told(other, True) for other in others),
        "wrong_fact": tuple(told(others[0], True) for _ in range(2)),
        "format_rejected": tuple(told(form, True) for form in (f"({letter})", letter.lower(), f"{letter}.")),
        "last_line_only": tuple(
            told(letter, True, f"\n{why}") for why in ("Good luck with the school!", "That one is a classic.")
        ),
    }
    listed = "\n".join(f"{key}. {option}" for key, option in options.items())
    request = f"Summer school sheet {rng.randint(1, 40)}: {text}\n{listed}\nAnswer in the form 'Result: <letter>'."
    return Task(
        index, "summer school", SYSTEM, request, tuple(told(letter, False) for _ in range(3)), gold(letter, right), faulty,
        other_gold=gold(others[0], options[others[0]]), other_script=told(others[0], False), contradicted_gold=gold(others[0], right),
        facts={"sky": sky, "answer_field": "target", "options": options},
    )  # fmt: skip
