"""Strings, dates and Parquet files on the double, against values worked out by hand."""

from __future__ import annotations

import datetime
import decimal
import math
from pathlib import Path
from typing import Any

import pyarrow as pa
import pyarrow.parquet as pq
import pytest
from doubles.testing import col, dtype, scalar, table, values

I32, I64, F64, BOOL, TEXT = pa.int32(), pa.int64(), pa.float64(), pa.bool_(), pa.string()
pytestmark = pytest.mark.usefixtures("device")


def one(text: str | None) -> Any:
    return scalar(TEXT, text)


def texts(*found: str | None) -> Any:
    return col(TEXT, ["before", *found], 1)


def strings() -> Any:
    import pylibcudf as plc

    return plc.strings


def test_lengths_and_case() -> None:
    s = strings()
    of = texts("", "éa日", None, "ß")
    assert values(s.attributes.count_characters(of)) == [0, 3, None, 1]
    assert values(s.attributes.count_bytes(of)) == [0, 6, None, 2]
    assert values(s.case.to_upper(of)) == ["", "ÉA日", None, "ß"]
    assert values(s.case.to_lower(texts("ÀB", None))) == ["àb", None]
    assert values(s.case.swapcase(texts("aB"))) == ["Ab"]
    assert values(s.capitalize.title(texts("n2vidia a TEST"))) == ["N2Vidia A Test"]
    with pytest.raises(TypeError, match="strings"):
        s.case.to_upper(col(I64, [1]))


def test_finding() -> None:
    s = strings()
    of = texts("abcabc", None, "日本")
    assert values(s.find.find(of, one("c"))) == [2, None, -1]
    assert values(s.find.rfind(of, one("c"))) == [5, None, -1]
    assert values(s.find.find(of, one("本"))) == [-1, None, 1]
    assert values(s.find.contains(of, one(""))) == [True, None, True]
    assert values(s.find.contains(of, texts("z", "z", None))) == [False, None, False]
    assert values(s.find.starts_with(of, texts("ab", "z", None))) == [True, None, None]
    with pytest.raises(RuntimeError, match="valid"):
        s.find.contains(of, one(None))
    with pytest.raises(TypeError):
        s.find.contains(of, "a")


@pytest.mark.parametrize(
    ("pattern", "escape", "expected"),
    [
        ("a%", None, [True, True, None, False]),
        ("%c", None, [True, False, None, False]),
        ("a_c", None, [True, False, None, False]),
        ("", None, [False, False, None, False]),
        ("%\n%", None, [False, False, None, True]),
        ("a!%%", "!", [False, True, None, False]),
        ("_", None, [False, False, None, True]),
    ],
)
def test_like(pattern: str, escape: str | None, expected: list[Any]) -> None:
    of = texts("abc", "a%b", None, "\n")
    assert values(strings().contains.like(of, pattern, escape)) == expected


def test_like_of_regex_signs() -> None:
    assert values(strings().contains.like(texts("a.c", "abc", "a\\c"), "a.c")) == [True, False, False]
    assert values(strings().contains.like(texts("(x) ", "日本"), "(%) ")) == [True, False]


def program(pattern: str) -> Any:
    s = strings()
    return s.regex_program.RegexProgram.create(pattern, s.regex_flags.RegexFlags.DEFAULT)


def test_regular_expressions() -> None:
    s = strings()
    of = texts("abc", "xbc\n", None, "aXaY")
    assert values(s.contains.contains_re(of, program("c$"))) == [True, True, None, False]
    assert values(s.contains.contains_re(of, program("c\\Z"))) == [True, False, None, False]
    assert values(s.contains.matches_re(of, program("bc"))) == [False, False, None, False]
    assert values(s.contains.count_re(of, program("a"))) == [1, 0, None, 2]
    assert values(s.replace_re.replace_re(of, program("a(.)"), one("#"))) == ["#c", "xbc\n", None, "##"]
    assert values(s.replace_re.replace_with_backrefs(of, program("(a)(.)"), "\\2\\1"))[3] == "XaYa"
    found = s.extract.extract(of, program("(a)(.)"))
    assert values(found) == [("a", "b"), (None, None), (None, None), ("a", "X")]
    with pytest.raises(RuntimeError, match="repeat"):
        program("(?i)a")
    with pytest.raises(RuntimeError, match="parenthesis"):
        program("(")


