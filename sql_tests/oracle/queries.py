"""Whole queries: a choice of features to show, CTEs, the SELECT, set operations, ORDER BY and LIMIT."""

from __future__ import annotations

from dataclasses import dataclass

from oracle import arithmetic, conditions, subqueries, texts_dates
from oracle.choices import Choices
from oracle.datasets import Dataset
from oracle.generator import (
    AGGREGATE_FEATURES,
    CORRELATION_FEATURES,
    JOIN_FEATURES,
    SCALAR_FEATURES,
    SET_FEATURES,
    SHAPE_FEATURES,
    SUBQUERY_FEATURES,
    Generator,
)
from oracle.selects import plain_select, select_block, set_operation

PRODUCERS = (arithmetic, conditions, subqueries, texts_dates)
"""Imported for the productions they register."""


COMPARE_WHOLE_ROWS = (*(name for name in SET_FEATURES if name != "union_all"), "distinct", "derived", "cte")
"""Features by which rows computed from aggregates may be compared."""


@dataclass(frozen=True)
class Query:
    """A generated query. Where `ordered`, its rows come in one order only: ORDER BY all, or as inserted."""

    sql: str
    ordered: bool
    features: frozenset[str]


def wanted_features(choices: Choices) -> list[str]:
    """The features a query is to show: every one is drawn for at least a sixth of the queries."""
    wants = [*choices.some(SCALAR_FEATURES, 1, 5), *choices.some(("cross", "non_equi"), 0, 1)]
    wants += [
        feature for feature in choices.some(JOIN_FEATURES, choices.pick((0, 1, 2)), 3) if feature not in wants
    ]
    subqueries = choices.some(SUBQUERY_FEATURES, choices.pick((0, 1, 1)), 3)
    wants += subqueries
    if subqueries:
        wants += [feature for feature in CORRELATION_FEATURES if choices.chance(40)]
    if choices.chance(62):
        wants += choices.some(AGGREGATE_FEATURES, 2, 6)
    wants += choices.some(SET_FEATURES, choices.pick((0, 1, 2)), 2)
    wants += [feature for feature in SHAPE_FEATURES if choices.chance(28)]
    return wants


def query(choices: Choices, data: Dataset, wants: list[str] | None = None) -> Query:
    """A query over the dataset that shows the wanted features (by default a random choice of them)."""
    g = Generator(choices, data, list(wants) if wants is not None else wanted_features(choices))
    g.rounds = any(name in g.wants for name in COMPARE_WHOLE_ROWS)
    order_by = {name for name in ("order_by", "limit", "offset") if name in g.wants}
    prefix = common_tables(g)
    top_set = g.take_wanted(SET_FEATURES, 1)
    if any(feature in SET_FEATURES for feature in g.wants) and "derived" not in g.wants:
        g.wants.append("derived")
    block = select_block(g, None, nested=False)
    sql, width = block.sql(), len(block.items)
    for kind in top_set:
        sql, _ = set_operation(g, kind, block)
    ordered = bool(order_by)
    if ordered:
        g.use(*order_by, "order_by")
        sql += ordering(g, width)
    elif keeps_scan_order(g, sql):
        ordered = True
        order_by = {name for name in ("limit", "offset") if choices.chance(25)}
        g.use(*order_by)
    if "limit" in order_by:
        sql += f" LIMIT {choices.pick((10, 3, 1, 100, 20, 5, 40, 2, 10, 50, 30, 0))}"
    if "offset" in order_by:
        few = block.one_row and choices.chance(90)
        sql += f" OFFSET {0 if few else choices.pick((1, 0, 1, 0, 2, 0, 1, 0, 3, 0, 1, 20))}"
    return Query(prefix + sql, ordered, frozenset(g.used))


def keeps_scan_order(g: Generator, sql: str) -> bool:
    """Is this a scan with filters and projections, whose rows come in the order they were inserted?"""
    others = {*SUBQUERY_FEATURES, *JOIN_FEATURES, *AGGREGATE_FEATURES, *SET_FEATURES, *SHAPE_FEATURES}
    return not g.used & others and " JOIN " not in sql and sql.count(" AS r") == 1


def common_tables(g: Generator) -> str:
    """The WITH clause, where one is wanted; its tables are offered to FROM clauses."""
    if "cte" not in g.wants:
        return ""
    g.wants.remove("cte")
    g.use("cte")
    parts = []
    for index in range(g.choices.between(1, 2)):
        sql, columns = plain_select(g, None, None)
        materialized = g.choices.pick(("", "", "MATERIALIZED ", "NOT MATERIALIZED "))
        parts.append(f"w{index} AS {materialized}({sql})")
        g.cte_relations.append((f"w{index}", columns))
    return f"WITH {', '.join(parts)} "


def ordering(g: Generator, width: int) -> str:
    """ORDER BY over all columns: a total order, since rows equal in all of them are the same."""
    left, terms = list(range(1, width + 1)), []
    while left:
        position = left.pop(g.choices.below(len(left)))
        written = str(position) if g.choices.chance(60) else f"c{position - 1}"
        direction = g.choices.pick(("", " DESC", " ASC", ""))
        nulls = g.choices.pick(("", " NULLS FIRST", " NULLS LAST", ""))
        terms.append(f"{written}{direction}{nulls}")
    return f" ORDER BY {', '.join(terms)}"
