"""Scalar functions and casts that the GPU runs: pure data, importable with no GPU library installed."""

from __future__ import annotations

from collections.abc import Callable

from ..planner import expr as e
from ..planner.errors import SqlError
from ..planner.functions import DATE_PARTS
from ..planner.time_formats import pieces
from ..planner.types import SQLType, TypeId
from . import regex

Reason = str | None

_INTERVALS = "libcudf has no column type for intervals"
_NESTED = "lists, structs and maps are computed on the CPU"
_TIMES = "libcudf has no column type for a time of day"
_NO_REASON: dict[str, Reason] = {}
FUNCTIONS: dict[str, Reason] = (
    _NO_REASON
    | dict.fromkeys(("+", "-", "*", "/", "//", "%", "neg", "&", "|", "xor", "~", "<<", ">>", "bit_count"))
    | dict.fromkeys(("abs", "sign", "round", "trunc", "ceil", "floor", "factorial", "greatest", "least"))
    | dict.fromkeys(("exp", "sqrt", "cbrt", "pow", "ln", "log", "log2", "log10", "pi", "even", "fmod"))
    | dict.fromkeys(("sin", "cos", "tan", "cot", "asin", "acos", "atan", "atan2", "degrees", "radians"))
    | dict.fromkeys(("sinh", "cosh", "tanh", "asinh", "acosh", "atanh"))
    | dict.fromkeys(("isnan", "isinf", "isfinite", "signbit"))
    | dict.fromkeys(("length", "strlen", "bit_length", "lower", "upper", "trim", "ltrim", "rtrim"))
    | dict.fromkeys(("||", "concat", "concat_ws", "substring", "left", "right", "lpad", "rpad", "repeat"))
    | dict.fromkeys(("contains", "starts_with", "ends_with", "strpos", "replace", "translate", "split_part"))
    | dict.fromkeys(("like", "like_escape", "ilike", "ilike_escape"))
    | dict.fromkeys(("regexp_matches", "regexp_full_match", "regexp_extract", "regexp_replace"))
    | dict.fromkeys(("ascii", "unicode", "hex", "md5", "sha256"))
    | dict.fromkeys(("year", "month", "day", "quarter", "week", "yearweek", "dayofweek", "isodow"))
    | dict.fromkeys(("dayofyear", "isoyear", "decade", "century", "millennium", "era", "julian"))
    | dict.fromkeys(("hour", "minute", "second", "millisecond", "microsecond", "nanosecond"))
    | dict.fromkeys(("epoch", "epoch_ms", "epoch_us", "epoch_ns", "last_day", "dayname", "monthname"))
    | dict.fromkeys(("date_trunc", "date_diff", "date_sub", "make_date", "make_timestamp", "strftime"))
    | dict.fromkeys(("current_date",))
    | dict.fromkeys(
        (
            *("to_years", "to_quarters", "to_months", "to_weeks", "to_days", "to_hours", "to_minutes"),
            *("to_seconds", "to_milliseconds", "to_microseconds", "to_decades", "to_centuries"),
            *("to_millennia", "age"),
        ),
        _INTERVALS,
    )
    | dict.fromkeys(
        (
            *("bin", "unhex", "unbin", "to_base64", "from_base64", "to_base", "url_encode", "url_decode"),
            *("encode", "decode", "sha1", "damerau_levenshtein", "hamming", "jaccard", "jaro_similarity"),
            *("jaro_winkler_similarity", "parse_dirname", "parse_dirpath", "parse_filename", "printf"),
            *("format", "format_bytes", "formatreadabledecimalsize", "bar", "regexp_escape", "overlay"),
            *("strip_accents", "nfc_normalize", "left_grapheme", "right_grapheme", "length_grapheme"),
            *("substring_grapheme", "nextafter", "round_even", "binom"),
        ),
        "libcudf has no such function",
    )
    | dict.fromkeys(
        (
            *("list_value", "list_extract", "list_slice", "list_contains", "list_position", "list_concat"),
            *(
                "list_append",
                "list_prepend",
                "list_distinct",
                "list_unique",
                "list_sort",
                "list_reverse_sort",
            ),
            *("list_grade_up", "list_reverse", "list_resize", "list_zip", "list_has_any", "list_has_all"),
            *("list_intersect", "list_select", "list_where", "flatten", "list_distance", "array_length"),
            *("list_cosine_similarity", "list_cosine_distance", "list_inner_product", "list_join"),
            *(
                "list_negative_inner_product",
                "range",
                "generate_series",
                "string_split",
                "string_split_regex",
            ),
            *("regexp_extract_all", "list_aggregate", "list_transform", "list_filter", "list_reduce"),
            *("struct_pack", "struct_extract", "map", "map_keys", "map_values", "map_entries"),
            *("map_from_entries", "map_extract", "map_extract_value", "map_contains", "map_contains_value"),
            *("map_concat", "cardinality"),
        ),
        _NESTED,
    )
    | {
        **dict.fromkeys(("to_timestamp", "make_timestamptz", "timezone"), "libcudf has no time zones"),
        **dict.fromkeys(("make_timestamp_ms", "make_timestamp_ns"), "their range is checked on the CPU"),
        "time_bucket": _INTERVALS,
        "hash": "libcudf has other hashes",
        "error": "it raises an error, which the CPU does",
        "make_time": _TIMES,
        "now": "libcudf has no timestamps with a time zone",
        "~~~": "patterns of GLOB that differ from row to row are translated on the CPU",
        "octet_length": "libcudf has no binary column type",
        "date_part": "a part that differs from row to row is looked up on the CPU",
        "reverse": "characters as people see them, with their accents, are told apart on the CPU",
        "levenshtein": "libcudf counts characters, not bytes",
        "chr": "libcudf makes no text of code points",
        "gamma": "libcudf has no gamma function",
        "lgamma": "libcudf has no gamma function",
        "gcd": "the steps of Euclid's algorithm differ from row to row",
        "lcm": "the steps of Euclid's algorithm differ from row to row",
        "random": "random numbers are made on the CPU",
        "strptime": "libcudf reads texts that do not fit the format",
        "try_strptime": "libcudf reads texts that do not fit the format",
    }
)

