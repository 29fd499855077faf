"""Transactions of several connections to one database, and DB-API begin, commit and rollback."""

from __future__ import annotations

import pytest
import tandemdb


@pytest.fixture
def pair():
    """Two connections to a database with a table t."""
    first = tandemdb.connect()
    first.execute("CREATE TABLE t(a INTEGER PRIMARY KEY, b INTEGER); INSERT INTO t VALUES (1, 1), (2, 2)")
    return first, first.duplicate()


def rows(con: tandemdb.Connection, sql: str = "SELECT * FROM t ORDER BY a") -> list[tuple[object, ...]]:
    return con.execute(sql).fetchall()


def test_changes_are_seen_by_others_after_commit(pair) -> None:
    one, two = pair
    one.begin()
    one.execute("UPDATE t SET b = 5 WHERE a = 1; DELETE FROM t WHERE a = 2; INSERT INTO t VALUES (3, 3)")
    one.execute("CREATE TABLE u(x INTEGER); CREATE VIEW v AS SELECT 1 AS x")
    assert rows(one) == [(1, 5), (3, 3)]
    assert rows(two) == [(1, 1), (2, 2)]
    with pytest.raises(tandemdb.ProgrammingError):
        two.execute("SELECT * FROM u")
    one.commit()
    assert rows(two) == [(1, 5), (3, 3)]
    assert rows(two, "SELECT * FROM v") == [(1,)]


def test_rollback_takes_everything_back(pair) -> None:
    one, _ = pair
    one.execute("INSERT INTO t VALUES (3, 3)")
    one.begin()
    one.execute("INSERT INTO t VALUES (4, 4); DELETE FROM t WHERE a < 3; DROP TABLE IF EXISTS nosuch")
    one.execute("CREATE INDEX i ON t(b); DROP TABLE t")
    one.rollback()
    assert rows(one) == [(1, 1), (2, 2), (3, 3)]
    with pytest.raises(tandemdb.IntegrityError, match="a: 3"):
        one.execute("INSERT INTO t VALUES (3, 3)")
    one.execute("INSERT INTO t VALUES (4, 4)")
    one.execute("CREATE INDEX i ON t(b)")


def test_a_snapshot_stays_as_it_was(pair) -> None:
    one, two = pair
    two.begin()
    one.execute("INSERT INTO t VALUES (3, 3)")
    assert rows(two) == [(1, 1), (2, 2)]
    two.commit()
    assert rows(two) == [(1, 1), (2, 2), (3, 3)]


def test_two_that_add_rows_both_commit(pair) -> None:
    one, two = pair
    one.begin()
    two.begin()
    one.execute("INSERT INTO t VALUES (3, 3)")
    two.execute("INSERT INTO t VALUES (4, 4)")
    one.commit()
    two.commit()
    assert rows(one) == [(1, 1), (2, 2), (3, 3), (4, 4)]


def test_two_that_add_the_same_key(pair) -> None:
    one, two = pair
    one.begin()
    two.begin()
    one.execute("INSERT INTO t VALUES (3, 3)")
    two.execute("INSERT INTO t VALUES (3, 4)")
    one.commit()
    with pytest.raises(tandemdb.OperationalError, match=r"Failed to commit: .*[Dd]uplicate key"):
        two.commit()
    assert rows(two) == [(1, 1), (2, 2), (3, 3)]
    two.execute("INSERT INTO t VALUES (4, 4)")


def test_the_second_update_fails_and_ends_its_transaction(pair) -> None:
    one, two = pair
    one.begin()
    two.begin()
    one.execute("UPDATE t SET b = 5 WHERE a = 1")
    two.execute("UPDATE t SET b = 6 WHERE a = 1")
    one.commit()
    with pytest.raises(tandemdb.OperationalError, match="Conflict on update"):
        two.execute("UPDATE t SET b = 7 WHERE a = 1")
    with pytest.raises(tandemdb.OperationalError, match="Current transaction is aborted"):
        two.execute("SELECT 1")
    two.rollback()
    assert rows(two) == [(1, 5), (2, 2)]


def test_a_commit_against_another_fails(pair) -> None:
    one, two = pair
    one.begin()
    one.execute("UPDATE t SET b = 5")
    two.execute("INSERT INTO t VALUES (3, 3)")
    with pytest.raises(tandemdb.OperationalError, match="Failed to commit"):
        one.commit()
    one.begin()
    one.execute("CREATE TABLE u(a INTEGER)")
    two.execute("CREATE TABLE u(b INTEGER)")
    with pytest.raises(tandemdb.OperationalError, match="Failed to commit"):
        one.commit()
    assert rows(one) == [(1, 1), (2, 2), (3, 3)]


def test_an_error_while_rows_are_fetched_ends_the_transaction(pair) -> None:
    one, _ = pair
    one.begin()
    cursor = one.execute("SELECT CAST(s AS INTEGER) FROM (SELECT 'x' || a AS s FROM t) AS q")
    with pytest.raises(tandemdb.DataError):
        cursor.fetchall()
    with pytest.raises(tandemdb.OperationalError, match="aborted"):
        one.execute("SELECT 1")
    one.commit()
    assert rows(one) == [(1, 1), (2, 2)]


def test_many_single_rows_are_fast_and_stay_few_batches(pair) -> None:
    one, _ = pair
    one.begin()
    for number in range(3, 300):
        one.execute("INSERT INTO t VALUES (?, ?)", (number, number))
    one.commit()
    table = one.session.catalog.snapshot.tables["t"]
    assert table.rows == 299
    assert len(table.batches) < 12
