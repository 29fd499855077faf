"""MARK joins: a three-valued column that says whether a left row has a match.

For each left row the mark is the OR over the right rows for which the condition is true of the AND of the
mark terms. A mark is kept as a number: FALSE 0, NULL 1, TRUE 2, so that OR is the maximum.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence

import numpy as np
import numpy.typing as npt

from ...physical.batch import Batch
from ...physical.context import Task
from ...physical.nodes import HashJoin
from ...planner.expr import Column, Comparison, Expr, Literal, conjunction
from ...planner.types import BOOLEAN
from ..expressions import compile_expression
from ..kernels import arrays
from ..kernels.arrays import I32
from .build import BuiltTable
from .join_pairs import BLOCK, Condition, PairColumns, Pairs, all_pairs, table_pairs

FALSE, NULL, TRUE = 0, 1, 2
Marks = npt.NDArray[np.uint8]


class MarkTerms:
    """The three-valued AND of the mark terms, over pairs of rows. No terms are TRUE."""

    def __init__(self, terms: Sequence[Expr]) -> None:
        expr = conjunction(terms) or Literal(BOOLEAN, True)
        self.columns = PairColumns((expr,))
        self.compute = compile_expression(expr)

    def update(self, marks: Marks, matches: Iterable[Pairs], left: Batch, right: Batch, task: Task) -> None:
        """Takes pairs that satisfy the condition into the marks of their left rows."""
        for pairs, batch in self.columns.batches(left, right, matches):
            value = self.compute(batch, task.check).expand(len(pairs.left))
            if value.valid is not None:
                null = pairs.left[~value.valid]
                marks[null] = np.maximum(marks[null], NULL)
            marks[pairs.left[value.values]] = TRUE


def marked(batch: Batch, mark: Column, columns: Sequence[Column], marks: Marks) -> Batch:
    """The left rows with the mark as a column."""
    column = arrays.make_bool(marks == TRUE, (marks != NULL).view(np.uint8))
    arrays_ = [column if c.id == mark.id else batch.column(c.id) for c in columns]
    return Batch(columns, arrays_, batch.num_rows, bounds=batch.bounds)


class HashMark:
    """The marks of a hash join.

    The table over `keys` and `mark_keys` finds the right rows for which all equalities are TRUE. A left row
    that finds none may still be NULL: through right rows of its correlation group that have a NULL mark key,
    or through any right row of the group where the left row's own mark key is NULL.
    """

    def __init__(self, node: HashJoin) -> None:
        self.node = node
        self.plain = node.residual is None and not node.mark_rest
        self.condition = Condition(node.residual)
        self.rest = MarkTerms(node.mark_rest)
        equalities = [Comparison(BOOLEAN, "=", key.left, key.right) for key in node.mark_keys]
        self.terms = MarkTerms((*equalities, *node.mark_rest))

    def marks(self, batch: Batch, key_columns: list, built: BuiltTable, task: Task) -> Marks:
        """One mark a left row; `key_columns` are its keys, then its mark keys."""
        marks = np.zeros(batch.num_rows, dtype=np.uint8)
        words = built.keys.probe(key_columns)
        handles = built.table.lookup(words.words, words.valid, words.nulls)
        if self.plain:
            marks[handles >= 0] = TRUE
        else:
            pairs = table_pairs(built.table, handles, BLOCK, task)
            matches = self.condition.matches(pairs, batch, built.rows, task)
            self.rest.update(marks, matches, batch, built.rows, task)
        if built.mark_tables is not None:
            self._find_nulls(marks, batch, key_columns, built, task)
        return marks

    def _find_nulls(
        self, marks: Marks, batch: Batch, key_columns: list, built: BuiltTable, task: Task
    ) -> None:
        tables = built.mark_tables
        assert tables is not None
        count = len(self.node.keys)
        valid = arrays.and_valid(*(arrays.validity_bytes(column) for column in key_columns[count:]))
        open_ = marks != TRUE
        whole = np.flatnonzero(open_ & (valid is not None and valid == 0)).astype(np.int32)
        partly = np.flatnonzero(open_ & (valid is None or valid != 0)).astype(np.int32)
        if not len(tables.null_rows):
            partly = partly[:0]
        if self.plain and len(self.node.mark_keys) == 1:
            # A NULL on either side of the only term makes it NULL: that there is such a row is enough.
            marks[self._in_group(whole, key_columns[:count], tables.rows, tables.by_keys, built)] = NULL
            marks[
                self._in_group(partly, key_columns[:count], tables.null_rows, tables.null_by_keys, built)
            ] = NULL
            return
        for left, right, table in (
            (whole, tables.rows, tables.by_keys),
            (partly, tables.null_rows, tables.null_by_keys),
        ):
            if len(left):
                pairs = self._candidates(left, right, table, key_columns[:count], built, batch.num_rows, task)
                matches = self.condition.matches(pairs, batch, built.rows, task)
                self.terms.update(marks, matches, batch, built.rows, task)

    def _handles(self, left: I32, key_columns: list, table, built: BuiltTable, rows: int) -> I32:
        """Handles of the left rows' groups, -1 for rows that are not in `left`."""
        assert built.mark_tables is not None
        assert built.mark_tables.keys is not None
        words = built.mark_tables.keys.probe(key_columns)
        handles = table.lookup(words.words, words.valid, words.nulls)
        chosen = np.full(rows, -1, dtype=np.int32)
        chosen[left] = handles[left]
        return chosen

    def _in_group(self, left: I32, key_columns: list, right: I32, table, built: BuiltTable) -> I32:
        """Those of the left rows whose group has one of the given right rows."""
        if table is None or not len(left):
            return left if len(right) else left[:0]
        handles = self._handles(left, key_columns, table, built, len(key_columns[0]))
        return left[handles[left] >= 0]

    def _candidates(
        self, left: I32, right: I32, table, key_columns: list, built: BuiltTable, rows: int, task: Task
    ) -> Iterable[Pairs]:
        if table is None:
            return all_pairs(left, right, rows, task)
        return table_pairs(table, self._handles(left, key_columns, table, built, rows), BLOCK, task)
