"""Values as bytes that are the same on every machine: JSON, JSON Lines, CSV, YAML.

Keys sorted (or in the order of the declared shape), UTF-8, `\\n`, no clock, no machine, no locale.
"""

from __future__ import annotations

import csv
import io
import json
import math
from collections.abc import Iterable, Mapping
from typing import Any

import yaml

_sorted_line = json.JSONEncoder(ensure_ascii=False, sort_keys=True).encode
_line = json.JSONEncoder(ensure_ascii=False).encode


def _utf8(text: str) -> bytes:
    try:
        return text.encode()
    except UnicodeEncodeError:  # half of a surrogate pair, which no strict reader takes
        return text.encode("utf-16", "surrogatepass").decode("utf-16", "replace").encode()


def json_line(value: Any) -> bytes:
    """One line of JSON with sorted keys."""
    return _utf8(_sorted_line(value)) + b"\n"


def read_line(line: bytes) -> Any:
    return json.loads(line)


def row_line(row: Mapping) -> bytes:
    """One line of JSON with the keys in the row's own order."""
    return _utf8(_line(row)) + b"\n"


def json_document(value: Any) -> bytes:
    """A JSON file for people and programs: sorted keys, indented."""
    return _utf8(json.dumps(value, ensure_ascii=False, sort_keys=True, indent=2)) + b"\n"


def yaml_document(value: Any) -> str:
    return yaml.safe_dump(value, sort_keys=False, allow_unicode=True, width=1_000_000, default_flow_style=False)


def rounded(value: Any) -> Any:
    """Figures to six decimals: the last bits of a mean differ between processors. NaN has no place in JSON."""
    if isinstance(value, float):
        return round(value, 6) if math.isfinite(value) else None
    if isinstance(value, dict):
        return {key: rounded(entry) for key, entry in value.items()}
    if isinstance(value, list | tuple):
        return [rounded(entry) for entry in value]
    return value


def safe_cell(value: Any) -> str:
    """A CSV cell that no spreadsheet takes for a formula."""
    text = "" if value is None else str(value)
    return "'" + text if text.startswith(("=", "+", "-", "@", "\t", "\r", "\n", "|", "%")) else text


def csv_line(cells: Iterable[Any]) -> str:
    buffer = io.StringIO()
    csv.writer(buffer, lineterminator="\n").writerow([safe_cell(cell) for cell in cells])
    return buffer.getvalue()
