"""Dates, Parquet files, and memory."""

from __future__ import annotations

import math
from collections.abc import Iterator

import pyarrow as pa

from .. import samples
from ..case import Case
from ..forms import FileForm, Form, MemberForm, after, call, column, method, name, scalar
from .joins import literal, operation, reference

_I64, _TEXT = pa.int64(), pa.string()


def cases() -> Iterator[Case]:
    yield from _dates()
    yield from _files()
    yield from _memory()


def _dates() -> Iterator[Case]:
    for kind in (pa.date32(), pa.timestamp("us")):
        values, title = samples.with_nulls(kind), samples.label(kind)
        for part in (
            "YEAR",
            "MONTH",
            "DAY",
            "WEEKDAY",
            "HOUR",
            "MINUTE",
            "SECOND",
            "MILLISECOND",
            "MICROSECOND",
        ):
            component = name(f"datetime.DatetimeComponent.{part}")
            form = call("datetime.extract_datetime_component", values, component)
            yield Case(f"datetime/extract/{part}/{title}", form)
        for function in (
            "day_of_year",
            "is_leap_year",
            "last_day_of_month",
            "extract_quarter",
            "days_in_month",
        ):
            yield Case(f"datetime/{function}/{title}", call(f"datetime.{function}", values))
        for months in (1, -13):
            form = call("datetime.add_calendrical_months", values, scalar(pa.int32(), months))
            yield Case(f"datetime/add_months/{months}/{title}", form)
    stamps = samples.with_nulls(pa.timestamp("us"))
    for frequency in ("DAY", "HOUR", "MINUTE", "SECOND", "MILLISECOND"):
        for function in ("floor", "ceil"):
            every = name(f"datetime.RoundingFrequency.{frequency}")
            yield Case(
                f"datetime/{function}/{frequency}", call(f"datetime.{function}_datetimes", stamps, every)
            )


_FILE = FileForm(
    (
        column(_I64, [1, None, 3, 4, 5, 6]),
        column(_TEXT, ["a", "b", None, "d", "", "é"]),
        column(pa.decimal128(12, 2), [None, 1, 2, 3, 4, 5]),
        column(pa.date32(), [0, 1, 2, 3, None, 5]),
        column(pa.timestamp("us"), [0, 1, 2, 3, None, 5]),
        column(pa.bool_(), [True, None, False, True, True, False]),
        column(pa.float64(), [0.5, None, -0.0, math.nan, 1.0, 2.0]),
    ),
    group=2,
)


def _options(*builder: tuple[str, Form], steps: tuple[tuple[Form, ...], ...] = ()) -> Form:
    """Options for reading the file: settings of the builder, then methods of the options."""
    options: Form = call("io.parquet.ParquetReaderOptions.builder", call("io.types.SourceInfo", [_FILE]))
    for setting, value in builder:
        options = method(options, setting, value)
    return after(method(options, "build"), *steps)


def _read(*builder: tuple[str, Form], steps: tuple[tuple[Form, ...], ...] = ()) -> Form:
    return MemberForm(call("io.parquet.read_parquet", _options(*builder, steps=steps)), "tbl")


def _files() -> Iterator[Case]:
    yield Case("parquet/all", _read())
    yield Case("parquet/columns", _read(("column_names", ["c3", "c0"])))
    yield Case("parquet/column_indices", _read(("column_indices", [1, 0])))
    yield Case(
        "parquet/decimal64", _read(("column_names", ["c2"]), ("decimal_width", name("TypeId.DECIMAL64")))
    )
    yield Case("parquet/missing_column", _read(("column_names", ["nothing"])))
    yield Case("parquet/row_groups", _read(steps=(("set_row_groups", [[2, 0]]),)))
    yield Case("parquet/rows", _read(steps=(("set_skip_rows", 1), ("set_num_rows", 3))))
    above = operation("GREATER", call("expressions.ColumnNameReference", "c0"), literal(_I64, 3))
    yield Case("parquet/filter", _read(("column_names", ["c0", "c1"]), steps=(("set_filter", above),)))
    yield from _filtered()
    chunked = call(
        "io.parquet.ChunkedParquetReader", _options(("column_names", ["c0", "c1"])), None, None, 32
    )
    yield Case("parquet/chunked/has_next", method(chunked, "has_next"))
    yield Case("parquet/chunked/first", MemberForm(method(chunked, "read_chunk"), "tbl"))
    rest = after(chunked, ("read_chunk",))
    yield Case("parquet/chunked/second", MemberForm(method(rest, "read_chunk"), "tbl"))


def _filtered() -> Iterator[Case]:
    """What scans ask of the reader's filter: columns by their place, chosen row groups, chunks."""
    days = literal(pa.date32(), 2)
    filters = {
        "at_least": operation("GREATER_EQUAL", reference(0), literal(_I64, 3)),
        "not_equal": operation("NOT_EQUAL", reference(0), literal(_I64, 4)),
        "range": operation(
            "NULL_LOGICAL_AND",
            operation("GREATER_EQUAL", reference(0), literal(_I64, 4)),
            operation("LESS_EQUAL", reference(0), literal(_I64, 5)),
        ),
        "nothing": operation("LESS", reference(0), literal(_I64, -5)),
        "date": operation("LESS_EQUAL", reference(1), days),
        "date_or_number": operation(
            "NULL_LOGICAL_OR",
            operation("LESS", reference(1), days),
            operation("GREATER", reference(0), literal(_I64, 5)),
        ),
    }
    for label, tree in filters.items():
        steps = (("set_row_groups", [[0, 2]]), ("set_filter", tree))
        plain = (("column_indices", [0, 3]), ("use_arrow_schema", False))
        yield Case(f"parquet/filter/{label}", _read(*plain, steps=steps))
        options = _options(*plain, steps=steps)
        chunked = call("io.parquet.ChunkedParquetReader", options, None, None, 16)
        first = MemberForm(method(chunked, "read_chunk"), "tbl")
        yield Case(f"parquet/filter/{label}/chunked/first", first)
        rest = after(chunked, ("read_chunk",))
        yield Case(f"parquet/filter/{label}/chunked/has_next", method(rest, "has_next"))


def _memory() -> Iterator[Case]:
    device = call("rmm.mr.CudaMemoryResource")
    limited = call("rmm.mr.LimitingResourceAdaptor", device, 1 << 20)
    yield Case("memory/limit/beyond", method(limited, "allocate", 1 << 21))
    yield Case("memory/limit/limit", method(limited, "get_allocation_limit"))
    yield Case("memory/limit/allocated", method(after(limited, ("allocate", 1000)), "get_allocated_bytes"))
    tracked = call("rmm.mr.StatisticsResourceAdaptor", call("rmm.mr.CudaMemoryResource"))
    counts = MemberForm(after(tracked, ("allocate", 1000)), "allocation_counts")
    yield Case("memory/statistics/current", MemberForm(counts, "current_bytes"))
    yield Case("memory/statistics/peak", MemberForm(counts, "peak_bytes"))
    pool = call("rmm.mr.PoolMemoryResource", device, 1 << 20, 1 << 20)
    yield Case("memory/pool/beyond", method(pool, "allocate", 1 << 21))
    yield Case("memory/pool/size", method(pool, "pool_size"))
    yield Case("memory/buffer", MemberForm(call("rmm.DeviceBuffer", size=1024), "size"))
    yield Case("memory/too_large", call("rmm.DeviceBuffer", size=1 << 50))
    pinned = call("rmm.mr.PinnedHostMemoryResource")
    yield Case("memory/pinned/too_large", method(pinned, "allocate", 1 << 50))
