"""Engines in processes of their own: replies, errors, time-outs, deaths."""

import json
import subprocess
import sys
import time
from collections.abc import Iterator
from pathlib import Path

import pytest
from tandemdb.tpch import texts
from tandemdb.tpch.client import Client, WorkerError
from tandemdb.tpch.engines import RIVALS, Source
from tandemdb.tpch.verify import LENIENT, Order, compare


@pytest.fixture
def oracle(lake: Path, tmp_path: Path) -> Iterator[Client]:
    client = Client("duckdb", lake, 1, "parquet", tmp_path, timeout=60)
    yield client
    client.close()


@pytest.mark.parametrize("source", ["parquet", "memory"])
@pytest.mark.parametrize("name", RIVALS)
def test_every_rival_runs_and_explains(
    name: str, source: Source, lake: Path, tmp_path: Path, oracle: Client
) -> None:
    client = Client(name, lake, 1, source, tmp_path, timeout=60)
    try:
        for query in (1, 6, 13):
            text = texts.load(query)
            reply, result = client.run(text)
            assert reply["rows"] == result.num_rows
            assert reply["seconds"] > 0
            assert reply["peak_bytes"] > 10_000_000
            assert reply["fallbacks"] == reply["uncounted"] == []
            keys, _ = texts.ordering(text)
            assert compare(oracle.run(text)[1], result, Order(keys), LENIENT) == []
        assert "l_quantity" in client.explain(texts.load(6))
        assert client.version
    finally:
        client.close()


def test_an_error_is_a_sentence_and_the_worker_lives_on(oracle: Client) -> None:
    with pytest.raises(WorkerError, match="no_such_table"):
        oracle.run("select * from no_such_table")
    assert oracle.run("select 1 as one")[1].to_pydict() == {"one": [1]}


def test_a_query_that_takes_too_long_is_ended_and_the_next_one_runs(lake: Path, tmp_path: Path) -> None:
    client = Client("duckdb", lake, 1, "parquet", tmp_path, timeout=3)
    try:
        client.start()
        start = time.monotonic()
        with pytest.raises(WorkerError, match="no answer within 3 s"):
            client.run("select count(*) from lineitem a, lineitem b where a.l_comment < b.l_comment || 'x'")
        assert time.monotonic() - start < 20
        assert client.run("select 2 as two")[1].to_pydict() == {"two": [2]}
    finally:
        client.close()


def test_a_worker_that_dies_says_its_last_words(lake: Path, tmp_path: Path) -> None:
    client = Client("no_such_engine", lake, 1, "parquet", tmp_path, timeout=30)
    with pytest.raises(WorkerError, match="no_such_engine"):
        client.start()
    client.close()


NOISY = """
import os, sys
from tandemdb.tpch import worker

class Noisy(worker.Worker):
    def answer(self, request):
        print("printed by Python")
        os.write(1, b"printed by a library\\n")
        return super().answer(request)

worker.Worker = Noisy
sys.argv = ["worker", "duckdb"]
sys.exit(worker.main())
"""


def test_what_an_engine_prints_does_not_disturb_the_replies(lake: Path, tmp_path: Path) -> None:
    requests = [
        {"op": "open", "lake": str(lake), "threads": 1, "source": "parquet", "device": "auto"},
        {"op": "run", "sql": "select 1", "out": str(tmp_path / "out.arrow")},
    ]
    done = subprocess.run(
        [sys.executable, "-c", NOISY],
        input="".join(json.dumps(request) + "\n" for request in requests),
        capture_output=True,
        text=True,
        check=True,
    )
    opened, ran = map(json.loads, done.stdout.splitlines())
    assert (list(opened), ran["rows"]) == (["version"], 1)
    assert done.stderr.count("printed by") == 4
