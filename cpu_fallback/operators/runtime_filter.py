"""Runtime filters: what the keys of a finished build side say about the rows of the probe side."""

from __future__ import annotations

from typing import Self

import numpy as np
import numpy.typing as npt
import pyarrow as pa

from ...physical.key_range import KeyRange
from ...planner.types import SQLType
from ..kernels import arrays
from ..kernels.bloom import BloomFilter, DenseSet, MinMax
from ..kernels.hashing import hash_array
from .comparable import is_one_way
from .rows import used

# A bitmap over the range of the keys is exact and smaller than a Bloom filter up to this many values a key.
_SPARSE = 64
_MAX_DOMAIN = 1 << 28


class JoinFilter(KeyRange):
    """The values that one key of a join has on its build side; without `members` only their range is known,
    as where they lie on the GPU.
    """

    def __init__(
        self, low: int | None, high: int | None, *, empty: bool, members: BloomFilter | DenseSet | None
    ) -> None:
        super().__init__(low, high, empty=empty)
        self.members = members

    @classmethod
    def of(cls, type_: SQLType, values: pa.Array, distinct: int) -> Self | None:
        """The filter over the build side's values of a key; `distinct` is about how many there are."""
        if is_one_way(type_):
            return None
        empty = values.null_count == len(values)
        if _is_stored_integer(values):
            numbers, valid = arrays.int64_values(values), arrays.validity_bytes(values)
            ends = MinMax()
            ends.add(numbers, valid)
            if not empty and values.type != pa.uint64():
                domain = ends.high - ends.low + 1
                if domain <= min(_MAX_DOMAIN, max(_SPARSE * distinct, 1 << 16)):
                    dense = DenseSet(ends.low, ends.high)
                    dense.add(numbers, valid)
                    return cls(ends.low, ends.high, empty=False, members=dense)
                return cls(ends.low, ends.high, empty=False, members=_bloom(values, distinct))
        return cls(None, None, empty=empty, members=_bloom(values, distinct))

    def test(self, column: pa.Array) -> npt.NDArray[np.bool_]:
        """True at the rows whose value may match."""
        if self.empty:
            return np.zeros(len(column), dtype=np.bool_)
        valid = arrays.validity_bytes(column)
        if self.members is None:
            passed = np.ones(len(column), np.bool_) if valid is None else valid.view(np.bool_)
            return passed & self._in_range(column)
        if isinstance(self.members, BloomFilter):
            return self.members.test(hash_array(used(column)), valid).view(np.bool_)
        if not _is_stored_integer(column):
            # The build side's storage was int64 and the probe side's is not: let every row through.
            return np.ones(len(column), dtype=np.bool_)
        return self.members.test(arrays.int64_values(column), valid).view(np.bool_)

    def _in_range(self, column: pa.Array) -> npt.NDArray[np.bool_] | np.bool_:
        plain = _is_stored_integer(column) and column.type != pa.uint64()
        if self.low is None or self.high is None or not plain:
            return np.True_
        numbers = arrays.int64_values(column)
        return (numbers >= self.low) & (numbers <= self.high)


def _is_stored_integer(values: pa.Array) -> bool:
    kind = values.type
    whole = pa.types.is_integer(kind) or pa.types.is_temporal(kind)
    return whole and not pa.types.is_interval(kind)


def _bloom(values: pa.Array, distinct: int) -> BloomFilter:
    members = BloomFilter(max(distinct, 1))
    members.add(hash_array(used(values)), arrays.validity_bytes(values))
    return members
