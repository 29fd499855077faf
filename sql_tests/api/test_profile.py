"""What a finished query tells: its own memory, and every operator that did not run where it was placed."""

import pytest
import tandemdb
from tandemdb.cpu_fallback.backend import CpuBackend
from tandemdb.engine import devices, session
from tandemdb.gpu_exec.backend import GpuBackend
from tandemdb.physical.backend import Refusal
from tandemdb.physical.batch import Device
from tandemdb.physical.pipeline import AggregateSink
from tandemdb.tpch.engines import uncounted

GROUPS = "SELECT range % {n} AS k, count(*) AS c FROM range({n}) GROUP BY k ORDER BY k"


@pytest.fixture
def con():
    with tandemdb.connect() as connection:
        yield connection


def test_peak_memory_is_each_querys_own(con) -> None:
    def peak(rows: int, *, beside: bool) -> int:
        other = con.execute(GROUPS.format(n=300_000)) if beside else None
        cursor = con.execute(GROUPS.format(n=rows))
        cursor.fetchall()
        if other is not None:
            other.fetchall()
            assert other.profile.peak_bytes > 10 * cursor.profile.peak_bytes
        return cursor.profile.peak_bytes

    con.execute("SET threads = 1")
    assert 0 < peak(100, beside=True) == peak(100, beside=False)


def test_operators_asked_onto_a_gpu_that_is_not_there_are_counted(con, monkeypatch) -> None:
    monkeypatch.setattr(devices, "why_no_gpu", lambda: "there is no GPU: install one")
    with pytest.warns(tandemdb.GpuWarning, match="install one"):
        con.execute("SET device = 'gpu'")
    cursor = con.execute("SELECT 1 AS a ORDER BY a")
    cursor.fetchall()
    assert cursor.profile.fallbacks
    assert all("GPU" in str(f) and "install" in str(f) for f in cursor.profile.fallbacks)
    con.execute("SET on_fallback = 'error'")
    with pytest.raises(tandemdb.NotSupportedError, match="an operator cannot run on the GPU"):
        con.execute("SELECT 1")


class RefusingBackend(GpuBackend):
    """A GPU that refuses aggregates after all."""

    def sink(self, spec, maker, **options):
        if isinstance(spec, AggregateSink):
            raise Refusal("out of device memory")
        return super().sink(spec, maker, **options)


@pytest.fixture
def refused(gpu, con, monkeypatch):
    """Everything is asked onto a GPU, whose backend refuses aggregates."""
    both = {Device.CPU: CpuBackend(), Device.GPU: RefusingBackend()}
    monkeypatch.setattr(devices, "backends", lambda: both)
    monkeypatch.setattr(session, "backends", lambda: both)
    con.execute("SET device = 'gpu'")


SUMS = "SELECT range % 3 AS k, sum(range) AS s FROM range(10) GROUP BY k ORDER BY k"


@pytest.mark.usefixtures("refused")
def test_an_operator_that_its_backend_refuses_runs_on_the_cpu_and_is_counted(con) -> None:
    cursor = con.execute(SUMS)
    assert cursor.fetchall() == [(0, 18), (1, 12), (2, 15)]
    assert [str(f) for f in cursor.profile.fallbacks] == ["Aggregate: out of device memory"]
    assert uncounted(cursor.profile) == []
    assert any(text.startswith("fallbacks: ") for text in explained(con))


def explained(con) -> list[str]:
    ((_, text),) = con.execute(f"EXPLAIN ANALYZE {SUMS}").fetchall()
    return [line for line in text.splitlines() if "fallback" in line and line != "fallbacks: 0"]


@pytest.mark.usefixtures("refused")
def test_a_refused_operator_can_be_made_fatal(con) -> None:
    con.execute("SET on_fallback = 'error'")
    with pytest.raises(tandemdb.NotSupportedError, match="out of device memory"):
        con.execute(SUMS).fetchall()
    con.execute("RESET on_fallback")
    assert len(con.execute(SUMS).fetchall()) == 3


def test_an_operator_that_moved_without_being_counted_is_seen(con) -> None:
    cursor = con.execute(SUMS)
    cursor.fetchall()
    profile = cursor.profile
    assert uncounted(profile) == []
    profile.operators[max(profile.operators)].device = Device.GPU
    assert len(uncounted(profile)) == 1


def test_explain_analyze_writes_and_explain_does_not() -> None:
    with tandemdb.connect() as con:
        con.execute("CREATE TABLE t(a INTEGER)")
        con.execute("EXPLAIN INSERT INTO t VALUES (1)").fetchall()
        assert con.execute("FROM t").fetchall() == []
        ((key, text),) = con.execute("EXPLAIN ANALYZE INSERT INTO t VALUES (1), (2)").fetchall()
        assert key == "analyzed_plan"
        assert "2 rows" in text
        assert con.execute("FROM t").fetchall() == [(1,), (2,)]
        for value in (1, 2):
            con.execute(f"EXPLAIN ANALYZE CREATE TABLE IF NOT EXISTS u AS SELECT {value} AS b").fetchall()
            assert con.execute("FROM u").fetchall() == [(1,)]
        with pytest.raises(tandemdb.Error, match="already exists"):
            con.execute("EXPLAIN ANALYZE CREATE TABLE u AS SELECT 3")
