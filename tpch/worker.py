"""One engine in a process of its own: `python -m tandemdb.tpch.worker ENGINE`.

Requests come as lines of JSON on standard input, and each is answered by one line of JSON on standard output:

    {"op": "open", "lake": DIR, "threads": N, "source": "parquet" | "memory",
     "device": "auto" | "cpu" | "gpu"}  -> {"version": TEXT}
    {"op": "run", "sql": TEXT, "out": FILE}  -> {"seconds", "rows", "peak_bytes", "fallbacks", "uncounted"}
    {"op": "explain", "sql": TEXT}  -> {"plan": TEXT}

A failed request answers {"error": TEXT}. A result is left in FILE as an Arrow IPC file, written after the
clock has stopped. Whatever an engine prints goes to standard error.
"""

import json
import os
import sys
import time
from pathlib import Path
from typing import Any

import pyarrow as pa

from .engines import Engine, limit_cores, open_engine, version
from .memory import peak_bytes, reset_peak


class Worker:
    """Answers requests about one engine."""

    def __init__(self, name: str) -> None:
        self.name = name
        self.engine: Engine | None = None

    def answer(self, request: dict[str, Any]) -> dict[str, Any]:
        """The reply to one request; an engine's error is a reply too, whatever its class."""
        try:
            return self._handle(request)
        except KeyboardInterrupt:
            raise
        except BaseException as error:  # noqa: BLE001  Rust panics derive from BaseException
            return {"error": f"{type(error).__name__}: {error}"}

    def _handle(self, request: dict[str, Any]) -> dict[str, Any]:
        if request["op"] == "open":
            limit_cores(request["threads"])
            self.engine = open_engine(
                self.name, Path(request["lake"]), request["threads"], request["source"], request["device"]
            )
            return {"version": version(self.name)}
        assert self.engine is not None, "the first request is open"
        if request["op"] == "explain":
            return {"plan": self.engine.explain(request["sql"])}
        assert request["op"] == "run", f"unknown request {request['op']}"
        return self._run(self.engine, request["sql"], Path(request["out"]))

    def _run(self, engine: Engine, sql: str, out: Path) -> dict[str, Any]:
        reset_peak()
        start = time.perf_counter()
        outcome = engine.run(sql)
        seconds = time.perf_counter() - start
        peak = peak_bytes()
        with pa.OSFile(str(out), "wb") as sink, pa.ipc.new_file(sink, outcome.table.schema) as writer:
            writer.write_table(outcome.table)
        return {
            "seconds": seconds,
            "rows": outcome.table.num_rows,
            "peak_bytes": peak,
            "fallbacks": list(outcome.fallbacks),
            "uncounted": list(outcome.uncounted),
        }


def main() -> int:
    """Answer requests until standard input ends."""
    worker = Worker(sys.argv[1])
    # The replies' pipe is taken away from standard output, which an engine might print to.
    with os.fdopen(os.dup(1), "w", encoding="utf-8") as replies:
        os.dup2(2, 1)
        for line in sys.stdin:
            replies.write(json.dumps(worker.answer(json.loads(line))) + "\n")
            replies.flush()
    return 0


if __name__ == "__main__":
    sys.exit(main())
