"""Joins of two relations, of every kind, and the conditions they join on."""

from __future__ import annotations

from dataclasses import dataclass

from oracle.conditions import COMPARISONS
from oracle.expressions import expression
from oracle.generator import Expr, Generator, Scope, column_expr

MANY_ROWS = 1500


@dataclass(frozen=True)
class Relation:
    """A FROM item: its SQL with its alias, its columns, about how many rows, and the condition it adds to
    WHERE.
    """

    sql: str
    columns: tuple[Expr, ...]
    rows: int
    where: str | None = None


def requalified(columns: tuple[Expr, ...], alias: str) -> tuple[Expr, ...]:
    """The output columns c0, c1, ... of a query, as the columns of a relation."""
    return tuple(
        Expr(f"{alias}.c{i}", column.family, column.type, column.bound, atom=True)
        for i, column in enumerate(columns)
    )


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
            condition += f" AND {residual(g, left, right, both, subqueries=word in ('inner', 'left'))}"
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


def residual(g: Generator, left: Relation, right: Relation, both: Scope, *, subqueries: bool) -> str:
    """A further condition of a join, sometimes with a subquery where `subqueries` may stand."""
    if g.choices.chance(50):
        return inequality(g, left, right)
    kept, g.subqueries_left = g.subqueries_left, min(g.subqueries_left, subqueries and g.choices.chance(20))
    found = expression(g, both, "bool", 2).sql
    g.subqueries_left = kept
    return found


def lateral(g: Generator, left: Relation) -> Relation:
    """The relation joined with a subquery that reads its columns: rows of a table, or an aggregate."""
    c = g.choices
    alias, inside = g.alias(), g.alias()
    table = c.pick(g.data.tables[1:])
    columns = tuple(column_expr(column, inside) for column in table.columns)
    inner = Relation(f"{table.name} AS {inside}", columns, len(table.rows))
    condition = c.pick((equality, inequality))(g, inner, left)
    if c.chance(50):
        items = f"count(*) AS c0, max({c.pick(columns).sql}) AS c1"
        found = (Expr(f"{alias}.c0", "int", "BIGINT", 100, atom=True),)
    else:
        kept = c.some(columns, 1, 2)
        items = ", ".join(f"{column.sql} AS c{i}" for i, column in enumerate(kept))
        found = requalified(tuple(kept), alias)
    subquery = f"LATERAL (SELECT {items} FROM {inner.sql} WHERE {condition}) AS {alias}"
    form = c.pick(("{} CROSS JOIN {}", "{} LEFT JOIN {} ON true", "{} JOIN {} ON true"))
    return Relation(form.format(left.sql, subquery), left.columns + found, left.rows * 2, left.where)
