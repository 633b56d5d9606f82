"""What the questions environment asks: facts with plausible wrong answers, and problems with numbers made from a seed."""

from __future__ import annotations

from dataclasses import dataclass
from fractions import Fraction
from random import Random

FACTS: tuple[tuple[str, str, str, tuple[str, ...]], ...] = (
    ("chemistry", "Which element has the symbol W?", "Tungsten", ("Vanadium", "Tellurium", "Thallium", "Titanium")),
    ("chemistry", "Which gas makes up most of the atmosphere of Mars?", "Carbon dioxide", ("Nitrogen", "Argon", "Methane", "Oxygen")),
    ("chemistry", "Which element has the highest melting point?", "Carbon", ("Rhenium", "Osmium", "Tantalum", "Molybdenum")),
    ("chemistry", "Which acid is in the sting of a wood ant?", "Formic acid", ("Acetic acid", "Citric acid", "Oxalic acid", "Lactic acid")),
    ("geography", "What is the capital of Kazakhstan?", "Astana", ("Almaty", "Tashkent", "Bishkek", "Shymkent")),
    ("geography", "What is the capital of Myanmar?", "Naypyidaw", ("Yangon", "Mandalay", "Vientiane", "Bago")),
    ("geography", "Which river flows through Baghdad?", "Tigris", ("Euphrates", "Jordan", "Karun", "Orontes")),
    ("geography", "Which country has the longest coastline?", "Canada", ("Indonesia", "Russia", "Norway", "Australia")),
    ("geography", "What is the largest lake of Africa by area?", "Lake Victoria", ("Lake Tanganyika", "Lake Malawi", "Lake Chad", "Lake Turkana")),
    ("geography", "What is the capital of Burkina Faso?", "Ouagadougou", ("Bamako", "Niamey", "Lome", "Bobo-Dioulasso")),
    ("history", "In which city was the treaty that ended the Thirty Years' War signed, besides Osnabrueck?", "Muenster", ("Augsburg", "Utrecht", "Prague", "Ryswick")),
    ("history", "Who led the first circumnavigation to its end?", "Juan Sebastian Elcano", ("Ferdinand Magellan", "Francis Drake", "Vasco da Gama", "James Cook")),
    ("history", "Which empire had its capital at Hattusa?", "Hittite Empire", ("Assyrian Empire", "Mitanni", "Lydia", "Urartu")),
    ("history", "Which queen ruled Palmyra in the third century?", "Zenobia", ("Dido", "Cleopatra", "Boudica", "Semiramis")),
    ("biology", "Which part of a plant cell holds its chlorophyll?", "Chloroplast", ("Vacuole", "Mitochondrion", "Nucleus", "Ribosome")),
    ("biology", "Which vitamin does sunlight on the skin produce?", "Vitamin D", ("Vitamin C", "Vitamin A", "Vitamin K", "Vitamin E")),
    ("biology", "Which blood cells carry oxygen?", "Red blood cells", ("Platelets", "White blood cells", "Plasma cells", "Stem cells")),
    ("biology", "What is the largest living lizard?", "Komodo dragon", ("Water monitor", "Green iguana", "Perentie", "Gila monster")),
    ("physics", "Which particle carries the electromagnetic force?", "Photon", ("Gluon", "Graviton", "Electron", "Neutrino")),
    ("physics", "Which unit measures electrical capacitance?", "Farad", ("Henry", "Siemens", "Tesla", "Weber")),
    ("physics", "Which planet has the shortest day?", "Jupiter", ("Saturn", "Mercury", "Neptune", "Mars")),
    ("physics", "What is the unit of luminous intensity?", "Candela", ("Lumen", "Lux", "Watt", "Nit")),
    ("music", "How many strings does a standard violoncello have, as a word?", "Four", ("Five", "Six", "Three", "Eight")),
    ("music", "Who wrote the opera 'Rusalka'?", "Antonin Dvorak", ("Bedrich Smetana", "Leos Janacek", "Bela Bartok", "Carl Nielsen")),
    ("literature", "Who wrote 'The Master and Margarita'?", "Mikhail Bulgakov", ("Ivan Turgenev", "Boris Pasternak", "Nikolai Gogol", "Isaac Babel")),
    ("literature", "In which play does Prospero appear?", "The Tempest", ("Cymbeline", "Pericles", "Twelfth Night", "Macbeth")),
    ("computing", "Which data structure serves the element that was added last?", "Stack", ("Queue", "Heap", "Deque", "Trie")),
    ("computing", "Which protocol assigns addresses to hosts that join a network?", "DHCP", ("DNS", "ARP", "NTP", "SNMP")),
    ("computing", "Which sorting method has a worst case of n log n and sorts in place?", "Heapsort", ("Quicksort", "Mergesort", "Shell sort", "Bubble sort")),
    ("computing", "What does the S in HTTPS stand for?", "Secure", ("System", "Server", "Session", "Socket")),
)  # fmt: skip


