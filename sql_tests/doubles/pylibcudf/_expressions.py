"""What an expression gives over the rows of one table, or over pairs of rows of two."""

from __future__ import annotations

from collections.abc import Callable
from typing import NamedTuple

import numpy as np
import pyarrow as pa

from ..errors import data_type_error, expects, invalid_argument, logic_error, out_of_range
from ..kernels import arithmetic, fixed, storage
from . import traits
from ._binary import _compared, _logic, _values, promoted
from ._kinds import Kind
from ._operation_types import COMPARISONS
from .column import Column, made
from .expressions import (
    ASTOperator,
    ColumnNameReference,
    ColumnReference,
    Expression,
    Literal,
    Operation,
    TableReference,
)
from .table import Table
from .types import DataType, TypeId, size_of

_BOOL = DataType(TypeId.BOOL8)
_DOUBLE = DataType(TypeId.FLOAT64)


class Rows(NamedTuple):
    """Values in storage form with their type."""

    array: pa.Array
    dtype: DataType


# A reference's rows: by table and index, or by name.
Lookup = Callable[[Expression], Rows]


def evaluate(expression: Expression, table: Table) -> Column:
    """A column of the expression's values over a table."""
    found = rows_of(expression, table_lookup(table), table.num_rows())
    return made(found.dtype, found.array)


def table_lookup(left: Table, right: Table | None = None) -> Lookup:
    def lookup(reference: Expression) -> Rows:
        if isinstance(reference, ColumnNameReference):
            raise logic_error("column_name_reference is not supported here")
        assert isinstance(reference, ColumnReference)
        table = left
        if reference._table is TableReference.RIGHT:
            expects(right is not None, logic_error("There is no right table"))
            table = right if right is not None else left
        inside = 0 <= reference._index < table.num_columns()
        expects(inside, out_of_range("column index out of range"))
        column = table.columns()[reference._index]
        simple = traits.is_fixed_width(column.type()) or column.type().id() is TypeId.STRING
        expects(
            simple, invalid_argument("Only fixed-width and string columns are supported in AST expressions")
        )
        return Rows(column._rows, column.type())

    return lookup


def predicate(expression: Expression, lookup: Lookup, rows: int) -> np.ndarray:
    """Where a condition is true: not where it is false or NULL."""
    found = rows_of(expression, lookup, rows)
    expects(found.dtype == _BOOL, data_type_error("The expression must produce a boolean output."))
    return storage.values(found.array) & storage.validity(found.array)


def rows_of(expression: Expression, lookup: Lookup, rows: int) -> Rows:
    """The values of an expression, by its operands first (not recursively: expressions may be deep)."""
    pending: list[tuple[Expression, bool]] = [(expression, False)]
    done: list[Rows] = []
    while pending:
        part, ready = pending.pop()
        if isinstance(part, Literal):
            done.append(Rows(storage.repeated(part._value._row, rows), part._value.type()))
        elif not isinstance(part, Operation):
            done.append(lookup(part))
        elif not ready:
            pending.append((part, True))
            pending += [(operand, False) for operand in reversed(part._operands)]
        else:
            operands = done[-len(part._operands) :]
            del done[-len(part._operands) :]
            nested = part is not expression
            done.append(_operation(part._op, operands, nested))
    return done[0]


def _operation(op: ASTOperator, operands: list[Rows], nested: bool) -> Rows:
    found = _unary(op, operands[0]) if len(operands) == 1 else _binary(op, *operands)
    wide = found.dtype.id() in (TypeId.DECIMAL128, TypeId.STRING)
    expects(
        not (nested and wide), logic_error("An intermediate of an AST expression is at most 8 bytes wide")
    )
    return found


