"""Aggregate functions."""

from __future__ import annotations

from .. import messages
from ..coercion import decimal_shape
from ..types import (
    BIGINT,
    BOOLEAN,
    DATE,
    DOUBLE,
    FLOAT,
    HUGEINT,
    INTEGER,
    INTERVAL,
    MAX_DECIMAL_WIDTH,
    SMALLINT,
    TIME,
    TIMESTAMP,
    TIMESTAMP_NS,
    TIMESTAMPTZ,
    TINYINT,
    UBIGINT,
    UINTEGER,
    USMALLINT,
    UTINYINT,
    VARCHAR,
    SQLType,
    TypeId,
    decimal,
    list_of,
    map_of,
)
from .signature import ANY, ANY_DECIMAL, AggregateFunction, BoundTypes, Overload, Values, same_type

_ANY1 = (Overload((ANY,), None, bind=same_type),)
_DOUBLE1 = (Overload((DOUBLE,), DOUBLE),)
_DOUBLE2 = (Overload((DOUBLE, DOUBLE), DOUBLE),)
_BOOL1 = (Overload((BOOLEAN,), BOOLEAN),)
_BITS = tuple(
    Overload((t,), t)
    for t in (TINYINT, SMALLINT, INTEGER, BIGINT, HUGEINT, UTINYINT, USMALLINT, UINTEGER, UBIGINT)
)


def _sum_decimal(kinds: tuple[SQLType, ...], values: Values) -> BoundTypes:
    shape = decimal_shape(kinds[0])
    if shape is None:
        return BoundTypes((HUGEINT,), HUGEINT)
    return BoundTypes((decimal(*shape),), decimal(MAX_DECIMAL_WIDTH, shape[1]))


def _avg_decimal(kinds: tuple[SQLType, ...], values: Values) -> BoundTypes:
    """The average of DECIMALs is a DOUBLE, but they are added up exactly."""
    shape = decimal_shape(kinds[0])
    return BoundTypes((DOUBLE if shape is None else decimal(*shape),), DOUBLE)


_STAMPS = (TypeId.TIMESTAMP_S, TypeId.TIMESTAMP_MS, TypeId.TIMESTAMP_NS)


def _interpolated(kind: SQLType) -> SQLType | None:
    """Result type of a continuous quantile: what lies between two values. None where nothing does."""
    if kind.is_decimal or kind.id in (TypeId.FLOAT, TypeId.TIME, TypeId.TIMESTAMPTZ):
        return kind
    if kind.is_numeric or kind.id is TypeId.NULL:
        return DOUBLE
    return TIMESTAMP if kind.is_temporal else None


def _median(kinds: tuple[SQLType, ...], values: Values) -> BoundTypes:
    kind = kinds[0]
    return BoundTypes(kinds, kind if kind.id in _STAMPS else _interpolated(kind) or kind)


def _quantile_cont(kinds: tuple[SQLType, ...], values: Values) -> BoundTypes:
    result = _interpolated(kinds[0])
    if result is None:
        raise messages.bad_argument(
            "quantile_cont", f"there is nothing between two values of type {kinds[0]}", None
        )
    return BoundTypes((kinds[0], DOUBLE), result)


def _quantile_disc(kinds: tuple[SQLType, ...], values: Values) -> BoundTypes:
    return BoundTypes((kinds[0], DOUBLE), kinds[0])


def _string_agg(kinds: tuple[SQLType, ...], values: Values) -> BoundTypes:
    return BoundTypes((VARCHAR,) * len(kinds), VARCHAR)


def _arg_extreme(name: str, text: str, *aliases: str) -> AggregateFunction:
    overload = Overload((ANY, ANY), None, bind=same_type)
    return AggregateFunction(name, (overload,), text, aliases, order_sensitive=True)


def _pair(name: str, text: str) -> AggregateFunction:
    return AggregateFunction(name, _DOUBLE2, text)


def _mad(kinds: tuple[SQLType, ...], values: Values) -> BoundTypes:
    """What lies between two values, a number of the kind or an interval."""
    kind = kinds[0]
    if kind.is_decimal or kind.is_float:
        return BoundTypes(kinds, kind)
    return BoundTypes((DOUBLE,), DOUBLE)


