"""Window functions on the GPU, in SQL, against DuckDB: every function, kind of frame and type."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

import duckdb
import pytest
import tandemdb
from oracle.compare import rows_difference
from tandemdb.gpu_exec.operators import window_plan
from tandemdb.gpu_exec.operators.window_ranks import rank

ROWS = 40
# Values with NULL, equal ones, and what libcudf may order or add in another way.
TABLE = f"""CREATE TABLE t AS SELECT range AS i, CASE WHEN range % 7 < 6 THEN range % 3 END AS p,
    CASE WHEN range % 5 <> 4 THEN (range * 7) % 11 END AS k,
    CASE WHEN range % 4 <> 3 THEN (range * 5) % 9 - 4 END AS v,
    ((range * 13) % 17)::UTINYINT AS small, 18446744073709551615::UBIGINT - (range % 5)::UBIGINT AS huge,
    CASE WHEN range % 6 <> 5 THEN (range % 9) * 10::HUGEINT ** 20 END::HUGEINT AS h,
    CASE WHEN range % 8 = 1 THEN 'nan'::DOUBLE WHEN range % 8 = 3 THEN NULL WHEN range % 8 = 5 THEN -0.0
         ELSE range / 4 - 3 END AS d, (range % 4 * 0.25)::FLOAT AS f,
    CASE WHEN range % 3 <> 1 THEN (range % 10) - 4.5 END::DECIMAL(9, 2) AS dec,
    CASE WHEN range % 5 <> 1 THEN (range % 6) * 12345678901234567890.5 END::DECIMAL(38, 2) AS wide,
    CASE WHEN range % 4 <> 2 THEN chr((97 + (range * 3) % 7)::INTEGER) || repeat('é', (range % 3)::INTEGER)
    END AS s, CASE WHEN range % 6 <> 2 THEN range % 4 = 1 END AS b,
    CASE WHEN range % 9 <> 3 THEN DATE '2020-02-27' + (range % 8)::INTEGER END AS day,
    CASE WHEN range % 9 <> 4 THEN TIMESTAMP '2020-02-27 12:30:00' + INTERVAL 7 HOUR * (range % 8) END AS
    moment,
    CASE WHEN range % 10 <> 4 THEN range % 3 END AS n
    FROM range({ROWS})"""
TYPED = ("i", "small", "huge", "h", "d", "f", "dec", "wide", "s", "b", "day", "moment")
# Windows whose order leaves no choice: of equal rows DuckDB takes any first, we those that came first.
WINDOWS = (
    "ORDER BY i",
    "ORDER BY k, i DESC",
    "PARTITION BY p ORDER BY k DESC NULLS LAST, i",
    "PARTITION BY p, b ORDER BY d NULLS FIRST, i",
    "PARTITION BY s, d ORDER BY day DESC, i",
)
# And others, for what equal rows share.
TIED = (
    "",
    "PARTITION BY p",
    "ORDER BY k",
    "PARTITION BY p, b ORDER BY d NULLS FIRST",
    "PARTITION BY d ORDER BY day",
)
FRAMES = (
    "",
    "ROWS UNBOUNDED PRECEDING",
    "ROWS BETWEEN CURRENT ROW AND UNBOUNDED FOLLOWING",
    "ROWS BETWEEN UNBOUNDED PRECEDING AND UNBOUNDED FOLLOWING",
    "ROWS BETWEEN 2 PRECEDING AND 1 FOLLOWING",
    "ROWS BETWEEN UNBOUNDED PRECEDING AND 2 PRECEDING",
    "ROWS BETWEEN 2 FOLLOWING AND UNBOUNDED FOLLOWING",
    "ROWS BETWEEN 3 FOLLOWING AND 1 FOLLOWING",
    "ROWS BETWEEN 3 PRECEDING AND 2 PRECEDING",
    "ROWS BETWEEN i % 4 PRECEDING AND i % 6 FOLLOWING",
    "ROWS BETWEEN 9223372036854775807 PRECEDING AND 9223372036854775807 FOLLOWING",
    "GROUPS BETWEEN 1 PRECEDING AND CURRENT ROW",
    "GROUPS BETWEEN 3 PRECEDING AND 2 PRECEDING",
    "GROUPS BETWEEN 1 FOLLOWING AND 2 FOLLOWING",
    "GROUPS BETWEEN n PRECEDING AND n + 1 FOLLOWING",
    "RANGE BETWEEN CURRENT ROW AND UNBOUNDED FOLLOWING",
    "RANGE BETWEEN CURRENT ROW AND CURRENT ROW",
)
EXCLUDES = ("", "EXCLUDE CURRENT ROW", "EXCLUDE GROUP", "EXCLUDE TIES")
PLACES = (
    "row_number()",
    "rank()",
    "dense_rank()",
    "percent_rank()",
    "cume_dist()",
    "ntile(4)",
    "ntile(n + 1)",
    "lag({0})",
    "lead({0}, 2)",
    "lag({0}, -3)",
    "lead({0}, 0)",
    "lag({0}, n)",
    "lead({0}, n - 1, {0})",
    "lag({0}, 9223372036854775807)",
    "lead({0}, -9223372036854775808 + n * 0)",
    "lead({0} IGNORE NULLS)",
    "lag({0}, 2, {0} IGNORE NULLS)",
    "lead({0}, n - 1 IGNORE NULLS)",
)
FRAMED = (
    "first_value({0})",
    "last_value({0})",
    "nth_value({0}, 2)",
    "nth_value({0}, n)",
    "first_value({0} IGNORE NULLS)",
    "last_value({0} IGNORE NULLS)",
    "nth_value({0}, n + 1 IGNORE NULLS)",
    "count(*)",
    "count({0})",
    "min({0})",
    "max({0})",
    "any_value({0})",
    "count(*) FILTER (WHERE b)",
    "count({0}) FILTER (WHERE v > 0)",
    "max({0}) FILTER (WHERE v > 0)",
)
NUMBERS = ("sum({0})", "avg({0})", "sum({0}) FILTER (WHERE k > 3)")
OTHERS = (
    "bool_and(b)",
    "bool_or(b)",
    "count_if(b)",
    "count_if(b) FILTER (WHERE v > 0)",
    "bit_and(small)",
    "bit_or(i)",
    "bit_xor(huge)",
    "product(f + 1)",
    "var_samp(d)",
    "stddev_pop(v)",
    "arg_min(s, v + i / 100)",
    "arg_max(v, s || i) FILTER (WHERE b)",
)
SHARED = ("rank()", "dense_rank()", "percent_rank()", "cume_dist()")


@pytest.fixture(scope="module")
def oracle() -> Iterator[Any]:
    with duckdb.connect() as connection:
        connection.execute(TABLE)
        yield connection


@pytest.fixture
def con(gpu: Any) -> Iterator[tandemdb.Connection]:
    del gpu
    with tandemdb.connect(config={"threads": 2, "device": "cpu"}) as connection:
        connection.execute(TABLE)
        connection.execute("SET device = 'gpu'; SET on_fallback = 'error'")
        yield connection


def check(con: Any, oracle: Any, calls: list[str], tail: str = "FROM t ORDER BY i") -> None:
    """The calls are as DuckDB's, all in one statement; where not, it says which."""
    sql = f"SELECT i, {', '.join(calls)} {tail}"
    expected = oracle.execute(sql)
    types = tuple(str(column[1]) for column in expected.description)
    rows = expected.fetchall()
    found = con.execute(sql).fetchall()
    if rows_difference(rows, found, types, ordered=True) is None:
        return
    for place, call in enumerate(calls, 1):
        mine, theirs = [(row[0], row[place]) for row in found], [(row[0], row[place]) for row in rows]
        told = rows_difference(theirs, mine, (types[0], types[place]), ordered=True)
        assert told is None, f"{call}: {told}"
    raise AssertionError("rows differ in their number or order")


