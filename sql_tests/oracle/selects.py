"""SELECT blocks: plain or aggregated, and set operations over them; without ORDER BY."""

from __future__ import annotations

from dataclasses import dataclass

from oracle.aggregates import aggregate
from oracle.expressions import expression, leaf
from oracle.generator import (
    AGGREGATE_FEATURES,
    SCALAR_FEATURES,
    SET_FEATURES,
    SUBQUERY_FEATURES,
    Expr,
    Generator,
    Scope,
    productions_of,
)
from oracle.joins import is_key
from oracle.relations import from_clause

ITEM_FAMILIES = ("int", "str", "int", "dec", "date", "dbl", "bool", "ts")


@dataclass
class Block:
    """A SELECT block in pieces, so that set operations can vary one of them."""

    distinct: bool
    items: list[Expr]
    source: str
    where: list[str]
    tail: str = ""
    halves: tuple[str, ...] = ()
    """Predicates over the input that some rows pass."""
    one_row: bool = False
    """True for aggregates without GROUP BY."""

    def sql(self, where: list[str] | None = None) -> str:
        items = ", ".join(f"{item.sql} AS c{i}" for i, item in enumerate(self.items))
        terms = self.where if where is None else where
        condition = f" WHERE {' AND '.join(terms)}" if terms else ""
        return (
            f"SELECT {'DISTINCT ' if self.distinct else ''}{items} FROM {self.source}{condition}{self.tail}"
        )


def plain_select(
    g: Generator, outer: Scope | None, families: list[str] | None
) -> tuple[str, tuple[Expr, ...]]:
    """A query for a derived table, CTE or arm of a set operation: what `relations.SelectMaker` asks for."""
    block = select_block(g, families, nested=True)
    sql, columns = block.sql(), tuple(block.items)
    wanted = g.take_wanted(SET_FEATURES, 1) if families is None else []
    if wanted:
        sql, columns = set_operation(g, wanted[0], block)
    return sql, columns


def select_block(g: Generator, families: list[str] | None, *, nested: bool) -> Block:
    """One SELECT with FROM, WHERE, and perhaps GROUP BY; `families` fixes its columns' families."""
    c = g.choices
    source = from_clause(g, plain_select, most_joins=1 if nested else 3, nested=nested)
    scope = Scope(source.columns)
    aggregates = [] if nested and c.chance(75) else g.take_wanted(AGGREGATE_FEATURES, 9)
    scalars = g.take_wanted(SCALAR_FEATURES, 1 if nested else 9)
    subqueries = [] if nested else g.take_wanted(SUBQUERY_FEATURES, 9)
    distinct = "distinct" in g.wants and c.chance(40 if nested else 100)
    if distinct:
        g.wants.remove("distinct")
        g.use("distinct")
    where = conditions(g, scope, scalars, subqueries)
    if aggregates:
        block = aggregated(g, scope, aggregates, families, scalars)
    else:
        items = (
            [wanted_item(g, scope, feature) for feature in [*scalars, *subqueries]]
            if families is None
            else []
        )
        items = [*plain_items(g, scope, families, len(items)), *items]
        keys = [column for column in scope.columns if is_key(column)]
        if nested and families is None and keys and c.chance(75):
            items.insert(0, c.pick(keys))
        block = Block(False, items, "", [])
        if families is not None:
            where += [wanted_condition(g, scope, feature) for feature in [*scalars, *subqueries]]
    halves = [f"{key.sql} < 2" for key in scope.columns if key.sql.endswith(".k")]
    halves += [f"{key.sql} <> 'a'" for key in scope.columns if key.sql.endswith(".g")]
    halves = halves or [f"{column.sql} IS NOT NULL" for column in scope.columns[:2]]
    return Block(distinct, block.items, source.sql, where, block.tail, tuple(halves), block.one_row)


def plain_items(g: Generator, scope: Scope, families: list[str] | None, others: int) -> list[Expr]:
    c = g.choices
    if families is None:
        count = c.between(1, 3 if others < 3 else 2)
        families = [c.pick(ITEM_FAMILIES) for _ in range(count)]
    return [expression(g, scope, family, c.pick((0, 1, 2, 3))) for family in families]


def conditions(g: Generator, scope: Scope, scalars: list[str], subqueries: list[str]) -> list[str]:
    """The terms of WHERE; moves some wanted features into it. Most of the terms are weakened, to keep
    rows.
    """
    c = g.choices
    where = []
    for features, percent in ((scalars, 15), (subqueries, 60)):
        for feature in list(features):
            boolean = any(family == "bool" for family, _ in productions_of(feature))
            if boolean and len(where) < 2 and c.chance(percent):
                features.remove(feature)
                where.append(wanted_condition(g, scope, feature))
    if not where and c.chance(25):
        where.append(expression(g, scope, "bool", 2).sql)
    strict = c.chance(10)
    return [term if strict and index == 0 else weakened(g, scope, term) for index, term in enumerate(where)]


def weakened(g: Generator, scope: Scope, term: str) -> str:
    """The term ORed with one that most rows pass."""
    columns = [column for column in scope.columns if column.family in ("int", "str", "bool")]
    if not columns:
        return term
    g.use("logic", "is_null")
    if len(columns) > 1 and g.choices.chance(60):
        return f"({term} OR {columns[0].sql} IS NOT NULL OR {columns[-1].sql} IS NULL)"
    return f"({term} OR {g.choices.pick(columns[:4]).sql} IS NOT NULL)"


