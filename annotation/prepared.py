"""Queries and writes that every page makes, with their SQL made once instead of each time.

For a query over five tables Django spends many times longer on writing the SQL than the database on
answering it. A Prepared query is an ordinary queryset, compiled at first use (once a thread, since a
compiler belongs to a connection), whose parameters are put in afterwards. Update, Insert and Add are the
plainest statements there are; values become what the models' fields make of them.
"""

from __future__ import annotations

import threading
from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass
from datetime import UTC, datetime
from functools import cached_property
from itertools import chain
from types import NoneType
from typing import Any

from django.db import DEFAULT_DB_ALIAS, connection, connections
from django.db.backends.base.base import BaseDatabaseWrapper
from django.db.models import Field, JSONField, Model, QuerySet
from django.db.models.query import ModelIterable, get_related_populators


@dataclass(frozen=True)
class _Compiled:
    """A queryset's SQL, what stands in its places (an argument's number, or a constant), and what its rows become."""

    connection: Any
    sql: str
    # (True, an argument's number) or (False, a constant of the queryset's own)
    order: list[tuple[bool, Any]]
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
        here, compiled = connections[DEFAULT_DB_ALIAS], getattr(self._here, "compiled", None)
        if compiled is None or compiled.connection is not here.connection:
            here.ensure_connection()
            compiled = self._here.compiled = self._compile(arguments)
        with here.cursor() as cursor:
            cursor.execute(compiled.sql, [arguments[given] if place else given for place, given in compiled.order])
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
            order=[(True, marks.index(one)) if one in marks else (False, one) for one in parameters],
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
        here = connections[DEFAULT_DB_ALIAS]
        with here.cursor() as cursor:
            cursor.execute(self._sql, _as_parameters(self._fields, values, here))
            return cursor.rowcount


class Insert:
    """Adds rows, each a tuple of values of these fields; nobody wants their ids."""

    def __init__(self, model: type[Model], *, fields: Sequence[str]):
        self._fields = [model._meta.get_field(name) for name in fields]
        self._sql = _InsertSQL(model, self._fields)

    def __call__(self, rows: Iterable[tuple]) -> None:
        """One statement for all: between two statements, whoever holds SQLite's write lock may lose the processor."""
        here = connections[DEFAULT_DB_ALIAS]
        parameters = [_as_parameters(self._fields, row, here) for row in rows]
        if not parameters:
            return
        marks = f"({', '.join(['%s'] * len(self._fields))})"
        with here.cursor() as cursor:
            cursor.execute(
                self._sql.begin + ", ".join([marks] * len(parameters)), list(chain.from_iterable(parameters))
            )


class Add:
    """Adds a new model instance, its defaults and times filled in as `save` does, and gives it its id.

    False where a row with the same unique values is there already: nothing is changed then, and the
    transaction goes on without a savepoint.
    """

    def __init__(self, model: type[Model]):
        self._fields = [field for field in model._meta.concrete_fields if not field.primary_key]
        self._key = model._meta.pk
        self._sql = _InsertSQL(model, self._fields)

    @cached_property
    def _statement(self) -> str:
        marks = f"({', '.join(['%s'] * len(self._fields))})"
        key = connection.ops.quote_name(self._key.column)
        return f"{self._sql.begin}{marks} ON CONFLICT DO NOTHING RETURNING {key}"

    def __call__(self, row: Model) -> bool:
        here = connections[DEFAULT_DB_ALIAS]
        values = [field.pre_save(row, True) for field in self._fields]
        with here.cursor() as cursor:
            cursor.execute(self._statement, _as_parameters(self._fields, values, here))
            made = cursor.fetchone()
        if made is None:
            return False
        row.pk, row._state.adding, row._state.db = made[0], False, DEFAULT_DB_ALIAS
        return True


class _InsertSQL:
    """How an INSERT begins. Quoted as the database wants it, so not before the first use."""

    def __init__(self, model: type[Model], fields: list[Field]):
        self._model, self._fields = model, fields

    @cached_property
    def begin(self) -> str:
        columns = ", ".join(connection.ops.quote_name(field.column) for field in self._fields)
        table = connection.ops.quote_name(self._model._meta.db_table)
        return f"INSERT INTO {table} ({columns}) VALUES "  # noqa: S608 - our own names


# What every database takes as it is.
_PLAIN = (int, bool, str, NoneType)


def _as_parameters(fields: list[Field], values: Sequence[Any], here: BaseDatabaseWrapper) -> list[Any]:
    """Values as the database takes them. The kinds that nearly all of them are go the short way."""
    ops, found = here.ops, []
    for field, value in zip(fields, values, strict=True):
        kind = type(value)
        if isinstance(field, JSONField):
            found.append(
                ops.adapt_json_value(value, field.encoder)
                if kind in (dict, list)
                else field.get_db_prep_save(value, here)
            )
        elif kind in _PLAIN:
            found.append(value)
        elif kind is datetime and value.tzinfo is UTC:
            found.append(ops.adapt_datetimefield_value(value))
        else:
            found.append(field.get_db_prep_save(value, here))
    return found
