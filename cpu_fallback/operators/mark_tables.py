"""What a MARK join needs beside its table to tell NULL from FALSE."""

from __future__ import annotations

from collections.abc import Callable, Sequence

import numpy as np
import pyarrow as pa

from ...physical.nodes import HashJoin
from ..kernels import arrays
from ..kernels.arrays import I32
from ..kernels.join_table import JoinTable
from .join_keys import JoinKeys


class MarkTables:
    """The build rows of each correlation group (rows with equal `keys`), and those of them that have a NULL
    among `mark_keys`. Without correlation keys there is one group of all rows, and no table.
    """

    def __init__(self, node: HashJoin, key_columns: Sequence[pa.Array], check: Callable[[], None]) -> None:
        count = len(node.keys)
        rows = len(key_columns[0])
        marked = arrays.and_valid(*(arrays.validity_bytes(column) for column in key_columns[count:]))
        self.rows: I32 = np.arange(rows, dtype=np.int32)
        self.null_rows: I32 = (
            self.rows[:0] if marked is None else np.flatnonzero(marked == 0).astype(np.int32)
        )
        self.keys = JoinKeys(node.keys, check) if count else None
        self.by_keys: JoinTable | None = None
        self.null_by_keys: JoinTable | None = None
        if self.keys is not None:
            words = self.keys.build(key_columns[:count])
            self.by_keys = JoinTable(words.words, words.valid, words.nulls, check)
            null = np.zeros(rows, dtype=np.uint8)
            null[self.null_rows] = 1
            self.null_by_keys = JoinTable(
                words.words, arrays.and_valid(words.valid, null), words.nulls, check
            )
