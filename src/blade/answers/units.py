"""Units of measure: one name for `km`, `kilometers` and `kilometres`, and what converts into what.

A unit belongs to a dimension and is a multiple of the dimension's base unit (temperatures also shift). Symbols are read as
written, for `mb` is not `MB`; words in any case. A word we do not know is still a unit of its own kind (`12 apples`), compared
by name only.
"""

import re
from dataclasses import dataclass
from fractions import Fraction
from functools import cache
from typing import Final


@dataclass(frozen=True, slots=True)
class Unit:
    """A unit: its one name, its dimension, and how a value becomes base units (`value * factor + shift`)."""

    name: str
    dimension: str
    factor: Fraction = Fraction(1)
    shift: Fraction = Fraction(0)

    def to_base(self, value: Fraction) -> Fraction:
        return value * self.factor + self.shift


# dimension -> lines of "name factor symbols… | words…"; factors are exact (international yard and pound, 1959).
_TABLE: Final = {
    "length": """
        nm 1/1000000000 | nanometer nanometre
        um 1/1000000 µm μm | micrometer micrometre micron
        mm 1/1000 | millimeter millimetre
        cm 1/100 | centimeter centimetre
        dm 1/10 | decimeter decimetre
        m 1 | meter metre
        km 1000 | kilometer kilometre
        in 127/5000 " | inch
        ft 381/1250 | foot feet
        yd 1143/1250 | yard
        mi 201168/125 | mile""",
    "area": """
        mm^2 1/1000000 mm2
        cm^2 1/10000 cm2 | square_centimeter square_centimetre
        m^2 1 m2 sqm | square_meter square_metre
        km^2 1000000 km2 | square_kilometer square_kilometre
        in^2 16129/25000000 in2 | square_inch
        ft^2 145161/1562500 ft2 sqft | square_foot square_feet
        ha 10000 | hectare
        acre 316160658/78125 | acre""",
    "volume": """
        mL 1/1000000 ml | milliliter millilitre
        cm^3 1/1000000 cm3 cc | cubic_centimeter cubic_centimetre
        L 1/1000 l | liter litre
        m^3 1 m3 | cubic_meter cubic_metre
        in^3 2048383/125000000000 in3 | cubic_inch
        ft^3 55306341/1953125000 ft3 | cubic_foot cubic_feet""",
    "mass": """
        ug 1/1000000000 µg μg mcg | microgram
        mg 1/1000000 | milligram
        g 1/1000 | gram gramme
        kg 1 | kilogram kilo
        t 1000 | tonne
        oz 45359237/1600000000 | ounce
        lb 45359237/100000000 lbs | pound
        ozt 19439673/625000000 | troy_ounce troy_oz
        lbt 58319019/156250000 | troy_pound troy_lb""",
    "time": """
        ns 1/1000000000 | nanosecond
        us 1/1000000 µs μs | microsecond
        ms 1/1000 | millisecond
        s 1 sec secs | second
        min 60 mins | minute
        h 3600 hr hrs | hour
        d 86400 | day
        wk 604800 | week""",
    "months": """
        month 1 mo | month
        year 12 yr yrs | year""",
    "speed": """
        m/s 1 | meters_per_second metres_per_second meter_per_second
        km/h 5/18 kph kmh km/hr | kilometers_per_hour kilometres_per_hour kilometer_per_hour
        ft/s 381/1250 fps | feet_per_second
        mph 1397/3125 mi/h | miles_per_hour mile_per_hour""",
    "acceleration": "m/s^2 1 m/s2 | meters_per_second_squared",
    "density": """
        kg/m^3 1 kg/m3
        g/cm^3 1000 g/cm3 g/mL g/ml""",
    "force": """
        N 1 | newton
        kN 1000 | kilonewton""",
    "energy": """
        J 1 | joule
        kJ 1000 | kilojoule
        MJ 1000000 | megajoule
        GJ 1000000000 | gigajoule
        cal 523/125 | calorie
        kcal 4184 | kilocalorie
        Wh 3600
        kWh 3600000 | kilowatt_hour
        MWh 3600000000 | megawatt_hour
        eV 801088317/5000000000000000000000000000 | electronvolt""",
    "power": """
        mW 1/1000 | milliwatt
        W 1 | watt
        kW 1000 | kilowatt
        MW 1000000 | megawatt""",
    "pressure": """
        Pa 1 | pascal
        kPa 1000 | kilopascal
        bar 100000 | bar
        atm 101325 | atmosphere""",
    "frequency": """
        Hz 1 | hertz
        kHz 1000 | kilohertz
        MHz 1000000 | megahertz
        GHz 1000000000 | gigahertz""",
    "voltage": """
        mV 1/1000 | millivolt
        V 1 | volt
        kV 1000 | kilovolt""",
    "current": """
        mA 1/1000 | milliamp milliampere
        A 1 | amp ampere""",
    "resistance": """
        ohm 1 Ω Ω | ohm
        kohm 1000 kΩ | kiloohm""",
    "amount": """
        mmol 1/1000 | millimole
        mol 1 | mole""",
    "data": """
        bit 1 | bit
        B 8 | byte
        kB 8000 KB | kilobyte
        MB 8000000 | megabyte
        GB 8000000000 | gigabyte
        TB 8000000000000 | terabyte
        KiB 8192 | kibibyte
        MiB 8388608 | mebibyte
        GiB 8589934592 | gibibyte""",
    "angle": """
        degree 1 ° deg | degree""",
    "percent": "% 1 | percent per_cent",
    "percentage points": "pp 1 | percentage_point",
    "USD": "USD 1 $ US$ | dollar buck us_dollar",
    "US cents": "cent 1 ¢ | cent",
    "EUR": "EUR 1 € | euro",
    "GBP": "GBP 1 £ | pound_sterling british_pound",
    "JPY": "JPY 1 ¥ | yen",
    "INR": "INR 1 ₹ Rs | rupee",
    "temperature": """
        K 1 | kelvin
        °C 1 ℃ degC | celsius degree_celsius degrees_celsius
        °F 5/9 ℉ degF | fahrenheit degree_fahrenheit degrees_fahrenheit""",
}
_SHIFTS: Final = {"°C": Fraction(27315, 100), "°F": Fraction(45967, 180)}
CURRENCY_SIGNS: Final = ("US$", "USD", "EUR", "GBP", "JPY", "INR", "$", "€", "£", "¥", "₹")
PERCENT: Final = "%"