def over(function: str, window: str, frame: str = "", exclude: str = "") -> str:
    return f"{function} OVER ({window} {frame} {exclude if frame else ''})"


def some(cases: list[Any], quick: set[int]) -> list[Any]:
    """The cases as parameters; those whose number is not `quick` are slow tests."""
    slow = [pytest.mark.slow]
    return [
        pytest.param(*(case if isinstance(case, tuple) else (case,)), marks=[] if number in quick else slow)
        for number, case in enumerate(cases)
    ]


@pytest.mark.parametrize(("window", "size"), some([(w, n) for w in WINDOWS for n in (3, 1024)], {7}))
def test_places(con: Any, oracle: Any, window: str, size: int) -> None:
    con.execute(f"SET batch_size = {size}; SET gpu_batch_size = {size}")
    check(con, oracle, [over(name.format("s"), window) for name in PLACES])


@pytest.mark.parametrize("window", some(list(TIED), {3}))
def test_equal_rows(con: Any, oracle: Any, window: str) -> None:
    unordered = [name.format("s") for name in FRAMED[7:11]] + ["sum(dec)", "avg(v)", "bool_or(b)"]
    calls = [over(name, window) for name in (*SHARED, *unordered)]
    for frame in FRAMES[11:] if "ORDER" in window else FRAMES[15:]:
        calls += [over(name, window, frame, exclude) for exclude in EXCLUDES[::2] for name in unordered]
    check(con, oracle, calls)


