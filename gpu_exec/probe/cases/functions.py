"""What SQL's functions, casts and aggregates are made of, beyond the plain calls of the other areas."""

from __future__ import annotations

import decimal
from collections.abc import Iterator

import pyarrow as pa

from .. import samples
from ..case import Case, Order
from ..forms import Form, ItemForm, MapForm, call, column, dtype, method, name, scalar, table

_TEXT, _I32, _I64, _F64 = pa.string(), pa.int32(), pa.int64(), pa.float64()
_D = decimal.Decimal
_TEXTS = column(
    _TEXT, ["", "abc", "ABC k", "éaß日", None, "İK", "x\ny", "  a ", "12.50", "-7e3", "\U0001f600z", "ŉ"]
)


def _one(text: str | None) -> Form:
    return scalar(_TEXT, text)


def _program(pattern: str, flag: str = "DEFAULT") -> Form:
    flags = name(f"strings.regex_flags.RegexFlags.{flag}")
    return call("strings.regex_program.RegexProgram.create", pattern, flags)


def cases() -> Iterator[Case]:
    yield from _characters()
    yield from _patterns()
    yield from _numbers()
    yield from _calendar()
    yield from _aggregates()


def _characters() -> Iterator[Case]:
    letters = MapForm((("a", "A"), ("é", "É"), ("日", "月"), ("k", 0), ("İ", "i"), ("\U0001f600", "x")))
    for title, values in (("full", _TEXTS), *((t, v) for t, v in samples.patterns(_TEXT) if t != "full")):
        translated = call("strings.translate.translate", values, letters)
        yield Case(f"strings/translate/{title}", translated)
        yield Case(f"strings/code_points/{title}", call("strings.attributes.code_points", values))
        for function in ("md5", "sha256"):
            yield Case(f"hash/{function}/{title}", call(f"hashing.{function}", table(values)))
    yield Case("strings/translate/none", call("strings.translate.translate", _TEXTS, MapForm(())))
    fours, hexes = column(_TEXT, ["00", "01", "10", "11"]), column(_TEXT, ["0", "1", "2", "3"])
    bits = column(_TEXT, ["0011", "10", "110", "", None, "0110111001"])
    yield Case("strings/replace_multiple", call("strings.replace.replace_multiple", bits, fours, hexes))
    for width in (1, 5, 38):
        digits = column(_TEXT, ["7", "-7", "", None, "123456"])
        yield Case(f"strings/zfill/{width}", call("strings.padding.zfill", digits, width))
    starts, stops = column(_I32, [0, 0, 9, 1]), column(_I32, [0, 9, 9, 0])
    short = column(_TEXT, ["abc", "abc", "abc", None])
    yield Case("strings/slice/empty_parts", call("strings.slice.slice_strings", short, starts, stops))
    times = column(_I32, [2, None, 0, -1])
    yield Case("strings/repeat/column", call("strings.repeat.repeat_strings", short, times))
    haystack = column(_TEXT, ["abc", "", "日"])
    yield Case("search/contains/text", call("search.contains", haystack, _TEXTS))


def _patterns() -> Iterator[Case]:
    """Where RE2 and libcudf must agree: see `gpu_exec/regex.py`."""
    expressions = (
        *("[^a]", "[^a-z]b", "^(?:abc|x)", "[a-c]{2,}", "[0-9]{1,2}[.][0-9]*", "(?:a|b)+c?$", "x.y", "[[a]"),
        *("^a", "[\\]a-]", "[\\t-\\r ]", "-?[0-9]+(?:[eE][-+]?[0-9]+)?$", "^[-+]?(?:[0-9]+[.]?|[.][0-9]+)$"),
        *("c$", "c\\Z", "^(?:abc|x)\\Z", "b(?:\\Z|c\\Z)"),
    )
    for i, expression in enumerate(expressions):
        for flag in ("DEFAULT", "DOTALL"):
            made = call("strings.contains.contains_re", _TEXTS, _program(expression, flag))
            yield Case(f"strings/regex_subset/{i}/{flag}", made)
    for i, expression in enumerate(("(a)(b)?", "([a-z])([0-9]*)", "([0-9]+)[.]([0-9]*)", "(a|ab)(c|bcd)")):
        for group in (0, 1):
            made = call("strings.extract.extract_single", _TEXTS, _program(expression), group)
            yield Case(f"strings/extract_single/{i}/{group}", made)
    for most in (1, 2, -1):
        made = call("strings.replace_re.replace_re", _TEXTS, _program("[a-c]"), _one("<$1>"), most)
        yield Case(f"strings/replace_re/most/{most}", made)


