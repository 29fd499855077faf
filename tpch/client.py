"""The parent's side of a worker process: start it, ask it, give up on it in time."""

import json
import os
import selectors
import subprocess
import sys
import time
from pathlib import Path
from typing import Any

import pyarrow as pa

from .engines import DeviceChoice, Source, environment


class WorkerError(Exception):
    """An engine could not answer; the text says why in one sentence."""


class Client:
    """An engine over a lake in a process of its own. A worker that died or ran out of time is started again.

    Args:
        name: the engine.
        lake: folder of the Parquet files.
        threads: threads for the engine.
        source: scan the files each time, or load them into the engine's memory once.
        folder: where results are passed on as Arrow IPC files.
        timeout: seconds a single query may take; may be set anew.
        device: where TandemDB is asked to run: its setting of that name.
    """

    def __init__(
        self,
        name: str,
        lake: Path,
        threads: int,
        source: Source,
        folder: Path,
        timeout: float,
        device: DeviceChoice = "auto",
    ) -> None:
        self.name = name
        self.version = ""
        self._open: dict[str, Any] = {"op": "open", "lake": str(lake), "threads": threads, "source": source}
        self._open["device"] = device
        self._threads = threads
        self._out = folder / f"{name}.arrow"
        self.timeout = timeout
        self._process: subprocess.Popen[bytes] | None = None
        self._pending = b""
        self._log = folder / f"{name}.log"

    def run(self, sql: str) -> tuple[dict[str, Any], pa.Table]:
        """Run a query: the worker's reply and the result. Raises WorkerError."""
        reply = self._ask({"op": "run", "sql": sql, "out": str(self._out)})
        with pa.OSFile(str(self._out)) as source:
            return reply, pa.ipc.open_file(source).read_all()

    def explain(self, sql: str) -> str:
        """The engine's plan of a query as text. Raises WorkerError."""
        return self._ask({"op": "explain", "sql": sql})["plan"]

    def start(self) -> None:
        """Start the worker and open the lake; nothing if that is done. Raises WorkerError."""
        if self._process is not None:
            return
        self._pending = b""
        with self._log.open("wb") as log:
            self._process = subprocess.Popen(
                [sys.executable, "-m", f"{__package__}.worker", self.name],
                stdin=subprocess.PIPE,
                stdout=subprocess.PIPE,
                stderr=log,
                env={**os.environ, **environment(self.name, self._threads)},
            )
        try:
            self.version = self._exchange(self._open)["version"]
        except WorkerError:
            self.close()
            raise

    def close(self) -> None:
        """End the worker, at once if it is busy. It can be started again."""
        process, self._process = self._process, None
        if process is None:
            return
        assert process.stdin is not None
        assert process.stdout is not None
        process.stdin.close()
        try:
            process.wait(timeout=2)
        except subprocess.TimeoutExpired:
            process.kill()
            process.wait()
        process.stdout.close()

    def _ask(self, request: dict[str, Any]) -> dict[str, Any]:
        self.start()
        return self._exchange(request)

    def _exchange(self, request: dict[str, Any]) -> dict[str, Any]:
        """Send a request and wait for its reply; the worker is ended if it cannot give one."""
        process = self._process
        assert process is not None
        assert process.stdin is not None
        try:
            process.stdin.write(json.dumps(request).encode() + b"\n")
            process.stdin.flush()
            line = self._read_line(process)
        except (BrokenPipeError, EOFError):
            code = process.wait()
            self.close()
            raise WorkerError(f"the process ended with code {code}: {self._last_words()}") from None
        except TimeoutError:
            process.kill()
            self.close()
            raise WorkerError(f"no answer within {self.timeout:g} s") from None
        reply = json.loads(line)
        if "error" in reply:
            raise WorkerError(reply["error"])
        return reply

    def _read_line(self, process: subprocess.Popen[bytes]) -> bytes:
        assert process.stdout is not None
        deadline = time.monotonic() + self.timeout
        with selectors.DefaultSelector() as ready:
            ready.register(process.stdout, selectors.EVENT_READ)
            while b"\n" not in self._pending:
                if not ready.select(max(0.0, deadline - time.monotonic())):
                    raise TimeoutError
                read = os.read(process.stdout.fileno(), 1 << 16)
                if not read:
                    raise EOFError
                self._pending += read
        line, _, self._pending = self._pending.partition(b"\n")
        return line

    def _last_words(self) -> str:
        """The end of what the worker wrote to standard error."""
        lines = self._log.read_bytes().decode(errors="replace").strip().splitlines()
        return lines[-1] if lines else "it said nothing"