# Arguments, by place, that must be literals: libcudf takes scalars there, or they are read in advance.
LITERALS: dict[str, tuple[int, ...]] = {
    "like": (1,),
    "like_escape": (1, 2),
    "ilike": (1,),
    "ilike_escape": (1, 2),
    "replace": (1, 2),
    "translate": (1, 2),
    "trim": (1,),
    "ltrim": (1,),
    "rtrim": (1,),
    "lpad": (1, 2),
    "rpad": (1, 2),
    "split_part": (1, 2),
    "concat_ws": (0,),
    "regexp_matches": (1, 2),
    "regexp_full_match": (1, 2),
    "regexp_replace": (1, 2, 3),
    "regexp_extract": (1, 2, 3),
    "date_trunc": (0,),
    "date_diff": (0,),
    "date_sub": (0,),
    "round": (1,),
    "trunc": (1,),
}
_NARROW = frozenset({"//", "%", "&", "|", "xor", "~", "<<", ">>", "bit_count"})
_LONGEST_PADDING = 10_000
# No moment has a start of its era.
_PARTS = frozenset(set(DATE_PARTS.values()) - {"era"})


def call_reasons(call: e.Call) -> list[str]:
    """Why a call of a function that there is cannot run with these arguments."""
    name = call.function
    reasons = []
    for place in LITERALS.get(name, ()):
        if place < len(call.args) and not isinstance(call.args[place], e.Literal):
            reasons.append(f"the function {name}: argument {place + 1} is no constant")
    types = [arg.type for arg in call.args]
    if any(kind.id is TypeId.INTERVAL for kind in types):
        reasons.extend(_interval_reasons(call))
    if name in ("+", "-") and call.type.id is not TypeId.INTERVAL and TypeId.TIME in {k.id for k in types}:
        reasons.append(f"the function {name}: {_TIMES}")
    if name in _NARROW and not all(_fits_64(kind, name) for kind in types):
        reasons.append(
            f"the function {name} of {_widest(types)}: 128-bit integers and decimals run on the CPU"
        )
    if name == "hex" and types[0].id not in (TypeId.BIGINT, TypeId.UBIGINT):
        reasons.append(f"the function hex of {types[0]}: libcudf writes integers of up to 64 bits so")
    # A NULL among the literals makes the result NULL before any of them matters.
    if not reasons and name in _CHECKS and not _has_null(call):
        why = _CHECKS[name](call)
        if why is not None:
            reasons.append(f"the function {name}: {why}")
    return reasons


def _fits_64(kind: SQLType, name: str) -> bool:
    if kind.is_decimal:
        return name == "%" and kind.width <= 18
    return kind.is_float or (kind.is_integer and kind.id is not TypeId.HUGEINT)


