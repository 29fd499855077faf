"""Expressions that run row by row on the device: arithmetic, comparisons, logic."""

from __future__ import annotations

from enum import IntEnum

from ..arguments import check
from ..errors import expects, invalid_argument
from .scalar import Scalar


class TableReference(IntEnum):
    LEFT = 0
    RIGHT = 1


class ASTOperator(IntEnum):
    ADD = 0
    SUB = 1
    MUL = 2
    DIV = 3
    TRUE_DIV = 4
    FLOOR_DIV = 5
    MOD = 6
    PYMOD = 7
    POW = 8
    EQUAL = 9
    NULL_EQUAL = 10
    NOT_EQUAL = 11
    LESS = 12
    GREATER = 13
    LESS_EQUAL = 14
    GREATER_EQUAL = 15
    BITWISE_AND = 16
    BITWISE_OR = 17
    BITWISE_XOR = 18
    LOGICAL_AND = 19
    NULL_LOGICAL_AND = 20
    LOGICAL_OR = 21
    NULL_LOGICAL_OR = 22
    IDENTITY = 23
    IS_NULL = 24
    SIN = 25
    COS = 26
    TAN = 27
    ARCSIN = 28
    ARCCOS = 29
    ARCTAN = 30
    SINH = 31
    COSH = 32
    TANH = 33
    ARCSINH = 34
    ARCCOSH = 35
    ARCTANH = 36
    EXP = 37
    LOG = 38
    SQRT = 39
    CBRT = 40
    CEIL = 41
    FLOOR = 42
    ABS = 43
    RINT = 44
    BIT_INVERT = 45
    NOT = 46


class Expression:
    """The base of all expressions."""

    __hash__ = None  # type: ignore[assignment]


class Literal(Expression):
    """A value of fixed width or a string."""

    def __init__(self, value: Scalar) -> None:
        check("value", Scalar, value)
        from .traits import is_fixed_width
        from .types import TypeId

        if not is_fixed_width(value.type()) and value.type().id() is not TypeId.STRING:
            raise NotImplementedError(f"Don't know how to make literal with type {value.type().id()!r}")
        self._value = value


class ColumnReference(Expression):
    """A column by its place in the left or right table."""

    def __init__(self, index: int, table_source: TableReference = TableReference.LEFT) -> None:
        check("index", int, index)
        check("table_source", TableReference, table_source)
        self._index, self._table = index, table_source


class ColumnNameReference(Expression):
    """A column by its name, in filters of readers only."""

    def __init__(self, name: str) -> None:
        check("name", str, name)
        self._name = name


class Operation(Expression):
    """An operator of one operand or two."""

    def __init__(self, op: ASTOperator, left: Expression, right: Expression | None = None) -> None:
        check("op", ASTOperator, op)
        check("left", Expression, left)
        check("right", Expression | None, right)
        one = op >= ASTOperator.IDENTITY
        if right is None:
            expects(one, invalid_argument("The provided operator is not a unary operator."))
        else:
            expects(not one, invalid_argument("The provided operator is not a binary operator."))
        self._op, self._operands = op, (left,) if right is None else (left, right)