@cache
def _known() -> tuple[dict[str, Unit], dict[str, Unit]]:
    symbols: dict[str, Unit] = {}
    words: dict[str, Unit] = {}
    for dimension, lines in _TABLE.items():
        for line in filter(None, map(str.strip, lines.splitlines())):
            head, _, spelled = line.partition("|")
            name, factor, *others = head.split()
            unit = Unit(name, dimension, Fraction(factor), _SHIFTS.get(name, Fraction(0)))
            symbols.update(dict.fromkeys([name, *others], unit))
            for word in (each.replace("_", " ") for each in spelled.split()):
                words.update(dict.fromkeys([word, word + ("es" if word.endswith(("inch", "x")) else "s")], unit))
    return symbols, words


_SPELLINGS: Final = (
    (re.compile(r"\^\{(\d)\}"), r"^\1"),
    (re.compile(r"(?i)\bsq\.?\s+"), "square "),
    (re.compile(r"(?i)\bcu\.?\s+"), "cubic "),
)
_NOUN: Final = re.compile(r"[^\W\d_]{3,}(?: [^\W\d_]{2,}){0,2}")
_SQUARES: Final = {"square ft": "ft^2", "square m": "m^2", "square km": "km^2", "square cm": "cm^2", "square in": "in^2"}


def unit_named(text: str) -> Unit | None:
    """The unit a text names; an unknown noun is a unit of its own dimension; None if it is no unit at all."""
    text = text.strip().rstrip(".")
    for pattern, spelling in _SPELLINGS:
        text = pattern.sub(spelling, text)
    symbols, words = _known()
    word = text.casefold()
    known = symbols.get(text) or words.get(word) or symbols.get(_SQUARES.get(word, ""))
    if known or not _NOUN.fullmatch(word):
        return known
    singular = word[:-1] if word.endswith("s") and not word.endswith("ss") else word
    return Unit(singular, f"noun {singular}")


def is_known(unit: Unit) -> bool:
    """Whether the unit is one of the table, not just a noun."""
    return not unit.dimension.startswith("noun ")


@cache
def units_of(dimension: str) -> tuple[Unit, ...]:
    """The units of a dimension that the table knows, each once."""
    return tuple({unit.name: unit for unit in _known()[0].values() if unit.dimension == dimension}.values())


@cache
def factors_within(dimension: str) -> frozenset[Fraction]:
    """The factors by which a value of this dimension could change when written in another unit of it (money: cents)."""
    factors = {unit.factor for unit in _known()[0].values() if unit.dimension == dimension}
    if dimension in {"USD", "EUR", "GBP", "US cents", "percent"}:
        factors |= {Fraction(1), Fraction(100), Fraction(1, 100)}
    return frozenset(one / other for one in factors for other in factors)
