"""Scripts to statements: splitting, spans, syntax errors, depth."""

from __future__ import annotations

import sys
import threading
import time

import pytest
from planner_catalog import bind_query
from sqlglot import exp
from tandemdb.planner.errors import ParserError, Span, UnsupportedError
from tandemdb.planner.frontend import parse, parse_script, parse_stored, run_deep, span_of, split_script


@pytest.mark.parametrize(
    ("script", "texts"),
    [
        ("", []),
        (" ;; ; -- nothing\n;", []),
        ("SELECT 1", ["SELECT 1"]),
        ("SELECT 1;\n-- two\nSELECT 2 ;", ["SELECT 1", "SELECT 2"]),
        ("SELECT ';' ; SELECT $$;$$; SELECT $x$;$$;$x$", ["SELECT ';'", "SELECT $$;$$", "SELECT $x$;$$;$x$"]),
        ('SELECT 1 AS ";" /* ; */ -- ;\n; SELECT 2', ['SELECT 1 AS ";"', "SELECT 2"]),
        ("EXPLAIN SELECT ';'; SET x = ';'; SHOW x", ["EXPLAIN SELECT ';'", "SET x = ';'", "SHOW x"]),
        ("CREATE VIEW v AS SELECT ';'; RESET x", ["CREATE VIEW v AS SELECT ';'", "RESET x"]),
    ],
)
def test_scripts_are_split_at_semicolons(script: str, texts: list[str]) -> None:
    assert [p.text for p in parse_script(script)] == texts
    assert [script[start:end] for start, end in split_script(script)] == texts


