"""The probe's command writes its record as it goes, and goes on behind a call that ended its process."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest
from tandemdb.gpu_exec import machine
from tandemdb.gpu_exec.probe import __main__ as command
from tandemdb.gpu_exec.probe.evaluate import Library

pytestmark = pytest.mark.usefixtures("device")
ONLY = "sort/"


@pytest.fixture
def output(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    monkeypatch.setattr(command, "facts", lambda: {"gpu": "a double"})
    return tmp_path / "probe.json"


def run(output: Path, *options: str) -> int:
    return command.main([f"--output={output}", f"--only={ONLY}", *options])


def cases(output: Path) -> dict[str, Any]:
    return json.loads(output.read_text())["cases"]


def test_a_record_is_written(output: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert run(output) == 0
    found = cases(output)
    assert len(found) > 5
    assert all(name.startswith(ONLY) for name in found)
    assert "calls in" in capsys.readouterr().out
    assert [path.name for path in output.parent.iterdir()] == ["probe.json"]


def test_a_call_that_ended_the_process_is_an_error_and_the_next_run_goes_on(
    output: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    assert run(output) == 0
    whole = cases(output)
    output.unlink()
    victim = list(whole)[3]
    real = Library.result

    def result(library: Library, form: Any) -> Any:
        if (output.parent / "probe.json.running").read_text() == victim:
            raise SystemExit(139)
        return real(library, form)

    monkeypatch.setattr(Library, "result", result)
    monkeypatch.setattr(command, "_WRITTEN_EVERY", 1)
    with pytest.raises(SystemExit):
        run(output)
    assert len(cases(output)) == 3
    assert run(output, "--resume") == 0
    found = cases(output)
    assert found.pop(victim)["gives"]["error"] == "EndOfProcess"
    assert found == {name: entry for name, entry in whole.items() if name != victim}


def test_a_lost_device_ends_the_process_and_the_next_one_goes_on(
    output: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    real = Library.result
    made = []

    def result(library: Library, form: Any) -> Any:
        made.append(form)
        if len(made) == 2:
            return {
                "error": "RuntimeError",
                "message": "CUDA error: cudaErrorIllegalAddress",
            }
        return real(library, form)

    monkeypatch.setattr(Library, "result", result)
    assert run(output) == command.LOST
    assert len(cases(output)) == 2
    assert run(output, "--resume") == 0
    assert len(made) == len(cases(output))


def test_without_a_gpu_the_facts_are_why(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(machine, "why_absent", lambda: "there is no NVIDIA driver: install it")
    found = machine.facts()
    assert found["absent"] == "there is no NVIDIA driver: install it"
    assert "gpu" not in found
