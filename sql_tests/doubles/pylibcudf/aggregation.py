"""Descriptions of aggregations."""

from __future__ import annotations

from enum import IntEnum
from typing import Any

from ..arguments import check
from .types import DataType, Interpolation, NanEquality, NullEquality, NullOrder, NullPolicy, Order


class Kind(IntEnum):
    SUM = 0
    PRODUCT = 2
    MIN = 3
    MAX = 4
    COUNT_VALID = 5
    COUNT_ALL = 6
    ANY = 7
    ALL = 8
    SUM_OF_SQUARES = 9
    MEAN = 10
    M2 = 11
    VARIANCE = 12
    STD = 13
    MEDIAN = 14
    QUANTILE = 15
    ARGMAX = 16
    ARGMIN = 17
    NUNIQUE = 18
    NTH_ELEMENT = 19
    ROW_NUMBER = 20
    EWMA = 21
    RANK = 22
    COLLECT_LIST = 23
    COLLECT_SET = 24
    LEAD = 25
    LAG = 26
    HOST_UDF = 27
    MERGE_LISTS = 28
    MERGE_SETS = 29
    MERGE_M2 = 30
    COVARIANCE = 31
    CORRELATION = 32
    TDIGEST = 33
    MERGE_TDIGEST = 34
    HISTOGRAM = 35
    MERGE_HISTOGRAM = 36
    BITWISE_AGG = 37


class BitwiseOp(IntEnum):
    AND = 0
    OR = 1
    XOR = 2


class CorrelationType(IntEnum):
    PEARSON = 0
    KENDALL = 1
    SPEARMAN = 2


class EWMHistory(IntEnum):
    INFINITE = 0
    FINITE = 1


class RankMethod(IntEnum):
    FIRST = 0
    AVERAGE = 1
    MIN = 2
    MAX = 3
    DENSE = 4


class RankPercentage(IntEnum):
    NONE = 0
    ZERO_NORMALIZED = 1
    ONE_NORMALIZED = 2


class Aggregation:
    """One aggregation with its options."""

    __hash__ = None  # type: ignore[assignment]

    def __init__(self) -> None:
        raise ValueError("Aggregation types should not be constructed directly")

    @classmethod
    def _of(cls, kind: Kind, **options: Any) -> Aggregation:
        made = cls.__new__(cls)
        made._kind, made._options = kind, options
        return made

    def kind(self) -> Kind:
        return self._kind

    def __eq__(self, other: object) -> bool:
        return isinstance(other, Aggregation) and (self._kind, self._options) == (other._kind, other._options)


def sum() -> Aggregation:
    return Aggregation._of(Kind.SUM)


def product() -> Aggregation:
    return Aggregation._of(Kind.PRODUCT)


def min() -> Aggregation:
    return Aggregation._of(Kind.MIN)


def max() -> Aggregation:
    return Aggregation._of(Kind.MAX)


def count(null_handling: NullPolicy = NullPolicy.EXCLUDE) -> Aggregation:
    check("null_handling", NullPolicy, null_handling)
    return Aggregation._of(Kind.COUNT_ALL if null_handling is NullPolicy.INCLUDE else Kind.COUNT_VALID)


def any() -> Aggregation:
    return Aggregation._of(Kind.ANY)


def all() -> Aggregation:
    return Aggregation._of(Kind.ALL)


def sum_of_squares() -> Aggregation:
    return Aggregation._of(Kind.SUM_OF_SQUARES)


def mean() -> Aggregation:
    return Aggregation._of(Kind.MEAN)


def variance(ddof: int = 1) -> Aggregation:
    check("ddof", int, ddof)
    return Aggregation._of(Kind.VARIANCE, ddof=ddof)


def std(ddof: int = 1) -> Aggregation:
    check("ddof", int, ddof)
    return Aggregation._of(Kind.STD, ddof=ddof)


def median() -> Aggregation:
    return Aggregation._of(Kind.MEDIAN)


def quantile(quantiles: list[float], interp: Interpolation = Interpolation.LINEAR) -> Aggregation:
    check("quantiles", list[float], quantiles)
    check("interp", Interpolation, interp)
    return Aggregation._of(Kind.QUANTILE, quantiles=list(quantiles), interp=interp)


def argmax() -> Aggregation:
    return Aggregation._of(Kind.ARGMAX)


def argmin() -> Aggregation:
    return Aggregation._of(Kind.ARGMIN)


def nunique(null_handling: NullPolicy = NullPolicy.EXCLUDE) -> Aggregation:
    check("null_handling", NullPolicy, null_handling)
    return Aggregation._of(Kind.NUNIQUE, nulls=null_handling)


def nth_element(n: int, null_handling: NullPolicy = NullPolicy.INCLUDE) -> Aggregation:
    check("n", int, n)
    check("null_handling", NullPolicy, null_handling)
    return Aggregation._of(Kind.NTH_ELEMENT, n=n, nulls=null_handling)


def collect_list(null_handling: NullPolicy = NullPolicy.INCLUDE) -> Aggregation:
    check("null_handling", NullPolicy, null_handling)
    return Aggregation._of(Kind.COLLECT_LIST, nulls=null_handling)


def collect_set(
    null_handling: NullPolicy = NullPolicy.INCLUDE,
    nulls_equal: NullEquality = NullEquality.EQUAL,
    nans_equal: NanEquality = NanEquality.ALL_EQUAL,
) -> Aggregation:
    check("null_handling", NullPolicy, null_handling)
    check("nulls_equal", NullEquality, nulls_equal)
    check("nans_equal", NanEquality, nans_equal)
    return Aggregation._of(
        Kind.COLLECT_SET, nulls=null_handling, null_equal=nulls_equal, nan_equal=nans_equal
    )


def rank(
    method: RankMethod,
    column_order: Order = Order.ASCENDING,
    null_handling: NullPolicy = NullPolicy.EXCLUDE,
    null_precedence: NullOrder = NullOrder.AFTER,
    percentage: RankPercentage = RankPercentage.NONE,
) -> Aggregation:
    check("method", RankMethod, method)
    check("column_order", Order, column_order)
    check("null_handling", NullPolicy, null_handling)
    check("null_precedence", NullOrder, null_precedence)
    check("percentage", RankPercentage, percentage)
    return Aggregation._of(
        Kind.RANK,
        method=method,
        order=column_order,
        nulls=null_handling,
        precedence=null_precedence,
        percentage=percentage,
    )


def row_number() -> Aggregation:
    return Aggregation._of(Kind.ROW_NUMBER)


def lag(offset: int) -> Aggregation:
    check("offset", int, offset)
    return Aggregation._of(Kind.LAG, offset=offset)


def lead(offset: int) -> Aggregation:
    check("offset", int, offset)
    return Aggregation._of(Kind.LEAD, offset=offset)


def m2() -> Aggregation:
    return Aggregation._of(Kind.M2)


def is_valid_aggregation(source: DataType, agg: Aggregation) -> bool:
    """Whether a type can be aggregated so; the real answer is said to be permissive."""
    from ._aggregates import result_type

    check("source", DataType, source)
    check("agg", Aggregation, agg)
    return result_type(source, agg._kind) is not None
