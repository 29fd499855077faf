"""Pairs of queries that must agree whatever the data: no oracle is needed.

- A predicate splits rows into those where it is true, false and NULL (ternary logic partitioning).
- Counting the rows a WHERE keeps is counting the true values of its predicate (NoREC), which the optimiser
  cannot push anywhere.
- An aggregate over all rows is the aggregate over the aggregates of the three parts.
"""

from __future__ import annotations

from dataclasses import dataclass

from oracle.choices import Choices
from oracle.compare import rows_difference
from oracle.datasets import Dataset
from oracle.engines import Engine
from oracle.expressions import expression
from oracle.generator import JOIN_FEATURES, SUBQUERY_FEATURES, Generator, Scope
from oracle.joins import is_key
from oracle.relations import from_clause
from oracle.selects import plain_select, wanted_condition


@dataclass(frozen=True)
class Equal:
    """Two queries with the same multiset of rows; `relation` names why."""

    relation: str
    left: str
    right: str


def equal_queries(choices: Choices, data: Dataset) -> list[Equal]:
    """The relations of one generated FROM clause and predicate."""
    wants = [*choices.some(JOIN_FEATURES, 0, 2), *choices.some(("derived", "values"), 0, 1)]
    g = Generator(choices, data, wants, subqueries_left=2)
    source = from_clause(g, plain_select, most_joins=2, nested=False)
    scope = Scope(source.columns)
    p = predicate(g, scope)
    keys = [column.sql for column in scope.columns if is_key(column)] or [scope.columns[0].sql]
    others = [column.sql for column in choices.some(scope.columns, 1, 3)]
    items = ", ".join([keys[0], *others])
    parts = (p, f"NOT {p}", f"{p} IS NULL")

    def partitioned(select: str, union: str) -> str:
        return f" {union} ".join(f"{select} FROM {source.sql} WHERE {part}" for part in parts)

    whole = f"FROM {source.sql}"
    counted = f"SELECT count(*) FROM {source.sql} WHERE {p}"
    valued = f"SELECT count(*) FILTER (p) FROM (SELECT {p} AS p {whole}) AS q"
    found = [
        Equal("partition", f"SELECT {items} {whole}", partitioned(f"SELECT {items}", "UNION ALL")),
        Equal(
            "distinct partition", f"SELECT DISTINCT {items} {whole}", partitioned(f"SELECT {items}", "UNION")
        ),
        Equal("predicate as a value", counted, valued),
    ]
    ints = [column.sql for column in scope.columns if column.family == "int" and column.tame]
    if ints:
        x = choices.pick(ints)
        aggregates = f"SELECT min({x}) AS a, max({x}) AS b, sum({x}) AS c, count({x}) AS d"
        inner = partitioned(aggregates, "UNION ALL")
        merged = f"SELECT min(a), max(b), sum(c), sum(d)::BIGINT FROM ({inner}) AS parts"
        found.append(Equal("aggregate partition", f"{aggregates} {whole}", merged))
    return found


def predicate(g: Generator, scope: Scope) -> str:
    """A predicate of medium depth, sometimes with a subquery."""
    if g.choices.chance(35):
        return wanted_condition(g, scope, g.choices.pick(SUBQUERY_FEATURES[1:]))
    return f"({expression(g, scope, 'bool', 3).sql})"


def disagreement(engine: Engine, pair: Equal) -> str | None:
    """None where the two queries agree, else what differs; raises EngineError where one of them raises."""
    left = engine.execute(pair.left)
    right = engine.execute(pair.right)
    return rows_difference(left.rows, right.rows, left.types, ordered=False)
