"""Countries with several names in use: who says Czech Republic means Czechia.

Only names that mean the same country today are together; a former name counts where it is still in common use.
"""

from typing import Final

from blade.answers.text import folded

_NAMES: Final = (
    ("Czechia", "Czech Republic"),
    ("Netherlands", "Holland"),
    ("United Kingdom", "UK", "Great Britain", "Britain", "United Kingdom of Great Britain and Northern Ireland"),
    ("United States", "USA", "US", "United States of America"),
    ("United Arab Emirates", "UAE"),
    ("Turkey", "Türkiye", "Turkiye"),
    ("Myanmar", "Burma"),
    ("Ivory Coast", "Côte d'Ivoire", "Cote d'Ivoire"),
    ("Eswatini", "Swaziland"),
    ("North Macedonia", "Republic of North Macedonia", "Macedonia"),
    ("Cape Verde", "Cabo Verde"),
    ("East Timor", "Timor-Leste"),
    ("South Korea", "Republic of Korea"),
    ("North Korea", "Democratic People's Republic of Korea", "DPRK"),
    ("Russia", "Russian Federation"),
    ("Vietnam", "Viet Nam"),
    ("China", "People's Republic of China", "PRC"),
    ("Ireland", "Republic of Ireland"),
    ("Iran", "Islamic Republic of Iran"),
    ("Laos", "Lao PDR", "Lao People's Democratic Republic"),
    ("Moldova", "Republic of Moldova"),
    ("Brunei", "Brunei Darussalam"),
    ("Slovakia", "Slovak Republic"),
    ("Kyrgyzstan", "Kyrgyz Republic"),
    ("Vatican City", "Holy See"),
    ("Democratic Republic of the Congo", "DR Congo", "DRC"),
    ("Germany", "Federal Republic of Germany"),
)


def _plain(name: str) -> str:
    return folded(name.replace(".", "")).removeprefix("the ")


_COUNTRY: Final = {_plain(name): names[0] for names in _NAMES for name in names}


def country(name: str) -> str | None:
    """The usual name of a country that has several; None for what is none of them."""
    return _COUNTRY.get(_plain(name.strip())) if len(name) <= 60 else None
