"""Rows chosen, moved, ordered, found and replaced on the double."""

from __future__ import annotations

import itertools
import math
from typing import Any

import pyarrow as pa
import pytest
from doubles.testing import col, dtype, rows, scalar, table, values

I32, I64, F64, BOOL, TEXT = pa.int32(), pa.int64(), pa.float64(), pa.bool_(), pa.string()
pytestmark = pytest.mark.usefixtures("device")


def orders(*ascending: bool) -> list[Any]:
    import pylibcudf as plc

    return [plc.types.Order.ASCENDING if up else plc.types.Order.DESCENDING for up in ascending]


def nulls(*before: bool) -> list[Any]:
    import pylibcudf as plc

    return [plc.types.NullOrder.BEFORE if b else plc.types.NullOrder.AFTER for b in before]


def test_filters_drop_false_and_null() -> None:
    import pylibcudf as plc

    kept = plc.stream_compaction.apply_retention_mask
    of = table(col(I64, [1, 2, 3, 4]), col(TEXT, ["a", None, "c", "d"]))
    mask = col(BOOL, [True, True, None, False])
    assert values(kept(of, mask)) == [(1, "a"), (2, None)]
    assert values(plc.stream_compaction.apply_deletion_mask(of, mask)) == [(4, "d")]
    sliced = table(col(I64, [9, 1, 2], 1))
    assert values(kept(sliced, col(BOOL, [True, False, True], 1))) == [(2,)]
    assert kept(of, col(BOOL, [])).num_rows() == 0
    with pytest.raises(RuntimeError, match="Boolean"):
        kept(of, col(I64, [1, 1, 1, 1]))
    with pytest.raises(RuntimeError, match="size mismatch"):
        kept(of, col(BOOL, [True]))


def test_gathers() -> None:
    import pylibcudf as plc

    policy = plc.copying.OutOfBoundsPolicy
    of = table(col(I64, [10, None, 30]), col(TEXT, ["a", "b", None]))
    assert values(plc.copying.gather(of, col(I32, [2, 0, 0]), policy.DONT_CHECK)) == [
        (30, None),
        (10, "a"),
        (10, "a"),
    ]
    outside = col(I32, [0, 3, -1, -(2**31)])
    assert values(plc.copying.gather(of, outside, policy.NULLIFY)) == [(10, "a")] + [(None, None)] * 3
    with pytest.raises(ValueError, match="nulls"):
        plc.copying.gather(of, col(I32, [0, None]), policy.NULLIFY)
    with pytest.raises(TypeError, match="index type"):
        plc.copying.gather(of, col(F64, [0.0]), policy.NULLIFY)
    with pytest.raises(RuntimeError, match="undefined behaviour"):
        plc.copying.gather(of, outside, policy.DONT_CHECK)


def test_choosing_by_mask() -> None:
    import pylibcudf as plc

    mask = col(BOOL, [True, None, False])
    left, right = col(I64, [1, 2, None]), col(I64, [10, 20, 30])
    assert values(plc.copying.copy_if_else(left, right, mask)) == [1, 20, 30]
    assert values(plc.copying.copy_if_else(scalar(I64, None), right, mask)) == [None, 20, 30]
    assert values(plc.copying.copy_if_else(scalar(I64, 7), scalar(I64, 8), mask)) == [7, 8, 8]
    with pytest.raises(TypeError, match="same type"):
        plc.copying.copy_if_else(left, col(I32, [1, 2, 3]), mask)
    with pytest.raises(ValueError, match="same size"):
        plc.copying.copy_if_else(left, col(I64, [1]), mask)
    with pytest.raises(TypeError, match="BOOL8"):
        plc.copying.copy_if_else(left, right, left)


