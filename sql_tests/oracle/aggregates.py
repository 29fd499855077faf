"""Aggregate calls over the columns of a scope."""

from __future__ import annotations

from oracle.datasets import UNSIGNED
from oracle.expressions import expression, leaf, tame
from oracle.generator import Expr, Generator, Scope

SUMMABLE = ("TINYINT", "SMALLINT", "INTEGER", "BIGINT", *UNSIGNED)
BY_FAMILY = {
    "int": ("count", "sum", "min", "max", "count", "other"),
    "dec": ("sum", "min", "max"),
    "dbl": ("avg", "sum", "min", "max", "other"),
    "str": ("min", "max", "other"),
    "date": ("min", "max"),
    "ts": ("min", "max"),
    "bool": ("bool_and", "bool_or"),
}


def aggregate(g: Generator, scope: Scope, family: str, wanted: str | None = None) -> Expr:
    """An aggregate whose result is of the family, or the wanted one ("sum", "distinct_aggregate", ...)."""
    c = g.choices
    function = wanted if wanted in ("count", "sum", "avg", "min", "max") else c.pick(BY_FAMILY[family])
    if wanted == "bool_aggregate":
        function = c.pick(("bool_and", "bool_or"))
    if function == "other":
        return other_aggregate(g, scope, family)
    g.use("bool_aggregate" if function.startswith("bool_") else function)
    distinct = wanted == "distinct_aggregate" or (wanted is None and c.chance(10))
    filtered = wanted == "filter_aggregate" or c.chance(10)
    value, sql = call(g, scope, function, family, distinct)
    if filtered:
        g.use("filter_aggregate")
        condition = expression(g, scope, "bool", 1)
        sql = f"{sql} FILTER ({g.choices.pick(('WHERE ', ''))}{condition.sql})"
    if g.rounds and value.family == "dbl" and function in ("sum", "avg"):
        sql = f"round({sql}, 6)"
    return Expr(sql, value.family, value.type, value.bound)


def other_aggregate(g: Generator, scope: Scope, family: str) -> Expr:
    """An aggregate beyond the common ones."""
    c = g.choices
    if family == "str":
        text = expression(g, scope, "str", 1)
        order = c.pick(("", " DESC", " NULLS FIRST"))
        return Expr(f"string_agg({text.sql}, '|' ORDER BY {text.sql}{order})", "str", "VARCHAR")
    number = tame(g, scope, "int", 1)
    if family == "int":
        forms = ("bit_and({})", "bit_or({})", "bit_xor({})", "quantile_disc({}, 0.5)", "arg_max({0}, {0})")
        form = c.pick(forms)
        return Expr(form.format(number.sql), "int")
    form = c.pick(("stddev({})", "var_pop({})", "median({})", "stddev_pop({})", "var_samp({})"))
    sql = form.format(number.sql)
    return Expr(f"round({sql}, 6)" if g.rounds else sql, "dbl", "DOUBLE")


def call(g: Generator, scope: Scope, function: str, family: str, distinct: bool) -> tuple[Expr, str]:
    """What the aggregate gives (family, type, bound), and the call without its filter."""
    c = g.choices
    word = "DISTINCT " if distinct else ""
    if distinct:
        g.use("distinct_aggregate")
    if function == "count":
        if not distinct and c.chance(40):
            return Expr("", "int", "BIGINT", 2000), c.pick(("count(*)", "count()", "COUNT(*)"))
        argument = expression(g, scope, c.pick(("int", "str", "dbl", "dec", "date", "bool")), 1)
        return Expr("", "int", "BIGINT", 2000), f"count({word}{argument.sql})"
    if function.startswith("bool_"):
        argument = expression(g, scope, "bool", 1)
        return Expr("", "bool", "BOOLEAN"), f"{function}({word}{argument.sql})"
    if function == "sum":
        kind = family if family in ("int", "dec", "dbl") else c.pick(("int", "dec", "dbl"))
        argument = summable(g, scope, kind)
        return Expr("", kind, sum_type(kind, argument), None), f"sum({word}{argument.sql})"
    if function == "avg":
        argument = summable(g, scope, c.pick(("int", "dbl", "dec")))
        return Expr("", "dbl", "DOUBLE"), f"avg({word}{argument.sql})"
    argument = expression(g, scope, family, 1)
    type_ = None if argument.type == "INTEGER_LITERAL" else argument.type
    return Expr("", family, type_, argument.bound), f"{function}({word}{argument.sql})"


def summable(g: Generator, scope: Scope, family: str) -> Expr:
    """A number whose sum cannot overflow in any order: doubles of any kind, else tame ones."""
    if family == "dbl":
        return leaf(g, scope, "dbl")
    if family == "int" and g.choices.chance(25):
        wide = [column for column in scope.of("int") if column.type in SUMMABLE]
        if wide:
            return g.choices.pick(wide)
    return tame(g, scope, family, 1)


def sum_type(family: str, argument: Expr) -> str | None:
    return {"int": "HUGEINT", "dbl": "DOUBLE"}.get(family)
