"""Where a release is not the public one, record by record: what the replays of all datasets have in common."""

from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from typing import Any

Rows = Mapping[str, Sequence[Mapping[str, Any]]]
Form = Callable[[Mapping[str, Any]], Any]


def _as_it_is(row: Mapping[str, Any]) -> Mapping[str, Any]:
    return row


def by_field(wanted: Mapping[str, Any], given: Mapping[str, Any]) -> Iterator[str]:
    """Which fields of a record are other ones."""
    for name in sorted(wanted.keys() | given.keys()):
        if wanted.get(name) != given.get(name):
            yield f"{name} should be {wanted.get(name)!r}, is {given.get(name)!r}"


def compared(
    expected: Rows,
    released: Rows,
    *,
    key: str,
    named: str,
    form: Form = _as_it_is,
    released_form: Form | None = None,
    faults: Callable[[Any, Any], Iterable[str]] = by_field,
) -> list[str]:
    """What differs between two sets of rows by split, in words; the order of records is no part of it.

    `key`: the field that names a record; `named`: what a record is called ("a question"). `form`: what of a row is
    compared; `released_form`: the same of a released row, where that is written otherwise. `faults`: how two such
    forms of one record differ.
    """
    found = []
    for split in sorted(set(expected) | set(released)):
        wanted = {row[key]: form(row) for row in expected.get(split, ())}
        given = {row[key]: (released_form or form)(row) for row in released.get(split, ())}
        found += [f"{split}: {name} is missing" for name in wanted if name not in given]
        found += [f"{split}: {name} should not be there" for name in given if name not in wanted]
        if len(given) != len(released.get(split, ())):
            found.append(f"{split}: {named} stands there twice")
        for name in wanted.keys() & given.keys():
            found += [f"{split}: {name}: {fault}" for fault in faults(wanted[name], given[name])]
    return sorted(found)