def test_slices_share_memory_and_know_their_nulls(device: Any) -> None:
    import pylibcudf as plc

    whole = col(TEXT, ["a", None, "c", None, "e"])
    before = device.live_bytes
    first, second = plc.copying.slice(whole, [0, 2, 1, 4])
    assert device.live_bytes == before
    assert (first.null_count(), second.null_count(), second.offset()) == (1, 2, 1)
    assert values(second) == [None, "c", None]
    # The memory lives as long as a slice does.
    del whole, first
    assert device.live_bytes == before
    again = plc.copying.slice(second, [1, 3])[0]
    assert values(again) == ["c", None]
    with pytest.raises(ValueError, match="even"):
        plc.copying.slice(second, [0])
    with pytest.raises(IndexError):
        plc.copying.slice(second, [0, 4])
    with pytest.raises(ValueError, match="smaller"):
        plc.copying.slice(second, [2, 1])


def test_scatters() -> None:
    import pylibcudf as plc

    target = table(col(I64, [0, 1, None]))
    assert values(plc.copying.scatter(table(col(I64, [7, None])), col(I32, [2, 0]), target)) == [
        (None,),
        (1,),
        (7,),
    ]
    assert values(plc.copying.scatter([scalar(I64, 9)], col(I32, [1]), target)) == [(0,), (9,), (None,)]
    with pytest.raises(TypeError):
        plc.copying.scatter([scalar(F64, 9.0)], col(I32, [1]), target)
    mask = col(BOOL, [None, True, True])
    found = plc.copying.boolean_mask_scatter(table(col(I64, [5, 6, 7])), target, mask)
    assert values(found) == [(0,), (5,), (6,)]


def test_shifts() -> None:
    import pylibcudf as plc

    of = col(I64, [1, 2, None, 4])
    assert values(plc.copying.shift(of, 1, scalar(I64, 0))) == [0, 1, 2, None]
    assert values(plc.copying.shift(of, -3, scalar(I64, None))) == [4, None, None, None]
    with pytest.raises(TypeError):
        plc.copying.shift(of, 1, scalar(I32, 0))


def test_nulls_before_come_last_in_a_descending_sort() -> None:
    import pylibcudf as plc

    of = table(col(I64, [2, None, 1]))
    sorted_by = plc.sorting.stable_sorted_order
    assert values(sorted_by(of, orders(True), nulls(True))) == [1, 2, 0]
    assert values(sorted_by(of, orders(True), nulls(False))) == [2, 0, 1]
    assert values(sorted_by(of, orders(False), nulls(True))) == [0, 2, 1]
    assert values(sorted_by(of, orders(False), nulls(False))) == [1, 0, 2]


def test_nan_is_the_largest_number_and_zeros_are_equal() -> None:
    import pylibcudf as plc

    of = table(col(F64, [math.nan, 0.0, math.inf, -0.0, -math.inf]))
    assert values(plc.sorting.stable_sorted_order(of, orders(True), nulls(False))) == [4, 1, 3, 2, 0]
    assert values(plc.sorting.stable_sorted_order(of, orders(False), nulls(False))) == [0, 2, 1, 3, 4]


def test_only_the_stable_sort_keeps_equal_rows_as_they_were() -> None:
    import pylibcudf as plc

    of = table(col(I64, [1] * 8))
    assert values(plc.sorting.stable_sorted_order(of, orders(True), nulls(True))) == list(range(8))
    assert values(plc.sorting.sorted_order(of, orders(True), nulls(True))) != list(range(8))


def test_two_keys_and_a_sort_by_key() -> None:
    import pylibcudf as plc

    keys = table(col(TEXT, ["b", "a", None, "a"]), col(I64, [1, 1, 2, 3]))
    found = plc.sorting.stable_sort_by_key(
        table(col(I64, [0, 1, 2, 3])), keys, orders(True, False), nulls(False, True)
    )
    assert values(found) == [(3,), (1,), (0,), (2,)]
    with pytest.raises(RuntimeError, match="Mismatch"):
        plc.sorting.sorted_order(keys, orders(True), nulls(True))


def test_decimals_and_unsigned_sort_by_value() -> None:
    import decimal

    import pylibcudf as plc

    wide = table(
        col(pa.decimal128(38, 0), [decimal.Decimal(10**30), decimal.Decimal(-1), decimal.Decimal(2**64)])
    )
    assert values(plc.sorting.sorted_order(wide, orders(True), nulls(True))) == [1, 2, 0]
    assert values(
        plc.sorting.sorted_order(table(col(pa.uint64(), [2**63, 1])), orders(True), nulls(True))
    ) == [1, 0]