@pytest.mark.parametrize(("window", "frame"), some([(w, f) for w in WINDOWS for f in FRAMES], {43}))
def test_frames(con: Any, oracle: Any, window: str, frame: str) -> None:
    number = (WINDOWS.index(window) + FRAMES.index(frame)) % len(EXCLUDES)
    calls = [name.format(column) for column in ("v", "s") for name in FRAMED]
    calls += [name.format("v") for name in NUMBERS] + list(OTHERS)
    excludes = [EXCLUDES[number], ""] if number and frame else [""]
    check(con, oracle, [over(call, window, frame, exclude) for exclude in excludes for call in calls])


@pytest.mark.parametrize("column", some(list(TYPED), {4}))
def test_types(con: Any, oracle: Any, column: str) -> None:
    window = "PARTITION BY p ORDER BY k, i"
    calls = [over(name.format(column), window) for name in PLACES]
    for frame in (FRAMES[0], FRAMES[2], FRAMES[3], FRAMES[4], FRAMES[9]):
        calls += [over(name.format(column), window, frame) for name in FRAMED]
        if column not in ("s", "b", "day", "moment"):
            calls += [over(name.format(column), window, frame) for name in NUMBERS]
    check(con, oracle, calls)


KEYS = (
    ("k", "2"),
    ("v", "0"),
    ("d", "1.5"),
    ("f", "0.25"),
    ("dec", "1.25"),
    ("wide", "20000000000000000000"),
    ("h", "100000000000000000000"),
    ("day", "INTERVAL 2 DAY"),
    ("moment", "INTERVAL 15 HOUR"),
    ("k", "n"),
)
DIRECTIONS = ("", "DESC", "NULLS FIRST", "DESC NULLS LAST")


@pytest.mark.parametrize(
    ("key", "distance", "direction"), some([(*key, down) for key in KEYS for down in DIRECTIONS], {37})
)
def test_ranges(con: Any, oracle: Any, key: str, distance: str, direction: str) -> None:
    calls = []
    for window in (f"ORDER BY {key} {direction}", f"PARTITION BY p ORDER BY {key} {direction}"):
        for frame in (
            f"RANGE BETWEEN {distance} PRECEDING AND {distance} FOLLOWING",
            f"RANGE BETWEEN {distance} PRECEDING AND UNBOUNDED FOLLOWING",
            f"RANGE BETWEEN UNBOUNDED PRECEDING AND {distance} FOLLOWING",
            f"RANGE BETWEEN CURRENT ROW AND {distance} FOLLOWING EXCLUDE TIES",
            f"RANGE BETWEEN {distance} PRECEDING AND {distance} PRECEDING",
            f"RANGE BETWEEN {distance} FOLLOWING AND {distance} FOLLOWING",
        ):
            calls += [over(name, window, frame) for name in ("count(*)", "sum(v)", "min(i)", "max(s)")]
    check(con, oracle, calls)


