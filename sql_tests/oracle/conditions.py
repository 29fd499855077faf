"""Productions of predicates, and of what any family can be: CASE, COALESCE, NULLIF, CAST."""

from __future__ import annotations

from oracle.expressions import comparable, comparable_to, expression, leaf, literal, tame
from oracle.generator import Expr, Generator, Scope, produces

COMPARISONS = ("=", "<>", "<", "<=", ">", ">=")
ANY_FAMILY = {"int": 2, "dec": 2, "dbl": 2, "str": 2, "date": 2, "ts": 2, "bool": 1}


def boolean(sql: str) -> Expr:
    return Expr(sql, "bool", "BOOLEAN")


@produces("compare", {"bool": 8})
def comparison(g: Generator, scope: Scope, family: str, depth: int) -> Expr:
    g.use("compare")
    left, right = comparable(g, scope, depth - 1)
    found = f"({left.sql} {g.choices.pick(COMPARISONS)} {right.sql})"
    if g.choices.chance(15):
        g.use("logic")
        return boolean(f"(NOT {found})")
    return boolean(found)


@produces("logic", {"bool": 6})
def logic(g: Generator, scope: Scope, family: str, depth: int) -> Expr:
    g.use("logic")
    c = g.choices
    operator = c.pick(("AND", "OR", "NOT"))
    left = expression(g, scope, "bool", depth - 1)
    if operator == "NOT":
        return boolean(f"(NOT {left.sql})")
    terms = [left, *(expression(g, scope, "bool", depth - 1) for _ in range(c.between(1, 2)))]
    return boolean("(" + f" {operator} ".join(term.sql for term in terms) + ")")


@produces("between", {"bool": 4})
def between(g: Generator, scope: Scope, family: str, depth: int) -> Expr:
    g.use("between")
    middle, low = comparable(g, scope, depth - 1)
    high = comparable_to(g, scope, middle, depth - 1)
    operator = g.choices.pick(("BETWEEN", "NOT BETWEEN"))
    return boolean(f"({middle.sql} {operator} {low.sql} AND {high.sql})")


@produces("in_list", {"bool": 4})
def in_list(g: Generator, scope: Scope, family: str, depth: int) -> Expr:
    g.use("in_list")
    c = g.choices
    kind = c.pick(("int", "str", "date", "dec", "dbl"))
    left = (
        tame(g, scope, kind, depth - 1) if kind in ("dec", "int") else expression(g, scope, kind, depth - 1)
    )
    items = [literal(g, kind).sql for _ in range(c.between(1, 4))]
    if c.chance(15):
        items.append(tame(g, scope, kind, 1).sql)
    if c.chance(20):
        items.append("NULL")
    return boolean(f"({left.sql} {c.pick(('IN', 'NOT IN'))} ({', '.join(items)}))")


@produces("distinct_from", {"bool": 3})
def distinct_from(g: Generator, scope: Scope, family: str, depth: int) -> Expr:
    g.use("distinct_from")
    left, right = comparable(g, scope, depth - 1)
    return boolean(f"({left.sql} {g.choices.pick(('IS DISTINCT FROM', 'IS NOT DISTINCT FROM'))} {right.sql})")


@produces("is_null", {"bool": 4})
def is_null(g: Generator, scope: Scope, family: str, depth: int) -> Expr:
    g.use("is_null")
    c = g.choices
    if c.chance(30):
        found = expression(g, scope, "bool", depth - 1)
        form = c.pick(("IS TRUE", "IS NOT TRUE", "IS FALSE", "IS NULL", "IS NOT FALSE"))
        return boolean(f"({found.sql} {form})")
    found = expression(g, scope, c.pick(("int", "str", "dec", "date", "dbl", "ts")), depth - 1)
    return boolean(f"({found.sql} {c.pick(('IS NULL', 'IS NOT NULL'))})")


@produces("case", ANY_FAMILY)
def case(g: Generator, scope: Scope, family: str, depth: int) -> Expr:
    g.use("case")
    c = g.choices
    results = [expression(g, scope, family, depth - 1) for _ in range(c.between(1, 2))]
    if c.chance(30):
        operand = tame(g, scope, "int", depth - 1)
        arms = " ".join(f"WHEN {literal(g, 'int').sql} THEN {result.sql}" for result in results)
        head = f"CASE {operand.sql} {arms}"
    else:
        arms = " ".join(f"WHEN {expression(g, scope, 'bool', depth - 1).sql} THEN {r.sql}" for r in results)
        head = f"CASE {arms}"
    if c.chance(60):
        other = expression(g, scope, family, depth - 1)
        results.append(other)
        head += f" ELSE {other.sql}"
    return merged(f"{head} END", family, results)