def test_ranks() -> None:
    import pylibcudf as plc

    method, policy, order = plc.aggregation.RankMethod, plc.types.NullPolicy, plc.types.Order
    of = col(I64, [3, None, 4, 3])
    rank = plc.sorting.rank
    last = plc.types.NullOrder.AFTER
    assert values(rank(of, method.FIRST, order.ASCENDING, policy.INCLUDE, last, False)) == [1, 4, 3, 2]
    assert values(rank(of, method.MIN, order.ASCENDING, policy.EXCLUDE, last, False)) == [1, None, 3, 1]
    assert values(rank(of, method.DENSE, order.ASCENDING, policy.EXCLUDE, last, False)) == [1, None, 2, 1]
    assert values(rank(of, method.AVERAGE, order.ASCENDING, policy.EXCLUDE, last, False)) == [
        1.5,
        None,
        3.0,
        1.5,
    ]


def test_top_k_has_no_order_and_no_more_than_there_is() -> None:
    import pylibcudf as plc

    of = col(I64, [5, None, 9, 1, 7])
    assert sorted(values(plc.sorting.top_k(of, 3))) == [5, 7, 9]
    assert sorted(values(plc.sorting.top_k(of, 2, plc.types.Order.ASCENDING))) == [1, 5]
    with pytest.raises(ValueError, match="at most"):
        plc.sorting.top_k(of, 6)


def test_searches() -> None:
    import pylibcudf as plc

    stack, needles = table(col(I64, [1, 3, 3, None])), table(col(I64, [3, 0, None]))
    assert values(plc.search.lower_bound(stack, needles, orders(True), nulls(False))) == [1, 0, 3]
    assert values(plc.search.upper_bound(stack, needles, orders(True), nulls(False))) == [3, 0, 4]
    assert values(plc.search.contains(col(I64, [1, None]), col(I64, [1, 2, None]))) == [True, False, None]


def test_distinct_rows() -> None:
    import pylibcudf as plc

    keep, equal, nan = (
        plc.stream_compaction.DuplicateKeepOption,
        plc.types.NullEquality,
        plc.types.NanEquality,
    )
    of = table(col(F64, [math.nan, None, 0.0, -0.0, math.nan, None]), col(I64, [0, 1, 2, 3, 4, 5]))

    def kept(option: Any, nulls: Any, nans: Any) -> list[int]:
        found = plc.stream_compaction.stable_distinct(of, [0], option, nulls, nans)
        return [number for _, number in values(found)]

    assert kept(keep.KEEP_FIRST, equal.EQUAL, nan.ALL_EQUAL) == [0, 1, 2]
    assert kept(keep.KEEP_LAST, equal.EQUAL, nan.ALL_EQUAL) == [3, 4, 5]
    assert kept(keep.KEEP_NONE, equal.EQUAL, nan.ALL_EQUAL) == []
    assert kept(keep.KEEP_FIRST, equal.UNEQUAL, nan.UNEQUAL) == [0, 1, 2, 4, 5]


def test_distinct_has_no_order() -> None:
    import pylibcudf as plc

    keep, equal, nan = (
        plc.stream_compaction.DuplicateKeepOption,
        plc.types.NullEquality,
        plc.types.NanEquality,
    )
    of = table(col(I64, list(range(10)) * 2))
    found = values(plc.stream_compaction.distinct(of, [0], keep.KEEP_FIRST, equal.EQUAL, nan.ALL_EQUAL))
    assert sorted(found) == [(i,) for i in range(10)]
    assert found != sorted(found)