def test_every_frame(con: Any, oracle: Any) -> None:
    """One function of each way to compute over each kind of frame."""
    names = (
        "count(v)",
        "sum(v)",
        "min(s)",
        "sum(d)",
        "last_value(s)",
        "nth_value(v, 2)",
        "arg_min(s, d + i)",
    )
    calls = []
    for number, frame in enumerate(FRAMES):
        window, exclude = WINDOWS[number % len(WINDOWS)], EXCLUDES[number % len(EXCLUDES)]
        calls += [over(names[(number + add) % len(names)], window, frame, exclude) for add in range(2)]
    check(con, oracle, calls)


def test_distinct_values(con: Any, oracle: Any) -> None:
    names = ("count(DISTINCT v)", "sum(DISTINCT dec)", "avg(DISTINCT d) FILTER (WHERE b)", "max(DISTINCT s)")
    window = "PARTITION BY p ORDER BY k, i"
    check(
        con, oracle, [over(name, window, frame) for name in names for frame in (*FRAMES[:2], *FRAMES[3:6:2])]
    )
    con.execute("SET on_fallback = 'report'")
    ((_, plan),) = con.execute(f"EXPLAIN SELECT {over(names[0], window, FRAMES[4])} FROM t").fetchall()
    assert "count(DISTINCT ...) over a frame with another start than the partition's" in plan


@pytest.mark.parametrize(
    ("call", "message"),
    [
        ("sum(v) OVER (ORDER BY i ROWS n PRECEDING)", "Window ROWS PRECEDING expression cannot be NULL"),
        (
            "sum(v) OVER (ORDER BY i ROWS BETWEEN CURRENT ROW AND i - 3 FOLLOWING)",
            "Window ROWS FOLLOWING expression cannot be negative",
        ),
        ("sum(v) OVER (ORDER BY i GROUPS v PRECEDING)", "Invalid GROUPS PRECEDING value"),
        ("sum(v) OVER (ORDER BY i RANGE v PRECEDING)", "Invalid RANGE PRECEDING value"),
        ("sum(v) OVER (ORDER BY i RANGE -1 PRECEDING)", "Invalid RANGE PRECEDING value"),
        (
            "sum(v) OVER (ORDER BY k RANGE BETWEEN i - 9 FOLLOWING AND 50 FOLLOWING)",
            "Invalid RANGE FOLLOWING",
        ),
        (
            "sum(v) OVER (ORDER BY k RANGE BETWEEN 50 PRECEDING AND i - 9 PRECEDING)",
            "Invalid RANGE PRECEDING",
        ),
        ("sum(v) OVER (ORDER BY k RANGE BETWEEN CURRENT ROW AND v FOLLOWING)", "Invalid RANGE FOLLOWING"),
        ("ntile(v) OVER (ORDER BY i)", "Argument for ntile must be greater than zero"),
        ("sum(x) OVER (ORDER BY i ROWS 1 PRECEDING)", "Overflow in"),
    ],
)
def test_errors(con: Any, oracle: Any, call: str, message: str) -> None:
    sql = f"SELECT {call} FROM (SELECT *, '9{'0' * 37}'::DECIMAL(38, 0) AS x FROM t)"
    with pytest.raises(duckdb.Error, match=message):
        oracle.execute(sql).fetchall()
    with pytest.raises(tandemdb.Error, match=message):
        con.execute(sql).fetchall()


