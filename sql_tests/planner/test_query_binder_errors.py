"""Errors of queries: the message, the token under the caret, and the hint."""

from __future__ import annotations

import pytest
from planner_catalog import MemoryCatalog, bind_sql, tpch_catalog
from tandemdb.planner.catalog import View
from tandemdb.planner.errors import SqlError, UnsupportedError

# SQL with the token that the caret must cover between < and >, a part of the message, a part of the hint.
CASES = [
    ("SELECT <l_qantity> FROM lineitem", 'Column "l_qantity" does not exist', "l_quantity"),
    ("SELECT a\n  , <bb>\nFROM t", 'Column "bb"', ""),
    ("SELECT <t.zz> FROM t", 'Table "t" has no column "zz"', "Its columns: a, b"),
    ("SELECT <l.l_tax> FROM lineitem", 'no table "l"', "lineitem"),
    ("SELECT t.a FROM t WHERE <u.a> = 1", 'no table "u"', ""),
    ("SELECT * FROM <lineitm>", 'Table "lineitm" does not exist', "lineitem"),
    ("SELECT * FROM <a.b.c>", 'Table "a.b.c" does not exist', ""),
    ("SELECT * FROM <rang>(3)", 'Table function "rang"', "range"),
    ("SELECT <a> FROM t, u", 'Column "a" is ambiguous', 't.a" or "u.a'),
    ("SELECT <b> FROM t GROUP BY a", "GROUP BY", "any_value"),
    ("SELECT sum(a) FROM t HAVING <b> > 1", "GROUP BY", ""),
    ("SELECT a FROM t GROUP BY a ORDER BY <b>", "GROUP BY", ""),
    ("SELECT a FROM t GROUP BY CUBE(<a, b, a, b, a, b, a, b, a, b, a, b, a, b, a, b, a>)", "65535", ""),
    ("SELECT <b> FROM t GROUP BY ROLLUP(a)", "GROUP BY", ""),
    ("SELECT grouping(<b>) FROM t GROUP BY CUBE(a)", "none of them", ""),
    ("SELECT <grouping(a>) FROM t", "needs a GROUP BY", ""),
    ("SELECT a FROM t WHERE <grouping>(a) = 1 GROUP BY a", "not allowed in WHERE", ""),
    ("SELECT <grouping>() FROM t GROUP BY a", "arguments", ""),
    ("SELECT a FROM t WHERE <sum>(a) > 1", "not allowed in WHERE", "HAVING"),
    ("SELECT a FROM t GROUP BY <sum>(a)", "not allowed in GROUP BY", ""),
    ("SELECT <sum>(a) FROM t GROUP BY 1", "not allowed in GROUP BY", ""),
    ("SELECT 1 FROM t JOIN u ON <max>(t.a) = 1", "not allowed in ON", ""),
    ("SELECT a FROM t ORDER BY <3>", "position 3 is out of range", ""),
    ("SELECT a FROM t ORDER BY <'x'>", "constant", ""),
    ("SELECT <*>", "needs a FROM", ""),
    ("SELECT <a>", "no FROM clause", "single quotes"),
    ("SELECT * EXCLUDE (<zz>) FROM t", "EXCLUDE", ""),
    ("SELECT * REPLACE (1 AS <zz>) FROM t", "REPLACE", ""),
    ("SELECT <x> + 1 AS y, a AS x FROM u", "before the SELECT item", ""),
    ("SELECT (SELECT 1) AS m, <m> + 1 FROM t", "subquery", "CTE"),
    ("SELECT random() AS r, <r> + 1 FROM t", "changes from call to call", ""),
    ("SELECT a + 1 AS y FROM t GROUP BY <y> + 1", "part of an expression in GROUP BY", ""),
    ("SELECT a FROM t LIMIT -<1>", "negative", ""),
    ("SELECT a FROM t LIMIT <101>%", "from 0 to 100", ""),
    ("SELECT a FROM t LIMIT <a>", "no FROM clause", ""),
    ("SELECT a FROM t UNION SELECT <a, c FROM u>", "1 and 2", ""),
    ("VALUES (1), (<1, 2>)", "1 and 2", ""),
    ("SELECT a FROM t UNION BY NAME SELECT <a, c AS A FROM u>", "stands twice", ""),
    ("SELECT a FROM t EXCEPT BY NAME SELECT <a FROM u>", "BY NAME is for UNION", ""),
    ("SELECT <#9> FROM u", "FROM has 3 columns", ""),
    ("SELECT 1 FROM t JOIN <u>", "needs a condition", "CROSS JOIN"),
    ("SELECT 1 FROM t JOIN u USING (<zz>)", "left side", ""),
    ("SELECT 1 FROM t NATURAL JOIN <w>", "no column of the same name", ""),
    ("SELECT 1 FROM t x, u x WHERE <x.a> = 1", "more than one table", "alias"),
    ("WITH q AS (SELECT 1), <q> AS (SELECT 2) SELECT 1", "twice", ""),
    ("SELECT * FROM (SELECT 1) AS <k(a, b>)", "1 column, but 2 names", ""),
    ("SELECT * FROM range(<a>)", "constants only", ""),
    ("SELECT * FROM t RIGHT JOIN (SELECT t.a) AS <k> ON true", "RIGHT JOIN", ""),
    ("SELECT a FROM t WHERE <d>", "condition", ""),
]