def merged(sql: str, family: str, branches: list[Expr]) -> Expr:
    """The expression that gives one of the branches: of unknown type unless they agree, bounded if all
    are.
    """
    types = {branch.type for branch in branches}
    type_ = branches[0].type if len(types) == 1 and branches[0].type != "INTEGER_LITERAL" else None
    bounds = [branch.bound for branch in branches if branch.bound is not None]
    return Expr(sql, family, type_, max(bounds) if len(bounds) == len(branches) else None)


@produces("coalesce", ANY_FAMILY)
def coalesce(g: Generator, scope: Scope, family: str, depth: int) -> Expr:
    g.use("coalesce")
    branches = [expression(g, scope, family, depth - 1) for _ in range(g.choices.between(2, 3))]
    return merged(f"COALESCE({', '.join(branch.sql for branch in branches)})", family, branches)


@produces("nullif", ANY_FAMILY)
def nullif(g: Generator, scope: Scope, family: str, depth: int) -> Expr:
    g.use("nullif")
    left = expression(g, scope, family, depth - 1)
    right = comparable_to(g, scope, left, 1)
    type_ = None if left.type == "INTEGER_LITERAL" or family == "dec" else left.type
    return Expr(f"NULLIF({left.sql}, {right.sql})", family, type_, left.bound)


CASTS = {
    "int": ("BIGINT", "SMALLINT", "INTEGER", "HUGEINT", "TINYINT"),
    "dec": ("DECIMAL(9,2)", "DECIMAL(18,3)", "DECIMAL(38,6)", "DECIMAL(12,0)"),
    "dbl": ("DOUBLE", "FLOAT"),
}
TOPS = {"TINYINT": 100, "SMALLINT": 32000, "INTEGER": 2**30, "BIGINT": 2**60, "HUGEINT": 2**100}
TOPS |= {"DECIMAL(9,2)": 10**6, "DECIMAL(18,3)": 10**14, "DECIMAL(38,6)": 10**30, "DECIMAL(12,0)": 10**11}


@produces("cast", {"int": 3, "dec": 3, "dbl": 3, "str": 3, "date": 1, "ts": 1, "bool": 1})
def cast(g: Generator, scope: Scope, family: str, depth: int) -> Expr:
    g.use("cast")
    c = g.choices
    if family in CASTS:
        source = tame(g, scope, c.pick(("int", "dec", "dbl")), depth - 1)
        types = [name for name in CASTS[family] if (source.bound or 0) < TOPS.get(name, 2**200)]
        type_ = c.pick(types)
        return Expr(f"CAST({source.sql} AS {type_})", family, type_, (source.bound or 0) + 1)
    if family == "str":
        # NaN may have a sign, which only its text shows: no wild doubles.
        kind = c.pick(("int", "dec", "date", "bool", "ts", "dbl"))
        source = (tame if kind == "dbl" else expression)(g, scope, kind, depth - 1)
        return Expr(f"CAST({source.sql} AS VARCHAR)", "str", "VARCHAR")
    if family == "bool":
        source = expression(g, scope, c.pick(("int", "dbl")), depth - 1)
        return boolean(f"CAST({source.sql} AS BOOLEAN)")
    source = tame(g, scope, "ts" if family == "date" else "date", depth - 1)
    type_ = "DATE" if family == "date" else "TIMESTAMP"
    return Expr(f"CAST({source.sql} AS {type_})", family, type_, source.bound)


@produces("try_cast", {"int": 2, "dec": 2, "dbl": 1, "date": 1})
def try_cast(g: Generator, scope: Scope, family: str, depth: int) -> Expr:
    g.use("try_cast")
    c = g.choices
    source = expression(g, scope, c.pick(("str", "int", "dec", "dbl")), depth - 1)
    if family == "date" or source.family == "str":
        words = ("'12'", "'1e3'", "'abc'", "' 7 '", "'2020-02-30'", "'2020-02-28'", "'-0.5'", "'99999'")
        text = source.sql if source.family == "str" and c.chance(30) else c.pick(words)
        source = Expr(f"COALESCE({leaf(g, scope, 'str').sql}, {text})" if c.chance(20) else text, "str")
    type_ = "DATE" if family == "date" else c.pick(CASTS[family])
    return Expr(f"TRY_CAST({source.sql} AS {type_})", family, type_)
