"""Queries and writes that every page makes, with their SQL made once instead of each time.

For a query over five tables Django spends many times longer on writing the SQL than the database on
answering it. A Prepared query is an ordinary queryset, compiled at first use (once a thread, since a
compiler belongs to a connection), whose parameters are put in afterwards. Update and Insert are the
plainest statements there are; values go through the models' fields as always.
"""

from __future__ import annotations

import threading
from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass
from functools import cached_property
from itertools import chain
from typing import Any

from django.db import connection
from django.db.models import Field, JSONField, Model, QuerySet
from django.db.models.query import ModelIterable, get_related_populators


@dataclass(frozen=True)
class _Compiled:
    """A queryset's SQL, which argument stands in which place of it, and what its rows are turned into."""

    connection: Any
    sql: str
    order: list[int]
    compiler: Any
    converters: dict
    as_row: Callable[[Any], Any]


class Prepared:
    """`build` makes the queryset (of models, or a values_list) from its arguments, each a text or a number."""

    def __init__(self, build: Callable[..., QuerySet]):
        self._build = build
        self._here = threading.local()

    def first(self, *arguments: str | int) -> Any:
        """The first row, or None. The queryset should have one at most: nothing says LIMIT."""
        rows = self.all(*arguments)
        return rows[0] if rows else None

    def all(self, *arguments: str | int) -> list[Any]:
        compiled = getattr(self._here, "compiled", None)
        if compiled is None or compiled.connection is not connection.connection:
            connection.ensure_connection()
            compiled = self._here.compiled = self._compile(arguments)
        with connection.cursor() as cursor:
            cursor.execute(compiled.sql, [arguments[place] for place in compiled.order])
            rows = cursor.fetchall()
        if rows and compiled.converters:
            rows = compiled.compiler.apply_converters(rows, compiled.converters)
        return [compiled.as_row(row) for row in rows]

    def _compile(self, arguments: tuple[str | int, ...]) -> _Compiled:
        # Stand-ins, to see where Django puts each argument.
        marks = [
            f"\ue000argument {place}" if isinstance(given, str) else 2**62 + place
            for place, given in enumerate(arguments)
        ]
        queryset = self._build(*marks)
        compiler = queryset.query.get_compiler(connection=connection)
        sql, parameters = compiler.as_sql()
        return _Compiled(
            connection=connection.connection,
            sql=sql,
            order=[marks.index(parameter) for parameter in parameters],
            compiler=compiler,
            converters=compiler.get_converters([expression for expression, _, _ in compiler.select]),
            as_row=_model_maker(compiler) if queryset._iterable_class is ModelIterable else tuple,
        )


def _model_maker(compiler: Any) -> Callable[[Any], Model]:
    """What Django's own iterator does with each row, set up once."""
    select, found = compiler.select, compiler.klass_info
    model, columns = found["model"], slice(found["select_fields"][0], found["select_fields"][-1] + 1)
    names = [column.target.attname for column, _, _ in select[columns]]
    populators = get_related_populators(found, select, connection.alias)

    def make(row: Any) -> Model:
        made = model.from_db(connection.alias, names, row[columns])
        for populator in populators:
            populator.populate(row, made)
        return made

    return make


class Update:
    """Sets some fields of the rows that have these values in others; calling gives how many rows it found."""

    def __init__(self, model: type[Model], *, sets: Sequence[str], where: Sequence[str]):
        self._fields = [model._meta.get_field(name) for name in (*sets, *where)]
        self._table, self._sets = model._meta.db_table, len(sets)

    @cached_property
    def _sql(self) -> str:
        columns = [f"{connection.ops.quote_name(field.column)} = %s" for field in self._fields]
        sets, where = ", ".join(columns[: self._sets]), " AND ".join(columns[self._sets :])
        return f"UPDATE {connection.ops.quote_name(self._table)} SET {sets} WHERE {where}"  # noqa: S608 - our own names

    def __call__(self, *values: Any) -> int:
        with connection.cursor() as cursor:
            cursor.execute(self._sql, _as_parameters(self._fields, values))
            return cursor.rowcount


class Insert:
    """Adds rows, each a tuple of values of these fields; nobody wants their ids."""

    def __init__(self, model: type[Model], *, fields: Sequence[str]):
        self._fields = [model._meta.get_field(name) for name in fields]
        self._table = model._meta.db_table

    @cached_property
    def _sql(self) -> str:
        columns = ", ".join(connection.ops.quote_name(field.column) for field in self._fields)
        table = connection.ops.quote_name(self._table)
        return f"INSERT INTO {table} ({columns}) VALUES "  # noqa: S608 - our own names

    def __call__(self, rows: Iterable[tuple]) -> None:
        """One statement for all: between two statements, whoever holds SQLite's write lock may lose the processor."""
        parameters = [_as_parameters(self._fields, row) for row in rows]
        if not parameters:
            return
        marks = f"({', '.join(['%s'] * len(self._fields))})"
        with connection.cursor() as cursor:
            cursor.execute(self._sql + ", ".join([marks] * len(parameters)), list(chain.from_iterable(parameters)))


# What every database takes as it is.
_PLAIN = (int, bool, str)


def _as_parameters(fields: list[Field], values: Sequence[Any]) -> list[Any]:
    return [
        value
        if type(value) in _PLAIN and not isinstance(field, JSONField)
        else field.get_db_prep_save(value, connection)
        for field, value in zip(fields, values, strict=True)
    ]
