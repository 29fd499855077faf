"""FROM clauses: tables, derived tables, VALUES, CTE references, and joins of every kind over them."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass

from oracle.conditions import COMPARISONS
from oracle.expressions import expression, literal
from oracle.generator import JOIN_FEATURES, Expr, Generator, Scope, column_expr

MANY_ROWS = 1500
SelectMaker = Callable[[Generator, Scope | None, list[str] | None], tuple[str, tuple[Expr, ...]]]
"""(generator, enclosing scope, families wanted) -> SQL of a query without ORDER BY, and its columns c0,
c1, ...
"""


@dataclass(frozen=True)
class Relation:
    """A FROM item: its SQL with its alias, its columns, about how many rows, and the condition it adds to
    WHERE.
    """

    sql: str
    columns: tuple[Expr, ...]
    rows: int
    where: str | None = None


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
        found = join(g, kind, found, right)
    for kind in kinds:
        found = join(
            g, g.choices.pick(("left", "left", "inner")), found, relation(g, make_select, kind, small=True)
        )
    return found


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


def requalified(columns: tuple[Expr, ...], alias: str) -> tuple[Expr, ...]:
    """The output columns c0, c1, ... of a query, as the columns of a relation."""
    return tuple(
        Expr(f"{alias}.c{i}", column.family, column.type, column.bound, atom=True)
        for i, column in enumerate(columns)
    )


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


def join(g: Generator, kind: str, left: Relation, right: Relation) -> Relation:
    """The join of two relations; the kinds are those of JOIN_FEATURES."""
    c = g.choices
    if kind in ("cross", "non_equi") and left.rows * right.rows > MANY_ROWS:
        kind = "inner"
    g.use(kind)
    if kind == "using":
        return using_join(g, left, right)
    if kind == "cross":
        sql = c.pick((f"{left.sql} CROSS JOIN {right.sql}", f"{left.sql}, {right.sql}"))
        if sql.startswith(f"{left.sql},") and " JOIN " in left.sql:
            sql = f"{left.sql} CROSS JOIN {right.sql}"
        return Relation(sql, left.columns + right.columns, left.rows * right.rows, left.where)
    word = {"residual": "left", "non_equi": "inner"}.get(kind, kind)
    if kind in ("residual", "non_equi"):
        word = c.pick(("inner", "left", "full", "right", "semi", "anti"))
        g.use(word)
    both = Scope(left.columns + right.columns)
    if kind == "non_equi":
        condition, rows = inequality(g, left, right), left.rows * right.rows // 2 + 1
    else:
        condition, rows = equality(g, left, right), max(left.rows, right.rows) * 2
        if c.chance(60 if word == "anti" else 5):
            condition += f" AND {equality(g, left, right)}"
        if kind == "residual" or c.chance(8):
            g.use("residual")
            condition += f" AND {residual(g, left, right, both)}"
    words = {"inner": ("JOIN", "INNER JOIN"), "left": ("LEFT JOIN", "LEFT OUTER JOIN")}
    sql = f"{left.sql} {c.pick(words.get(word, (f'{word.upper()} JOIN',)))} {right.sql} ON {condition}"
    kept = left.columns if word in ("semi", "anti") else left.columns + right.columns
    return Relation(sql, kept, left.rows if word in ("semi", "anti") else rows, left.where)


def using_join(g: Generator, left: Relation, right: Relation) -> Relation:
    """A join USING (k) or (k, g), of any kind; the merged columns are unqualified."""
    c = g.choices
    word = c.pick(("inner", "left", "full", "right", "semi", "anti"))
    g.use(word)
    shared = ["k", "g"] if c.chance(25) else ["k"]
    sql = f"{left.sql} {word.upper()} JOIN {right.sql} USING ({', '.join(shared)})"
    if word in ("semi", "anti"):
        return Relation(sql, left.columns, left.rows, left.where)
    names = {f".{name}": name for name in shared}
    merged = [
        Expr(names[column.sql[column.sql.index(".") :]], column.family, None, column.bound, atom=True)
        for column in left.columns
        if column.sql[column.sql.index(".") :] in names
    ]
    return Relation(sql, (*merged, *left.columns, *right.columns), max(left.rows, right.rows) * 2, left.where)


def pairs(left: Relation, right: Relation) -> list[tuple[Expr, Expr]]:
    """Columns of either side that compare without errors; seven of eight of them key columns, where there
    are some.
    """
    found = []
    for a in left.columns:
        for b in right.columns:
            if a.family == b.family and (a.family != "dec" or (a.tame and b.tame)):
                found.append((a, b))
    keys = [(a, b) for a, b in found if is_key(a) and is_key(b)]
    return keys * (7 * len(found) // len(keys)) + found if keys else found


def is_key(column: Expr) -> bool:
    return column.sql.rpartition(".")[2] in ("k", "g", "c0", "v0") or column.sql.endswith(("_0", "_1"))


def equality(g: Generator, left: Relation, right: Relation) -> str:
    found = pairs(left, right)
    if not found:
        return "true"
    a, b = g.choices.pick(found)
    if a.family == "int" and a.tame and g.choices.chance(8):
        return f"{a.sql} + 1 = {b.sql}"
    if g.choices.chance(6):
        return f"{a.sql} IS NOT DISTINCT FROM {b.sql}"
    return f"{a.sql} = {b.sql}" if g.choices.chance(60) else f"{b.sql} = {a.sql}"


def inequality(g: Generator, left: Relation, right: Relation) -> str:
    found = pairs(left, right)
    if not found:
        return "1 < 2"
    a, b = g.choices.pick(found)
    return f"{a.sql} {g.choices.pick(COMPARISONS[1:])} {b.sql}"


def residual(g: Generator, left: Relation, right: Relation, both: Scope) -> str:
    if g.choices.chance(50):
        return inequality(g, left, right)
    g.subqueries_left, kept = 0, g.subqueries_left
    found = expression(g, both, "bool", 2).sql
    g.subqueries_left = kept
    return found
