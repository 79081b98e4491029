"""Values as bytes that are the same on every machine: JSON, JSON Lines, CSV, Parquet, YAML.

Keys sorted (or in the order of the declared shape), UTF-8, `\\n`, no clock, no machine, no locale.
"""

from __future__ import annotations

import csv
import io
import json
import math
import types
import typing
from collections.abc import Iterable, Mapping, Sequence
from itertools import islice
from pathlib import Path
from typing import Any

import pyarrow
import pyarrow.parquet
import yaml
from pydantic import BaseModel

ROWS_A_GROUP = 5_000
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


# --- Parquet --------------------------------------------------------------------------------------

_PLAIN = {
    str: pyarrow.string(),
    bool: pyarrow.bool_(),
    int: pyarrow.int64(),
    float: pyarrow.float64(),
}


def arrow_type(kind: Any) -> pyarrow.DataType:
    """The Arrow type of a pydantic annotation. Raises TypeError where there is none."""
    if kind in _PLAIN:
        return _PLAIN[kind]
    if isinstance(kind, type) and issubclass(kind, BaseModel):
        return pyarrow.struct(list(arrow_schema(kind)))
    if found := _generic_type(typing.get_origin(kind), typing.get_args(kind)):
        return found
    raise TypeError(f"no column of a Parquet file can hold {kind!r}: use text, numbers, lists and shapes of them")


def _generic_type(origin: Any, inner: tuple) -> pyarrow.DataType | None:
    if origin is typing.Annotated:
        return arrow_type(inner[0])
    if origin is typing.Literal:
        return arrow_type(type(inner[0]))
    if origin in (list, Sequence) or (origin is tuple and inner[1:] == (...,)):
        return pyarrow.list_(arrow_type(inner[0]))
    if origin in (typing.Union, types.UnionType):
        present = [part for part in inner if part is not type(None)]
        return arrow_type(present[0]) if len(present) == 1 else None
    return None


def arrow_schema(shape: type[BaseModel]) -> pyarrow.Schema:
    return pyarrow.schema(
        [
            pyarrow.field(info.serialization_alias or info.alias or name, arrow_type(info.annotation))
            for name, info in shape.model_fields.items()
        ]
    )


def write_parquet(path: Path, rows: Iterable[dict], schema: pyarrow.Schema) -> int:
    """Writes rows and gives their size in memory, as dataset cards state it. Every option that shows is pinned."""
    rows, size = iter(rows), 0
    # Arrow's own allocator keeps 20 MB more of the memory that it once had.
    pyarrow.set_memory_pool(pyarrow.system_memory_pool())
    with pyarrow.parquet.ParquetWriter(
        path,
        schema,
        version="2.6",
        data_page_version="1.0",
        compression="zstd",
        compression_level=3,
        use_dictionary=True,
        write_statistics=True,
        store_schema=False,
    ) as writer:
        while chunk := list(islice(rows, ROWS_A_GROUP)):
            table = pyarrow.Table.from_pylist(chunk, schema=schema)
            size += table.nbytes
            writer.write_table(table, row_group_size=ROWS_A_GROUP)
    return size
