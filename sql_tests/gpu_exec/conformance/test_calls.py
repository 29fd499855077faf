"""Every call that the probe makes on the double is taken by the real functions, up to the missing driver."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import doubles
import pytest
from doubles.calls import recording
from tandemdb.gpu_exec.probe.cases import all_cases
from tandemdb.gpu_exec.probe.evaluate import Library

# What a call fails with that was taken: there is no driver.
DRIVER = ("DynamicLibNotFoundError", "CUDARuntimeError")


def refused(name: str, arguments: dict[str, Any]) -> str | None:
    """The error of a call that the real library does not take; "dummy" where none can be tried."""
    from dummies import NoDummy, made, named

    try:
        made_arguments = {key: made(value) for key, value in arguments.items() if key not in ("stream", "mr")}
    except NoDummy:
        return "dummy"
    target = made_arguments.pop("self", None)
    try:
        function = named(name) if target is None else getattr(target, name.rsplit(".", 1)[1])
        function(**made_arguments)
    except Exception as error:  # noqa: BLE001 - what it is decides
        if type(error).__name__ in DRIVER or "driver" in str(error):
            return None
        return f"{type(error).__name__}: {error}"
    return None


@pytest.fixture
def calls(tmp_path: Path) -> list[tuple[str, dict[str, Any]]]:
    with doubles.install(), recording() as found:
        import pylibcudf
        import rmm

        library = Library(pylibcudf, rmm, tmp_path)
        for case in all_cases():
            library.result(case.form)
    return [tuple(json.loads(call)) for call in sorted(found)]


def test_the_calls_of_the_probe_are_taken(
    calls: list[tuple[str, dict[str, Any]]], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.syspath_prepend(Path(__file__).parent)
    outcomes = {json.dumps(call): refused(*call) for call in calls}
    tried = [call for call, outcome in outcomes.items() if outcome != "dummy"]
    assert len(tried) > 400
    assert {call: outcome for call, outcome in outcomes.items() if outcome not in (None, "dummy")} == {}
