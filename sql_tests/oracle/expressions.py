"""Expressions of a family: leaves here, operators from the table of productions."""

from __future__ import annotations

from oracle.datasets import DATES, INTEGERS, TIMES, WORDS, text_literal
from oracle.generator import NUMBERS, PRODUCTIONS, Expr, Generator, Scope

PARENTHESISED = "({})"


def expression(g: Generator, scope: Scope, family: str, depth: int) -> Expr:
    """Any expression of the family, at most `depth` operators deep."""
    if depth <= 0 or g.choices.chance(30):
        return leaf(g, scope, family)
    options = [(weight, production) for weight, _, production in PRODUCTIONS[family]]
    return g.choices.weighted([(1, leaf_production), *options])(g, scope, family, depth)


def leaf_production(g: Generator, scope: Scope, family: str, depth: int) -> Expr:
    return leaf(g, scope, family)


def leaf(g: Generator, scope: Scope, family: str) -> Expr:
    """A column of the family where the scope has one, else a literal."""
    columns = scope.of(family)
    if columns and not g.choices.chance(12):
        return g.choices.pick(columns)
    return literal(g, family)


def tame(g: Generator, scope: Scope, family: str, depth: int) -> Expr:
    """An expression safe to calculate with: a number of known bound, a date far from the calendar's ends."""
    found = expression(g, scope, family, depth)
    if found.tame:
        return found
    columns = [column for column in scope.of(family) if column.tame]
    return g.choices.pick(columns) if columns else literal(g, family)


def column_or_literal(g: Generator, scope: Scope, family: str) -> Expr:
    return leaf(g, scope, family)


def literal(g: Generator, family: str) -> Expr:
    """A small literal of the family, sometimes a typed NULL."""
    c = g.choices
    if c.chance(6):
        type_ = NULL_TYPES[family]
        return Expr(f"CAST(NULL AS {type_})", family, type_, 1)
    if family == "int":
        value = c.pick((1, 0, 2, 3, -1, 5, 7, -4))
        type_ = c.pick((None, None, "SMALLINT", "BIGINT", "TINYINT", "HUGEINT"))
        sql = str(value) if value >= 0 else f"({value})"
        return Expr(
            sql if type_ is None else f"{sql}::{type_}", family, type_ or "INTEGER_LITERAL", abs(value)
        )
    if family == "dec":
        return Expr(c.pick(("0.5", "1.25", "2.0", "10.75", "(-3.5)", "0.0")), family, "DECIMAL(4,2)", 11)
    if family == "dbl":
        sql = c.pick(("1e0", "5e-1", "2.5::DOUBLE", "(-1.25)::DOUBLE", "0.75::FLOAT", "1e2"))
        return Expr(sql, family, "FLOAT" if "FLOAT" in sql else "DOUBLE", 100)
    if family == "str":
        return Expr(text_literal(c.pick(WORDS)), family, "VARCHAR", 20)
    if family == "date":
        return Expr(f"DATE '{c.pick(DATES)}'", family, "DATE", 20000)
    if family == "ts":
        return Expr(f"TIMESTAMP '{c.pick(DATES)} {c.pick(TIMES)}'", family, "TIMESTAMP", 20000)
    return Expr(c.pick(("true", "false")), family, "BOOLEAN")


NULL_TYPES = {
    "int": "INTEGER",
    "dec": "DECIMAL(9,2)",
    "dbl": "DOUBLE",
    "str": "VARCHAR",
    "date": "DATE",
    "ts": "TIMESTAMP",
    "bool": "BOOLEAN",
}


def comparable(g: Generator, scope: Scope, depth: int) -> tuple[Expr, Expr]:
    """Two expressions one may compare: of one family, or numbers of different families where both are
    tame.
    """
    family = g.choices.pick(("int", "str", "dec", "date", "dbl", "ts", "bool", "int"))
    left = expression(g, scope, family, depth)
    return left, comparable_to(g, scope, left, depth)


def comparable_to(g: Generator, scope: Scope, left: Expr, depth: int) -> Expr:
    """An expression one may compare with `left`."""
    family = left.family
    if family in NUMBERS and left.tame and g.choices.chance(25):
        return tame(g, scope, g.choices.pick(NUMBERS), depth)
    if family == "date" and g.choices.chance(15):
        return leaf(g, scope, "ts")
    if family == "dec" or (family == "int" and not left.tame):
        # A wide decimal or the limits of HUGEINT may not fit the other side's type: that raises.
        return tame(g, scope, family, depth) if left.tame else left_like(g, scope, left)
    return expression(g, scope, family, depth)


def left_like(g: Generator, scope: Scope, left: Expr) -> Expr:
    """A column or literal of the same family; for integers any, for decimals one of the very same type."""
    if left.family == "int":
        return leaf(g, scope, "int")
    same = [column for column in scope.of("dec") if column.type == left.type]
    return g.choices.pick(same) if same else Expr("0", "int", "INTEGER_LITERAL", 0)


def integer_top(type_: str | None) -> float:
    """The largest value of an integer type; of an unknown one the smallest of them, to be careful."""
    if type_ == "INTEGER_LITERAL":
        return 127
    return 2 ** INTEGERS.get(type_ or "TINYINT", 7) - 1


def wider_integer(left: str | None, right: str | None) -> str | None:
    """The type of arithmetic over two integer types (a literal takes the other side's type)."""
    if left == "INTEGER_LITERAL":
        return right if right != "INTEGER_LITERAL" else "INTEGER"
    if right == "INTEGER_LITERAL":
        return left
    if left is None or right is None:
        return None
    return max(left, right, key=lambda name: INTEGERS[name])