def test_sums_that_fit_are_no_error_though_running_ones_would_not(con: Any) -> None:
    """Nor does it matter where the frame lies; DuckDB adds up more than it shows."""
    sql = f"""SELECT sum(CASE WHEN i % 2 = 0 THEN 1 ELSE -1 END * '6{"0" * 37}'::DECIMAL(38, 0))
    OVER (ORDER BY i ROWS BETWEEN {{}} PRECEDING AND CURRENT ROW) FROM t ORDER BY i"""
    found = [int(value) for (value,) in con.execute(sql.format(1)).fetchall()]
    assert found == [6 * 10**37] + [0] * (ROWS - 1)
    alone = [int(value) for (value,) in con.execute(sql.format(0)).fetchall()]
    assert alone == [6 * 10**37 * (-1) ** row for row in range(ROWS)]
    steep = f"""SELECT sum('9{"0" * 37}'::DECIMAL(38, 0)) OVER (ORDER BY i ROWS CURRENT ROW) FROM t"""
    assert {int(value) for (value,) in con.execute(steep).fetchall()} == {9 * 10**37}


@pytest.mark.parametrize("where", ["i < 0", "i = 3", "v IS NULL AND k IS NULL"])
def test_few_rows(con: Any, oracle: Any, where: str) -> None:
    names = [*PLACES[:8], *PLACES[-2:], *FRAMED, *OTHERS[:4]]
    calls = [over(name.format("v"), "PARTITION BY p ORDER BY i") for name in names]
    check(con, oracle, [*calls, over("sum(v)", "", "")], f"FROM t WHERE {where} ORDER BY i")


def test_rows_come_out_as_they_came_in(con: Any) -> None:
    con.execute("SET gpu_batch_size = 7")
    rows = con.execute("SELECT i, row_number() OVER (PARTITION BY p ORDER BY d) FROM t").fetchall()
    assert [row[0] for row in rows] == list(range(ROWS))
    assert con.execute("SELECT row_number() OVER () FROM t").fetchall() == [(n + 1,) for n in range(ROWS)]


def test_the_spread_of_what_is_no_number(con: Any) -> None:
    con.execute("""SET device = 'cpu'; CREATE TABLE odd AS SELECT * FROM (VALUES (1, 2.0::DOUBLE), (2, 4.0),
    (3, 'inf'), (4, NULL), (5, 1.0), (6, 'nan')) v(i, x)""")
    sql = """SELECT var_pop(x) OVER w, stddev_samp(x) OVER w, var_samp(x) OVER (w ROWS 1 PRECEDING) FROM odd
    WINDOW w AS (ORDER BY i)"""
    rows = con.execute(f"SET device = 'gpu'; {sql}").fetchall()
    con.execute("SET device = 'cpu'")
    assert str(rows) == str(con.execute(sql).fetchall())
    assert [row[0] for row in rows[:2]] == [0.0, 1.0]
    assert str(rows[2][0]) == "nan"


def test_an_interrupt_is_seen_between_functions(con: Any, monkeypatch: pytest.MonkeyPatch) -> None:
    seen: list[str] = []

    def interrupting(call: Any, rows: Any, frames: Any) -> Any:
        seen.append(call.function)
        con.interrupt()
        return rank(call, rows, frames)

    for name in ("rank", "dense_rank"):
        monkeypatch.setitem(window_plan.WINDOWS, name, interrupting)
    with pytest.raises(tandemdb.Error, match="interrupted"):
        con.execute("SELECT rank() OVER w, dense_rank() OVER w FROM t WINDOW w AS (ORDER BY k)").fetchall()
    assert len(seen) == 1


def test_what_the_gpu_has_not_is_told(con: Any) -> None:
    con.execute("SET on_fallback = 'report'")
    ((_, plan),) = con.execute("EXPLAIN SELECT bit_or(h) OVER (), lag(v) OVER () FROM t").fetchall()
    assert "the aggregate bit_or of HUGEINT: 128-bit integers run on the CPU" in plan
