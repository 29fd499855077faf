"""A check in progress: steps with limits of time, and a report written after each of them and within.

The machine may go at any moment: what the file says then is all that was found until then.
"""

import contextlib
import json
import os
import signal
import subprocess
import sys
import time
from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any, Final

from .report import machine

FORMAT: Final = 1
# A step with less time than this is not begun.
LEAST_SECONDS: Final = 5.0


class StepError(Exception):
    """A step failed; the text says why in a sentence."""


@dataclass(frozen=True)
class Options:
    """What to check.

    Attributes:
        output: folder of the report, and of each step's log.
        budget: seconds for everything.
        scales: of TPC-H, in this order.
        threads: of each engine.
        runs: counted runs of a query.
        lakes: folder that the generated files are kept in.
        tests: what pytest is given.
        copy_bytes: bytes of a copy whose speed is measured.
        rehearsal: a folder with a `sitecustomize` that puts doubles in place of the GPU libraries, or None.
    """

    output: Path
    budget: float
    scales: tuple[float, ...]
    threads: int
    runs: int
    lakes: Path
    tests: tuple[str, ...]
    copy_bytes: int
    rehearsal: Path | None = None


@dataclass
class Check:
    """The steps of a run, and the report that they write.

    `steps` of the report has for each step its status (running, passed, failed, no time left), its seconds,
    its limit, the problem if there was one, and what it found.
    """

    options: Options
    render: Callable[[Mapping[str, Any]], str]
    report: dict[str, Any] = field(init=False)
    started: float = field(init=False, default_factory=time.monotonic)

    def __post_init__(self) -> None:
        self.report = {
            "format": FORMAT,
            "date": time.strftime("%Y-%m-%dT%H:%M:%SZ", time.gmtime()),
            "rehearsal": self.options.rehearsal is not None,
            "complete": False,
            "budget": self.options.budget,
            "machine": machine(),
            "steps": {},
        }
        self.options.output.mkdir(parents=True, exist_ok=True)

    @property
    def path(self) -> Path:
        """The report as JSON; the table for people lies beside it, as `.md`."""
        return self.options.output / f"gpu_check-{self.report['date'][:10]}.json"

    def left(self) -> float:
        """Seconds of the budget that are left."""
        return self.options.budget - (time.monotonic() - self.started)

    def step(self, name: str, limit: float, action: Callable[[dict[str, Any], float], None]) -> bool:
        """Runs a step; whether it passed.

        Args:
            name: in the report.
            limit: seconds, if as many are left.
            action: is given the step's entry, to be filled, and when it has to end (`time.monotonic`). It may
                call `write` at any time. Raises StepError where it fails.
        """
        limit = min(limit, self.left())
        entry: dict[str, Any] = {"status": "running", "limit": round(limit, 1)}
        self.report["steps"][name] = entry
        start = time.monotonic()
        if limit < LEAST_SECONDS:
            entry["status"] = "no time left"
        else:
            self.write()
            print(f"{name} (at most {limit:.0f} s)", flush=True)
            try:
                action(entry, start + limit)
                entry["status"] = "passed"
            except StepError as error:
                entry |= {"status": "failed", "problem": str(error)}
            except Exception as error:  # noqa: BLE001 - whatever it is, the other steps go on
                entry |= {"status": "failed", "problem": f"{type(error).__name__}: {error}"}
        entry["seconds"] = round(time.monotonic() - start, 2)
        problem = f": {entry['problem']}" if "problem" in entry else ""
        print(f"  {entry['status']} after {entry['seconds']:.1f} s{problem}", flush=True)
        self.write()
        return entry["status"] == "passed"

    def write(self) -> None:
        """Puts the report as it is in place of the one before."""
        self.report["seconds"] = round(time.monotonic() - self.started, 1)
        _replace(self.path, json.dumps(self.report, indent=1) + "\n")
        _replace(self.path.with_suffix(".md"), self.render(self.report))

    @property
    def passed(self) -> bool:
        """Whether every step passed."""
        return all(step["status"] == "passed" for step in self.report["steps"].values())

    def environment(self) -> dict[str, str]:
        """The environment of a step's process, which keeps nothing it has said to itself."""
        found = {**os.environ, "PYTHONUNBUFFERED": "1"}
        folder = self.options.rehearsal
        if folder is not None:
            paths = [str(folder.absolute()), *filter(None, [os.environ.get("PYTHONPATH")])]
            found["PYTHONPATH"] = os.pathsep.join(paths)
        return found

    def python(
        self, name: str, arguments: list[str], deadline: float, cwd: Path | None = None
    ) -> tuple[int, str]:
        """Runs this Python with arguments until it ends or the time does; its exit code and standard output.

        Both outputs are kept as `name.log`. Raises StepError when time is up: all that it started is ended.
        """
        log = self.options.output / f"{name}.log"
        with log.open("w+b") as out, log.with_suffix(".errors.log").open("w+b") as errors:
            process = subprocess.Popen(
                [sys.executable, *arguments],
                stdin=subprocess.DEVNULL,
                stdout=out,
                stderr=errors,
                env=self.environment(),
                start_new_session=True,
                cwd=cwd,
            )
            try:
                code = process.wait(max(deadline - time.monotonic(), 0.1))
            except subprocess.TimeoutExpired:
                raise StepError(f"it took longer than its time; its output is in {log}") from None
            finally:
                _end(process)
            out.seek(0)
            return code, out.read().decode(errors="replace")

    def answer(self, name: str, arguments: list[str], deadline: float) -> Any:
        """The JSON that a Python process prints as its last line. Raises StepError."""
        code, text = self.python(name, arguments, deadline)
        if code:
            errors = (self.options.output / f"{name}.errors.log").read_text(errors="replace").splitlines()
            raise StepError(f"exit code {code}: {errors[-1] if errors else 'it said nothing'}")
        try:
            return json.loads(text.splitlines()[-1])
        except (IndexError, ValueError) as error:
            raise StepError(f"it printed no JSON: {error}") from error


def _end(process: subprocess.Popen[bytes]) -> None:
    """Ends a process and those it started."""
    with contextlib.suppress(ProcessLookupError):
        os.killpg(process.pid, signal.SIGKILL)
    process.wait()


def _replace(path: Path, text: str) -> None:
    """A file is whole, the old one or the new one, whenever the machine goes."""
    fresh = path.with_name(f".{path.name}.new")
    fresh.write_text(text, encoding="utf-8")
    os.replace(fresh, path)


@contextlib.contextmanager
def inherited(environment: Mapping[str, str]) -> Iterator[None]:
    """What this process starts within gets another environment."""
    before = dict(os.environ)
    os.environ.update(environment)
    try:
        yield
    finally:
        os.environ.clear()
        os.environ.update(before)
