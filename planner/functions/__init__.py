"""The function registry: signatures, result types, NULL rule, volatility and one line of help.

Devices implement functions by canonical name (`Call.function`, `AggregateCall.function`); aliases never reach
a plan. What is registered here must be implemented by the CPU backend. Argument types of a bound call are
exactly those of the chosen overload: the binder has inserted the casts.

Canonical scalar names (aliases in brackets):
- operators: + - * / // [divide] % [mod] neg || & | << >> ~ xor [as function]; 'pow' [power, **, ^]
- numbers: abs [@] sign ceil [ceiling] floor round trunc sqrt cbrt exp ln log2 log10 log (two arguments: base,
  x; log(x) is bound as log10) sin cos tan cot asin acos atan atan2 sinh cosh tanh asinh acosh atanh degrees
  radians pi gcd lcm factorial gamma lgamma even fmod isnan isinf isfinite signbit bit_count greatest least
  random nextafter round_even [roundbankers] binom
- strings: length [len char_length character_length] strlen bit_length octet_length lower [lcase] upper
  [ucase] trim ltrim rtrim substring [substr] left right replace reverse repeat lpad rpad concat concat_ws
  contains starts_with [prefix ^@] ends_with [suffix] strpos [position instr] ascii unicode [ord] chr
  split_part translate md5 sha256 hex [to_hex] levenshtein [editdist3] like like_escape ilike ilike_escape ~~~
  regexp_matches regexp_full_match regexp_replace regexp_extract regexp_escape strip_accents nfc_normalize
  overlay left_grapheme right_grapheme length_grapheme substring_grapheme error
- encodings: bin [to_binary] unhex [from_hex] unbin [from_binary] to_base64 [base64] from_base64 to_base
  url_encode url_decode encode decode sha1 hash
- similarity: damerau_levenshtein hamming [mismatches] jaccard jaro_similarity jaro_winkler_similarity
- paths: parse_dirname parse_dirpath parse_filename
- formatting: printf format format_bytes [formatreadablesize pg_size_pretty] formatreadabledecimalsize bar
- dates: year month day [dayofmonth] quarter week [weekofyear] yearweek dayofweek [weekday] isodow dayofyear
  isoyear decade century millennium era hour minute second millisecond microsecond nanosecond epoch epoch_ms
  epoch_us epoch_ns julian date_part [datepart] date_trunc [datetrunc] date_diff [datediff] date_sub [datesub]
  make_date make_time make_timestamp last_day dayname monthname strftime strptime try_strptime age
  current_date [today] now [current_timestamp get_current_timestamp transaction_timestamp] to_years
  to_quarters to_months to_weeks to_days to_hours to_minutes to_seconds to_milliseconds to_microseconds
  to_decades to_centuries to_millennia to_timestamp make_timestamp_ms make_timestamp_ns make_timestamptz
  time_bucket timezone

- lists: list_value [list_pack] list_extract [list_element array_extract] list_slice [array_slice]
  list_contains list_position list_concat list_append list_prepend list_distinct list_unique list_sort
  list_reverse_sort list_grade_up list_reverse list_resize list_zip list_has_any [&&] list_has_all [@>]
  list_intersect list_select list_where flatten list_distance list_cosine_similarity list_cosine_distance
  list_inner_product list_negative_inner_product range generate_series string_split string_split_regex
  regexp_extract_all list_join [array_to_string] list_aggregate [list_sum list_min ...] array_length
  list_transform list_filter list_reduce
- structs and maps: struct_pack [row] struct_extract map map_keys map_values map_entries map_from_entries
  map_extract [element_at] map_extract_value map_contains map_contains_value map_concat cardinality

Date part names in the first argument of date_trunc, date_diff, date_sub and date_part are normalised by the
binder when they are literals ('mon' -> 'month'). date_part with a literal part is bound to the part's own
function. typeof, coalesce, ifnull, nullif, if, fdiv, date_add, current_schema, current_database are bound to
other nodes and have no implementation.

Canonical aggregates: count count_star sum avg [mean] min max bool_and bool_or first [arbitrary] last
any_value arg_min [argmin min_by] arg_max [argmax max_by] stddev_samp [stddev] stddev_pop var_samp [variance]
var_pop string_agg [group_concat listagg] list [array_agg] histogram median quantile_disc [quantile]
quantile_cont mode product bit_and bit_or bit_xor count_if [countif] corr covar_pop covar_samp regr_avgx
regr_avgy regr_count regr_slope regr_intercept regr_r2 regr_sxx regr_syy regr_sxy skewness kurtosis
kurtosis_pop sem entropy mad approx_quantile arg_min_null arg_max_null .
Literal parameters (the separator of string_agg, the fraction of quantiles) stay arguments: `args[1]` is a
Literal.

Canonical window functions: row_number rank dense_rank [rank_dense] percent_rank cume_dist ntile lag lead
first_value last_value nth_value. Most aggregates may stand over windows too.
"""

