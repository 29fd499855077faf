"""The double of pylibcudf: its calls on pyarrow and numpy, as strict and as unordered as on a device.

It shows that our code is consistent with what is said of the library, and no more. See `doubles.assumptions`
for what nobody has seen on hardware.
"""

from __future__ import annotations

from . import (
    aggregation,
    binaryop,
    column_factories,
    concatenate,
    contiguous_split,
    copying,
    datetime,
    expressions,
    filling,
    groupby,
    hashing,
    interop,
    io,
    join,
    lists,
    merge,
    null_mask,
    partitioning,
    quantiles,
    reduce,
    replace,
    rolling,
    round,
    search,
    sorting,
    stream_compaction,
    strings,
    traits,
    transform,
    types,
    unary,
    utils,
)
from .column import Column
from .gpumemoryview import gpumemoryview
from .scalar import Scalar
from .table import Table
from .types import DataType, MaskState, TypeId

__all__ = [
    "Column",
    "DataType",
    "MaskState",
    "Scalar",
    "Table",
    "TypeId",
    "aggregation",
    "binaryop",
    "column_factories",
    "concatenate",
    "contiguous_split",
    "copying",
    "datetime",
    "expressions",
    "filling",
    "gpumemoryview",
    "groupby",
    "hashing",
    "interop",
    "io",
    "join",
    "lists",
    "merge",
    "null_mask",
    "partitioning",
    "quantiles",
    "reduce",
    "replace",
    "rolling",
    "round",
    "search",
    "sorting",
    "stream_compaction",
    "strings",
    "traits",
    "transform",
    "types",
    "unary",
    "utils",
]
