"""Vectorised kernels of the CPU backend: numpy in, numpy out, compiled by numba at first use.

Importing this package imports neither numba nor pyarrow; each module below is imported by the operator
that needs it. A kernel is compiled (or loaded from the disk cache) at its first call, releases the GIL and
is meant for batches of at most 1M rows, so that cancellation is noticed between calls. Where one call could
work on more than a batch (rehash, join build, sorts of whole inputs) the work is cut into pieces and the
optional ``check`` callback is called between them; it may raise to abandon the operation.

Conventions
-----------
``i64 i32 u64 u8 f64``  one-dimensional C-contiguous numpy arrays of that dtype, read-only ones included.
``words``   128-bit integers: ``int64[n, 2]``, column 0 the low word's bits, column 1 the signed high word.
            This is the memory layout of decimal128, so the view is free.
``valid``   ``uint8[n]`` with 1 = not NULL, or ``None`` when no row is NULL. It doubles as a selection: rows
            with 0 are neither read nor counted and cannot fail, so a FILTER clause or a CASE branch is
            ``and``-ed into it.
``gids``    ``int32[n]`` group numbers, dense from 0. ``rows``: ``int32[n]`` row numbers, -1 = no row (NULL).
``key words``  key columns in normal form (see ``keys``): a sequence of ``int64[n]``, with ``nulls``:
            ``uint64[n]`` whose bit j says that word j is NULL, or ``None``.

arrays (without numba)
    validity_bytes(arr) -> valid            values_view(arr) -> native-dtype view, read-only
    int64_values(arr) -> i64                float64_values(arr) -> f64         bool_bytes(arr) -> u8
    decimal_words(arr) -> words             string_views(arr) -> StringViews(offsets i64[n + 1], data u8)
    and_valid(*valids) -> valid             all_valid(valid, n) -> u8          kernel_mask(valid) -> u8
    make_array(values, valid, type)         make_bool(u8, valid)
    make_decimal128(words, valid, precision, scale)                            mask_to_buffer(valid)
    scaled_to_decimal128(i64, valid, precision, scale)                         sign_extended(i64) -> words
    make_strings(offsets, data, valid, type=string)                            is_string_like(type)
hashing (specified there; the same bits on every device)
    hash_int64(i64, valid=None, seed=0) -> u64      hash_float64(f64, ...)     hash_words(words, ...)
    hash_strings(offsets, data, ...)                hash_array(pa.Array, seed=0)
    hash_combine(u64, u64) -> u64                   hash_key_words(key_words, nulls=None, seed=0) -> u64
    canonical_floats(f64) -> i64
keys
    normalise(columns, interners=None, add=True) -> Keys(words, nulls, valid)
        valid is 0 where any key column is NULL: what an equality join needs
    key_columns(words, nulls, types, interners=None) -> list[pa.Array], the inverse
    key_words(arr, interner=None, add=True) -> list[i64]       key_array(words, valid, type, interner=None)
    word_count(types)   words_per_key(type)   needs_interner(type)   make_interners(types)
    null_bit_valid(nulls, word) -> valid
interner
    StringInterner(check=None): intern(arr) -> i32, -1 = NULL     lookup(arr) -> i32, -1 = unknown or NULL
        strings(type=None) -> pa.Array in code order      merge(other) -> i32 code map      len(), nbytes
group_table
    GroupTable(k, check=None): insert(key_words, nulls=None) -> gids
        insert_new(key_words, nulls=None) -> (gids, first row of each group that this call added)
        lookup(key_words, nulls=None) -> gids, -1 = absent       merge(other) -> i32 map of its gids to ours
        keys() -> (words, nulls) in order of first appearance     size, nbytes, dense
aggregates (state arrays indexed by gid are changed in place; partial states merge with the map as gids)
    grow(state, groups, fill) -> state of at least that many entries
    count_valid(gids, valid, count)
    sum_int64(gids, i64, valid, acc words)   sum_words(gids, words, valid, acc words, overflow u8)
    sum_float64(gids, f64, valid, total, comp)                 float_sum_result(total, comp) -> f64
    min_int64, max_int64(gids, i64, valid, best, seen u8, rows=None)
    min_float64, max_float64(gids, f64, ...)   min_words, max_words(gids, words, ...)
    first_rows, last_rows(gids, valid, base, position i64, rows, positions=None)
    bool_and, bool_or(gids, u8, valid, acc u8, seen u8)
    bit_and, bit_or, bit_xor(gids, i64, valid, acc i64, seen u8)
    welford(gids, f64, valid, count i64, mean f64, m2 f64)
    merge_counts   merge_sum_float64   merge_welford
aggregates_one (one group, Python values)
    count_valid_one(valid, n)   sum_int64_one(i64, valid)   sum_words_one(words, valid)   exact integers
    sum_float64_one(f64, valid) -> (total, comp)     welford_one(f64, valid) -> (count, mean, m2)
    min_int64_one, max_int64_one, min_float64_one, max_float64_one, min_words_one, max_words_one -> or None
string_extremes
    StringExtremes(largest): update(gids, arr, groups, valid=None)   merge(gids, other, groups)
        result(type) -> pa.Array   nbytes
join_table
    JoinTable(key_words, valid=None, nulls=None, check=None): rows, distinct, unique, nbytes
        lookup(key_words, valid=None, nulls=None) -> i32 handles, -1 = no match
        exists(handles) -> u8   counts(handles) -> i64   first(handles) -> build rows
        pairs(handles, cursor=(0, 0), limit=None, outer=False) -> (probe rows, build rows, cursor | None)
        probe(key_words, valid=None, nulls=None) -> (probe rows, build rows)
    mark_matched(build rows, matched u8)
bloom
    BloomFilter(expected_rows): add(hashes, valid=None)  merge(other)  test(hashes, valid=None) -> u8   words
    DenseSet(low, high): add(i64, valid=None)  test(i64, valid=None) -> u8   words
    MinMax(): add(i64, valid=None)  merge(other)  test(i64, valid=None) -> u8   low, high, empty
gather
    select_indices(mask) -> rows
    take(arr, rows, nullable=False) -> pa.Array     take_values(values, rows)     take_words(words, rows)
sorting
    SortKey(descending=False, nulls_first=False)
    sort_words(arr, key, nullable=True, string_bytes=None, ranks=None) -> list[u64], most significant first
    argsort(words, check=None) -> rows       top_n(words, n) -> rows
    string_ranks(arr, check=None) -> i64     string_words(arr, count) -> list[u64]     max_length(arr) -> int
    merge_runs(runs, limit, check=None) -> iterator of (run i32, row i32)     RunMerger (window by window)
windows (places are numbers of rows in the window's order; frames are [parts, frames] of begins and ends)
    window_bounds: mark_changes, rows_edges, group_edges, range_edges, is_sliding
    window_picks: nth_place, shifted_place
    window_sums: sums_int64, xors_int64, sums_words, quotients, sums_float64, sliding_sums_float64
    window_folds: products, bits     window_moments: moments     window_extremes: least_places, sliding_least
    window_tree: level_starts(n), reductions(starts, check), pieces(n, check), the trees that these keep
strings
    LikePattern.parse(pattern, escape=None)  like(arr, LikePattern) -> u8, 0 = NULL
    contains, starts_with, ends_with(arr, bytes) -> u8
    substring(arr, start, length=None) -> pa.Array
arith128 (an operand of one value is a constant)
    add_words, sub_words, mul_words(words, words, valid=None) -> (words, the first row that has none or -1)
    check_digits(words, precision, valid=None) -> row     mul_wide(i64, i64) -> words
    widen(i64) -> words   int_words(int) -> words[1]
"""