def test_a_compiled_sqlglot_is_one_sentence(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(parse, "EXTENSIBLE", False)
    with pytest.raises(UnsupportedError, match="its compiled build does not allow") as error:
        parse_script("SELECT 1")
    assert "sqlglotc" in (error.value.hint or "")


def test_spans_are_offsets_in_the_whole_script() -> None:
    script = "SELECT 1; SELECT a + bcd FROM t"
    parsed = parse_script(script)[1]
    assert isinstance(parsed.ast, exp.Select)
    span = span_of(parsed.ast.expressions[0])
    assert span == Span(script.index("a +"), script.index(" FROM"))


@pytest.mark.parametrize(
    "text", ["NULL", "true", "false", "*", "?", "$1", "$name", ".5", "1_000", "'x'", "INTERVAL 3 DAY"]
)
def test_single_tokens_have_places(text: str) -> None:
    (parsed,) = parse_script(f"SELECT {text} FROM t")
    assert isinstance(parsed.ast, exp.Select)
    assert span_of(parsed.ast.expressions[0]) == Span(7, 7 + len(text))


def test_types_have_places() -> None:
    (parsed,) = parse_script("SELECT CAST(a AS decimal(3, 1))")
    assert isinstance(parsed.ast, exp.Select)
    assert span_of(parsed.ast.expressions[0].args["to"]) == Span(17, 30)


@pytest.mark.parametrize(
    ("marked", "hint"),
    [
        ("SELECT * FORM <t>", "Did you mean FROM?"),
        ("<SELEC> a FROM t", "Did you mean SELECT?"),
        ("<1>+1", ""),
        ("SELECT a b <c> FROM t", ""),
        ("SELECT (a <FROM> t", ""),
        ("SELECT a<)> FROM t", ""),
        ("SELECT CASE WHEN a THEN 1 <FROM> t", ""),
        ("SELECT a FROM t WHERE a = <=> 1", ""),
        ("SELECT a FROM t <GROUP> a", "Did you mean GROUP BY?"),
        ("SELECT a FROM t WHERE< >", ""),
        ("SELECT a FROM t ORDER BY< >", ""),
        ("INSERT INTO t VALUES (1< >", ""),
        ("SELECT 1; SELECT <)>", ""),
        ("SELECT <'abc>", ""),
        ('SELECT <"abc>', ""),
        ("SELECT </>* abc", ""),
        ("SELECT <$>$abc", ""),
        ("SELECT a, <x'1'>", ""),
        ("SELECT a, <X'zz'>", ""),
        ("SELECT a, <x'-1'> FROM t", ""),
        ("SELECT a FROM t WHERE a = <1e>", ""),
        ("SET x< >", ""),
        ("EXPLAIN< >", ""),
        ("CREATE VIEW v AS< >", ""),
    ],
)
def test_syntax_errors_point_at_the_token(marked: str, hint: str) -> None:
    start = marked.index("<")
    end = marked.index(">", start + 1 if marked[start + 1] != ">" else start + 2) - 1
    sql = (marked[:start] + marked[start + 1 : end + 1] + marked[end + 2 :]).rstrip()
    with pytest.raises(ParserError) as caught:
        parse_script(sql)
    error = caught.value
    assert error.span is not None
    assert error.span.start == start
    assert (error.hint or "") == hint
    assert error.sql == sql
    text = error.render()
    assert "\x1b" not in text
    assert "sqlglot" not in text.lower()


@pytest.mark.parametrize(
    "sql",
    [
        "SELECT a FROM t LIMIT 1, 2",
        "SELECT a FROM t WHERE s REGEXP 'x'",
        "SELECT a FROM t WHERE a <=> b",
        "FROM t |> SELECT a",
        "SELECT a FROM t 'x'",
        "SELECT a FROM t@x",
        "SELECT a FROM t GROUP BY DISTINCT a",
        "SELECT a FROM t GROUP BY ALL, b",
        "SELECT EXTRACT(year, d) FROM t",
        "SELECT POSITION('a', s) FROM t",
        "SELECT ! a FROM t",
        "SELECT a DIV b FROM t",
        "SELECT a true FROM t",
        "SELECT a FROM t case",
        "SELECT a AS FROM t",
        "SELECT AS a FROM t",
        "SELECT a AS 1 FROM t",
        "SELECT a,, b FROM t",
        "SELECT a FROM t GROUP BY",
        "SELECT * EXCLUDE FROM t",
        "SELECT * FROM t JOIN u USING a",
        "SELECT * FROM t JOIN u USING (t.a)",
        "SELECT * FROM t AS (p, q)",
        "SELECT . 5",
        "VALUES 1",
        "AS SELECT 1",
    ],
)
def test_syntax_of_other_dialects_is_refused(sql: str) -> None:
    with pytest.raises(ParserError):
        parse_script(sql)


def test_function_calls_stay_as_written() -> None:
    (parsed,) = parse_script(
        "SELECT DATE_TRUNC('day', d), Coalesce(a, 1), \"substring\"(s, 1), count(DISTINCT a)"
    )
    assert isinstance(parsed.ast, exp.Select)
    calls = parsed.ast.expressions
    assert all(isinstance(call, exp.Anonymous) for call in calls)
    assert [c.name for c in calls] == ["DATE_TRUNC", "Coalesce", "substring", "count"]
    assert [len(c.expressions) for c in calls] == [2, 2, 2, 1]


DEEP = {
    "10,000 ANDed terms": "SELECT a FROM t WHERE " + " AND ".join(f"a <> {i}" for i in range(10_000)),
    "10,000 ORed terms": "SELECT a FROM t WHERE " + " OR ".join(f"a = {i}" for i in range(10_000)),
    "1,000 UNION ALLs": " UNION ALL ".join(f"SELECT {i}" for i in range(1_000)),
    "1,000 UNIONs, mixed": " UNION ".join(f"SELECT {i} UNION ALL SELECT 2" for i in range(500)),
    "1,000 EXCEPTs": " EXCEPT ".join(f"SELECT {i}" for i in range(1_000)),
    "500 parentheses": "SELECT " + "(" * 500 + "1" + ")" * 500,
    "500 parentheses in WHERE": "SELECT a FROM t WHERE " + "(" * 500 + "a = 1" + ")" * 500,
    "200 subqueries in FROM": "SELECT * FROM " + "(SELECT * FROM " * 200 + "t" + ")" * 200,
    "200 scalar subqueries": "SELECT " + "(SELECT " * 200 + "1" + ")" * 200,
    "200 correlated EXISTS": "SELECT 1 FROM t WHERE "
    + "EXISTS (SELECT 1 FROM t AS q WHERE q.a = t.a AND " * 200
    + "true"
    + ")" * 200,
    "500 CTEs": "WITH c0 AS (SELECT 1 AS a)"
    + "".join(f", c{i} AS (SELECT a + 1 AS a FROM c{i - 1})" for i in range(1, 500))
    + " SELECT * FROM c499",
    "300 joins": "SELECT 1 FROM t t0"
    + "".join(f" JOIN t t{i} ON t{i}.a = t{i - 1}.a" for i in range(1, 300)),
    "300 calls": "SELECT " + "abs(" * 300 + "a" + ")" * 300 + " FROM t",
    "300 CASEs": "SELECT " + "CASE WHEN a > 1 THEN " * 300 + "1" + " END" * 300 + " FROM t",
}


@pytest.mark.parametrize("name", DEEP)
def test_deep_statements_bind(name: str) -> None:
    before = sys.getrecursionlimit()
    started = time.monotonic()
    assert bind_query(DEEP[name]).names
    assert time.monotonic() - started < 20
    assert sys.getrecursionlimit() == before


@pytest.mark.parametrize(
    ("sql", "message"),
    [
        ("SELECT " + "(" * 1_100 + "1" + ")" * 1_100, "1,100 levels deep; the limit is 1,000"),
        ("SELECT * FROM " + "(SELECT * FROM " * 2_000 + "t" + ")" * 2_000, "2,000 levels deep"),
        ("SELECT " + " + ".join(["1"] * 5_000), "more than 3,000 operators"),
    ],
)
def test_beyond_the_limit_one_sentence_says_so(sql: str, message: str) -> None:
    with pytest.raises(ParserError, match=message):
        parse_script(sql)


def test_run_deep_runs_shallow_calls_here_and_deep_ones_in_a_thread() -> None:
    here = threading.get_ident()
    assert run_deep(threading.get_ident, 1) == here
    assert run_deep(threading.get_ident, 500) != here

    def depth(n: int) -> int:
        return 0 if n == 0 else 1 + depth(n - 1)

    assert run_deep(lambda: depth(50_000), 500) == 50_000
    with pytest.raises(ZeroDivisionError):
        run_deep(lambda: 1 // 0, 500)
    assert not [t for t in threading.enumerate() if t.name == "tandemdb-deep"]


def test_a_stored_text_is_parsed_once_and_each_caller_has_a_tree_of_its_own(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    text = "SELECT a + 1 AS parsed_once FROM t WHERE b"
    first = parse_stored(text)
    monkeypatch.setattr(parse, "parse_script", None)
    assert isinstance(first.ast, exp.Select)
    first.ast.set("where", None)
    second = parse_stored(text)
    assert isinstance(second.ast, exp.Select)
    assert second.ast.sql() == text
    assert span_of(second.ast.expressions[0].this) == Span(7, 12)
    assert (second.sql, second.start, second.end) == (text, 0, len(text))