def test_pieces() -> None:
    s = strings()
    of = texts("aXbXc", "x", None, "")
    assert values(s.split.split.split_part(of, one("X"), 1)) == ["b", None, None, None]
    assert values(s.split.split.split_record(of, one("X"), 1)) == [["a", "bXc"], ["x"], None, [""]]
    assert values(s.split.partition.partition(of, one("X")))[0] == ("a", "X", "bXc")
    ends = scalar(I32, 1), scalar(I32, 3), None
    assert values(s.slice.slice_strings(of, *ends)) == ["Xb", "", None, ""]
    back = scalar(I32, -2), scalar(I32, 99)
    assert values(s.slice.slice_strings(of, *back)) == ["Xc", "x", None, ""]
    starts, stops = col(I32, [0, 0, 0, 0]), col(I32, [-1, 1, 1, 1])
    assert values(s.slice.slice_strings(of, starts, stops)) == ["aXbXc", "x", None, ""]


def test_a_slice_without_a_stop_is_empty_as_the_source_of_the_real_one_says() -> None:
    found = strings().slice.slice_strings(texts("abc"), scalar(I32, 1), None, None)
    assert values(found) == [""]


def test_changes() -> None:
    s = strings()
    of = texts("aa", None, "-7")
    assert values(s.replace.replace(of, one("a"), one("b"), 1)) == ["ba", None, "-7"]
    assert values(s.repeat.repeat_strings(of, 2)) == ["aaaa", None, "-7-7"]
    assert values(s.repeat.repeat_strings(of, -1)) == ["", None, ""]
    assert values(s.reverse.reverse(texts("ab", "日本"))) == ["ba", "本日"]
    side = s.side_type.SideType
    assert values(s.padding.pad(of, 5, side.BOTH, "*")) == ["*aa**", None, "*-7**"]
    assert values(s.padding.zfill(of, 4)) == ["00aa", None, "-007"]
    assert values(s.strip.strip(texts("  x\t", None), side.BOTH)) == ["x", None]
    assert values(s.strip.strip(texts("abcba"), side.LEFT, one("ab"))) == ["cba"]


def test_joining_texts() -> None:
    s = strings()
    of = table(texts("a", None), texts("b", "c"))
    assert values(s.combine.concatenate(of, one("-"))) == ["a-b", None]
    assert values(s.combine.concatenate(of, one("-"), one("?"))) == ["a-b", "?-c"]
    assert values(s.combine.join_strings(texts("a", None, "b"), one(","), one(None))) == ["a,b"]
    assert values(s.combine.join_strings(texts("a", None), one(","), one("?"))) == ["a,?"]


def test_numbers_from_texts() -> None:
    c = strings().convert
    of = texts("12", "-7x", "", "9223372036854775808", None)
    assert values(c.convert_integers.to_integers(of, dtype("INT64"))) == [12, -7, 0, -(2**63), None]
    assert values(c.convert_integers.is_integer(of, dtype("INT64"))) == [True, False, False, False, None]
    assert values(c.convert_integers.is_integer(of))[3] is True
    floats = values(c.convert_floats.to_floats(texts("1.5e1", "nan", "x", None), dtype("FLOAT64")))
    assert (floats[0], math.isnan(floats[1]), floats[2], floats[3]) == (15.0, True, 0.0, None)
    cents = c.convert_fixed_point.to_fixed_point(texts("1.239", "-0.05", None), dtype("DECIMAL64", 2))
    assert values(cents) == [decimal.Decimal("1.23"), decimal.Decimal("-0.05"), None]
    assert values(c.convert_fixed_point.from_fixed_point(cents)) == ["1.23", "-0.05", None]


def test_texts_from_values() -> None:
    c = strings().convert
    assert values(c.convert_integers.from_integers(col(I64, [-(2**63), None]))) == [str(-(2**63)), None]
    assert values(c.convert_floats.from_floats(col(F64, [0.1, 1e20, -0.0]))) == ["0.1", "1.0e+20", "-0.0"]
    assert values(c.convert_booleans.from_booleans(col(BOOL, [True, None]), one("t"), one("f"))) == [
        "t",
        None,
    ]


def test_dates_and_texts() -> None:
    c = strings().convert.convert_datetime
    of = texts("2000-02-29", "2001-02-29", "x", None)
    assert values(c.is_timestamp(of, "%Y-%m-%d")) == [True, False, False, None]
    found = values(c.to_timestamps(of, dtype("TIMESTAMP_DAYS"), "%Y-%m-%d"))
    assert (found[0], found[3]) == (datetime.date(2000, 2, 29), None)
    stamps = col(pa.timestamp("us"), [-1, None, 951_782_400_123_456])
    written = c.from_timestamps(stamps, "%Y-%m-%d %H:%M:%S.%6f", col(TEXT, []))
    assert values(written) == ["1969-12-31 23:59:59.999999", None, "2000-02-29 00:00:00.123456"]
    with pytest.raises(ValueError, match="specifier"):
        c.is_timestamp(of, "%Q")


