"""For every scalar function that the GPU runs, expressions over the awkward table; and some that fail."""

from __future__ import annotations

_DOUBLES = ("{f}(d)", "{f}(x)", "{f}(f::DOUBLE)", "{f}(k)")
_PARTS = ("{f}(day)", "{f}(ts)", "{f}(tu)")
_CLOCK = (*_PARTS, "{f}(tn)")
_EVERY_PART = (
    *("millennium", "century", "decade", "year", "isoyear", "quarter", "month", "week", "yearweek", "day"),
    *("dayofweek", "isodow", "dayofyear", "julian", "hour", "minute", "second", "epoch", "millisecond"),
    "microsecond",
)
_BITS = ("t {f} t", "i {f} k", "b {f} k", "u {f} u", "us {f} us", "b {f} 12", "7 {f} i")

# By function; `{f}` is its name.
CASES: dict[str, tuple[str, ...]] = {
    "+": ("i::BIGINT + k", "d + x", "f + f", "p + q", "p + 1", "w + p WHERE abs(w) < 1e30"),
    "-": ("i::BIGINT - k", "d - x", "p - q", "1 - p", "h - 1"),
    "*": ("i::BIGINT * k", "d * x", "f * f", "p * p", "p * 1.5"),
    "/": ("i / k", "d / x", "f / f"),
    "//": (
        "i::BIGINT // nullif(k, 0)",
        "k // 2",
        "7 // nullif(k, 0)",
        "d // nullif(x, 0)",
        "u // 3::UBIGINT",
    ),
    "%": ("i % nullif(k, 0)", "k % 2", "-7 % nullif(k, 0)", "d % nullif(x, 0)", "p % 1.5", "q % 0.0007"),
    "neg": ("-k", "-d", "-f", "-p", "-w", "-h"),
    "&": tuple(case.replace("{f}", "&") for case in _BITS),
    "|": tuple(case.replace("{f}", "|") for case in _BITS),
    "xor": ("xor(t, t)", "xor(i, k)", "xor(b, k)", "xor(u, u)", "xor(us, 5::UTINYINT)"),
    "~": ("~t", "~i", "~b", "~u", "~us"),
    "<<": ("abs(k) << 3", "1::BIGINT << abs(k)", "0 << abs(k)", "us << 0::UTINYINT", "u << 0::UBIGINT"),
    ">>": ("i >> k", "b >> k", "u >> 3::UBIGINT", "us >> us", "t >> t", "b >> 63", "b >> 64"),
    "bit_count": ("bit_count(t)", "bit_count(i)", "bit_count(b)", "bit_count(k::SMALLINT)"),
    "abs": ("abs(k)", "abs(d)", "abs(f)", "abs(p)", "abs(w)", "abs(h)", "abs(u)", "abs(i::BIGINT)"),
    "sign": ("sign(k)", "sign(d)", "sign(f)", "sign(p)", "sign(h)", "sign(u)", "sign(w)"),
    "round": (
        *("round(d)", "round(x)", "round(f)", "round(k)", "round(p)", "round(q)", "round(v)", "round(w)"),
        *(f"round(d, {n})" for n in (0, 1, 2, 5, 20, 400, -1, -3, -400)),
        *("round(f, 2)", "round(f, -1)", "round(p, 1)", "round(p, 2)", "round(p, 5)", "round(p, -1)"),
        *("round(p, -9)", "round(q, 3)", "round(w, 1)", "round(w, -3)", "round(w, -40)", "round(k, -1)"),
        *(
            "round(k, 2)",
            "round(t, -3)",
            "round(h, -1) WHERE abs(h) < 1e30",
            "round(b % 1000, -2)",
            "round(k::SMALLINT, -1)",
        ),
    ),
    "trunc": (
        *(
            "trunc(d)",
            "trunc(x)",
            "trunc(f)",
            "trunc(p)",
            "trunc(w)",
            "trunc(k)",
            "trunc(d, 2)",
            "trunc(d, -2)",
        ),
        *("trunc(d, 400)", "trunc(d, -400)", "trunc(p, 1)", "trunc(p, -1)", "trunc(k, -1)", "trunc(u, -2)"),
        *("trunc(us, -1)", "trunc(h, -20)", "trunc(b, -10)", "trunc(w, -38)"),
    ),
    "ceil": ("ceil(d)", "ceil(x)", "ceil(f)", "ceil(p)", "ceil(q)", "ceil(w)", "ceil(v)", "ceil(k)"),
    "floor": ("floor(d)", "floor(x)", "floor(f)", "floor(p)", "floor(q)", "floor(w)", "floor(v)", "floor(k)"),
    "factorial": ("factorial(abs(k) % 34)", "factorial(us % 34)"),
    **{
        name: (
            *(f"{name}(k, i)", f"{name}(d, x)", f"{name}(f, 0.25::FLOAT)", f"{name}(p, q)", f"{name}(w, 1)"),
            *(f"{name}(s, r)", f"{name}(s, 'b', r)", f"{name}(day, DATE '2000-01-01')", f"{name}(ts, tu)"),
            *(f"{name}(k, NULL, 3)", f"{name}(z, false)", f"{name}(h, 5)", f"{name}(d)"),
        )
        for name in ("greatest", "least")
    },
    **dict.fromkeys(("exp", "sqrt", "cbrt", "ln", "log2", "log10", "even"), _DOUBLES),
    **dict.fromkeys(("sin", "cos", "tan", "cot", "asin", "acos", "atan", "degrees", "radians"), _DOUBLES),
    **dict.fromkeys(("sinh", "cosh", "tanh", "asinh", "acosh", "atanh"), _DOUBLES),
    "log": (*_DOUBLES, "log(2, d)", "log(x, d)", "log(10, 1000)"),
    "pow": ("pow(d, x)", "pow(x, 2)", "pow(2, x)", "d ** 0.5"),
    "atan2": ("atan2(d, x)", "atan2(x, 1)"),
    "fmod": ("fmod(d, x)", "fmod(x, d)", "fmod(x, 0)", "fmod(d, 2)", "fmod(f, 0.5::FLOAT)"),
    "pi": ("pi() + k",),
    "isnan": ("isnan(d)", "isnan(f)"),
    "isinf": ("isinf(d)", "isinf(f)", "isinf(day)", "isinf(ts)"),
    "isfinite": ("isfinite(d)", "isfinite(f)", "isfinite(day)", "isfinite(ts)"),
    "signbit": ("signbit(d)", "signbit(f)", "signbit(x)"),
    **dict.fromkeys(
        ("length", "strlen", "bit_length", "ascii", "unicode", "md5", "sha256", "lower", "upper"),
        ("{f}(s)", "{f}(r)", "{f}(s || r)"),
    ),
    "hex": ("hex(b)", "hex(u)", "hex(k)"),
    **dict.fromkeys(
        ("trim", "ltrim", "rtrim"),
        ("{f}(s)", "{f}(s, 'x')", "{f}(s, 'ab ')", "{f}(s, '')", "{f}(s, 'é日')", "{f}(r, ' ')"),
    ),
    "||": ("s || r", "s || 'é'", "'<' || s || '>'", "k || s"),
    "concat": ("concat(s, r)", "concat(s, NULL, '!')", "concat(s)", "concat(k, s)", "concat(NULL, r)"),
    "concat_ws": (
        "concat_ws(', ', s, r)",
        "concat_ws('', s, r, 'x')",
        "concat_ws('é', r, NULL, k)",
        "concat_ws('-', s)",
    ),
    "substring": (
        *(
            "substring(s, 2)",
            "substring(s, 2, 3)",
            "substring(s, 0, 2)",
            "substring(s, -3)",
            "substring(s, -3, 2)",
        ),
        *(
            "substring(s, 3, -2)",
            "substring(s, k)",
            "substring(s, k, 2)",
            "substring(s, 2, k)",
            "substring(s, k, k)",
        ),
        *("substring('hello', k)", "substring(s, 1, 0)", "substring(s, b, b)", "substring(s, 5000000000)"),
    ),
    **dict.fromkeys(
        ("left", "right"),
        ("{f}(s, 2)", "{f}(s, -1)", "{f}(s, 0)", "{f}(s, k)", "{f}(s, b)", "{f}('hello', k)", "{f}(s, 100)"),
    ),
    **dict.fromkeys(
        ("lpad", "rpad"),
        (
            "{f}(s, 5, '*')",
            "{f}(s, 7, 'éx')",
            "{f}(s, 0, 'x')",
            "{f}(s, -1, 'x')",
            "{f}(s, 0, '')",
            "{f}(r, 3, ' ')",
        ),
    ),
    "repeat": ("repeat(s, 3)", "repeat(s, 0)", "repeat(s, k)", "repeat('ab', k)", "repeat(s, -1)"),
    "contains": ("contains(s, 'a')", "contains(s, '')", "contains(s, r)", "contains('abc', r)"),
    "starts_with": (
        "starts_with(s, 'a')",
        "starts_with(s, '')",
        "starts_with(s, r)",
        "starts_with('abc', r)",
    ),
    "ends_with": ("ends_with(s, 'c')", "ends_with(s, '')", "ends_with(s, r)", "ends_with('abc', r)"),
    "strpos": ("strpos(s, 'b')", "strpos(s, '')", "strpos(s, r)", "strpos('abc', r)", "strpos(s, '本')"),
    "replace": (
        "replace(s, 'a', 'é')",
        "replace(s, 'xx', '')",
        "replace(s, '', 'x')",
        "replace(s, 'b', 'bb')",
    ),
    "translate": (
        "translate(s, 'abé', 'xy')",
        "translate(s, 'aa', 'bc')",
        "translate(s, '', 'x')",
        "translate(r, 'C', '')",
    ),
    "split_part": (
        "split_part(s, ',', 1)",
        "split_part(s, ',', 3)",
        "split_part(s, ',', 0)",
        "split_part(s, '/', 3)",
        "split_part(s, 'xx', 2)",
    ),
    "like": (
        "s LIKE 'a%'",
        "s LIKE '%c'",
        "s LIKE '_b%'",
        "s LIKE '%'",
        "s LIKE ''",
        "s NOT LIKE '%é%'",
        "s LIKE 'a%b'",
    ),
    "like_escape": ("s LIKE 'a!%!_%' ESCAPE '!'", "s LIKE '%\\%%' ESCAPE '\\'", "s LIKE 'a%' ESCAPE ''"),
    "ilike": ("s ILIKE 'A%'", "s ILIKE '%BC'", "s ILIKE 'ÉTÉ%'", "s ILIKE 'KKK'"),
    "ilike_escape": ("s ILIKE 'A!%%' ESCAPE '!'",),
    "regexp_matches": (
        *(
            "regexp_matches(s, 'b')",
            "regexp_matches(s, '^a')",
            "regexp_matches(s, 'c$')",
            "regexp_matches(s, 'a.b')",
        ),
        *(
            "regexp_matches(s, 'a.b', 's')",
            "regexp_matches(s, '[a-c]{2,}')",
            "regexp_matches(s, '(a|b)+c?$')",
        ),
        *("regexp_matches(s, 'KK', 'i')", "regexp_matches(s, '[^a-z]')", "regexp_matches(s, '\\d\\d')"),
        *(
            "regexp_matches(s, '\\s')",
            "regexp_matches(s, '\\W')",
            "regexp_matches(s, 'a%', 'l')",
            "regexp_matches(s, 'é')",
        ),
        *("regexp_matches(s, '(?i)ABC')", "regexp_matches(s, '\\w+://')", "regexp_matches(s, '[[a]')"),
    ),
    "regexp_full_match": (
        *("regexp_full_match(s, 'a')", "regexp_full_match(s, 'a|Abc')", "regexp_full_match(s, '[a-zA-Z]*')"),
        "regexp_full_match(s, '.*', 's')",
    ),
    "regexp_extract": (
        *(
            "regexp_extract(s, '[0-9]+')",
            "regexp_extract(s, '([a-z])([0-9]+)', 2)",
            "regexp_extract(s, 'b', 1)",
        ),
        *(
            "regexp_extract(s, '(a)(,b)?', 2)",
            "regexp_extract(s, 'K+', 0, 'i')",
            "regexp_extract(s, '//([^/]+)/', 1)",
        ),
    ),
    "regexp_replace": (
        *(
            "regexp_replace(s, '[0-9]+', '#')",
            "regexp_replace(s, '[0-9]+', '#', 'g')",
            "regexp_replace(s, 'a', '$1')",
        ),
        *("regexp_replace(s, '([a-z])([0-9])', '\\2-\\1', 'g')", "regexp_replace(s, '[a-c]', '', 'g')"),
        "regexp_replace(s, '^a', '')",
    ),
    **dict.fromkeys(
        (
            "year",
            "month",
            "day",
            "quarter",
            "week",
            "yearweek",
            "dayofweek",
            "isodow",
            "dayofyear",
            "isoyear",
        ),
        _PARTS,
    ),
    **dict.fromkeys(
        ("decade", "century", "millennium", "era", "julian", "last_day", "dayname", "monthname"), _PARTS
    ),
    **dict.fromkeys(
        ("hour", "minute", "second", "millisecond", "microsecond", "nanosecond", "epoch"), _CLOCK
    ),
    "epoch_ms": (*_CLOCK, "epoch_ms(b % 1000000000)", "epoch_ms(td)", "epoch_ms(tm)"),
    "epoch_us": _CLOCK,
    "epoch_ns": ("epoch_ns(tu) WHERE n < 12", "epoch_ns(tn)"),
    "date_trunc": tuple(
        f"date_trunc('{part}', {column}) WHERE n NOT IN (10, 15)"
        for part in _EVERY_PART
        for column in ("day", "ts")
    ),
    "date_diff": (
        *(f"date_diff('{part}', ts, tu)" for part in _EVERY_PART),
        *("date_diff('day', day, DATE '2000-01-01')", "date_diff('month', DATE '2000-01-31', day)"),
    ),
    "date_sub": (
        *(f"date_sub('{part}', ts, tu)" for part in _EVERY_PART),
        "date_sub('month', day, DATE '2000-02-29') WHERE n NOT IN (10, 15)",
    ),
    "make_date": ("make_date(2000, k, 1) WHERE k BETWEEN 1 AND 12", "make_date(k, 2, 28)", "make_date(i)"),
    "make_timestamp": (
        *("make_timestamp(2000 + k, 2, 28, 23, 59, abs(x)) WHERE abs(x) <= 60", "make_timestamp(b)"),
        "make_timestamp(1, 1, 1, 24, 0, 0) WHERE k > 0",
    ),
    "strftime": (
        *(
            "strftime(day, '%Y-%m-%d')",
            "strftime(ts, '%Y-%m-%d %H:%M:%S.%f')",
            "strftime(ts, '%a %A %b %B %p %I')",
        ),
        *(
            "strftime(tn, '%n %g')",
            "strftime(day, '%j %U %W %V %G %u %w %y')",
            "strftime(ts, '%-d/%-m/%-y %-H %-I %-M %-S %-j')",
        ),
        *("strftime(ts, '100%% %c %x %X')", "strftime(day, 'constant')", "strftime(ts, '%z%Z')"),
    ),
    "current_date": (
        "current_date - DATE '2000-01-01' > 9000 WHERE k = 1",
        "greatest(current_date, day) >= current_date",
    ),
}