@dataclass(frozen=True)
class Problem:
    """A question with a number for an answer: the steps of its solution, and the answer that a usual misconception gives."""

    subject: str
    text: str
    steps: tuple[str, ...]
    answer: Fraction
    mistaken: Fraction
    """What someone gets who does not know the unit or rule that it turns on."""
    latex: bool = False


def sale(rng: Random) -> Problem:
    boxes, price, fee = rng.randint(12, 48), rng.randint(85, 240), rng.randint(20, 90)
    total = boxes * price + fee
    text = f"A stall sells {boxes} boxes at {price} euros each and pays a pitch fee of {fee} euros on top of its purchase. What do the boxes and the fee come to, in euros?"
    steps = (f"{boxes} times {price} is {boxes * price}", f"adding the fee of {fee} gives {total}")
    return Problem("arithmetic", text, steps, Fraction(total), Fraction(boxes * price - fee))


def gross(rng: Random) -> Problem:
    count, per = rng.randint(3, 9), rng.randint(2, 6)
    text = f"A workshop orders {count} gross of buttons and uses {per} buttons for a coat. For how many coats do the buttons suffice at most?"
    pieces = count * 144
    steps = (f"a gross is 144, so there are {pieces} buttons", f"{pieces} divided by {per} leaves {pieces // per} whole coats")
    return Problem("units", text, steps, Fraction(pieces // per), Fraction(count * 100 // per))


def stones(rng: Random) -> Problem:
    stone, pounds = rng.randint(7, 15), rng.randint(1, 12)
    text = f"A sack weighs {stone} stone and {pounds} pounds. How many pounds is that?"
    steps = (f"{stone} stone are {stone * 14} pounds", f"with {pounds} more that makes {stone * 14 + pounds}")
    return Problem("units", text, steps, Fraction(stone * 14 + pounds), Fraction(stone * 12 + pounds))


def fathoms(rng: Random) -> Problem:
    depth, feet = rng.randint(11, 60), rng.randint(1, 5)
    text = f"A wreck lies at {depth} fathoms and {feet} feet. How deep is that in feet?"
    steps = (f"{depth} fathoms are {depth * 6} feet", f"plus {feet} gives {depth * 6 + feet}")
    return Problem("units", text, steps, Fraction(depth * 6 + feet), Fraction(depth * 3 + feet))


def shares(rng: Random) -> Problem:
    a, b = rng.choice(((1, 3), (2, 5), (3, 7), (1, 4), (2, 9), (3, 8)))
    c, d = rng.choice(((1, 2), (1, 5), (2, 7), (1, 6), (3, 11)))
    total = Fraction(a, b) + Fraction(c, d)
    text = f"Compute $\\frac{{{a}}}{{{b}}} + \\frac{{{c}}}{{{d}}}$ as a single fraction in lowest terms."
    steps = (f"the common denominator is {b * d}", f"the numerator becomes {a * d + c * b}, and the fraction is reduced")
    return Problem("fractions", text, steps, total, Fraction(a + c, b + d), latex=True)


def slope(rng: Random) -> Problem:
    x, y = rng.randint(2, 9), rng.randint(2, 9)
    u, v = x + rng.choice((3, 5, 7, 11)), y + rng.choice((2, 4, 8, 13))
    text = f"What is the slope of the line through $({x}, {y})$ and $({u}, {v})$? Give a fraction in lowest terms."
    steps = (f"the rise is {v - y} and the run is {u - x}", "the slope is rise over run")
    return Problem("geometry", text, steps, Fraction(v - y, u - x), Fraction(u - x, v - y), latex=True)


PROBLEMS = (sale, gross, stones, fathoms, shares, slope)