def test_parts_of_dates() -> None:
    import pylibcudf as plc

    part, d = plc.datetime.DatetimeComponent, plc.datetime
    stamps = col(pa.timestamp("us"), [-1, 951_782_400_123_456, None])

    def parts(name: str) -> list[Any]:
        return values(d.extract_datetime_component(stamps, part[name]))

    assert parts("YEAR") == [1969, 2000, None]
    assert parts("MONTH") == [12, 2, None]
    assert parts("DAY") == [31, 29, None]
    # Wednesday and Tuesday: Monday is 1.
    assert parts("WEEKDAY") == [3, 2, None]
    assert parts("HOUR") == [23, 0, None]
    assert parts("MILLISECOND") == [999, 123, None]
    assert parts("MICROSECOND") == [999, 456, None]
    assert values(d.day_of_year(stamps)) == [365, 60, None]
    assert values(d.is_leap_year(stamps)) == [False, True, None]
    assert values(d.last_day_of_month(stamps)) == [
        datetime.date(1969, 12, 31),
        datetime.date(2000, 2, 29),
        None,
    ]
    assert values(d.extract_quarter(stamps)) == [4, 1, None]
    with pytest.raises(RuntimeError, match="timestamp"):
        d.is_leap_year(col(I64, [1]))


def test_months_added_and_times_rounded() -> None:
    import pylibcudf as plc

    days = col(pa.date32(), [datetime.date(2020, 5, 31), datetime.date(2020, 2, 29), None])
    added = plc.datetime.add_calendrical_months
    assert values(added(days, scalar(I32, -3))) == [
        datetime.date(2020, 2, 29),
        datetime.date(2019, 11, 29),
        None,
    ]
    assert values(added(days, scalar(I32, None))) == [None] * 3
    with pytest.raises(RuntimeError, match="INT16 or INT32"):
        added(days, scalar(I64, 1))
    stamps = col(pa.timestamp("us"), [-1, None])
    floor = plc.datetime.floor_datetimes(stamps, plc.datetime.RoundingFrequency.DAY)
    assert values(floor) == [datetime.datetime(1969, 12, 31), None]


@pytest.fixture
def lake(tmp_path: Path) -> str:
    path = tmp_path / "x.parquet"
    rows = pa.table(
        {
            "a": pa.array([1, None, 3, 4], I64),
            "b": pa.array(["x", "y", None, "é"]),
            "c": pa.array([1, 2, None, 4], pa.decimal128(15, 2)),
        }
    )
    pq.write_table(rows, path, row_group_size=2)
    return str(path)


def options(path: str, **settings: Any) -> Any:
    import pylibcudf as plc

    io = plc.io
    builder = io.parquet.ParquetReaderOptions.builder(io.types.SourceInfo([path]))
    for name, value in settings.items():
        builder = getattr(builder, name)(value)
    return builder.build()


def test_reading_parquet(lake: str) -> None:
    import pylibcudf as plc

    read = plc.io.parquet.read_parquet
    found = read(options(lake, column_names=["b", "a"]))
    assert found.column_names() == ["b", "a"]
    assert values(found.tbl) == [("x", 1), ("y", None), (None, 3), ("é", 4)]
    assert read(options(lake, column_names=["c"])).tbl.columns()[0].type() == dtype("DECIMAL64", 2)
    wide = options(lake, column_names=["c"], decimal_width=plc.TypeId.DECIMAL128)
    assert read(wide).tbl.columns()[0].type() == dtype("DECIMAL128", 2)
    chosen = options(lake, column_names=["a"])
    chosen.set_row_groups([[1, 0]])
    assert values(read(chosen).tbl) == [(3,), (4,), (1,), (None,)]
    part = options(lake, column_names=["a"])
    part.set_skip_rows(1)
    part.set_num_rows(2)
    assert values(read(part).tbl) == [(None,), (3,)]
    with pytest.raises(FileNotFoundError):
        options("nothing.parquet")


def test_filters_in_the_reader(lake: str) -> None:
    import pylibcudf as plc

    e = plc.expressions
    above = e.Operation(e.ASTOperator.GREATER, e.ColumnNameReference("a"), e.Literal(scalar(I64, 1)))
    chosen = options(lake, column_names=["b"])
    chosen.set_filter(above)
    assert values(plc.io.parquet.read_parquet(chosen).tbl) == [(None,), ("é",)]


