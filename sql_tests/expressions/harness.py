"""Expressions over small tables, evaluated by the CPU backend and by DuckDB.

A `Table` holds the same rows in DuckDB and as a batch in the storage of the CPU backend. `check` binds SQL
text over the table's columns and compares value by value: whole, in sliced and dictionary-encoded storage,
row by row where the oracle raises, and with columns replaced by literals (constant arguments).
"""

from __future__ import annotations

import itertools
import math
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from functools import cache
from typing import Any

import duckdb
import pyarrow as pa
from planner_catalog import MemoryCatalog, MemoryTable, bind_query
from tandemdb.cpu_fallback.arrow_storage import to_storage
from tandemdb.cpu_fallback.expressions import compile_expression, evaluate_constant
from tandemdb.cpu_fallback.scalars import literal_value
from tandemdb.physical.batch import Batch
from tandemdb.physical.stored import may_be_wide
from tandemdb.planner.catalog import TableColumn
from tandemdb.planner.errors import SqlError
from tandemdb.planner.expr import Column, ColumnRef, Expr, Literal, substitute
from tandemdb.planner.logical import Filter, Project, Scan
from tandemdb.planner.types import SQLType

ERROR = "an error"
Value = Any


@cache
def connection() -> duckdb.DuckDBPyConnection:
    """The oracle, on one thread and in UTC."""
    found = duckdb.connect(config={"threads": 1})
    found.execute("SET TimeZone = 'UTC'")
    return found


@cache
def sql_type(text: str) -> SQLType:
    """The type of this name."""
    query = bind_query(f"SELECT CAST(NULL AS {text})")
    return query.plan.schema[0].type


@dataclass(frozen=True, eq=False)
class Table:
    """Rows in both engines; the column `row` numbers them in DuckDB."""

    name: str
    columns: tuple[Column, ...]
    batch: Batch
    catalog: MemoryCatalog

    @property
    def rows(self) -> int:
        return self.batch.num_rows


_names = itertools.count()


def make_table(columns: dict[str, str], rows: Sequence[Sequence[str]]) -> Table:
    """A table of these columns (name to type) and rows (SQL text of each value, which is cast to the
    column's type).
    """
    name = f"t{next(_names)}"
    con = connection()
    shown = ", ".join(f"{c} {t}" for c, t in columns.items())
    con.execute(f"CREATE TABLE {name} (row INTEGER, {shown})")
    for start in range(0, len(rows), 500):
        part = [
            "("
            + ", ".join([str(at), *(f"CAST({v} AS {t})" for v, t in zip(row, columns.values(), strict=True))])
            + ")"
            for at, row in enumerate(rows[start : start + 500], start)
        ]
        con.execute(f"INSERT INTO {name} VALUES {', '.join(part)}")
    held = con.sql(f"SELECT * EXCLUDE (row) FROM {name} ORDER BY row").to_arrow_table().combine_chunks()
    schema = tuple(Column(at, c, sql_type(t)) for at, (c, t) in enumerate(columns.items()))
    arrays = [_stored(column.type, held.column(at)) for at, column in enumerate(schema)]
    known = MemoryTable(name, tuple(TableColumn(c.name, c.type) for c in schema))
    return Table(name, schema, Batch(schema, arrays, len(rows)), MemoryCatalog({name: known}))


def pairs(left: str, right: str, left_values: Sequence[str], right_values: Sequence[str]) -> Table:
    """Columns a and b with every pair of values."""
    return make_table({"a": left, "b": right}, list(itertools.product(left_values, right_values)))


def single(type_: str, values: Sequence[str]) -> Table:
    """One column a."""
    return make_table({"a": type_}, [(v,) for v in values])


def _stored(type_: SQLType, column: pa.ChunkedArray) -> pa.Array:
    array = column.combine_chunks() if column.num_chunks else pa.array([], column.type)
    if isinstance(array, pa.ChunkedArray):
        array = array.chunk(0)
    if may_be_wide(type_) and not type_.is_decimal and pa.types.is_floating(array.type):
        raise AssertionError("HUGEINT as floats")
    return to_storage(array, type_)


