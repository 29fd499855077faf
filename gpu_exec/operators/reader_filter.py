"""What of a scan's predicate libcudf's Parquet reader evaluates, because it is certain to do so as SQL does.

The reader prunes row groups by a rewriting of the filter over their statistics, and filters the rows of each
chunk. Certain are comparisons of columns of signed integers, dates and timestamps with constants, and AND and
OR of them. Left to our own filter are: floats (NaN is no number in IEEE's order, and statistics leave it
out), decimals (the reader has taken their statistics and scales wrongly before), texts and unsigned integers
(old files have their statistics in another order), IS NULL, NOT and columns of booleans (the rewriting has
had gaps there). `docs/gpu_status.md` names the sources.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import replace

import pyarrow as pa

from ...physical.parquet_meta import ColumnMeta, ParquetMeta
from ...physical.row_groups import ScannedColumns
from ...planner.expr import (
    And,
    Call,
    Case,
    Coalesce,
    ColumnRef,
    Comparison,
    Expr,
    InList,
    IsNull,
    Literal,
    Not,
    Or,
    conjunction,
    conjuncts,
    references,
    walk,
)
from ...planner.functions import SCALARS
from ..library import Expression
from ..ops import Ops
from ..storage import arrow_scalar

# How a column is stored that the reader may compare: its Arrow type, and the type of the file's integers.
_CERTAIN = {
    pa.int8(): "INT32",
    pa.int16(): "INT32",
    pa.int32(): "INT32",
    pa.int64(): "INT64",
    pa.date32(): "INT32",
    pa.timestamp("us"): "INT64",
}
_OPERATORS = {"<>": "NOT_EQUAL", "<": "LESS", "<=": "LESS_EQUAL", ">": "GREATER", ">=": "GREATER_EQUAL"}
_FLIPPED = {"=": "=", "<>": "<>", "<": ">", "<=": ">=", ">": "<", ">=": "<="}
# A tree of more comparisons than this may not be worth it: each row is compared with all of them.
_MOST_COMPARISONS = 32
_INFALLIBLE = (ColumnRef, Literal, Comparison, And, Or, Not, IsNull, InList, Case, Coalesce)


def divided(
    predicate: Expr | None, stored: ScannedColumns, meta: ParquetMeta, groups: Sequence[int]
) -> tuple[list[Expr], Expr | None]:
    """The terms of a predicate for the reader of some row groups of a file, and the rest, for the rows that
    the reader gives.

    Where the rest can fail, errors are due in rows in which a term is NULL, and the reader drops those: then
    it gets terms only of columns that hold no NULL.
    """
    terms = conjuncts(predicate)
    given = [term for term in terms if _is_certain(term, stored, meta)]
    rest = [term for term in terms if term not in given]
    if not all(map(never_fails, rest)):
        full = {
            number
            for term in given
            for number in references(term)
            if all(stored.stats(meta, group, meta.group_rows[group], number).nulls == 0 for group in groups)
        }
        given = [term for term in given if references(term) <= full]
    budget = _MOST_COMPARISONS
    taken = []
    for term in given:
        budget -= sum(isinstance(part, Comparison) for part in walk(term))
        if budget >= 0:
            taken.append(term)
    return taken, conjunction(term for term in terms if term not in taken)


def reader_tree(terms: Sequence[Expr], places: Mapping[int, int], ops: Ops) -> Expression:
    """The conjunction of terms that `divided` gave, over the columns that are read: `places` by id."""

    def made(term: Expr) -> Expression:
        match term:
            case And(args=args) | Or(args=args):
                operator = "NULL_LOGICAL_AND" if isinstance(term, And) else "NULL_LOGICAL_OR"
                tree = made(args[0])
                for arg in args[1:]:
                    tree = ops.tree(operator, tree, made(arg))
                return tree
            case Comparison():
                column, op, value = _sides(term)
                # The reader's rewriting wants the column on the left.
                leaf = ops.leaf(places[column.id])
                constant = ops.constant(ops.scalar(arrow_scalar(value.type, value.value)))
                if op == "=":
                    # As a range: for an equality the reader would ask the file's Bloom filters too.
                    low, high = (ops.tree(end, leaf, constant) for end in ("GREATER_EQUAL", "LESS_EQUAL"))
                    return ops.tree("NULL_LOGICAL_AND", low, high)
                return ops.tree(_OPERATORS[op], leaf, constant)
        raise AssertionError(term)

    return made(conjunction(terms) or terms[0])


def _sides(term: Comparison) -> tuple[ColumnRef, str, Literal]:
    if isinstance(term.left, Literal):
        term = replace(term, op=_FLIPPED[term.op], left=term.right, right=term.left)
    assert isinstance(term.left, ColumnRef)
    assert isinstance(term.right, Literal)
    return term.left, term.op, term.right


def _is_certain(term: Expr, stored: ScannedColumns, meta: ParquetMeta) -> bool:
    match term:
        case And(args=args) | Or(args=args):
            return all(_is_certain(arg, stored, meta) for arg in args)
        case (
            Comparison(op=op, left=ColumnRef() as column, right=Literal(value=value))
            | Comparison(op=op, left=Literal(value=value), right=ColumnRef() as column)
        ):
            found = stored.find(meta, column.id)
            return op in _FLIPPED and value is not None and found is not None and is_plain(found, meta)
        case _:
            return False


def is_plain(column: ColumnMeta, meta: ParquetMeta) -> bool:
    """Whether the reader has the same type for a column, and finds it: it looks for filters by name."""
    if column.leaf < 0:
        return False
    name = meta.stored_names[column.place]
    physical = meta.metadata.schema.column(column.leaf).physical_type
    found = _CERTAIN.get(column.arrow)
    return found == physical and "." not in name and meta.stored_names.count(name) == 1


def never_fails(expr: Expr) -> bool:
    """Whether an expression is an error at no row, whatever the row holds."""
    return all(
        isinstance(part, _INFALLIBLE)
        or (isinstance(part, Call) and part.function in SCALARS and not SCALARS[part.function].can_fail)
        for part in walk(expr)
    )