def _unary(op: ASTOperator, operand: Rows) -> Rows:
    array, dtype = operand
    keep = storage.valid(array)
    if op is ASTOperator.IDENTITY:
        return operand
    if op is ASTOperator.IS_NULL:
        return Rows(storage.build(~storage.validity(array)), _BOOL)
    from .unary import UnaryOperator, _of_decimals, _of_numbers

    if traits.is_fixed_point(dtype):
        known = op in (ASTOperator.ABS, ASTOperator.CEIL, ASTOperator.FLOOR)
        expects(known, logic_error(f"Unsupported unary operator {op.name} of a decimal"))
        column = Column._of(Kind(dtype), array, ())
        return Rows(storage.build(_of_decimals(column, UnaryOperator[op.name]), keep), dtype)
    expects(
        traits.is_numeric(dtype), logic_error(f"Unsupported unary operator {op.name} of {dtype.id().name}")
    )
    values = storage.values(array)
    if op is ASTOperator.NOT:
        return Rows(storage.build(values == 0, keep), _BOOL)
    if op is ASTOperator.ABS or op is ASTOperator.BIT_INVERT:
        values = values.astype(promoted(values.dtype))
    elif values.dtype.kind != "f":
        # The functions of the C++ library take integers as doubles, and give doubles.
        values = values.astype(np.float64)
    kind = _type_of(values.dtype)
    with np.errstate(all="ignore"):
        return Rows(storage.build(_of_numbers(op.name, kind, values), keep), kind)


def _type_of(numpy_type: np.dtype) -> DataType:
    return DataType.from_arrow(storage.ARROW_TYPES[np.dtype(numpy_type)])


def _binary(op: ASTOperator, left: Rows, right: Rows) -> Rows:
    same = left.dtype.id() is right.dtype.id()
    expects(same, logic_error("An AST expression was provided non-matching operand types."))
    (a, dtype), (b, other) = left, right
    both = storage.both(storage.valid(a), storage.valid(b))
    name = op.name
    if name == "NULL_EQUAL":
        va, vb = storage.validity(a), storage.validity(b)
        equal = _compared("EQUAL", a, dtype, b, other)
        return Rows(storage.build(np.where(va & vb, equal, va == vb)), _BOOL)
    if name in COMPARISONS:
        return Rows(storage.build(_compared(name, a, dtype, b, other), both), _BOOL)
    if name.endswith(("LOGICAL_AND", "LOGICAL_OR")):
        expects(traits.is_numeric(dtype), logic_error(f"Unsupported operand type of {name}"))
        return Rows(_logic(name, a, b, both), _BOOL)
    if traits.is_fixed_point(dtype):
        bits = 8 * size_of(dtype)
        expects(bits < 128, data_type_error("Only comparisons take DECIMAL128 in AST expressions"))
        known = name in ("ADD", "SUB", "MUL", "DIV", "MOD", "PYMOD")
        expects(known, logic_error(f"Unsupported operator {name} of decimals"))
        values, scale = fixed.compute(name, fixed.wide(a), dtype.scale(), fixed.wide(b), other.scale(), bits)
        return Rows(storage.build(fixed.narrow(values, bits), both), DataType(dtype.id(), scale))
    if traits.is_chrono(dtype):
        known = name in ("ADD", "SUB") and (traits.is_duration(dtype) or name == "SUB")
        expects(known, logic_error(f"Unsupported operator {name} of {dtype.id().name}"))
        out = DataType(TypeId[dtype.id().name.replace("TIMESTAMP", "DURATION")])
        return Rows(storage.build(_values(name, a, dtype, b, other, out), both), out)
    expects(traits.is_numeric(dtype), logic_error(f"Unsupported operand type of {name}"))
    values = storage.values(a)
    if name in ("TRUE_DIV", "POW", "FLOOR_DIV") and values.dtype.kind != "f":
        out = _DOUBLE
    else:
        out = _type_of(promoted(values.dtype))
    if name.startswith("BITWISE_"):
        expects(traits.is_integral(dtype), logic_error(f"Unsupported operand type of {name}"))
    x, y = (arithmetic.converted(storage.values(v), promoted(values.dtype)) for v in (a, b))
    if out is _DOUBLE:
        x, y = x.astype(np.float64), y.astype(np.float64)
    elif name == "TRUE_DIV":
        name = "DIV"
    return Rows(storage.build(arithmetic.applied(name, x, y), both), out)
