"""Vectorised kernels of the CPU backend: numpy in, numpy out, compiled by numba at first use.

Importing this package imports neither numba nor pyarrow.compute; each module below is imported by the operator
that needs it. A kernel is compiled (or loaded from the disk cache) at its first call, releases the GIL and is
meant for batches of at most 1M rows, so that cancellation is noticed between calls. Where one call could work on
more than a batch (rehash, join build, sorts of whole inputs) the work is cut into pieces and the optional
``check`` callback is called between them; it may raise to abandon the operation.

Conventions
-----------
``i64 i32 u64 u8 f64``  one-dimensional C-contiguous numpy arrays of that dtype (read-only arrays are welcome).
``words``    128-bit integers: ``int64[n, 2]``, column 0 the low word's bits, column 1 the signed high word.
             This is the memory layout of decimal128, so the view is free.
``valid``    ``uint8[n]`` with 1 = not NULL, or ``None`` when no row is NULL. It doubles as a selection: rows with 0
             are neither read nor counted, so a FILTER clause or a CASE branch is ``and``-ed into it.
``gids``     ``int32[n]`` group numbers, dense from 0. ``rows``/indices ``int32[n]``, -1 = no row (NULL).
``key words``  the normalised form of key columns: a sequence of ``int64[n]`` (see ``keys``), plus ``nulls``:
             ``uint64[n]`` whose bit j says that key word j is NULL, or ``None``.

arrays (no numba)
    validity_bytes(arr) -> u8 | None                     all_valid(valid, n) -> u8
    values_view(arr) -> native-dtype view                int64_values(arr) -> i64    float64_values(arr) -> f64
    bool_bytes(arr) -> u8                                decimal_words(arr) -> words
    string_views(arr) -> StringViews(offsets i64[n+1], data u8)
    make_array(values, valid, type) -> pa.Array          make_bool(bytes, valid) -> pa.BooleanArray
    make_decimal128(words, valid, precision, scale) -> pa.Array
    scaled_to_decimal128(i64, valid, precision, scale) -> pa.Array
    make_strings(offsets, data, valid, type=pa.string()) -> pa.Array
    mask_to_buffer(valid) -> pa.Buffer | None            and_valid(*valids) -> u8 | None
hashing
    hash_int64(i64, valid=None, seed=0) -> u64           hash_float64(f64, valid=None, seed=0) -> u64
    hash_words(words, valid=None, seed=0) -> u64         hash_strings(offsets, data, valid=None, seed=0) -> u64
    hash_combine(a, b) -> u64                            hash_array(pa.Array, seed=0) -> u64 (any key type)
    hash_key_words(key_words, nulls=None, seed=0) -> u64
    twin.*  the same functions in plain numpy/Python (oracle, specification)
keys
    canonical_floats(f64) -> i64                         key_words(pa.Array, interner=None) -> list[i64] (1 or 2)
    key_array(words, valid, type, interner=None) -> pa.Array   (the inverse)
    words_per_key(type) -> int
    normalise(columns, interners=None) -> Keys(words: tuple[i64, ...], nulls: u64 | None, valid: u8 | None)
        ``valid`` is 0 where any key column is NULL (what an equality join needs)
    null_bit_valid(nulls, bit) -> u8 | None              validity of one key word
interner
    StringInterner(check=None): intern(pa.Array) -> i32   lookup(pa.Array) -> i32 (-1 absent or NULL)
        strings(type=None) -> pa.Array in code order      merge(other) -> i32 code map      len(), nbytes
group_table
    GroupTable(k, check=None):
        insert(key_words, nulls=None) -> gids             insert_new(key_words, nulls=None) -> (gids, new_rows i32)
        lookup(key_words, nulls=None) -> gids (-1 absent)  size, nbytes
        keys() -> (tuple[i64, ...], u64 | None) in order of first appearance
        merge(other) -> i32[other.size] map of other's gids to ours
aggregates (in-place updates of state arrays indexed by gid; one state type, one trio update/update_one/merge)
    grow(state, groups, fill) -> state                   (amortised; returns a view or a larger copy)
    count_rows(gids, count i64)                          count_valid(gids, valid, count i64)
    sum_int64(gids, i64, valid, acc words)               sum_words(gids, words, valid, acc words, overflow u8[g])
    sum_float64(gids, f64, valid, sum f64, comp f64)     float_sum_result(sum, comp) -> f64
    min_int64 / max_int64(gids, i64, valid, best i64, seen u8)
    min_float64 / max_float64(gids, f64, valid, best f64, seen u8)         NaN greatest
    min_words / max_words(gids, words, valid, best words, seen u8)
    bool_and / bool_or(gids, u8, valid, acc u8, seen u8)
    bit_and / bit_or / bit_xor(gids, i64, valid, acc i64, seen u8)
    welford(gids, f64, valid, count i64, mean f64, m2 f64)
    first_rows / last_rows(gids, valid, base: int, position i64[g], rows i32[g])
        position of row i is base + i; rows[g] becomes the row of this batch that now is the group's first/last
    merge_counts(map, count, into)                       merge_sum_words(map, acc, into, overflow u8)
    merge_sum_float64(map, sum, comp, into_sum, into_comp)    merge_welford(map, count, mean, m2, into_...)
        (min/max/bool/bit/first/last partial states merge through the update functions, map as gids, seen as valid)
    one group, no gids: sum_int64_one(i64, valid) -> int (exact); sum_words_one(words, valid) -> int (exact);
        sum_float64_one(f64, valid) -> (sum, comp); min_int64_one / max_int64_one(i64, valid) -> int | None;
        min_float64_one / max_float64_one(f64, valid) -> float | None; min_words_one / max_words_one -> int | None;
        welford_one(f64, valid) -> (count, mean, m2); count_valid_one(valid, n) -> int
string_extremes
    StringExtremes(largest: bool): update(gids, pa.Array, groups, valid=None)   merge(map, other, groups)
        result(type) -> pa.Array                          nbytes
join_table
    JoinTable(key_words, valid=None, nulls=None, check=None):
        rows, distinct, unique, nbytes
        lookup(key_words, valid=None, nulls=None) -> i32 match handles (-1 none)
        exists(handles) -> u8                             counts(handles) -> i64
        first(handles) -> i32 build rows (-1 none)
        pairs(handles, cursor=(0, 0), limit=None, outer=False) -> (probe i32, build i32, next cursor | None)
            outer: an unmatched probe row appears once with build row -1
        probe(key_words, valid=None, nulls=None) -> (probe i32, build i32)
    mark_matched(build_rows i32, matched u8)             (-1 ignored; racing tasks may share ``matched``)
bloom
    BloomFilter(expected_rows): add(hashes, valid=None)  merge(other)  test(hashes, valid=None) -> u8   words, nbytes
    MinMax(): add(i64, valid=None)  merge(other)  test(i64, valid=None) -> u8   low, high, empty
gather
    select_indices(mask u8) -> i32                       take(pa.Array, rows i32, nullable=False) -> pa.Array
    filter_array(pa.Array, mask u8) -> pa.Array          take_values(values, rows, fill=0) -> values
    partition(hashes u64, bits: int) -> (rows i32, offsets i64[2**bits + 1])  stable, by the hash's top bits
sorting
    SortKey(descending=False, nulls_first=False)
    sort_words(pa.Array, key, ranks=None) -> list[u64]   order-preserving words of one column (most significant first)
    string_ranks(pa.Array) -> i64                         rank of every row's string among those of the array
    argsort(words: Sequence[u64], check=None) -> i32/i64  stable
    top_n(words, n) -> rows i32, sorted, stable
    merge_runs(runs: Sequence[Sequence[u64]], limit, check=None) -> Iterator[(run i32, row i64)]  bounded pieces
strings
    LikePattern.parse(pattern: str, escape: str | None)   like(pa.Array, LikePattern) -> u8 (NULL rows 0)
    contains / starts_with / ends_with(pa.Array, bytes) -> u8
    substring(pa.Array, start i64 | int, length i64 | int | None) -> pa.Array   DuckDB's: 1-based, negatives
    compare(a, b) -> i8 (-1, 0, 1) by bytes              equal(a, b) -> u8
arith (``row`` is the first offending row, or -1)
    add / sub / mul(a i64, b i64, valid=None) -> (i64, row)       negate(a, valid) -> (i64, row)
    mul_wide(a i64, b i64) -> words                      widen(i64) -> words   narrow(words, valid) -> (i64, row)
    add_words / sub_words / mul_words(a, b, valid=None) -> (words, row)
    div_words(a, b, valid=None) -> (words, row)          half away from zero; row where b is 0
    divide / modulo(a i64, b i64, valid=None) -> (i64, row)    truncating; row where b is 0 or the result overflows
    rescale(i64, by: int, valid=None) -> (i64, row)      value * 10**by, half away from zero when by < 0
    rescale_words(words, by: int, valid=None) -> (words, row)
    check_range(i64, low, high, valid) -> row            check_digits(words, precision, valid) -> row
"""
