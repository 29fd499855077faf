"""FROM clauses: tables, derived tables, VALUES, CTE references, and joins of every kind over them."""

from __future__ import annotations

from collections.abc import Callable

from oracle.expressions import literal
from oracle.generator import JOIN_FEATURES, Expr, Generator, Scope, column_expr
from oracle.joins import Relation, join, lateral, requalified

SelectMaker = Callable[[Generator, Scope | None, list[str] | None], tuple[str, tuple[Expr, ...]]]
"""(generator, enclosing scope, families wanted) -> SQL of a query without ORDER BY, and its columns c0,
c1, ...
"""


def from_clause(g: Generator, make_select: SelectMaker, *, most_joins: int, nested: bool) -> Relation:
    """A FROM clause: the wanted kinds of relations and joins, at most `most_joins` of these."""
    kinds = relation_kinds(g, nested)
    joins = g.take_wanted(JOIN_FEATURES, most_joins)
    spare = most_joins - len(joins)
    if spare and not nested:
        joins += [g.choices.pick(("left", "left", "inner")) for _ in range(g.choices.below(2))]
    # First those that need unambiguous columns or few rows.
    joins.sort(key=lambda kind: {"using": 0, "cross": 1, "non_equi": 2}.get(kind, 3))
    using = "using" in joins
    found = relation(g, make_select, kinds.pop() if kinds and not using else "table")
    for kind in joins:
        right_kind = kinds.pop() if kinds and kind != "using" else "table"
        right = relation(g, make_select, right_kind, small=found.rows > 100)
        if using and kind != "using" and right_kind in ("table", "cte"):
            right = renamed(g, right)
        if kind not in ("using", "semi", "anti") and not using and g.choices.chance(7):
            right = parenthesised(g, right, relation(g, make_select, "table", small=True))
        found = join(g, kind, found, right)
    if not nested and g.choices.chance(6):
        found = lateral(g, found)
    for kind in kinds:
        found = join(
            g, g.choices.pick(("left", "left", "inner")), found, relation(g, make_select, kind, small=True)
        )
    return found


def parenthesised(g: Generator, left: Relation, right: Relation) -> Relation:
    """A join in parentheses, to be the right side of another."""
    inner = join(g, g.choices.pick(("inner", "left")), left, right)
    return Relation(f"({inner.sql})", inner.columns, inner.rows)


def relation_kinds(g: Generator, nested: bool) -> list[str]:
    """The kinds of relations this FROM clause must show."""
    kinds = [
        kind for kind in ("derived", "values") if g.wants.count(kind) and not (nested and kind == "derived")
    ]
    for kind in kinds:
        g.wants.remove(kind)
    if g.cte_relations and not nested:
        kinds.append("cte")
        if g.choices.chance(20):
            kinds.append("cte")
    return kinds


def relation(g: Generator, make_select: SelectMaker, kind: str, *, small: bool = False) -> Relation:
    alias = g.alias()
    if kind == "values":
        g.use("values")
        return values(g, alias)
    if kind == "cte" and g.cte_relations:
        name, columns = g.choices.pick(g.cte_relations)
        return Relation(f"{name} AS {alias}", requalified(columns, alias), 20)
    if kind == "derived":
        g.use("derived")
        sql, columns = make_select(g, None, None)
        return Relation(f"({sql}) AS {alias}", requalified(columns, alias), 20)
    tables = g.data.tables[2:] if small else g.data.tables
    weights = [(5 if len(table.rows) > 1 else 1, table) for table in tables]
    if not small:
        weights = [(weight * (4 if table.name in ("t0", "t1") else 1), table) for weight, table in weights]
    table = g.choices.weighted(weights)
    columns = tuple(column_expr(column, alias) for column in table.columns)
    return Relation(f"{table.name} AS {alias}", columns, max(1, len(table.rows)))


def renamed(g: Generator, right: Relation) -> Relation:
    """The relation with all its columns renamed (`t AS r(r_0, ...)`), so that a USING column stays
    unambiguous.
    """
    head, _, alias = right.sql.rpartition(" AS ")
    names = [f"{alias}_{i}" for i in range(len(right.columns))]
    columns = tuple(
        Expr(f"{alias}.{name}", column.family, column.type, column.bound, atom=True)
        for name, column in zip(names, right.columns, strict=True)
    )
    return Relation(f"{head} AS {alias}({', '.join(names)})", columns, right.rows)


def values(g: Generator, alias: str) -> Relation:
    """A VALUES list of 1 to 4 rows; every column is cast in the first row, which fixes its type."""
    c = g.choices
    families = [
        "int",
        *(c.pick(("str", "int", "dec", "date", "bool", "dbl")) for _ in range(c.between(1, 2))),
    ]
    types = {
        "int": "INTEGER",
        "dec": "DECIMAL(9,2)",
        "dbl": "DOUBLE",
        "str": "VARCHAR",
        "date": "DATE",
        "bool": "BOOLEAN",
    }
    rows = []
    for row in range(c.between(1, 4)):
        cells = [literal(g, family).sql for family in families]
        if row == 0:
            cells = [f"CAST({cell} AS {types[family]})" for cell, family in zip(cells, families, strict=True)]
        rows.append(f"({', '.join(cells)})")
    names = ", ".join(f"v{i}" for i in range(len(families)))
    columns = tuple(
        Expr(f"{alias}.v{i}", family, None, 100 if family in ("int", "dec") else None, atom=True)
        for i, family in enumerate(families)
    )
    return Relation(f"(VALUES {', '.join(rows)}) AS {alias}({names})", columns, len(rows))