def test_filters_that_the_reader_does_not_rewrite_for_certain(lake: str) -> None:
    import pylibcudf as plc

    e, operators = plc.expressions, plc.expressions.ASTOperator
    one = e.Literal(scalar(I64, 1))
    a, b = e.ColumnNameReference("a"), e.ColumnNameReference("b")
    above = e.Operation(operators.GREATER, a, one)
    for tree in (
        a,
        e.Operation(operators.LESS, one, a),
        e.Operation(operators.NOT, above),
        e.Operation(operators.IS_NULL, a),
        e.Operation(operators.GREATER, b, e.Literal(scalar(pa.string(), "x"))),
        e.Operation(operators.EQUAL, a, a),
    ):
        chosen = options(lake, column_names=["a", "b"])
        chosen.set_filter(tree)
        with pytest.raises(RuntimeError, match="filter"):
            plc.io.parquet.read_parquet(chosen)
    both = e.Operation(operators.NULL_LOGICAL_OR, above, above)
    chosen = options(lake, column_names=["a"])
    chosen.set_filter(both)
    assert values(plc.io.parquet.read_parquet(chosen).tbl) == [(3,), (4,)]


def test_a_filter_belongs_to_who_set_it(lake: str) -> None:
    """The reader has its address: without its owner it would read freed memory, at the next chunk too."""
    import pylibcudf as plc

    e = plc.expressions
    above = e.Operation(e.ASTOperator.GREATER, e.ColumnReference(0), e.Literal(scalar(I64, 0)))
    chosen = options(lake, column_indices=[0])
    chosen.set_filter(above)
    reader = plc.io.parquet.ChunkedParquetReader(chosen, None, None, 8)
    assert values(reader.read_chunk().tbl) == [(1,)]
    del above
    with pytest.raises(RuntimeError, match="freed memory"):
        reader.has_next()


def test_chunks_of_which_a_filter_leaves_nothing(lake: str) -> None:
    import pylibcudf as plc

    e = plc.expressions
    above = e.Operation(e.ASTOperator.GREATER, e.ColumnReference(0), e.Literal(scalar(I64, 3)))
    chosen = options(lake, column_indices=[0])
    chosen.set_filter(above)
    reader = plc.io.parquet.ChunkedParquetReader(chosen, None, None, 8)
    found = []
    while reader.has_next():
        found.append(values(reader.read_chunk().tbl))
    assert found == [[], [(4,)]]


def test_durations_without_the_writers_arrow_schema(tmp_path: Path) -> None:
    import pylibcudf as plc

    path = str(tmp_path / "d.parquet")
    pq.write_table(pa.table({"d": pa.array([5, None], pa.duration("us"))}), path)
    read = plc.io.parquet.read_parquet
    assert read(options(path)).tbl.columns()[0].type() == dtype("DURATION_MICROSECONDS")
    assert values(read(options(path, use_arrow_schema=False)).tbl) == [(5,), (None,)]


def test_reading_in_chunks(lake: str) -> None:
    import pylibcudf as plc

    reader = plc.io.parquet.ChunkedParquetReader(options(lake, column_names=["a"]), None, None, 8)
    found = []
    while reader.has_next():
        found.append(values(reader.read_chunk().tbl))
    assert len(found) > 1
    assert [row for part in found for row in part] == [(1,), (None,), (3,), (4,)]


def test_characters_by_a_table() -> None:
    s = strings()
    of = texts("abc", "éa日", None, "")
    assert values(s.translate.translate(of, {"a": "A", "é": "É", "c": 0})) == ["Ab", "ÉA日", None, ""]
    assert values(s.attributes.code_points(texts("aé", None, "", "😀"))) == [97, 233, 128512]
    with pytest.raises(TypeError):
        s.translate.translate(of, [("a", "A")])
    with pytest.raises(TypeError):
        s.translate.translate("abc", {})


def test_digits_to_the_base_of_sixteen() -> None:
    convert = strings().convert.convert_integers
    numbers = col(pa.int32(), [9, 1234, -1, 0, None], 1)
    assert values(convert.integers_to_hex(numbers)) == ["04D2", "FFFFFFFF", "00", None]
    found = convert.hex_to_integers(texts("ff", "FFFFFFFFFFFFFFFF", "0", None), dtype("UINT64"))
    assert values(found) == [255, 2**64 - 1, 0, None]
    with pytest.raises(TypeError):
        convert.hex_to_integers(texts("ff"), "UINT64")


def test_digests() -> None:
    import pylibcudf as plc

    of = table(texts("abc", None))
    assert values(plc.hashing.md5(of)) == [
        "900150983cd24fb0d6963f7d28e17f72",
        "d41d8cd98f00b204e9800998ecf8427e",
    ]
    assert values(plc.hashing.sha256(of))[0].startswith("ba7816bf8f01cfea414140de5dae2223")
    with pytest.raises(TypeError):
        plc.hashing.md5(texts("abc"))


def test_bits_of_negative_numbers_are_counted_in_their_width() -> None:
    import pylibcudf as plc

    count = plc.unary.UnaryOperator.BIT_COUNT
    assert values(plc.unary.unary_operation(col(pa.int8(), [-1, 1, None, -128]), count)) == [8, 1, None, 1]
    assert values(plc.unary.unary_operation(col(I64, [-1, 3]), count)) == [64, 2]
