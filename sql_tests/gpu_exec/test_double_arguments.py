"""The double takes what the compiled functions take, and raises what they raise."""

from __future__ import annotations

from typing import Any

import pyarrow as pa
import pytest
from doubles.testing import col, dtype, scalar, table, values

I64 = pa.int64()
pytestmark = pytest.mark.usefixtures("device")


def test_a_column_is_no_table_and_no_scalar() -> None:
    import pylibcudf as plc

    of = col(I64, [1])
    policy = plc.copying.OutOfBoundsPolicy.NULLIFY
    with pytest.raises(TypeError, match=r"expected pylibcudf.table.Table, got pylibcudf.column.Column"):
        plc.copying.gather(of, of, policy)
    with pytest.raises(TypeError, match=r"expected pylibcudf.column.Column, got pylibcudf.table.Table"):
        plc.copying.gather(table(of), table(of), policy)
    with pytest.raises(TypeError, match="ambiguous argument types"):
        plc.binaryop.binary_operation(of, 1, plc.binaryop.BinaryOperator.ADD, of.type())
    with pytest.raises(ValueError, match="Invalid arguments"):
        plc.binaryop.binary_operation(
            scalar(I64, 1), scalar(I64, 1), plc.binaryop.BinaryOperator.ADD, of.type()
        )
    with pytest.raises(TypeError, match="replacement"):
        plc.replace.replace_nulls(of, 1)
    with pytest.raises(TypeError):
        plc.expressions.Literal(1)


def test_lists_are_lists() -> None:
    import pylibcudf as plc

    of = table(col(I64, [1]))
    with pytest.raises(TypeError, match="expected list, got tuple"):
        plc.sorting.sorted_order(of, (plc.types.Order.ASCENDING,), [])
    with pytest.raises(TypeError, match="expected list"):
        plc.groupby.GroupByRequest(of.columns()[0], (plc.aggregation.sum(),))
    assert plc.concatenate.concatenate((of, of)).num_rows() == 2
    with pytest.raises(TypeError, match="no len"):
        plc.concatenate.concatenate(x for x in [of])


def test_a_member_of_another_enumeration_is_refused() -> None:
    import pylibcudf as plc

    of = table(col(I64, [1]))
    for wrong in (True, 0, "ASCENDING", plc.types.NullOrder.AFTER):
        with pytest.raises(TypeError):
            plc.sorting.sorted_order(of, [wrong], [plc.types.NullOrder.AFTER])


def test_types_are_types() -> None:
    import pylibcudf as plc

    of = col(I64, [1])
    with pytest.raises(TypeError, match=r"DataType, got"):
        plc.unary.cast(of, plc.TypeId.INT32)
    with pytest.raises(TypeError):
        plc.unary.cast(of, None)
    with pytest.raises(TypeError):
        plc.DataType("INT64")
    assert plc.DataType(plc.TypeId.INT64, 3).scale() == 0
    assert plc.DataType(plc.TypeId.DECIMAL64, -2) != plc.DataType(plc.TypeId.DECIMAL64, -3)


def test_integers_have_32_bits() -> None:
    import pylibcudf as plc

    of = col(I64, [1])
    with pytest.raises(OverflowError):
        plc.copying.shift(of, 2**40, scalar(I64, 0))
    for wrong in (1.0, "1", None):
        with pytest.raises(TypeError):
            plc.copying.shift(of, wrong, scalar(I64, 0))


def test_texts_are_texts() -> None:
    import pylibcudf as plc

    of = col(pa.string(), ["a"])
    for wrong in (b"a", of, None):
        with pytest.raises(TypeError):
            plc.strings.contains.like(of, wrong)
    with pytest.raises(TypeError, match="RegexProgram, got str"):
        plc.strings.contains.contains_re(of, "a")


def test_streams_and_resources() -> None:
    import pylibcudf as plc
    import rmm

    of = col(I64, [1])
    stream = rmm.pylibrmm.stream.Stream()
    assert values(plc.unary.is_null(of, stream=stream, mr=rmm.mr.get_current_device_resource())) == [False]
    with pytest.raises(TypeError, match="stream"):
        plc.unary.is_null(of, stream=1)
    with pytest.raises(TypeError, match="DeviceMemoryResource, got int"):
        plc.unary.is_null(of, mr=1)
    with pytest.raises(TypeError):
        plc.unary.is_null(of, no_such_argument=1)


def test_tables_are_of_columns_of_one_length() -> None:
    import pylibcudf as plc

    of = col(I64, [1])
    with pytest.raises(ValueError, match="must be pylibcudf Column"):
        plc.Table([1])
    with pytest.raises(ValueError, match="size"):
        plc.Table([of, col(I64, [1, 2])])
    with pytest.raises(ValueError, match="num_rows"):
        plc.Table([of], 2)
    assert plc.Table([], 3).num_rows() == 3
    released = table(of)
    assert released.release() == [of]
    assert released.num_columns() == 0


def test_operands_and_results_must_fit() -> None:
    import pylibcudf as plc

    add = plc.binaryop.BinaryOperator.ADD
    of, texts = col(I64, [1]), col(pa.string(), ["a"])
    with pytest.raises(TypeError, match="Unsupported operator"):
        plc.binaryop.binary_operation(of, texts, add, of.type())
    with pytest.raises(RuntimeError, match="sizes"):
        plc.binaryop.binary_operation(of, col(I64, [1, 2]), add, of.type())
    with pytest.raises(RuntimeError, match="fixed-width"):
        plc.unary.cast(of, dtype("STRING"))


def test_scalars_of_python_values() -> None:
    import decimal

    import pylibcudf as plc

    make = plc.Scalar.from_py
    assert make(7).to_py() == 7
    assert make(7, dtype("FLOAT64")).to_py() == 7.0
    assert make(None, dtype("INT8")).to_py() is None
    # Whatever decimal was asked for, a DECIMAL128 comes.
    assert make(decimal.Decimal("1.25"), dtype("DECIMAL64", 2)).type() == dtype("DECIMAL128", 2)
    wrong: list[tuple[Any, Any, type[Exception]]] = [
        (300, "INT8", OverflowError),
        (-1, "UINT8", ValueError),
        (2, "BOOL8", ValueError),
        (1.5, "INT64", TypeError),
        (1, "STRING", TypeError),
        ("a", "INT64", TypeError),
        ([1], "INT64", NotImplementedError),
    ]
    for value, kind, error in wrong:
        with pytest.raises(error):
            make(value, dtype(kind))
    with pytest.raises(ValueError, match="dtype"):
        make(None)
    with pytest.raises(NotImplementedError):
        scalar(pa.date32(), None).type() and scalar(
            pa.date32(), __import__("datetime").date(2000, 1, 1)
        ).to_py()
    with pytest.raises(ValueError, match="factory"):
        plc.Scalar()


def test_values_stay_hidden() -> None:
    import numpy as np

    of = col(I64, [1])
    for read in (lambda: list(of), lambda: len(of), lambda: of[0], lambda: np.asarray(of, np.int64)):
        with pytest.raises(TypeError):
            read()
    with pytest.raises(TypeError):
        hash(of)
