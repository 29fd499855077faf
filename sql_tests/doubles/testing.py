"""Short forms for tests on the double: columns from Python values, and back."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import pyarrow as pa


def col(kind: pa.DataType, values: Sequence[Any], skip: int = 0) -> Any:
    """A column of the values after the first `skip`, which are sliced off on the device."""
    import pylibcudf as plc

    found = plc.Column.from_arrow(pa.array(values, kind))
    return plc.copying.slice(found, [skip, len(values)])[0] if skip else found


def table(*columns: Any) -> Any:
    import pylibcudf as plc

    return plc.Table(list(columns))


def scalar(kind: pa.DataType, value: Any) -> Any:
    import pylibcudf as plc

    return plc.Scalar.from_arrow(pa.scalar(value, kind))


def dtype(name: str, scale: int = 0) -> Any:
    """A type; `scale` is the number of digits after the point."""
    import pylibcudf as plc

    return plc.DataType(plc.TypeId[name], -scale)


def values(result: Any) -> list[Any]:
    """The values of a column; the rows of a table."""
    import pylibcudf as plc

    if isinstance(result, plc.Table):
        return list(zip(*(c.to_arrow().to_pylist() for c in result.columns()), strict=True))
    return result.to_arrow().to_pylist()


def rows(result: Any) -> list[Any]:
    """The rows of a table, or of two columns of row numbers, in an order of their own."""
    if isinstance(result, tuple):
        return sorted(zip(*(values(c) for c in result), strict=True))
    return sorted(values(result), key=repr)