@pytest.mark.parametrize(("marked", "message", "hint"), CASES, ids=[c[0] for c in CASES])
def test_message_place_and_hint(marked: str, message: str, hint: str) -> None:
    start = marked.index("<")
    end = marked.index(">", start) - 1
    sql = marked[:start] + marked[start + 1 : end + 1] + marked[end + 2 :]
    with pytest.raises(SqlError) as caught:
        bind_sql(sql)
    error = caught.value
    assert message in error.message
    assert hint in (error.hint or "")
    assert error.span is not None
    # The whole of the last case's subquery counts as its place.
    assert error.span.start <= start < error.span.end
    if "RIGHT JOIN" not in marked:
        assert sql[error.span.start : error.span.end] == sql[start:end]
    assert error.sql == sql


@pytest.mark.parametrize(
    ("sql", "what"),
    [
        ("SELECT a INTO x FROM t", "SELECT INTO"),
        ("SELECT a FROM t FOR UPDATE", "FOR UPDATE"),
        ("SELECT a FROM t GROUP BY a WITH ROLLUP", "ROLLUP"),
        ("SELECT a FROM t FETCH FIRST 3 ROWS WITH TIES", "WITH TIES"),
        ("SELECT a FROM t FETCH FIRST 3 PERCENT ROWS ONLY", "PERCENT"),
        ("SELECT * FROM range(3) WITH ORDINALITY", "WITH ORDINALITY"),
    ],
)
def test_refused_by_name(sql: str, what: str) -> None:
    with pytest.raises(UnsupportedError) as caught:
        bind_sql(sql)
    assert what in caught.value.message
    assert caught.value.span is not None


def catalog_with_views() -> MemoryCatalog:
    catalog = tpch_catalog()
    catalog.entries["bad"] = View("bad", "SELECT a,\n  zz FROM t")
    catalog.entries["loop"] = View("loop", "SELECT * FROM loop")
    catalog.entries["broken"] = View("broken", "SELECT FROM FROM")
    return catalog


def test_errors_in_views_show_the_view() -> None:
    for name, inside in (("bad", "zz"), ("loop", "itself"), ("broken", "syntax error")):
        with pytest.raises(SqlError) as caught:
            bind_sql(f"SELECT * FROM {name}", catalog_with_views())
        assert f'In view "{name}"' in caught.value.message
        assert inside in caught.value.message
        assert caught.value.sql == catalog_with_views().entries[name].sql  # type: ignore[union-attr]
