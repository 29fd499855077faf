"""Rows brought together by partition; within one they come in no order."""

from __future__ import annotations

from enum import IntEnum
from typing import Any

import numpy as np

from ..arguments import library, scratch
from ..device import device
from ..errors import expects, invalid_argument, logic_error, out_of_range
from ..kernels import keys as row_keys
from ..kernels import storage
from . import traits
from .column import Column
from .stream_compaction import rows_at
from .table import Table


class _HashId(IntEnum):
    HASH_IDENTITY = 0
    HASH_MURMUR3 = 1


def _arranged(
    table: Table, part: np.ndarray, count: int, name: str, *, ordered: bool = False
) -> tuple[Table, list[int]]:
    device.synchronized(name, implicit=True)
    mixed = np.arange(len(part)) if ordered else device.order(len(part))
    at = mixed[np.argsort(part[mixed], kind="stable")]
    ends = np.cumsum(np.bincount(part, minlength=count)[:count])
    return rows_at(table, at), [0, *ends.tolist()]


@library
def hash_partition(
    input: Table,
    keys: Table | list[int],
    num_partitions: int,
    hash_function: _HashId = _HashId.HASH_MURMUR3,
    seed: int = 0,
    stream: Any = None,
    mr: Any = None,
) -> tuple[Table, list[int]]:
    """The rows by the hash of their keys, and where each partition begins, and the last one ends.

    Which partition a key goes to is not the device's choice: only that equal keys share one.
    """
    if isinstance(keys, Table):
        expects(
            not keys.num_columns() or keys.num_rows() == input.num_rows(),
            invalid_argument("keys differ in rows"),
        )
        columns = list(keys.columns())
    else:
        for key in keys:
            expects(0 <= key < input.num_columns(), out_of_range("columns_to_hash index is out of range"))
        columns = [input.columns()[key] for key in keys]
    expects(num_partitions >= 0, logic_error("negative number of partitions"))
    if not num_partitions or not input.num_rows() or not columns:
        return rows_at(input, np.arange(0)), [0] * (num_partitions + 1)
    with scratch(8 * input.num_rows()):
        part = _mixed([c._rows for c in columns], seed, num_partitions)
        return _arranged(input, part, num_partitions, "partitioning.hash_partition")


def _mixed(rows: list[Any], seed: int, count: int) -> np.ndarray:
    """A partition for each row by the values of its keys alone, so that equal keys of two tables meet."""
    found = np.full(len(rows[0]), seed * 2 + 1, np.uint64)
    with np.errstate(over="ignore"):
        for column in rows:
            for key in _words(column):
                found = (found ^ key) * np.uint64(0x9E3779B97F4A7C15)
                found ^= found >> np.uint64(29)
    return (found % np.uint64(count)).astype(np.int64)


def _words(column: Any) -> list[np.ndarray]:
    import pyarrow as pa

    keep = storage.valid(column)
    if pa.types.is_string(column.type):
        encoded = column.dictionary_encode()
        table = np.array([_text_hash(v) for v in encoded.dictionary.to_pylist()] or [0], np.uint64)
        words = [table[encoded.indices.fill_null(0).to_numpy(zero_copy_only=False)]]
    else:
        words = [w.astype(np.int64).view(np.uint64) for w in row_keys.ordered(column)]
    return words if keep is None else [np.where(keep, w, np.uint64(2**64 - 1)) for w in words]


def _text_hash(text: str) -> int:
    from ..kernels.hashes import xxhash64

    return xxhash64(text.encode(), 0)


@library
def partition(
    t: Table, partition_map: Column, num_partitions: int, stream: Any = None, mr: Any = None
) -> tuple[Table, list[int]]:
    """The rows by the partition that the map says."""
    expects(
        partition_map.size() == t.num_rows(), logic_error("Size mismatch between table and partition map.")
    )
    expects(partition_map.null_count() == 0, logic_error("Unexpected null values in partition_map."))
    expects(
        traits.is_integral_not_bool(partition_map.type()),
        logic_error("Unexpected, non-integral partition map."),
    )
    part = storage.values(partition_map._rows).astype(np.int64)
    inside = bool(((part >= 0) & (part < num_partitions)).all())
    expects(inside, logic_error("partition_map is out of range: undefined behaviour"))
    return _arranged(t, part, num_partitions, "partitioning.partition")


@library
def round_robin_partition(
    input: Table, num_partitions: int, start_partition: int = 0, stream: Any = None, mr: Any = None
) -> tuple[Table, list[int]]:
    """The rows dealt out like cards; each partition keeps their order."""
    expects(num_partitions > 1, logic_error("Incorrect number of partitions. Must be greater than 1."))
    expects(0 <= start_partition < num_partitions, logic_error("Incorrect start_partition index."))
    part = (np.arange(input.num_rows()) + start_partition) % num_partitions
    return _arranged(input, part, num_partitions, "partitioning.round_robin_partition", ordered=True)