from __future__ import annotations

from collections.abc import Iterable

from . import (
    aggregates,
    arithmetic,
    dates,
    encodings,
    formatting,
    lists,
    moments,
    numbers,
    paths,
    similarity,
    strings,
    structs,
    windows,
)
from .aggregates import ALWAYS_DISTINCT
from .dates import CALENDAR_PARTS, DATE_PARTS
from .refused import REFUSED
from .resolve import choose, resolve
from .signature import AggregateFunction, BoundTypes, Nulls, Overload, Registry, ScalarFunction, Volatility
from .user import Form, UserFunction
from .windows import OVER_NAMES, WindowFunction

_scalars = Registry()
_SCALAR_FAMILIES = (
    *(arithmetic, numbers, strings, encodings, similarity, paths, formatting, dates, moments),
    *(lists, structs),
)
_scalars.add(*(function for family in _SCALAR_FAMILIES for function in family.FUNCTIONS))
_aggregates = Registry()
_aggregates.add(*aggregates.FUNCTIONS)
_aggregates.spellings |= aggregates.VARIANTS
_windows = Registry()
_windows.add(*windows.FUNCTIONS)

# By canonical name: what devices implement.
SCALARS: dict[str, ScalarFunction] = _scalars.functions
AGGREGATES: dict[str, AggregateFunction] = _aggregates.functions
WINDOWS: dict[str, WindowFunction] = _windows.functions


def find_scalar(name: str) -> ScalarFunction | None:
    """The scalar function of this spelling (lower case), None if there is none.

    >>> find_scalar("substr").name
    'substring'
    """
    return _scalars.spellings.get(name)


def find_aggregate(name: str) -> AggregateFunction | None:
    """The aggregate of this spelling (lower case), None if there is none."""
    return _aggregates.spellings.get(name)


def find_window(name: str) -> WindowFunction | None:
    """The window function of this spelling (lower case), None if there is none; aggregates are no window
    functions, though most may stand over windows."""
    return _windows.spellings.get(name)


def function_names(users: Iterable[str] = ()) -> tuple[str, ...]:
    """Every spelling that can be called by name, for candidates and completion; `users` are those of the
    connection's own functions.
    """
    special = ("coalesce", "ifnull", "nullif", "if", "typeof", "date_add")
    names = {*_scalars.spellings, *_aggregates.spellings, *_windows.spellings, *special, *users}
    return tuple(sorted(n for n in names if n[0].isalpha()))


__all__ = [
    "AGGREGATES",
    "ALWAYS_DISTINCT",
    "CALENDAR_PARTS",
    "DATE_PARTS",
    "OVER_NAMES",
    "REFUSED",
    "SCALARS",
    "WINDOWS",
    "AggregateFunction",
    "BoundTypes",
    "Form",
    "Nulls",
    "Overload",
    "ScalarFunction",
    "UserFunction",
    "Volatility",
    "WindowFunction",
    "choose",
    "find_aggregate",
    "find_scalar",
    "find_window",
    "function_names",
    "resolve",
]
