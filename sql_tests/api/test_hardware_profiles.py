"""Hardware profiles: by name, from files, and as `tandemdb calibrate` measures and stores them."""

from __future__ import annotations

import json
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest
import tandemdb
from tandemdb.engine import calibrate, devices, profile_files
from tandemdb.engine.calibration_fit import Observation, fit
from tandemdb.engine.cli.main import main
from tandemdb.physical.profile_json import profile_from_json, profile_to_json
from tandemdb.physical.profiles import KINDS, PROFILES, HardwareProfile

SELECT = "EXPLAIN (COST) SELECT range % 3 AS k, count(*) FROM range(1000000) GROUP BY k"


@pytest.fixture(autouse=True)
def stored(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """Where the profile of this machine is stored; there is none."""
    path = tmp_path / "config" / "hardware.json"
    monkeypatch.setattr(profile_files, "local_path", lambda: path)
    return path


def explained(con: Any) -> str:
    ((_, text),) = con.execute(SELECT).fetchall()
    return text


@pytest.mark.parametrize("name", sorted(PROFILES))
def test_profiles_are_written_and_read(name: str) -> None:
    profile = PROFILES[name]
    assert profile_from_json(json.loads(json.dumps(profile_to_json(profile)))) == profile


def test_the_named_machines_are_there() -> None:
    assert {"h200", "h100", "a100", "l4", "cpu-2"} <= set(PROFILES)
    with tandemdb.connect() as con:
        for name in PROFILES:
            con.execute(f"SET gpu_profile = '{name.upper()}'")
            assert f"cost on {name} (assumed from data sheets)" in explained(con)


def test_a_stored_profile_is_what_local_means_and_what_costs_here_go_by(stored: Path) -> None:
    with tandemdb.connect() as con:
        with pytest.raises(tandemdb.Error, match="run `tandemdb calibrate`"):
            con.execute("SET gpu_profile = 'local'")
        assert "cost on local (assumed from data sheets)" in explained(con)
        profile_files.store_local(replace(PROFILES["h100"], name="local", origin="measured 2026-01-01"))
        assert "cost on local (measured 2026-01-01)" in explained(con)
        assert "there is no GPU" in explained(con)
        con.execute("SET gpu_profile = 'local'")
        assert "[GPU]" in explained(con)


def test_a_gpu_here_is_placed_by_the_stored_profile(gpu: Any) -> None:
    del gpu
    assert devices.this_machine().gpu_name == PROFILES["l4"].gpu_name
    profile_files.store_local(replace(PROFILES["h200"], name="local"))
    assert devices.this_machine().gpu_name == PROFILES["h200"].gpu_name


def test_a_profile_is_named_by_its_path(tmp_path: Path) -> None:
    path = tmp_path / "mine.json"
    path.write_text(json.dumps(profile_to_json(replace(PROFILES["a100"], name="mine"))))
    with tandemdb.connect(config={"gpu_profile": str(path)}) as con:
        assert "cost on mine" in explained(con)
        path.write_text("{")
        with pytest.raises(tandemdb.Error, match="is no hardware profile: it is no JSON text"):
            explained(con)


def test_a_file_from_before_there_was_a_disk_is_read() -> None:
    now = profile_to_json(replace(PROFILES["l4"], host_memory=5.0, disk_bandwidth=7.0))
    assert profile_from_json(now) == replace(PROFILES["l4"], host_memory=5.0, disk_bandwidth=7.0)
    before = {name: value for name, value in now.items() if name not in ("host_memory", "disk_bandwidth")}
    assert profile_from_json(before) == PROFILES["l4"]


def damaged() -> dict[str, Any]:
    good = profile_to_json(PROFILES["l4"])
    return {
        "it is no JSON text": "{",
        "it is no JSON object": "[]",
        '"version" is not 1': json.dumps({**good, "version": 2}),
        '"cores" is no whole number above 0': json.dumps({**good, "cores": 0}),
        '"name" is no text': json.dumps({**good, "name": 1}),
        '"latency" is no number of at least 0': json.dumps({**good, "latency": -1}),
        '"gpu_batch" is no number of at least 0': json.dumps({**good, "gpu_batch": float("nan")}),
        '"sort" is missing': json.dumps(
            {**good, "cpu": {k: v for k, v in good["cpu"].items() if k != "sort"}}
        ),
        '"scan.row_ns" is no number': json.dumps({**good, "cpu": {**good["cpu"], "scan": {"row_ns": "1"}}}),
        '"cpu" has no rates': json.dumps({**good, "cpu": {}}),
        'a GPU needs rates in "gpu" and a "link_bandwidth" above 0': json.dumps(
            {**good, "link_bandwidth": 0}
        ),
        '"disk_bandwidth" is no number above 0': json.dumps({**good, "disk_bandwidth": 0}),
        '"host_memory" is no number of at least 0': json.dumps({**good, "host_memory": "much"}),
        "it is nested too deep": "[" * 100_000,
    }


@pytest.mark.parametrize("what", damaged())
def test_a_damaged_file_gives_one_message_that_says_what_to_do(stored: Path, what: str) -> None:
    stored.parent.mkdir()
    stored.write_text(damaged()[what])
    with tandemdb.connect() as con:
        # Queries here have nothing to weigh, and run.
        assert con.execute("SELECT 1").fetchall() == [(1,)]
        with pytest.raises(tandemdb.Error) as error:
            explained(con)
    assert str(stored) in str(error.value)
    assert what in str(error.value)
    assert "`tandemdb calibrate` writes it anew" in str(error.value)
    with tandemdb.connect() as con, pytest.raises(tandemdb.Error) as error:
        con.execute(f"SET gpu_profile = '{stored}'")
    assert what in str(error.value)


@pytest.mark.parametrize(
    ("value", "why"), [("h201", "'a100', 'cpu-2'"), ("no/such", "No such file"), (1, "text")]
)
def test_a_profile_that_is_not_there_is_refused(value: Any, why: str) -> None:
    with pytest.raises(tandemdb.Error, match="gpu_profile") as error:
        tandemdb.connect(config={"gpu_profile": value})
    assert why in str(error.value)


# Measuring
def test_rates_are_found_again_from_times_that_follow_them() -> None:
    true = {"a": 3.0, "b": 0.5, "c": 2.0}
    amounts = [{"a": 1.0, "b": 9.0}, {"a": 4.0}, {"b": 2.0}, {"a": 1.0, "b": 1.0}]
    seen = [Observation(a, sum(true[n] * v for n, v in a.items())) for a in amounts]
    found = fit(seen, {"a": 1.0, "b": 1.0, "c": 2.0})
    assert found == pytest.approx(true, rel=0.02)


def check_measured(profile: HardwareProfile) -> None:
    assert profile_from_json(profile_to_json(profile)) == profile
    assert profile.origin.startswith("measured ")
    rates = [*profile.cpu.values(), *profile.gpu.values()]
    assert set(profile.cpu) == set(KINDS)
    assert all(rate.row_ns > 0 or rate.byte_ns > 0 for rate in rates)
    assert 0 < profile.cpu_batch < 1


def test_calibrate_measures_this_machine_and_stores_it(
    stored: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.setattr(calibrate, "RUNS", 1)
    assert main(["calibrate", "--rows", "10000"]) == 0
    out, err = capsys.readouterr()
    assert f"stored in {stored}" in out
    assert "measuring the CPU" in err
    assert "no GPU is measured: " in err
    profile = profile_files.measured_here()
    assert profile is not None
    check_measured(profile)
    assert not profile.has_gpu
    assert [path.name for path in stored.parent.iterdir()] == [stored.name]


@pytest.mark.slow
def test_calibrate_measures_a_gpu(gpu: Any, monkeypatch: pytest.MonkeyPatch) -> None:
    """On the double: that the path works; the numbers mean nothing."""
    del gpu
    monkeypatch.setattr(calibrate, "RUNS", 1)
    monkeypatch.setattr(calibrate, "why_no_gpu", lambda: None)
    monkeypatch.setattr(calibrate, "name_and_memory", lambda: ("a double", 10**9))
    profile = calibrate.calibrate(10_000)
    check_measured(profile)
    assert (profile.gpu_name, profile.gpu_memory) == ("a double", 1e9)
    assert set(profile.gpu) == set(KINDS)
    assert profile.link_bandwidth > 0
    assert profile.latency >= 0


def test_a_folder_that_cannot_be_written_is_an_error_of_one_line(
    stored: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    stored.parent.write_text("a file in the place of the folder")
    from tandemdb.engine.cli import calibrate as command

    monkeypatch.setattr(command, "local_path", lambda: stored)
    monkeypatch.setattr(command, "calibrate", lambda rows, tell: PROFILES["cpu-2"])
    assert main(["calibrate"]) == 1
    _, err = capsys.readouterr()
    assert err.startswith(f"IO Error: cannot store the profile in '{stored}': ")
    assert main(["calibrate", "--print"]) == 0
    assert profile_from_json(json.loads(capsys.readouterr().out)) == PROFILES["cpu-2"]
