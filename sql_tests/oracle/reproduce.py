"""Makes failures readable: fewer rows, and a script anyone can run."""

from __future__ import annotations

import re
from collections.abc import Callable
from dataclasses import replace

from oracle.datasets import Dataset, Table
from oracle.differential import Outcome, Pair, compare_engines, run_on
from oracle.engines import Result, connect
from oracle.queries import Query
from oracle.reduce import reduce, top_order

SHOWN = 8


def smallest(pair: Pair, query: Query, outcome: Outcome, attempts: int = 400) -> str:
    """A failure of the pair as a script, with the query and the rows cut down to what still fails the
    same way.
    """
    order = top_order(query.sql) if query.ordered else ""

    def as_query(sql: str) -> Query:
        # Without its ORDER BY a query promises no order; with another one, perhaps no total one.
        return replace(query, sql=sql, ordered=query.ordered and top_order(sql) == order)

    small = as_query(
        reduce(query.sql, lambda sql: pair.check(as_query(sql)).group == outcome.group, attempts)
    )
    again = outcome_on(pair.data, small, pair.engine.name)
    if again.group != outcome.group:
        note = f"-- {outcome.kind}, only under settings or after other queries"
        return f"{note}\n{query.sql};\n{outcome.detail}"
    return script(fewer_rows(pair.data, small, pair.engine.name, again), small, pair.engine.name, again)


def fewer_rows(data: Dataset, query: Query, engine: str, outcome: Outcome) -> Dataset:
    """The dataset without the tables and rows that the failure does not need (greedy, by halves)."""
    words = set(re.findall(r"\w+", query.sql))
    used = Dataset(data.seed, tuple(table for table in data.tables if table.name in words))

    def fails(candidate: Dataset) -> bool:
        return outcome_on(candidate, query, engine).group == outcome.group

    if not fails(used):
        return data
    used = _without_columns(used, words, fails)
    for index in range(len(used.tables)):
        used = _without_rows(used, index, fails)
    return used


def _without_columns(data: Dataset, words: set[str], fails: Callable[[Dataset], bool]) -> Dataset:
    """The dataset with the columns that the query names, where it still fails."""
    tables = []
    for table in data.tables:
        kept = [i for i, column in enumerate(table.columns) if column.name in words] or [0]
        columns = tuple(table.columns[i] for i in kept)
        tables.append(Table(table.name, columns, tuple(tuple(row[i] for i in kept) for row in table.rows)))
    candidate = replace(data, tables=tuple(tables))
    return candidate if fails(candidate) else data


def _without_rows(data: Dataset, index: int, fails: Callable[[Dataset], bool]) -> Dataset:
    size = max(1, len(data.tables[index].rows) // 2)
    while size >= 1:
        at = 0
        while at < len(data.tables[index].rows):
            table: Table = data.tables[index]
            smaller = replace(table, rows=table.rows[:at] + table.rows[at + size :])
            candidate = replace(data, tables=(*data.tables[:index], smaller, *data.tables[index + 1 :]))
            if fails(candidate):
                data = candidate
            else:
                at += size
        size //= 2
    return data


def outcome_on(data: Dataset, query: Query, engine: str) -> Outcome:
    """The outcome of a query on fresh databases."""
    oracle, other = connect("duckdb", data.setup()), connect(engine, data.setup())
    try:
        return compare_engines(oracle, other, query)
    finally:
        oracle.close()
        other.close()


def script(data: Dataset, query: Query, engine: str, outcome: Outcome) -> str:
    """The failure as a self-contained SQL script, with what both engines gave as comments."""
    setup = data.setup()
    oracle, other = connect("duckdb", setup), connect(engine, setup)
    try:
        expected, actual = run_on(oracle, query.sql), run_on(other, query.sql)
    finally:
        oracle.close()
        other.close()
    lines = [f"-- {outcome.kind}: {outcome.detail.strip().splitlines()[0] if outcome.detail.strip() else ''}"]
    lines += [f"{statement};" for statement in setup]
    lines += [f"{query.sql};", "-- duckdb:", *_shown(expected), f"-- {engine}:", *_shown(actual)]
    return "\n".join(lines)


def _shown(result: Result | str) -> list[str]:
    if isinstance(result, str):
        return [f"--   {line}" for line in result.strip().splitlines()[:SHOWN]]
    head = ", ".join(f"{name} {type_}" for name, type_ in zip(result.names, result.types, strict=True))
    rows = [f"--   {row}" for row in result.rows[:SHOWN]]
    more = [f"--   ... {len(result.rows) - SHOWN} more rows"] if len(result.rows) > SHOWN else []
    return [f"--   {head}", *rows, *more]