# What stays on the CPU, and the reason that is told.
REFUSED: tuple[tuple[str, str], ...] = (
    ("reverse(s)", "accents"),
    ("s LIKE r", "argument 2 is no constant"),
    ("s LIKE 'a!' ESCAPE '!'", "ends with its escape character"),
    ("regexp_extract(s, 'a|ab')", "choice"),
    ("regexp_matches(s, '\\bx')", "escape"),
    ("regexp_matches(s, r)", "no constant"),
    ("split_part(s, ',', -1)", "from the start only"),
    ("split_part(s, '', 1)", "character by character"),
    ("lpad(s, 20000, 'x')", "more than 10000"),
    ("d::VARCHAR", "shortest digits"),
    ("s::DOUBLE", "nearest"),
    ("h // 3", "128-bit"),
    ("bit_count(h)", "128-bit"),
    ("ts - tu", "INTERVAL"),
    ("date_trunc(s, ts)", "no constant"),
    ("chr(k)", "code points"),
    ("median(w)", "doubles do not hold"),
    ("quantile_cont(q, 0.5)", "doubles do not hold"),
    ("s GLOB r", "GLOB"),
    ("bit_and(h)", "128-bit"),
    ("avg(ts)", "TIMESTAMP"),
)

# Constants that no optimiser computes in advance, and NULL in place of each argument.
CONSTANTS = (
    *(
        "upper('abc')",
        "date_trunc('day', DATE '2000-01-01')",
        "strftime(DATE '2000-01-01', '%Y')",
        "md5('a')",
    ),
    *(
        "regexp_matches('abc', 'b')",
        "lpad('a', 3, 'x')",
        "concat_ws(',', 'a', 'b')",
        "greatest(1, 2)",
        "pi()",
    ),
    *(
        "left('abc', 2)",
        "make_date(2000, 1, 1)",
        "round(2.5)",
        "round(1.25::DOUBLE, 1)",
        "ascii('é')",
        "hex(255)",
    ),
    *(
        "'abc' LIKE 'a%'",
        "'abc' ILIKE 'A%'",
        "split_part('a,b', ',', 2)",
        "repeat('ab', 2)",
        "translate('ab', 'a', 'c')",
    ),
    *(
        "date_diff('day', DATE '2000-01-01', DATE '2001-01-01')",
        "DATE '2000-01-01' + INTERVAL 1 DAY",
        "trim(' a ')",
    ),
    *(
        "upper(NULL)",
        "strftime(day, NULL)",
        "regexp_matches(s, NULL)",
        "date_trunc(NULL, day)",
        "lpad(s, NULL, 'x')",
    ),
    *(
        "round(d, NULL)",
        "split_part(s, ',', NULL)",
        "replace(s, NULL, 'x')",
        "s LIKE NULL",
        "regexp_extract(s, 'a', NULL)",
    ),
    *(
        "date_diff(NULL, day, day)",
        "left(NULL, k)",
        "strpos(s, NULL)",
        "concat_ws(NULL, s)",
        "trim(s, NULL)",
        "1 << NULL",
    ),
    *(
        "make_date(NULL, k, 1)",
        "substring(s, NULL)",
        "repeat(s, NULL)",
        "pow(d, NULL)",
        "translate(s, 'a', NULL)",
    ),
    *(
        "'7'::INTEGER + k",
        "'2000-01-02'::DATE",
        "1.5::VARCHAR || s",
        "TRY_CAST('x' AS INTEGER)",
        "make_date(k, i, n)  WHERE n = 3",
    ),
)