def _widest(types: list[SQLType]) -> SQLType:
    return max(types, key=lambda kind: (kind.is_decimal, kind.width, kind.id is TypeId.HUGEINT))


def _interval_reasons(call: e.Call) -> list[str]:
    constant = any(isinstance(arg, e.Literal) and arg.type.id is TypeId.INTERVAL for arg in call.args)
    if call.function in ("+", "-") and call.type.is_temporal and constant:
        return []
    return [f"the function {call.function}: arithmetic with intervals that are no constants runs on the CPU"]


def _value(call: e.Call, place: int, missing: object = None) -> object:
    """The value of a literal argument."""
    if place >= len(call.args):
        return missing
    arg = call.args[place]
    assert isinstance(arg, e.Literal)
    return arg.value


def _has_null(call: e.Call) -> bool:
    return any(isinstance(arg, e.Literal) and arg.value is None for arg in call.args)


def _text(call: e.Call, place: int, missing: str = "") -> str:
    found = _value(call, place, missing)
    return found if isinstance(found, str) else missing


def _pattern(call: e.Call) -> Reason:
    pattern, escape = _text(call, 1), _text(call, 2)
    if len(escape) > 1 or not escape.isascii():
        return "libcudf takes one ASCII character as escape"
    place = 0
    while escape and place < len(pattern):
        if pattern[place] == escape:
            if place + 1 == len(pattern):
                return "a pattern that ends with its escape character is an error"
            place += 1
        place += 1
    return None


def _regex(call: e.Call) -> Reason:
    try:
        if call.function == "regexp_extract":
            group = _value(call, 2, 0)
            regex.extraction(_text(call, 1), group if isinstance(group, int) else 0, _text(call, 3))
        elif call.function == "regexp_replace":
            regex.replacement(_text(call, 1), _text(call, 2), _text(call, 3))
        else:
            regex.search(_text(call, 1), _text(call, 2))
    except regex.Unfit as why:
        return str(why)
    return None


def _split(call: e.Call) -> Reason:
    index = _value(call, 2)
    if not _text(call, 1):
        return "an empty separator takes a text apart character by character"
    if isinstance(index, int) and not 0 <= index < 2**31:
        return "libcudf counts parts from the start only"
    return None


def _padding(call: e.Call) -> Reason:
    size = _value(call, 1)
    if isinstance(size, int) and size > _LONGEST_PADDING:
        return f"texts are filled up to more than {_LONGEST_PADDING} characters on the CPU"
    return None


def _translation(call: e.Call) -> Reason:
    return "libcudf leaves out what becomes a zero character" if "\0" in _text(call, 2) else None


def _part(call: e.Call) -> Reason:
    given = _value(call, 0)
    part = DATE_PARTS.get(str(given).lower())
    return None if part in _PARTS else f"the part {given} is an error, which the CPU raises"


def _format(call: e.Call) -> Reason:
    place = 0 if call.args[0].type.is_string else 1
    if not isinstance(call.args[place], e.Literal):
        return "the format is no constant"
    try:
        pieces(_text(call, place))
    except SqlError:
        return "the format is an error, which the CPU raises"
    return None


_CHECKS: dict[str, Callable[[e.Call], Reason]] = {
    **dict.fromkeys(("like", "like_escape", "ilike", "ilike_escape"), _pattern),
    **dict.fromkeys(("regexp_matches", "regexp_full_match", "regexp_extract", "regexp_replace"), _regex),
    "split_part": _split,
    "lpad": _padding,
    "rpad": _padding,
    "translate": _translation,
    **dict.fromkeys(("date_trunc", "date_diff", "date_sub"), _part),
    "strftime": _format,
}

_SHORTEST = "libcudf does not write the shortest digits that give a floating-point number back"
_NEAREST = "libcudf does not read floating-point numbers to the nearest one"


def cast_reasons(source: SQLType, target: SQLType) -> list[str]:
    """Why a value cannot be cast."""
    if source == target or source.id is TypeId.NULL:
        return []
    what = f"CAST from {source} to {target}"
    if source.is_float and target.is_string:
        return [f"{what}: {_SHORTEST}"]
    if source.is_string and target.is_float:
        return [f"{what}: {_NEAREST}"]
    if source.is_temporal is not target.is_temporal and not target.is_string and not source.is_string:
        return [f"{what} runs on the CPU"]
    return []
