"""Memory on the double: limits, counters, errors in the middle of calls, and what the host waits for."""

from __future__ import annotations

import gc
import sys
import threading
from typing import Any

import doubles
import pyarrow as pa
import pytest
from doubles import Device
from doubles.testing import col, scalar, table, values

I64, TEXT = pa.int64(), pa.string()


def live(device: Device) -> tuple[int, int]:
    gc.collect()
    return device.live_bytes, device.live_allocations


def test_each_column_counts_its_bytes_until_it_is_dropped(device: Device) -> None:
    numbers = col(I64, [1, 2, None])
    assert live(device) == (3 * 8 + 64, 2)
    texts = col(TEXT, ["ab", "é"])
    assert live(device) == (88 + 4 + 4 * 3, 3)
    flags = col(pa.bool_(), [True] * 10)
    assert live(device) == (104 + 10, 4)
    del numbers, texts, flags
    assert live(device) == (0, 0)
    assert device.peak_bytes == 114


def test_a_scalar_and_a_buffer_take_memory_too(device: Device) -> None:
    import rmm

    kept = scalar(I64, 1), rmm.DeviceBuffer(size=100)
    assert live(device) == (116, 2)
    del kept
    assert live(device) == (0, 0)


def test_a_limit_raises_and_frees_what_the_call_had_taken(device: Device) -> None:
    import pylibcudf as plc
    import rmm

    limited = rmm.mr.LimitingResourceAdaptor(rmm.mr.CudaMemoryResource(), 2048)
    rmm.mr.set_current_device_resource(limited)
    of = col(I64, list(range(64)))
    assert limited.get_allocated_bytes() == 512
    with pytest.raises(MemoryError, match="out_of_memory"):
        plc.concatenate.concatenate([of] * 8)
    with pytest.raises(MemoryError):
        plc.sorting.sort_by_key(
            table(of, of, of, of), table(of), [plc.types.Order.ASCENDING], [plc.types.NullOrder.AFTER]
        )
    gc.collect()
    assert limited.get_allocated_bytes() == 512
    assert values(of) == list(range(64))


def test_memory_of_a_call_comes_from_its_own_resource(device: Device) -> None:
    import pylibcudf as plc
    import rmm

    own = rmm.mr.StatisticsResourceAdaptor(rmm.mr.CudaMemoryResource())
    of = col(I64, [1, 2])
    copied = of.copy(mr=own)
    assert own.allocation_counts.current_bytes == 16
    moved = plc.copying.reverse(copied, mr=own)
    assert own.allocation_counts.current_count == 2
    del copied, moved
    gc.collect()
    assert own.allocation_counts.current_bytes == 0
    assert own.allocation_counts.peak_bytes == 32


def test_pools(device: Device) -> None:
    import rmm

    base = rmm.mr.StatisticsResourceAdaptor(rmm.mr.CudaMemoryResource())
    pool = rmm.mr.PoolMemoryResource(base, 1 << 20, "2 MiB")
    assert pool.pool_size() == base.allocation_counts.current_bytes == 1 << 20
    first = pool.allocate((1 << 20) + 1)
    assert pool.pool_size() == (1 << 20) + 256
    with pytest.raises(MemoryError, match="Maximum pool size"):
        pool.allocate(1 << 20)
    pool.deallocate(first, (1 << 20) + 1)
    pool.allocate(1 << 20)
    del pool
    gc.collect()
    assert base.allocation_counts.current_bytes == 0
    with pytest.raises(RuntimeError, match="multiple of 256"):
        rmm.mr.PoolMemoryResource(base, 100)


def test_a_failure_callback_can_make_room(device: Device) -> None:
    import rmm

    kept: list[Any] = []
    limited = rmm.mr.LimitingResourceAdaptor(rmm.mr.CudaMemoryResource(), 1024)
    watched = rmm.mr.FailureCallbackResourceAdaptor(limited, lambda _bytes: bool(kept) and not kept.clear())
    rmm.mr.set_current_device_resource(watched)
    kept.append(rmm.DeviceBuffer(size=1024))
    assert rmm.DeviceBuffer(size=512).size == 512
    with pytest.raises(MemoryError):
        rmm.DeviceBuffer(size=4096)


