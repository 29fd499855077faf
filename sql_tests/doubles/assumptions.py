"""What the double assumes of calls whose behaviour no document tells and nobody has seen on a device.

The types of errors are those that libcudf's headers tell, which need not be what its code raises.
Where several answers were possible, the double gives the one that a caller suffers most from. Pure data:
`docs/gpu_status.md` lists it as unobserved.
"""

from __future__ import annotations

ASSUMED: dict[str, str] = {
    "binaryop.binary_operation": (
        "Integers are computed in the common C++ type of the operands, at least 32 bits wide, and wrap "
        "there before a wider result is stored. Division by zero of integers gives -1, their remainder "
        "too. Decimals of two widths and decimals with other numbers are refused although "
        "is_supported_operation answers yes; a declared scale smaller than the natural one cuts digits "
        "off. NULL_MAX and NULL_MIN of NaN and a number give the second operand."
    ),
    "unary.cast": (
        "Floats out of an integer's range become the nearest end, NaN 0, and 8 and 16 bits are cut from "
        "32. Floats to decimals are cut, after half a unit of the last place was added. Timestamps go "
        "to the coarser unit they lie in, durations towards zero. Decimals out of range wrap."
    ),
    "unary.unary_operation": (
        "Integers in functions such as SQRT are computed as doubles and cut to their type. The bits of a "
        "negative number are counted in its own width."
    ),
    "round.round": (
        "Floats are rounded by multiplying, rounding and dividing; decimals get the places as their scale."
    ),
    "transform.compute_column": (
        "Operands of different types are a RuntimeError. Integers of 8 and 16 bits give 32. "
        "Intermediates are at most 8 bytes, so that strings may only be compared."
    ),
    "copying.gather": (
        "Unchecked places outside the table are an error; the device reads foreign memory. Negative "
        "ones count from the end then, and are out of bounds where places are checked."
    ),
    "copying.scatter": "Places outside the target are an error; the device writes foreign memory.",
    "groupby.GroupBy.aggregate": (
        "NaN makes one group, -0.0 belongs to 0.0. The minimum and maximum of a group with NaN is NaN "
        "in groups with an odd number of values, else the smallest number. Sums and means of decimals "
        "keep their type and wrap; a mean of decimals is cut. nth_element and collect_list follow the "
        "order of the rows. Of equal smallest rows argmin takes any. Variance of decimals is an error."
    ),
    "groupby.GroupBy.scan": (
        "Rows of a group follow each other in their order; the groups come in no order, but where the keys "
        "are said to be sorted all rows stay where they are. COUNT_ALL counts the rows before, COUNT_VALID "
        "the valid ones so far."
    ),
    "groupby.GroupBy.get_groups": (
        "The keys come sorted, ascending, NULLs last, and equal ones in their order."
    ),
    "reduce.reduce": (
        "Sums accumulate in the output type and wrap. The sum of decimals wants their own type. NaN "
        "among the values of a minimum or maximum as for groups."
    ),
    "reduce.scan": "A running sum has the type of its column and wraps in it.",
    "join.inner_join": (
        "NaN joins NaN, -0.0 joins 0.0. Keys of different types are a TypeError. Pairs come in no "
        "order; more of them than a column has rows is an OverflowError."
    ),
    "join.left_join": "A row without a partner is numbered -2147483648 on the other side.",
    "join.conditional_inner_join": "The condition is checked for its type even where a side has no row.",
    "join.FilteredJoin": "The prepared table takes 8 bytes a row, divided by the load factor.",
    "sorting.stable_sorted_order": (
        "NULLs before come last in a descending order. NaN is larger than all numbers, its sign does "
        "not count; -0.0 equals 0.0."
    ),
    "sorting.sorted_order": "Equal rows come in no order.",
    "sorting.top_k": "NULLs are the last to be taken, whichever end is asked for.",
    "stream_compaction.distinct": "Rows come in no order; KEEP_ANY keeps any of the equal rows.",
    "search.lower_bound": "NaN, zeros and NULLs compare as in a sort.",
    "quantiles.quantile": (
        "Without ordered_indices the rows are taken as they stand; NEAREST rounds halves to even."
    ),
    "replace.replace_nulls": "A scalar or column of another type is a TypeError.",
    "filling.sequence": "Integers wrap.",
    "rolling.rolling_window": (
        "Sums and means have the type of their column: an integer sum wraps, a mean is cut."
    ),
    "partitioning.hash_partition": (
        "Which partition a key goes to is the double's own choice; rows of a partition come in no "
        "order; a table of no rows still gives one place more than partitions."
    ),
    "hashing.xxhash_64": (
        "The published XXH64, each column's hash being the seed of the next; NULL is the largest."
    ),
    "hashing.murmurhash3_x86_32": (
        "The published function for one column; how several combine is not known."
    ),
    "contiguous_split.pack": (
        "The packed bytes are the double's own form; their number is about that of the columns."
    ),
    "io.parquet.read_parquet": (
        "A decimal has the width of its bytes in the file. A column that is not there is left out "
        "unless ignore_missing_columns is false. A column reference in a filter counts the columns "
        "read. A filter must be kept by who set it, and is refused unless it compares columns of signed "
        "integers, dates or timestamps, on the left, with literals, and combines that with AND and OR. "
        "Only durations need the writer's Arrow schema."
    ),
    "io.parquet.ChunkedParquetReader": (
        "A piece is of one row group, and of at least one row whatever its size; a filter may leave "
        "none of them. Whether there is a next one is found out on the device."
    ),
    "strings.case.to_upper": "A letter whose other case has several code points stays as it is.",
    "strings.capitalize.title": (
        "Words are runs of the characters of the given kind, by Python's idea of kinds."
    ),
    "strings.contains.like": "An escape character at the end stands for itself.",
    "strings.contains.contains_re": (
        "Matching is Python's, which takes the first alternative that fits; `$` stands at the very end "
        "only, `^` at the very beginning; classes know all of Unicode, and a negated one takes a line feed."
    ),
    "strings.translate.translate": (
        "Every character is looked up once; a table of a thousand and more letters is taken."
    ),
    "strings.replace.replace_multiple": (
        "Texts are looked at from the left; what was replaced is not looked at again."
    ),
    "strings.combine.join_list_elements": "A list of NULLs only is taken for an empty one.",
    "strings.convert.convert_integers.hex_to_integers": (
        "Characters that are no digits are passed over; more digits than fit lose the first ones."
    ),
    "hashing.md5": "A NULL has no bytes: its row has the hash of the empty text.",
    "strings.slice.slice_strings": (
        "A missing stop is 0, as the wrapper's source passes a valid scalar 0: the result is empty."
    ),
    "strings.find.find": "The position in an empty target's row is the start.",
    "strings.split.split.split_record": (
        "An empty string gives one empty piece; split at blanks it gives none."
    ),
    "strings.convert.convert_integers.to_integers": "Blanks before the digits end the number: it is 0.",
    "strings.convert.convert_floats.to_floats": "`inf` and `nan` are numbers in any case; no number is 0.",
    "strings.convert.convert_floats.from_floats": "Ten digits; `NaN`, `Inf` and `-Inf`.",
    "strings.convert.convert_datetime.to_timestamps": (
        "A text that does not fit gives the first day of the year 1; a day beyond its month runs on."
    ),
    "strings.convert.convert_datetime.from_timestamps": (
        "Years beyond 9999 and before 1 are written as they are."
    ),
    "datetime.extract_datetime_component": (
        "MILLISECOND and MICROSECOND are those within the next larger unit."
    ),
    "Column.from_arrow": "A dictionary becomes a DICTIONARY32 column; its indices are 32 bits wide.",
    "Column.to_arrow": "Decimals get the largest precision of their width.",
    "Table": (
        "Columns of different lengths are an error at once; the real constructor leaves it to the first call."
    ),
    "rmm.mr.PoolMemoryResource": "The pool grows by what is missing and has no fragments.",
    "rmm.mr.LimitingResourceAdaptor": "Sizes are counted in whole blocks of 256 bytes.",
}