def _numbers() -> Iterator[Case]:
    convert = "strings.convert.convert_integers"
    for kind in (pa.int8(), _I32, _I64, pa.uint64()):
        values = samples.with_nulls(kind)
        yield Case(f"convert/integers_to_hex/{kind}", call(f"{convert}.integers_to_hex", values))
    digits = column(_TEXT, ["0", "FF", "7fffffffffffffff", "ffffffffffffffff", None, ""])
    yield Case("convert/hex_to_integers", call(f"{convert}.hex_to_integers", digits, dtype("UINT64")))
    long = column(_TEXT, ["9999999999999999999", "0000000000000000012", "18446744073709551615", None])
    yield Case("convert/to_integers/UINT64", call(f"{convert}.to_integers", long, dtype("UINT64")))
    whole = column(pa.decimal128(38, 0), [_D("9" * 38), _D("-7"), _D(0), None])
    written = call("strings.convert.convert_fixed_point.from_fixed_point", whole)
    yield Case("convert/from_fixed_point/whole", written)
    for kind in (pa.int8(), _I32, _I64, pa.uint8(), pa.uint64()):
        values = samples.with_nulls(kind)
        for operator in ("BIT_COUNT", "BIT_INVERT"):
            made = call("unary.unary_operation", values, name(f"unary.UnaryOperator.{operator}"))
            yield Case(f"unary/bits/{operator}/{kind}", made)
    doubles = column(_F64, [0.0, 2.0**63, 2.0**64 - 2048, 1e18, None])
    for target in ("UINT64", "INT64"):
        yield Case(f"cast/whole_doubles/{target}", call("unary.cast", doubles, dtype(target)))
    large = column(pa.uint64(), [2**64 - 1, 0, 2**63, None])
    yield Case("cast/UINT64/DECIMAL128", call("unary.cast", large, dtype("DECIMAL128")))
    halves = column(_F64, [-0.5, 0.5, 1.5, 2.5, -2.5, 1e300, None, float("nan"), float("-inf"), -0.0])
    for operator in ("RINT", "FLOOR", "CEIL"):
        made = call("unary.unary_operation", halves, name(f"unary.UnaryOperator.{operator}"))
        yield Case(f"unary/halves/{operator}", made)


def _calendar() -> Iterator[Case]:
    days = pa.array([0, 146_096, 59, 60, 11_016, None, 364, 365], _I32).cast(pa.date32())
    cycle = column(pa.date32(), days.to_pylist())
    for part in ("YEAR", "MONTH", "DAY", "WEEKDAY"):
        component = name(f"datetime.DatetimeComponent.{part}")
        made = call("datetime.extract_datetime_component", cycle, component)
        yield Case(f"datetime/cycle/{part}", made)


def _aggregates() -> Iterator[Case]:
    values = column(_I64, [1, 2, 3, None, 5])
    for offset in (-1, -4, -9, 2):
        made = call("copying.shift", values, offset, scalar(_I64, 0))
        yield Case(f"gather/shift/{offset}", made)
    nothing = column(_TEXT, [None, None, None])
    placed = call("copying.scatter", table(column(_TEXT, ["x", "y"])), column(_I32, [2, 0]), table(nothing))
    yield Case("gather/scatter/some_groups", placed)
    running = name("reduce.ScanType.INCLUSIVE")
    yield Case(
        "reduce/scan/counts", call("reduce.scan", column(_I64, [2, 0, 3]), call("aggregation.sum"), running)
    )
    keys = table(column(_I32, [0, 1, 0, 2, 0, 2]))
    texts = column(_TEXT, ["a", "b", None, None, "c", None])
    exclude = name("types.NullPolicy.EXCLUDE")
    request = call("groupby.GroupByRequest", texts, [call("aggregation.collect_list", exclude)])
    lists = ItemForm(ItemForm(method(call("groupby.GroupBy", keys), "aggregate", [request]), 1), 0)
    yield Case("group/collect_list/filtered", lists, Order.ROWS)
    policy = name("strings.combine.OutputIfEmptyList.NULL_ELEMENT")
    joined = call(
        "strings.combine.join_list_elements",
        column(pa.list_(_TEXT), [["a", "c"], ["b"], [], None, ["", ""]]),
        _one(", "),
        _one(None),
        _one(None),
        name("strings.combine.SeparatorOnNulls.YES"),
        policy,
    )
    yield Case("strings/join_list_elements", joined)