def test_replacements() -> None:
    import pylibcudf as plc

    of = col(I64, [1, None, None, 4])
    assert values(plc.replace.replace_nulls(of, scalar(I64, 9))) == [1, 9, 9, 4]
    assert values(plc.replace.replace_nulls(of, col(I64, [5, 6, None, 8]))) == [1, 6, None, 4]
    assert values(plc.replace.replace_nulls(of, plc.replace.ReplacePolicy.PRECEDING)) == [1, 1, 1, 4]
    assert values(plc.replace.replace_nulls(of, plc.replace.ReplacePolicy.FOLLOWING)) == [1, 4, 4, 4]
    with pytest.raises(TypeError):
        plc.replace.replace_nulls(of, scalar(I32, 9))
    zero = values(plc.replace.normalize_nans_and_zeros(col(F64, [-0.0, None])))
    assert math.copysign(1, zero[0]) == 1
    assert values(plc.transform.column_nans_to_nulls(col(F64, [math.nan, 1.0, None]))) == [None, 1.0, None]


def test_concatenation() -> None:
    import pylibcudf as plc

    found = plc.concatenate.concatenate([col(TEXT, ["x", "a"], 1), col(TEXT, []), col(TEXT, [None, "é"])])
    assert values(found) == ["a", None, "é"]
    with pytest.raises(RuntimeError, match="mismatch"):
        plc.concatenate.concatenate([col(I64, [1]), col(I32, [1])])
    with pytest.raises(ValueError, match="empty"):
        plc.concatenate.concatenate([])


def test_the_row_limit(device: Any) -> None:
    import pylibcudf as plc

    device.row_limit = 100
    of = col(I64, [1] * 60)
    with pytest.raises(OverflowError):
        plc.concatenate.concatenate([of, of])
    with pytest.raises(OverflowError):
        plc.filling.repeat(table(of), 2)
    with pytest.raises(OverflowError):
        plc.join.cross_join(table(of), table(of))
    with pytest.raises(OverflowError):
        plc.join.inner_join(table(of), table(of), plc.types.NullEquality.EQUAL)


def test_made_columns() -> None:
    import pylibcudf as plc

    assert values(plc.filling.sequence(3, scalar(I32, 5), scalar(I32, -2))) == [5, 3, 1]
    assert values(plc.filling.repeat(table(col(TEXT, ["a", None])), col(I32, [0, 2]))) == [(None,), (None,)]
    assert values(plc.Column.from_scalar(scalar(TEXT, None), 2)) == [None, None]
    assert plc.column_factories.make_empty_column(dtype("STRING")).size() == 0
    made = plc.column_factories.make_fixed_width_column(dtype("INT64"), 3, plc.types.MaskState.ALL_NULL)
    assert values(made) == [None] * 3


def test_masks_as_memory() -> None:
    import pylibcudf as plc

    mask, count = plc.transform.bools_to_mask(col(BOOL, [True, None, False]))
    assert count == 2
    assert values(col(I64, [1, 2, 3]).with_mask(mask, count)) == [1, None, None]
    of = col(I64, [9, 1, None], 1)
    assert (of.offset(), of.data().size) == (1, 24)
    rebuilt = plc.Column(of.type(), 2, of.data(), of.null_mask(), 1, of.offset(), [])
    assert values(rebuilt) == [1, None]
    assert values(plc.unary.is_null(of.with_mask(of.null_mask(), 1))) == [False, True]
    # A mask is counted from the start of the memory too.
    numbers = col(I64, [9, 1, 2], 1)
    mask, count = plc.transform.bools_to_mask(col(BOOL, [True, False, True]))
    masked = numbers.with_mask(mask, count)
    assert (masked.offset(), values(masked)) == (1, [None, 2])
    texts = plc.copying.slice(col(TEXT, ["ab", None, "é"]), [1, 3])[0]
    again = plc.Column(texts.type(), 2, texts.data(), texts.null_mask(), 1, 1, texts.children())
    assert values(again) == [None, "é"]
    with pytest.raises(TypeError, match="Span"):
        plc.Column(of.type(), 2, [1, 2], None, 0, 0, [])