# Evaluation -----------------------------------------------------------------------------------------------
def bind_expression(table: Table, text: str) -> Expr:
    """The bound expression over the table's column ids."""
    plan = bind_query(f"SELECT {text} FROM {table.name}", table.catalog).plan
    assert isinstance(plan, Project), plan
    expr, below = plan.exprs[0], plan.input
    while isinstance(below, (Project, Filter)):
        below = below.input
    assert isinstance(below, Scan)
    mapping: dict[int, Expr] = {}
    for column, name in zip(below.columns, below.names, strict=True):
        own = next(c for c in table.columns if c.name == name)
        mapping[column.id] = ColumnRef(own.type, own.id, own.name)
    return substitute(expr, mapping)


def evaluate(expr: Expr, batch: Batch) -> list[Value]:
    """The values in literal form."""
    vector = compile_expression(expr)(batch)
    array = vector.to_array(batch.num_rows)
    assert len(array) == batch.num_rows
    # Arrow's full check refuses 24:00:00.
    array.validate(full=not pa.types.is_time(array.type))
    bounds = vector.bounds
    values = [literal_value(expr.type, array, row) for row in range(len(array))]
    if bounds is not None:
        assert all(v is None or bounds[0] <= v <= bounds[1] for v in values), (bounds, values)
    return values


def oracle(table: Table, text: str, where: str = "") -> tuple[list[Value], str] | None:
    """DuckDB's values in literal form and the type's name, None where it raises."""
    try:
        relation = connection().sql(f"SELECT {text} AS v FROM {table.name} {where} ORDER BY row")
        name = str(relation.types[0])
        held = relation.to_arrow_table()
    except duckdb.Error:
        return None
    kind = sql_type(name.strip('"')) if name != '"NULL"' else sql_type("INTEGER")
    array = _stored(kind, held.column(0))
    return [literal_value(kind, array, row) for row in range(len(array))], name


# Comparison -----------------------------------------------------------------------------------------------
def same(expected: Value, actual: Value, tolerance: float = 0.0) -> bool:
    """Equal values: NaN is NaN, floats equal with their sign unless a relative tolerance is given."""
    if expected is ERROR or actual is ERROR:
        return expected is actual
    if expected is None or actual is None:
        return expected is actual
    if isinstance(expected, float) and isinstance(actual, float):
        if math.isnan(expected) or math.isnan(actual):
            return math.isnan(expected) and math.isnan(actual)
        if tolerance and math.isclose(expected, actual, rel_tol=tolerance, abs_tol=1e-300):
            return True
        return expected == actual and math.copysign(1, expected) == math.copysign(1, actual)
    return type(expected) is type(actual) and expected == actual


def expect(table: Table, text: str) -> tuple[list[Value], str | None]:
    """DuckDB's values; where the whole raises, with ERROR for the rows that raise alone."""
    whole = oracle(table, text)
    if whole is not None:
        return whole
    tried = oracle(table, f"TRY({text})")
    values: list[Value] = [None] * table.rows if tried is None else tried[0]
    for row, value in enumerate(values):
        if value is None:
            one = oracle(table, text, f"WHERE row = {row}")
            values[row] = ERROR if one is None else one[0][0]
    return values, None if tried is None else tried[1]


