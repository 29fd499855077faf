"""Arrow to the device and back: types, NULL masks, slices, dictionaries, nested columns."""

from __future__ import annotations

from collections.abc import Iterator

import pyarrow as pa

from .. import samples
from ..case import Case
from ..forms import ArrowForm, ItemForm, call, column, dtype, method, name, scalar, table
from ..samples import DECIMAL64, DECIMAL64_VALUES, VALUES, label


def cases() -> Iterator[Case]:
    for kind in VALUES:
        for pattern, form in samples.patterns(kind):
            yield Case(
                f"interop/round_trip/{label(kind)}/{pattern}",
                call("Column.from_arrow", ArrowForm(form.array, form.skip)),
            )
    for pattern, form in samples.patterns(DECIMAL64, DECIMAL64_VALUES):
        yield Case(
            f"interop/round_trip/decimal64/{pattern}",
            call("Column.from_arrow", ArrowForm(form.array, form.skip)),
        )
    texts = pa.array(["b", None, "a", "b"])
    for title, array in {
        "large_string": texts.cast(pa.large_string()),
        "dictionary": texts.dictionary_encode(),
        "list": pa.array([[1, None], [], None, [3]], pa.list_(pa.int64())),
        "struct": pa.array(
            [{"x": 1, "y": "a"}, None, {"x": None, "y": ""}],
            pa.struct([("x", pa.int64()), ("y", pa.string())]),
        ),
        "duration": pa.array([1, None, -1], pa.duration("us")),
        "decimal128_18": pa.array([1, None, 7], pa.int64())
        .cast(pa.decimal128(19, 0))
        .cast(pa.decimal128(21, 2)),
    }.items():
        yield Case(f"interop/round_trip/{title}", call("Column.from_arrow", ArrowForm(array)))
        yield Case(f"interop/round_trip/{title}/sliced", call("Column.from_arrow", ArrowForm(array, 1)))
    for kind, values in VALUES.items():
        yield Case(f"interop/scalar/{label(kind)}", scalar(kind, values[1]))
        yield Case(f"interop/scalar/{label(kind)}/null", scalar(kind, None))
        yield Case(
            f"interop/from_scalar/{label(kind)}", call("Column.from_scalar", scalar(kind, values[0]), 3)
        )
    yield Case("interop/from_scalar/no_rows", call("Column.from_scalar", scalar(pa.int64(), 1), 0))
    numbers = samples.with_nulls(pa.int64())
    yield Case("interop/all_null_like", call("Column.all_null_like", numbers, 4))
    yield Case("interop/to_scalar", method(column(pa.int64(), [5]), "to_scalar"))
    yield Case("interop/table_of_no_columns", call("Table", [], 3))
    yield Case("interop/table_copy", method(table(numbers), "copy"))
    yield Case("interop/slice_in_three", call("copying.slice", numbers, [0, 2, 2, 2, 2, 7]))
    yield Case("interop/split", call("copying.split", table(numbers), [2, 5]))
    yield Case(
        "interop/slice_of_slice",
        call("copying.slice", samples.column(pa.string(), ["a", None, "b", "c"], 1), [1, 3]),
    )
    yield Case(
        "interop/pack/unpack",
        call(
            "contiguous_split.unpack",
            call("contiguous_split.pack", table(numbers, samples.with_nulls(pa.string()))),
        ),
    )
    yield Case(
        "interop/pack/empty",
        call("contiguous_split.unpack", call("contiguous_split.pack", table(column(pa.string(), [])))),
    )
    yield Case(
        "interop/pack/sliced",
        call(
            "contiguous_split.unpack",
            call("contiguous_split.pack", table(column(pa.string(), ["a", None, "b"], 1))),
        ),
    )
    yield Case(
        "interop/make_empty/decimal", call("column_factories.make_empty_column", dtype("DECIMAL64", 2))
    )
    yield Case("interop/make_empty/string", call("column_factories.make_empty_column", dtype("STRING")))
    for state in ("ALL_VALID", "ALL_NULL"):
        yield Case(
            f"interop/make_fixed_width/{state}",
            call(
                "column_factories.make_fixed_width_column",
                dtype("INT64"),
                3,
                name(f"types.MaskState.{state}"),
            ),
        )
    packed = call(
        "concatenate.concatenate", [numbers, samples.column(pa.int64(), [1, 2], 1), column(pa.int64(), [])]
    )
    yield Case("interop/concatenate/columns", packed)
    yield Case(
        "interop/concatenate/strings",
        call("concatenate.concatenate", [samples.with_nulls(pa.string()), column(pa.string(), ["x"])]),
    )
    yield Case(
        "interop/concatenate/tables", call("concatenate.concatenate", [table(numbers), table(numbers)])
    )
    yield Case(
        "interop/concatenate/types_differ",
        call("concatenate.concatenate", [numbers, column(pa.int32(), [1])]),
    )
    yield Case("interop/item", ItemForm(call("copying.split", numbers, [3]), 1))