def test_lists() -> None:
    import pylibcudf as plc

    lists = col(pa.list_(I64), [[9], [3, None, 1], [], None], 1)
    of = table(lists, col(TEXT, ["a", "b", "c"]))
    assert values(plc.lists.explode_outer(of, 0)) == [
        (3, "a"),
        (None, "a"),
        (1, "a"),
        (None, "b"),
        (None, "c"),
    ]
    assert values(plc.lists.count_elements(lists)) == [3, 0, None]
    found = plc.lists.sort_lists(lists, plc.types.Order.ASCENDING, plc.types.NullOrder.AFTER)
    assert values(found) == [[1, 3, None], [], None]
    assert values(plc.lists.extract_list_element(lists, -1)) == [1, None, None]


def test_partitions_hold_equal_keys_together() -> None:
    import pylibcudf as plc

    left = table(col(I64, [1, 2, 1, None, None, 3, 2]), col(I64, [0, 1, 2, 3, 4, 5, 6]))
    found, ends = plc.partitioning.hash_partition(left, [0], 3)
    assert (ends[0], ends[-1], len(ends)) == (0, 7, 4)
    assert rows(found) == rows(left)
    parts = [[key for key, _ in values(found)[a:b]] for a, b in itertools.pairwise(ends)]
    for key in (1, 2, 3, None):
        assert sum(key in part for part in parts) == 1
    # The same keys of another table go to the same partitions.
    other, _ = plc.partitioning.hash_partition(table(col(I64, [2])), [0], 3)
    assert values(other) == [(2,)]
    none, ends = plc.partitioning.hash_partition(table(col(I64, [])), [0], 3)
    assert (none.num_rows(), ends) == (0, [0, 0, 0, 0])


def test_published_hashes() -> None:
    import pylibcudf as plc

    found = values(plc.hashing.xxhash_64(table(col(TEXT, ["abc", None]))))
    assert found == [0x44BC2CF5AD770999, 2**64 - 1]
    zeros = values(plc.hashing.murmurhash3_x86_32(table(col(F64, [0.0, -0.0]))))
    assert zeros[0] == zeros[1]


def test_packed_tables_come_back() -> None:
    import pylibcudf as plc

    of = table(
        col(I64, [9, 1, None], 1), col(TEXT, [None, "a", "é"], 1), col(pa.decimal64(9, 2), [None, None])
    )
    again = plc.contiguous_split.unpack(plc.contiguous_split.pack(of))
    assert values(again) == values(of)
    assert [c.type() for c in again.columns()] == [c.type() for c in of.columns()]
    metadata, data = plc.contiguous_split.pack(of).release()
    import rmm

    host = data.obj.copy_to_host()
    back = plc.gpumemoryview(rmm.DeviceBuffer.to_device(host))
    assert values(plc.contiguous_split.unpack_from_memoryviews(metadata, back)) == values(of)
    packer = plc.contiguous_split.ChunkedPack.create(of, 1 << 20)
    told, bytes_ = packer.pack_to_host(plc.gpumemoryview(rmm.DeviceBuffer(size=1 << 20)))
    uploaded = plc.gpumemoryview(rmm.DeviceBuffer.to_device(bytes_))
    assert values(plc.contiguous_split.unpack_from_memoryviews(told, uploaded)) == values(of)


def test_sorted_tables_merge() -> None:
    import pylibcudf as plc

    left, right = (
        table(col(I64, [1, 3, None]), col(TEXT, ["a", "b", "c"])),
        table(col(I64, [2, 3]), col(TEXT, ["d", "e"])),
    )
    found = plc.merge.merge([left, right], [0], orders(True), nulls(False))
    assert values(found) == [(1, "a"), (2, "d"), (3, "b"), (3, "e"), (None, "c")]
    with pytest.raises(RuntimeError, match="not sorted"):
        plc.merge.merge([table(col(I64, [2, 1]))], [0], orders(True), nulls(False))


def test_streams_come_from_a_pool() -> None:
    from rmm.pylibrmm.cuda_stream_pool import CudaStreamPool

    pool = CudaStreamPool(2)
    found = [pool.get_stream() for _ in range(3)]
    assert found[0] == found[2] != found[1]
    assert pool.get_stream(1) == found[1]