def check(
    table: Table,
    text: str,
    *,
    tolerance: float = 0.0,
    constants: int = 12,
    null_rows_may_differ: bool = False,
) -> None:
    """Asserts that the expression has DuckDB's type and values in every storage, and over constants.

    `constants` is about how many rows are tried as constants. `null_rows_may_differ`: where an argument is
    NULL, whether a faulty constant is an error may differ.
    """
    expected, name = expect(table, text)
    expr = bind_expression(table, text)
    if name is not None and name != '"NULL"':
        assert str(expr.type) == name, f"{text}: type {name} expected, {expr.type} bound"
    failing = any(value is ERROR for value in expected)
    for storage, batch in storages(table).items():
        actual = _by_row(expr, batch) if failing else evaluate(expr, batch)
        if null_rows_may_differ:
            actual = [
                e if has_null(table, row) else a
                for row, (e, a) in enumerate(zip(expected, actual, strict=True))
            ]
        _compare(table, f"{text} [{storage}]", expected, actual, tolerance)
    if failing:
        _compare_failure(table, text, expr)
    step = max(1, table.rows // constants)
    for row in range(0, table.rows, step):
        if null_rows_may_differ and has_null(table, row):
            continue
        actual_one = _constant(table, expr, row)
        assert same(expected[row], actual_one, tolerance), (
            f"{text} of constants {_shown(table, row)}: {expected[row]!r} expected, {actual_one!r} given"
        )
    assert evaluate(expr, table.batch.slice(0, 0)) == []


def check_all(table: Table, texts: Iterable[str], **options: Any) -> None:
    """`check` of every expression; all failures in one report."""
    failures = []
    for text in texts:
        try:
            check(table, text, **options)
        except AssertionError as failure:
            failures.append(str(failure) or f"{text}: a broken invariant")
        except SqlError as error:
            failures.append(f"{text}: {type(error).__name__} {error.message}")
    assert not failures, f"{len(failures)} expressions differ from DuckDB\n" + "\n".join(failures)


def _by_row(expr: Expr, batch: Batch) -> list[Value]:
    compiled = []
    for row in range(batch.num_rows):
        try:
            compiled.append(evaluate(expr, batch.slice(row, 1))[0])
        except SqlError:
            compiled.append(ERROR)
    return compiled


def _compare_failure(table: Table, text: str, expr: Expr) -> None:
    try:
        evaluate(expr, table.batch)
    except SqlError:
        return
    raise AssertionError(f"{text}: an error expected for the whole table")


def _constant(table: Table, expr: Expr, row: int) -> Value:
    mapping: dict[int, Expr] = {}
    for column, array in zip(table.columns, table.batch.columns, strict=True):
        mapping[column.id] = Literal(column.type, literal_value(column.type, array, row))
    try:
        return evaluate_constant(substitute(expr, mapping))
    except SqlError:
        return ERROR


def _compare(table: Table, text: str, expected: list[Value], actual: list[Value], tolerance: float) -> None:
    wrong = [
        f"{_shown(table, row)}: {e!r} expected, {a!r} given"
        for row, (e, a) in enumerate(zip(expected, actual, strict=True))
        if not same(e, a, tolerance)
    ]
    assert not wrong, f"{text}: {len(wrong)} of {len(expected)} rows differ\n" + "\n".join(wrong[:8])


def _shown(table: Table, row: int) -> str:
    values = [literal_value(c.type, a, row) for c, a in zip(table.columns, table.batch.columns, strict=True)]
    return ", ".join(f"{c.name}={v!r}" for c, v in zip(table.columns, values, strict=True))


@cache
def storages(table: Table) -> dict[str, Batch]:
    """The table's batch in every storage that batches come in."""
    batch = table.batch
    sliced = [_padded(array) for array in batch.columns]
    found = {"plain": batch, "sliced": Batch(batch.schema, sliced, batch.num_rows)}
    if any(c.type.is_string for c in table.columns):
        encoded = [
            _encoded(a) if c.type.is_string else a for c, a in zip(table.columns, batch.columns, strict=True)
        ]
        found["dictionary"] = Batch(batch.schema, encoded, batch.num_rows)
    return found


def _padded(array: pa.Array) -> pa.Array:
    """The array as a slice of a longer one."""
    before = pa.nulls(3, array.type)
    return pa.concat_arrays([before, array, before]).slice(3, len(array))


def _encoded(array: pa.Array) -> pa.Array:
    """Dictionary-encoded, with entries that no row uses, and NULL both as index and as entry."""
    codes = array.dictionary_encode()
    entries = pa.concat_arrays([pa.array(["unused", None], array.type), codes.dictionary])
    indices = [None if code is None else code + 2 for code in codes.indices.to_pylist()]
    flip = True
    for at, code in enumerate(indices):
        if code is None and flip:
            indices[at] = 1
        flip = not flip
    return pa.DictionaryArray.from_arrays(pa.array(indices, pa.int32()), entries)


def has_null(table: Table, row: int) -> bool:
    """Whether a column is NULL in this row."""
    return any(not array[row].is_valid for array in table.batch.columns)
