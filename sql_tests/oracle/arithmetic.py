"""Productions of numbers: arithmetic, numeric functions, what dates and strings yield as numbers."""

from __future__ import annotations

import re

from oracle.datasets import DATES
from oracle.expressions import expression, integer_top, leaf, tame, wider_integer
from oracle.generator import Expr, Generator, Scope, produces

RISK_PERCENT = 2
"""How often arithmetic is left to overflow, so that raising is tested too."""


@produces("arith_int", {"int": 8})
def integer_arithmetic(g: Generator, scope: Scope, family: str, depth: int) -> Expr:
    g.use("arith_int")
    c = g.choices
    operator = c.pick(("+", "-", "*", "//", "%", "negate"))
    if c.chance(RISK_PERCENT):
        left, right = leaf(g, scope, "int"), leaf(g, scope, "int")
        return Expr(f"({left.sql} {c.pick(('+', '-', '*', '//', '%'))} {right.sql})", "int")
    left = tame(g, scope, "int", depth - 1)
    if operator == "negate":
        return Expr(f"(- {left.sql})", "int", left.type, left.bound)
    right = tame(g, scope, "int", depth - 1)
    assert left.bound is not None
    assert right.bound is not None
    type_ = wider_integer(left.type, right.type)
    if operator in ("//", "%"):
        bound = left.bound if operator == "//" else max(left.bound, right.bound)
        return Expr(f"({left.sql} {operator} NULLIF({right.sql}, 0))", "int", type_, bound)
    bound = left.bound * right.bound if operator == "*" else left.bound + right.bound
    if bound > integer_top(type_):
        if bound > 2**62:
            return left
        return Expr(f"(CAST({left.sql} AS BIGINT) {operator} {right.sql})", "int", "BIGINT", bound)
    return Expr(f"({left.sql} {operator} {right.sql})", "int", type_, bound)


@produces("arith_decimal", {"dec": 8})
def decimal_arithmetic(g: Generator, scope: Scope, family: str, depth: int) -> Expr:
    g.use("arith_decimal")
    c = g.choices
    left, right = narrow_decimal(g, scope, depth - 1), narrow_decimal(g, scope, depth - 1)
    assert left.bound is not None
    assert right.bound is not None
    operator = c.pick(("+", "-", "*", "integer", "%"))
    if operator == "integer":
        right = tame(g, scope, "int", 0)
        operator = c.pick(("+", "-"))
        bound = left.bound + (right.bound or 0)
        return Expr(f"({left.sql} {operator} {right.sql})", "dec", None, bound)
    if operator == "%":
        return Expr(f"({left.sql} % NULLIF({right.sql}, 0))", "dec", None, max(left.bound, right.bound))
    bound = left.bound * right.bound if operator == "*" else left.bound + right.bound
    return Expr(f"({left.sql} {operator} {right.sql})", "dec", None, bound)


def narrow_decimal(g: Generator, scope: Scope, depth: int) -> Expr:
    """A tame decimal of a type narrow enough to multiply: a cast where the type isn't known to be."""
    found = tame(g, scope, "dec", depth)
    if found.type in ("DECIMAL(4,1)", "DECIMAL(4,2)", "DECIMAL(9,2)"):
        return found
    assert found.bound is not None
    if found.bound > 10**6:
        return Expr("1.5", "dec", "DECIMAL(4,2)", 2)
    return Expr(f"CAST({found.sql} AS DECIMAL(9,2))", "dec", "DECIMAL(9,2)", found.bound + 1)


@produces("arith_double", {"dbl": 8})
def double_arithmetic(g: Generator, scope: Scope, family: str, depth: int) -> Expr:
    g.use("arith_double")
    c = g.choices
    left = expression(g, scope, "dbl", depth - 1)
    operator = c.pick(("+", "-", "*", "/", "negate", "mixed", "divide"))
    if operator == "negate":
        return Expr(f"(- {left.sql})", "dbl", left.type, left.bound)
    if operator == "mixed":
        right = tame(g, scope, c.pick(("int", "dec")), depth - 1)
        return Expr(f"({left.sql} {c.pick(('+', '-', '*'))} {right.sql})", "dbl", left.type)
    if operator == "divide":
        dividend, divisor = (tame(g, scope, c.pick(("int", "dec")), depth - 1) for _ in range(2))
        return Expr(f"({dividend.sql} / {divisor.sql})", "dbl", "DOUBLE")
    right = expression(g, scope, "dbl", depth - 1)
    bound = None
    if left.tame and right.tame and operator != "/":
        assert left.bound is not None
        assert right.bound is not None
        bound = left.bound * right.bound if operator == "*" else left.bound + right.bound
        bound = bound if bound < 2**30 else None
    divisor = positive_zero(right.sql) if operator == "/" else right.sql
    return Expr(f"({left.sql} {operator} {divisor})", "dbl", None, bound)