def wanted_condition(g: Generator, scope: Scope, feature: str) -> str:
    """A predicate that shows the feature, directly or inside a comparison."""
    found = productions_of(feature)
    direct = [production for family, production in found if family == "bool"]
    if direct:
        return g.choices.pick(direct)(g, scope, "bool", 2).sql
    family, production = g.choices.pick(found)
    left = production(g, scope, family, 2)
    if family == "dec" or not left.tame:
        return f"({left.sql} IS NOT NULL)"
    g.use("compare")
    return f"({left.sql} {g.choices.pick(('>=', '<', '<>'))} {leaf(g, scope, family).sql})"


def wanted_item(g: Generator, scope: Scope, feature: str, depth: int = 2) -> Expr:
    """An expression that shows the feature at its top."""
    family, production = g.choices.pick(productions_of(feature))
    return production(g, scope, family, depth)


def aggregated(
    g: Generator, scope: Scope, wanted: list[str], families: list[str] | None, scalars: list[str]
) -> Block:
    """The items and tail (GROUP BY, HAVING) of an aggregated SELECT that shows the wanted aggregate
    features.
    """
    c = g.choices
    keys = []
    if "group_by" in wanted:
        g.use("group_by")
        keys = group_keys(g, scope)
    calls = [
        aggregate(g, scope, c.pick(("int", "dec", "str", "dbl", "date", "ts")), feature)
        for feature in wanted
        if feature not in ("group_by", "having")
    ] or [aggregate(g, scope, "int")]
    after = Scope((*keys, *calls))
    kept, g.subqueries_left = g.subqueries_left, min(g.subqueries_left, 1) if keys else 0
    if families is None:
        items = [*keys, *calls]
        items += [expression(g, after, c.pick(("int", "str", "bool")), 2) for _ in range(c.below(2))]
        items += [wanted_item(g, after, feature) for feature in scalars]
    else:
        items = [expression(g, after, family, 1) for family in families]
    taken = {column.sql.rpartition(".")[2] for column in scope.columns}
    tail = group_by_clause(g, keys, taken if families is None else None)
    if "having" in wanted:
        g.use("having")
        tail += f" HAVING {having(g, after, calls)}"
    g.subqueries_left = kept
    return Block(False, items, "", [], tail, one_row=not keys)


def group_keys(g: Generator, scope: Scope) -> list[Expr]:
    """One to three grouping expressions, mostly plain columns."""
    c = g.choices
    keys: list[Expr] = []
    for _ in range(c.between(1, 3)):
        family = c.pick(("str", "int", "int", "date", "bool", "dec", "dbl"))
        kept, g.subqueries_left = g.subqueries_left, 0
        key = leaf(g, scope, family) if c.chance(75) else expression(g, scope, family, 1)
        g.subqueries_left = kept
        if any(column.sql in key.sql for column in scope.columns) and key.sql not in [
            other.sql for other in keys
        ]:
            keys.append(key)
    return keys


def group_by_clause(g: Generator, keys: list[Expr], taken: set[str] | None) -> str:
    """GROUP BY by expression and, where the keys are the first items, by position or alias; "" without keys.

    `taken` are the names of the input's columns, which an alias would lose to; None: the keys are not the
    first items.
    """
    if not keys:
        return ""
    written = []
    for index, key in enumerate(keys):
        forms = [key.sql]
        if taken is not None:
            forms += [str(index + 1), *([f"c{index}"] if f"c{index}" not in taken else [])]
        written.append(g.choices.pick(forms))
    return f" GROUP BY {', '.join(written)}"


def having(g: Generator, after: Scope, calls: list[Expr]) -> str:
    call = g.choices.pick(calls)
    counts = [found for found in calls if found.sql.lower().startswith("count") and "FILTER" not in found.sql]
    if g.choices.chance(86):
        return f"{counts[0].sql} >= 0" if counts else f"{call.sql} IS NOT DISTINCT FROM {call.sql}"
    if call.family == "int":
        g.use("compare")
        return f"{call.sql} {g.choices.pick(('>=', '<>', '>', '<'))} {g.choices.pick((0, 1, 2, -3))}"
    return expression(g, after, "bool", 2).sql


def set_operation(g: Generator, kind: str, block: Block) -> tuple[str, tuple[Expr, ...]]:
    """The block combined with a second one: some rows of itself (see `shared`), itself under another WHERE,
    or a fresh one of the same families.
    """
    c = g.choices
    g.use(kind)
    word = kind.upper().replace("_", " ")
    columns = tuple(Expr(item.sql, item.family) for item in block.items)
    if c.chance(35):
        other, _ = plain_select(g, None, [item.family for item in block.items])
        if kind.startswith("intersect") and c.chance(90):
            other = f"{other} UNION ALL {block.sql()}"
            g.use("union_all")
            return f"{block.sql()} {word} ({other})", columns
        return f"{block.sql()} {word} {other}", columns
    some = c.pick(block.halves) if block.halves else "true"
    conditions = (
        (some, some, some, "1 = 2", some) if kind.startswith("except") else (some, some, "true", "true")
    )
    if c.chance(5):
        conditions = ("true", "1 = 2")
    condition = c.pick(conditions)
    if condition == some and c.chance(75):
        return shared(g, word, block), columns
    return f"{block.sql()} {word} {block.sql([*block.where, condition])}", columns


def shared(g: Generator, word: str, block: Block) -> str:
    """Both sides of a set operation from one CTE, of which the second takes some rows: half as much to parse
    and plan as the block written twice.
    """
    name = f"s{g.relations}"
    column = f"c{g.choices.below(len(block.items))}"
    condition = g.choices.pick((f"{column} IS NOT NULL", f"{column} > (SELECT min({column}) FROM {name})"))
    both = f"FROM {name} {word} SELECT * FROM {name} WHERE {condition}"
    return f"SELECT * FROM (WITH {name} AS ({block.sql()}) {both}) AS {name}_both"