_MAD = (
    Overload((ANY_DECIMAL,), None, bind=_mad),
    *(Overload((t,), t) for t in (FLOAT, DOUBLE)),
    *(Overload((t,), INTERVAL) for t in (DATE, TIMESTAMP, TIME, TIMESTAMPTZ)),
)


def _digest(kinds: tuple[SQLType, ...], values: Values) -> BoundTypes:
    return BoundTypes((kinds[0], FLOAT), kinds[0])


_DIGEST = (
    Overload((ANY_DECIMAL, FLOAT), None, bind=_digest),
    *(
        Overload((t, FLOAT), t)
        for t in (
            SMALLINT,
            INTEGER,
            BIGINT,
            HUGEINT,
            DOUBLE,
            DATE,
            TIME,
            TIMESTAMP,
            TIMESTAMP_NS,
            TIMESTAMPTZ,
        )
    ),
)

FUNCTIONS = (
    _pair("corr", "Correlation of pairs of numbers"),
    _pair("covar_pop", "Covariance of the population"),
    _pair("covar_samp", "Covariance of a sample"),
    _pair("regr_avgx", "Average of x where y is not NULL; regr_avgx(y, x)"),
    _pair("regr_avgy", "Average of y where x is not NULL; regr_avgy(y, x)"),
    AggregateFunction(
        "regr_count",
        (Overload((DOUBLE, DOUBLE), UINTEGER),),
        "Number of pairs without NULL",
        empty=0,
    ),
    _pair("regr_slope", "Slope of the line through the points; regr_slope(y, x)"),
    _pair("regr_intercept", "Where that line meets x = 0"),
    _pair("regr_r2", "Square of the correlation"),
    _pair("regr_sxx", "Squared deviations of x"),
    _pair("regr_syy", "Squared deviations of y"),
    _pair("regr_sxy", "Products of the deviations of x and y"),
    AggregateFunction("skewness", _DOUBLE1, "Skewness of a sample"),
    AggregateFunction("kurtosis", _DOUBLE1, "Excess kurtosis of a sample"),
    AggregateFunction("kurtosis_pop", _DOUBLE1, "Excess kurtosis of the population"),
    AggregateFunction("sem", _DOUBLE1, "Standard error of the mean"),
    AggregateFunction(
        "entropy",
        (Overload((ANY,), None, bind=lambda kinds, _: BoundTypes(kinds, DOUBLE)),),
        "Entropy of how often each value comes, in bits",
        empty=0,
    ),
    AggregateFunction("mad", _MAD, "Median of the distances from the median"),
    AggregateFunction(
        "approx_quantile", _DIGEST, "About the value at a fraction of the sorted values", constants=(1,)
    ),
    _arg_extreme("arg_min_null", "As arg_min, where the first argument may be NULL"),
    _arg_extreme("arg_max_null", "As arg_max, where the first argument may be NULL"),
    AggregateFunction("count_star", (Overload((), BIGINT),), "Number of rows", skips_nulls=False, empty=0),
    AggregateFunction(
        "count",
        (Overload((ANY,), None, bind=lambda kinds, _: BoundTypes(kinds, BIGINT)),),
        "Number of rows where the argument is not NULL",
        empty=0,
    ),
    AggregateFunction(
        "sum",
        (
            *(Overload((t,), HUGEINT) for t in (BOOLEAN, SMALLINT, INTEGER, BIGINT, HUGEINT)),
            Overload((DOUBLE,), DOUBLE),
            Overload((ANY_DECIMAL,), None, bind=_sum_decimal),
        ),
        "Sum",
    ),
    AggregateFunction(
        "avg",
        (
            *(Overload((t,), DOUBLE) for t in (SMALLINT, INTEGER, BIGINT, HUGEINT, DOUBLE)),
            Overload((ANY_DECIMAL,), None, bind=_avg_decimal),
            *(Overload((t,), t) for t in (INTERVAL, TIME, TIMESTAMP, TIMESTAMPTZ, TIMESTAMP_NS)),
        ),
        "Average",
        ("mean",),
    ),
    AggregateFunction("min", _ANY1, "Smallest value", distinct_matters=False),
    AggregateFunction("max", _ANY1, "Largest value", distinct_matters=False),
    AggregateFunction("bool_and", _BOOL1, "Whether all values are true", distinct_matters=False),
    AggregateFunction("bool_or", _BOOL1, "Whether any value is true", distinct_matters=False),
    AggregateFunction(
        "first",
        _ANY1,
        "Value of the first row, NULL or not",
        ("arbitrary",),
        order_sensitive=True,
        skips_nulls=False,
    ),
    AggregateFunction(
        "last", _ANY1, "Value of the last row, NULL or not", order_sensitive=True, skips_nulls=False
    ),
    AggregateFunction("any_value", _ANY1, "First value that is not NULL", order_sensitive=True),
    _arg_extreme(
        "arg_min",
        "First argument in the row where the second is smallest; rows with a NULL do not count",
        "argmin",
        "min_by",
    ),
    _arg_extreme(
        "arg_max",
        "First argument in the row where the second is largest; rows with a NULL do not count",
        "argmax",
        "max_by",
    ),
    AggregateFunction("stddev_samp", _DOUBLE1, "Standard deviation of a sample", ("stddev",)),
    AggregateFunction("stddev_pop", _DOUBLE1, "Standard deviation of the population"),
    AggregateFunction("var_samp", _DOUBLE1, "Variance of a sample", ("variance",)),
    AggregateFunction("var_pop", _DOUBLE1, "Variance of the population"),
    AggregateFunction(
        "string_agg",
        (Overload((ANY,), None, bind=_string_agg), Overload((ANY, VARCHAR), None, bind=_string_agg)),
        "Values put together as text, with a separator (',' by default)",
        ("group_concat", "listagg"),
        order_sensitive=True,
        constants=(1,),
    ),
    AggregateFunction(
        "list",
        (Overload((ANY,), None, bind=lambda kinds, _: BoundTypes(kinds, list_of(kinds[0]))),),
        "All values, NULL too, as a list",
        ("array_agg",),
        order_sensitive=True,
        skips_nulls=False,
    ),
    AggregateFunction(
        "histogram",
        (Overload((ANY,), None, bind=lambda kinds, _: BoundTypes(kinds, map_of(kinds[0], UBIGINT))),),
        "A map from each value to the number of its rows",
    ),
    AggregateFunction(
        "median",
        (Overload((ANY,), None, bind=_median),),
        "Middle value, between the two middle ones where there are two",
    ),
    AggregateFunction(
        "quantile_disc",
        (Overload((ANY, DOUBLE), None, bind=_quantile_disc),),
        "Value at a fraction of the sorted values",
        ("quantile",),
        constants=(1,),
    ),
    AggregateFunction(
        "quantile_cont",
        (Overload((ANY, DOUBLE), None, bind=_quantile_cont),),
        "Value at a fraction of the sorted values, interpolated",
        constants=(1,),
    ),
    AggregateFunction("mode", _ANY1, "Most frequent value, the first one of equals", order_sensitive=True),
    AggregateFunction("product", _DOUBLE1, "Product"),
    AggregateFunction("bit_and", _BITS, "Bitwise AND of all values", distinct_matters=False),
    AggregateFunction("bit_or", _BITS, "Bitwise OR of all values", distinct_matters=False),
    AggregateFunction("bit_xor", _BITS, "Bitwise exclusive OR of all values"),
    AggregateFunction(
        "count_if",
        (Overload((BOOLEAN,), HUGEINT),),
        "Number of rows where the condition is true",
        ("countif",),
    ),
)

# Other names of the functions above, with overloads of their own: the sums of doubles are compensated anyway,
# and so many different values are counted exactly.
VARIANTS: dict[str, AggregateFunction] = {
    **dict.fromkeys(("fsum", "kahan_sum", "sumkahan"), AggregateFunction("sum", _DOUBLE1, "Compensated sum")),
    "favg": AggregateFunction("avg", _DOUBLE1, "Compensated average"),
    "sum_no_overflow": AggregateFunction(
        "sum",
        (
            *(Overload((t,), HUGEINT) for t in (INTEGER, BIGINT)),
            Overload((ANY_DECIMAL,), None, bind=_sum_decimal),
        ),
        "Sum",
    ),
    "approx_count_distinct": AggregateFunction(
        "count",
        (Overload((ANY,), None, bind=lambda kinds, _: BoundTypes(kinds, BIGINT)),),
        "Number of different values, which is exact here",
        empty=0,
    ),
}
ALWAYS_DISTINCT = frozenset({"approx_count_distinct"})
