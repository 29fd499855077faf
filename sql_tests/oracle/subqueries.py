"""Productions of subqueries: scalar, EXISTS, IN, ANY and ALL; plain or correlated by equality or
otherwise.
"""

from __future__ import annotations

from oracle.aggregates import aggregate
from oracle.conditions import COMPARISONS, boolean
from oracle.expressions import expression, leaf, tame
from oracle.generator import CORRELATION_FEATURES, Expr, Generator, Scope, produces
from oracle.joins import Relation
from oracle.relations import from_clause
from oracle.selects import plain_select

KINDS = {"in_subquery": 1, "not_in": 1, "exists": 1, "not_exists": 1, "any": 1, "all": 1}


def allowed(g: Generator) -> bool:
    if g.subqueries_left <= 0:
        return False
    g.subqueries_left -= 1
    return True


def inner_relation(g: Generator) -> Relation:
    return from_clause(g, plain_select, most_joins=1, nested=True)


def correlation(g: Generator, inner: Scope, outer: Scope) -> list[str]:
    """The predicates that tie the subquery to an enclosing query: as wanted, else by chance none."""
    kinds = g.take_wanted(CORRELATION_FEATURES, 2)
    if not kinds and g.choices.chance(40):
        kinds = [g.choices.pick(CORRELATION_FEATURES)]
    found = []
    for kind in kinds:
        scope = outer.outer if outer.outer is not None and g.choices.chance(25) else outer
        pairs = [
            (a, b)
            for a in inner.columns
            for b in scope.columns
            if b.atom and a.family == b.family and (a.family != "dec" or (a.tame and b.tame))
        ]
        keys = [(a, b) for a, b in pairs if a.sql.endswith((".k", ".g")) and b.sql.endswith((".k", ".g"))]
        if not pairs:
            continue
        a, b = g.choices.pick(keys * (1 + len(pairs) // (len(keys) or 1)) + pairs)
        g.use(kind)
        operator = "=" if kind == "correlated_eq" else g.choices.pick(COMPARISONS[1:])
        found.append(f"{a.sql} {operator} {b.sql}")
    return found


def where_of(g: Generator, inner: Scope, outer: Scope) -> str:
    terms = correlation(g, inner, outer)
    if g.choices.chance(25):
        terms.append(expression(g, inner, "bool", 2).sql)
    return f" WHERE {' AND '.join(terms)}" if terms else ""


def with_where(found: Relation, where: str) -> str:
    return f"{found.sql}{where}"


@produces("scalar_subquery", {"int": 1, "dec": 1, "dbl": 1, "str": 1, "date": 1})
def scalar_subquery(g: Generator, scope: Scope, family: str, depth: int) -> Expr:
    """A subquery of one row: an aggregate without GROUP BY."""
    if not allowed(g):
        return leaf(g, scope, family)
    g.use("scalar_subquery")
    found = inner_relation(g)
    inner = Scope(found.columns, outer=scope)
    if g.choices.chance(15):
        item = expression(g, inner, family, 1)
        order = g.choices.pick(("", " DESC", " NULLS FIRST", " DESC NULLS LAST"))
        tail = f"{where_of(g, inner, scope)} ORDER BY {item.sql}{order} LIMIT 1"
        return Expr(f"(SELECT {item.sql} FROM {found.sql}{tail})", family, None, item.bound)
    value = aggregate(g, inner, family)
    sql = value.sql
    outer_columns = [
        column for column in scope.columns if column.atom and column.family == "int" and column.tame
    ]
    if family == "int" and value.tame and outer_columns and g.choices.chance(15):
        g.use("correlated_other")
        sql = f"{sql} + {g.choices.pick(outer_columns).sql}"
        value = Expr(sql, "int")
    where = where_of(g, inner, scope)
    return Expr(f"(SELECT {sql} FROM {with_where(found, where)})", family, value.type, value.bound)


@produces("exists", {"bool": 1})
def exists(g: Generator, scope: Scope, family: str, depth: int) -> Expr:
    return exists_test(g, scope, "exists")


@produces("not_exists", {"bool": 1})
def not_exists(g: Generator, scope: Scope, family: str, depth: int) -> Expr:
    return exists_test(g, scope, "not_exists")


def exists_test(g: Generator, scope: Scope, kind: str) -> Expr:
    if not allowed(g):
        return leaf(g, scope, "bool")
    g.use(kind)
    found = inner_relation(g)
    where = where_of(g, Scope(found.columns, outer=scope), scope)
    item = g.choices.pick(("1", "*", found.columns[0].sql))
    word = "EXISTS" if kind == "exists" else "NOT EXISTS"
    return boolean(f"({word} (SELECT {item} FROM {with_where(found, where)}))")


def comparison_operand(g: Generator, scope: Scope, depth: int) -> Expr:
    family = g.choices.pick(("int", "str", "int", "date", "dec", "dbl"))
    if family in ("dec", "int"):
        return tame(g, scope, family, depth)
    return expression(g, scope, family, depth)


def one_column(g: Generator, scope: Scope, family: str) -> str:
    """A subquery that gives one column of the family."""
    found = inner_relation(g)
    inner = Scope(found.columns, outer=scope)
    item = tame(g, inner, family, 1) if family in ("dec", "int") else expression(g, inner, family, 1)
    where = where_of(g, inner, scope)
    is_key = any(column.sql in item.sql for column in inner.columns) and "SELECT" not in item.sql
    tail = f" GROUP BY {item.sql}" if is_key and g.choices.chance(20) else ""
    return f"SELECT {item.sql} FROM {with_where(found, where)}{tail}"


@produces("in_subquery", {"bool": 1})
def in_subquery(g: Generator, scope: Scope, family: str, depth: int) -> Expr:
    return membership(g, scope, depth, "in_subquery")


@produces("not_in", {"bool": 1})
def not_in(g: Generator, scope: Scope, family: str, depth: int) -> Expr:
    return membership(g, scope, depth, "not_in")


def membership(g: Generator, scope: Scope, depth: int, kind: str) -> Expr:
    if not allowed(g):
        return leaf(g, scope, "bool")
    g.use(kind)
    word = "IN" if kind == "in_subquery" else "NOT IN"
    if g.choices.chance(12):
        return row_membership(g, scope, word)
    left = comparison_operand(g, scope, min(depth - 1, 1))
    return boolean(f"({left.sql} {word} ({one_column(g, scope, left.family)}))")


def row_membership(g: Generator, scope: Scope, word: str) -> Expr:
    """(a, b) IN (a subquery of two columns)."""
    found = inner_relation(g)
    inner = Scope(found.columns)
    families = [g.choices.pick(("int", "str", "date")) for _ in range(2)]
    left = ", ".join(tame(g, scope, family, 0).sql for family in families)
    items = ", ".join(tame(g, inner, family, 0).sql for family in families)
    # The oracle knows these without correlation only.
    where = f" WHERE {expression(g, inner, 'bool', 1).sql}" if g.choices.chance(40) else ""
    return boolean(f"(({left}) {word} (SELECT {items} FROM {found.sql}{where}))")


@produces("any", {"bool": 1})
def any_of(g: Generator, scope: Scope, family: str, depth: int) -> Expr:
    return quantified(g, scope, depth, "any")


@produces("all", {"bool": 1})
def all_of(g: Generator, scope: Scope, family: str, depth: int) -> Expr:
    return quantified(g, scope, depth, "all")


def quantified(g: Generator, scope: Scope, depth: int, kind: str) -> Expr:
    if not allowed(g):
        return leaf(g, scope, "bool")
    g.use(kind)
    left = comparison_operand(g, scope, min(depth - 1, 1))
    operator = g.choices.pick(COMPARISONS)
    return boolean(f"({left.sql} {operator} {kind.upper()} ({one_column(g, scope, left.family)}))")