# Expressions that are an error in some row, and what its message says on both devices.
FAILING: tuple[tuple[str, str], ...] = (
    ("abs(i)", "Overflow"),
    ("factorial(k)", "factorial|range"),
    ("1 << k", "shift"),
    ("k << 30", "shift"),
    ("round(b, -1)", "rounding"),
    ("round(h, -1)", "rounding"),
    ("lpad(s, 50, '')", "Insufficient padding in LPAD"),
    ("repeat(s, 3000000000)", "2 GB"),
    ("make_date(2001, 2, k + 26)", "Date out of range"),
    ("make_timestamp(2001, 2, 3, 4, k, 0)", "Time out of range"),
    ("epoch_ns(ts)", "Could not convert"),
    ("epoch_ms(b)", "Could not convert"),
    ("day + i", "Date out of range"),
    ("ts + INTERVAL 300000 YEAR", "timestamp range|range"),
    ("d::INTEGER", "out of (the )?range"),
    ("d::DECIMAL(4,2)", "Could not cast|could not"),
    ("s::INTEGER", "Could not convert string '' to INT32"),
    ("r::DATE", "Could not convert string 'a' to DATE"),
    ("p::DECIMAL(4,2)", "cast"),
    ("day::TIMESTAMP_NS", "range"),
)


def selects(name: str, expressions: tuple[str, ...]) -> list[str]:
    """One query for all expressions over the whole table, and one for each that has a condition."""
    named = [expression.replace("{f}", name) for expression in expressions]
    plain = [expression for expression in named if " WHERE " not in expression]
    # And over a slice, in which some columns hold nothing but NULL.
    slices = ("awkward", "(SELECT * FROM awkward ORDER BY n LIMIT 9 OFFSET 5)")
    found = [f"SELECT {', '.join(plain)} FROM {rows}" for rows in slices if plain]
    for expression in named:
        if " WHERE " in expression:
            value, condition = expression.split(" WHERE ")
            found.append(f"SELECT {value} FROM awkward WHERE {condition}")
    return found