def test_the_device_has_an_end(device: Device) -> None:
    import rmm

    device.capacity = 1000
    with pytest.raises(MemoryError):
        rmm.DeviceBuffer(size=1001)
    assert rmm.mr.available_device_memory() == (1000, 1000)


def test_allocations_fail_where_the_test_says(device: Device) -> None:
    import pylibcudf as plc

    of = table(col(I64, [1, None]), col(TEXT, ["a", "b"]))
    gc.collect()
    before, start = live(device), device.allocations
    at = plc.Column.from_arrow(pa.array([1, 0], pa.int32()))
    policy = plc.copying.OutOfBoundsPolicy.NULLIFY
    made = plc.copying.gather(of, at, policy)
    count = device.allocations - start - 1
    assert count == 3
    del made, at
    for number in range(1, count + 2):
        with device.failing(number), pytest.raises(MemoryError, match="injected"):
            plc.copying.gather(of, plc.Column.from_arrow(pa.array([1, 0], pa.int32())), policy)
        assert live(device) == before, number
    with device.failing(1, times=2):
        for _ in range(2):
            with pytest.raises(MemoryError):
                col(I64, [1])
        assert values(col(I64, [1])) == [1]


def test_a_hook_sees_each_call_and_may_raise(device: Device) -> None:
    import pylibcudf as plc

    seen: list[str] = []
    device.observe = lambda name, _arguments: seen.append(name)
    of = col(I64, [1])
    plc.unary.is_null(of)
    assert seen == ["unary.is_null"]

    def fail(name: str, number: int) -> None:
        if name == "unary.is_valid":
            raise MemoryError(number)

    device.before_call = fail
    with pytest.raises(MemoryError):
        plc.unary.is_valid(of)
    assert device.calls["unary.is_null"] == 1


def test_reads_by_the_host_are_counted(device: Device) -> None:
    import pylibcudf as plc
    import rmm

    of = col(I64, [1, 2])
    plc.unary.is_null(of)
    total = plc.reduce.reduce(of, plc.aggregation.sum(), of.type())
    packed = plc.contiguous_split.pack(table(of))
    assert device.host_reads == 0
    total.to_py()
    total.is_valid()
    of.to_arrow()
    table(of).to_arrow()
    _, data = packed.release()
    data.obj.copy_to_host()
    rmm.pylibrmm.stream.Stream().synchronize()
    assert dict(device.syncs) == {
        "Scalar.to_py": 1,
        "Scalar.is_valid": 1,
        "Column.to_arrow": 1,
        "Table.to_arrow": 1,
        "DeviceBuffer.copy_to_host": 1,
        "Stream.synchronize": 1,
    }
    plc.partitioning.hash_partition(table(of), [0], 2)
    assert dict(device.implicit_syncs) == {"partitioning.hash_partition": 1}


def test_new_memory_is_not_zero(device: Device) -> None:
    import pylibcudf as plc
    import rmm

    assert set(rmm.DeviceBuffer(size=8).tobytes()) != {0}
    made = plc.column_factories.make_numeric_column(
        plc.DataType(plc.TypeId.INT64), 2, plc.types.MaskState.ALL_VALID
    )
    assert values(made) != [0, 0]


def test_counters_hold_under_threads(device: Device) -> None:
    import pylibcudf as plc

    of = col(I64, list(range(100)))
    gc.collect()
    before = live(device)

    def work() -> None:
        for _ in range(200):
            plc.copying.reverse(of)

    threads = [threading.Thread(target=work) for _ in range(8)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert device.calls["copying.reverse"] == 1600
    assert live(device) == before


def test_installing_puts_every_module_in_place_and_takes_it_out_again() -> None:
    before = {
        name: module for name, module in sys.modules.items() if name.split(".")[0] in ("pylibcudf", "rmm")
    }
    with doubles.install():
        import pylibcudf.strings.find
        import rmm.mr

        assert pylibcudf.strings.find.contains.__module__ == "doubles.pylibcudf.strings.find"
        assert rmm.mr.get_current_device_resource() is not None
        for name in doubles.modules():
            assert sys.modules[name].__name__ == f"doubles.{name}"
    after = {
        name: module for name, module in sys.modules.items() if name.split(".")[0] in ("pylibcudf", "rmm")
    }
    assert after == before
