"""Licences by their usual names: what SPDX, the Hub and a reader call them."""

from __future__ import annotations

import re
from typing import NamedTuple


class Licence(NamedTuple):
    """`spdx` and `url` are empty for a licence that is not in the table; its own words stand in `title`."""

    title: str
    spdx: str = ""
    url: str = ""
    hub: str = "other"


KNOWN = [
    Licence(
        "Creative Commons Attribution-ShareAlike 4.0 International",
        "CC-BY-SA-4.0",
        "https://creativecommons.org/licenses/by-sa/4.0/",
        "cc-by-sa-4.0",
    ),
    Licence(
        "Creative Commons Attribution-ShareAlike 3.0 Unported",
        "CC-BY-SA-3.0",
        "https://creativecommons.org/licenses/by-sa/3.0/",
        "cc-by-sa-3.0",
    ),
    Licence(
        "Creative Commons Attribution 4.0 International",
        "CC-BY-4.0",
        "https://creativecommons.org/licenses/by/4.0/",
        "cc-by-4.0",
    ),
    Licence(
        "Creative Commons Attribution-NonCommercial 4.0 International",
        "CC-BY-NC-4.0",
        "https://creativecommons.org/licenses/by-nc/4.0/",
        "cc-by-nc-4.0",
    ),
    Licence(
        "Creative Commons Zero 1.0 Universal",
        "CC0-1.0",
        "https://creativecommons.org/publicdomain/zero/1.0/",
        "cc0-1.0",
    ),
    Licence(
        "Open Data Commons Attribution License 1.0",
        "ODC-By-1.0",
        "https://opendatacommons.org/licenses/by/1-0/",
        "odc-by",
    ),
    Licence("MIT License", "MIT", "https://opensource.org/license/mit", "mit"),
    Licence("Apache License 2.0", "Apache-2.0", "https://www.apache.org/licenses/LICENSE-2.0", "apache-2.0"),
]


def licence_named(words: str) -> Licence:
    """The licence that a pipeline's words mean: "CC BY-SA 4.0" and "CC-BY-SA-4.0" are the same."""
    plain = _plain(words)
    for licence in KNOWN:
        if plain in (_plain(licence.spdx), _plain(licence.title)):
            return licence
    return Licence(" ".join(words.split()) or "No licence stated: all rights reserved")


def _plain(words: str) -> str:
    return re.sub(r"[^a-z0-9]", "", words.lower())