def positive_zero(divisor: str) -> str:
    """Of 0.0 and -0.0, which are equal, an aggregate gives whichever comes first, in the oracle too, and of a
    group key, which a derived table's column may be, TandemDB gives 0.0 (docs/compatibility.md): as a divisor
    it would make infinities of either sign.
    """
    undetermined = re.search(r"\b(min|max|first|any_value)\(|\br\d+\.c\d", divisor, re.I)
    return f"({divisor} + 0)" if undetermined else divisor


@produces("numeric_fn", {"int": 3, "dec": 4, "dbl": 4})
def numeric_function(g: Generator, scope: Scope, family: str, depth: int) -> Expr:
    g.use("numeric_fn")
    c = g.choices
    if family == "dbl":
        found = expression(g, scope, "dbl", depth - 1)
        form = c.pick(
            ("abs({})", "floor({})", "ceil({})", "round({})", "sqrt(abs({}))", "round({}, 1)", "sqrt({})")
        )
        return Expr(form.format(found.sql), "dbl", None, found.bound if "sqrt" not in form else None)
    found = tame(g, scope, family, depth - 1)
    if family == "dec":
        form = c.pick(("abs({})", "round({}, 1)", "floor({})", "ceil({})", "round({})", "(- {})"))
        return Expr(form.format(found.sql), "dec", None, (found.bound or 0) + 1)
    form = c.pick(("abs({})", "greatest({}, {other})", "least({}, {other})", "sign({})", "round({})"))
    if "other" in form:
        other = tame(g, scope, "int", depth - 1)
        bound = max(found.bound or 0, other.bound or 0)
        return Expr(
            form.format(found.sql, other=other.sql), "int", wider_integer(found.type, other.type), bound
        )
    return Expr(
        form.format(found.sql), "int", "TINYINT" if "sign" in form else found.type, max(found.bound or 0, 1)
    )


@produces("string_fn", {"int": 3})
def number_of_string(g: Generator, scope: Scope, family: str, depth: int) -> Expr:
    g.use("string_fn")
    text = expression(g, scope, "str", depth - 1)
    form = g.choices.pick(("length({})", "strpos({}, 'b')", "position('a' IN {})", "strlen({})"))
    return Expr(form.format(text.sql), "int", "BIGINT", 100)


@produces("date_extract", {"int": 4})
def date_part(g: Generator, scope: Scope, family: str, depth: int) -> Expr:
    g.use("date_extract")
    c = g.choices
    moment = expression(g, scope, c.pick(("date", "ts")), depth - 1)
    if not any(column.sql in moment.sql for column in scope.columns):
        # Of a constant that folds to NULL, DuckDB takes the part to be a DOUBLE.
        moment = Expr(f"DATE '{c.pick(DATES)}'", "date", "DATE", 20000)
    part = c.pick(("year", "month", "day", "quarter", "dayofweek", "dayofyear", "week", "isodow"))
    if moment.family == "ts" and c.chance(40):
        part = c.pick(("hour", "minute", "second"))
    form = c.pick(("extract({part} FROM {of})", "date_part('{part}', {of})", "{part}({of})"))
    return Expr(form.format(part=part, of=moment.sql), "int", "BIGINT", 10000)


@produces("date_arith", {"int": 2})
def days_between(g: Generator, scope: Scope, family: str, depth: int) -> Expr:
    g.use("date_arith")
    left, right = expression(g, scope, "date", depth - 1), expression(g, scope, "date", depth - 1)
    if g.choices.chance(40):
        part = g.choices.pick(("day", "month", "year"))
        return Expr(f"datediff('{part}', {left.sql}, {right.sql})", "int", "BIGINT", 4_000_000)
    return Expr(f"({left.sql} - {right.sql})", "int", "BIGINT", 4_000_000)
