"""What the double keeps in its public modules for itself: the real library has no such names."""

from __future__ import annotations

HELPERS = {
    *("pylibcudf.column.made", "pylibcudf.column.viewed", "pylibcudf.copying.places"),
    *("pylibcudf.stream_compaction.rows_at", "pylibcudf.stream_compaction.distinct_places"),
    *("pylibcudf.replace.filled_places", "pylibcudf.transform.mask_of", "pylibcudf.hashing.murmur"),
    *("pylibcudf.column_factories.garbage", "pylibcudf.strings.char_types.is_of"),
    *("pylibcudf.datetime.civil", "pylibcudf.datetime.days_of", "pylibcudf.datetime.leap"),
    *("pylibcudf.strings.case.upper", "pylibcudf.strings.case.lower"),
    *("pylibcudf.strings.contains.like_expression", "pylibcudf.strings.regex_program.compiled"),
    "pylibcudf.strings.convert.convert_fixed_point.written",
}
