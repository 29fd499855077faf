"""Distinct-value estimates from samples."""

from __future__ import annotations

from collections.abc import Sequence
from math import sqrt

import pyarrow as pa

from ..planner.errors import IoError
from .parquet_meta import ColumnMeta, ParquetMeta, open_parquet, reading

SAMPLE_ROWS = 20_000


def sample_parquet_column(
    files: Sequence[tuple[ParquetMeta, ColumnMeta]], rows: int = SAMPLE_ROWS
) -> pa.Array | None:
    """The first `rows` values of a column in the middle row group of the middle file; None when there are
    none to read.

    A file that cannot be read there gives no sample rather than an error: the statement may not need those
    rows, and if it does the scan says what is wrong.
    """
    filled = [(m, c) for m, c in files if m.rows and c.leaf >= 0]
    if not filled:
        return None
    meta, column = filled[len(filled) // 2]
    group = len(meta.group_rows) // 2
    while meta.group_rows[group] == 0:
        group = (group + 1) % len(meta.group_rows)
    names = [str(column.place)]
    try:
        with reading(meta.file.path), open_parquet(meta) as file:
            for batch in file.iter_batches(rows, row_groups=[group], columns=names, use_threads=False):
                return batch.column(0)
    except IoError:
        return None
    return None


def estimate_distinct(sample: pa.Array, rows: float, clustered: bool = False) -> float:
    """Estimated number of distinct non-NULL values among `rows` rows from a sample.

    The guaranteed-error estimator sqrt(N/n) f1 + sum of f_j for j > 1 (Charikar et al., "Towards estimation
    error guarantees for distinct values", PODS 2000), where f_j counts values seen j times. In a `clustered`
    column each value's rows lie together, so the sample's share of distinct values holds for the whole.
    """
    if len(sample) == 0:
        return 0.0
    counts = sample.drop_null().value_counts().field("counts")
    seen = len(counts)
    if seen == 0:
        return 0.0
    present = (len(sample) - sample.null_count) / len(sample)
    if rows <= len(sample):
        return float(seen)
    if clustered or seen == len(sample) - sample.null_count:
        return max(seen, rows * present * seen / (len(sample) - sample.null_count))
    once = int((counts.to_numpy() == 1).sum())
    return min(rows * present, sqrt(rows / len(sample)) * once + (seen - once))
