"""Productions of strings, dates and timestamps."""

from __future__ import annotations

from oracle.datasets import WORDS, text_literal
from oracle.expressions import expression, leaf, tame
from oracle.generator import Expr, Generator, Scope, produces

ONE_ARGUMENT = (
    "upper({})",
    "lower({})",
    "substring({}, 2, 3)",
    "substring({}, -2)",
    "left({}, 2)",
    "right({}, 2)",
    "trim({})",
    "replace({}, 'a', 'xy')",
    "reverse({})",
    "substring({} FROM 1 FOR 1)",
    "ltrim({}, 'ab')",
    "rtrim({}, 'cb')",
    "lpad({}, 4, '*')",
    "rpad({}, 3, 'é')",
    "repeat({}, 2)",
)


@produces("string_fn", {"str": 8})
def string_function(g: Generator, scope: Scope, family: str, depth: int) -> Expr:
    g.use("string_fn")
    c = g.choices
    text = expression(g, scope, "str", depth - 1)
    kind = c.pick(("function", "||", "concat", "substring", "function", "concat_ws"))
    if kind == "function":
        return Expr(c.pick(ONE_ARGUMENT).format(text.sql), "str", "VARCHAR")
    other = expression(g, scope, "str", depth - 1)
    if kind == "||":
        return Expr(f"({text.sql} || {other.sql})", "str", "VARCHAR")
    if kind == "concat":
        number = leaf(g, scope, "int")
        return Expr(f"concat({text.sql}, {other.sql}, {number.sql})", "str", "VARCHAR")
    if kind == "concat_ws":
        return Expr(f"concat_ws('-', {text.sql}, {other.sql})", "str", "VARCHAR")
    start, count = c.between(-3, 4), c.between(0, 3)
    return Expr(f"substring({text.sql}, {start}, {count})", "str", "VARCHAR")


@produces("date_arith", {"date": 6, "ts": 6})
def moved_date(g: Generator, scope: Scope, family: str, depth: int) -> Expr:
    """A date some days on, a timestamp some months, days or seconds on; always inside the calendar."""
    g.use("date_arith")
    c = g.choices
    sign = c.pick(("+", "-"))
    if family == "date":
        day = leaf_inside(g, scope, "date")
        return Expr(f"({day.sql} {sign} {c.between(0, 40)})", "date", "DATE", 21000)
    start = leaf_inside(g, scope, c.pick(("ts", "date")))
    unit = c.pick(("DAY", "MONTH", "YEAR", "HOUR", "MINUTE", "SECOND", "WEEK"))
    amount = c.between(0, 14)
    interval = c.pick((f"INTERVAL {amount} {unit}", f"INTERVAL '{amount}' {unit}"))
    return Expr(f"({start.sql} {sign} {interval})", "ts", "TIMESTAMP", 21000)


@produces("date_extract", {"ts": 3})
def truncated(g: Generator, scope: Scope, family: str, depth: int) -> Expr:
    g.use("date_extract")
    start = leaf_inside(g, scope, g.choices.pick(("ts", "date")))
    part = g.choices.pick(("month", "day", "year", "quarter", "week", "hour"))
    return Expr(f"date_trunc('{part}', {start.sql})", "ts", "TIMESTAMP", 21000)


def leaf_inside(g: Generator, scope: Scope, family: str) -> Expr:
    """A column or literal far from the calendar's ends."""
    return tame(g, scope, family, 0)


@produces("like", {"bool": 4})
def like(g: Generator, scope: Scope, family: str, depth: int) -> Expr:
    g.use("like")
    c = g.choices
    text = expression(g, scope, "str", depth - 1)
    pattern = c.pick(
        (
            "'a%'",
            "'%b'",
            "'%b%'",
            "'_'",
            "'a_b'",
            "'%'",
            "''",
            "'a%b%'",
            "'绿%'",
            "'__%'",
            "'a$%b' ESCAPE '$'",
        )
    )
    if c.chance(10):
        return Expr(f"({text.sql} LIKE {leaf(g, scope, 'str').sql})", "bool", "BOOLEAN")
    operator = c.pick(("LIKE", "NOT LIKE", "LIKE", "ILIKE"))
    return Expr(f"({text.sql} {operator} {pattern})", "bool", "BOOLEAN")


@produces("string_fn", {"bool": 2})
def string_test(g: Generator, scope: Scope, family: str, depth: int) -> Expr:
    g.use("string_fn")
    text = expression(g, scope, "str", depth - 1)
    word = text_literal(g.choices.pick(WORDS))
    form = g.choices.pick(("starts_with({}, {word})", "contains({}, {word})", "ends_with({}, {word})"))
    return Expr(form.format(text.sql, word=word), "bool", "BOOLEAN")
