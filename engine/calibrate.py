"""Measures this machine by small queries and makes its hardware profile.

On the CPU every operator's own time is known. On the GPU calls return before they are done, so whole queries
are timed. Both give sums of work (see physical/cost.py) and seconds, from which the rates are fitted.
"""

from __future__ import annotations

import math
import tempfile
from collections.abc import Callable, Iterable, Iterator, Mapping
from dataclasses import replace
from datetime import date
from pathlib import Path
from typing import Any

from ..gpu_exec.device import name_and_memory
from ..physical import nodes
from ..physical.batch import Device
from ..physical.context import OperatorMetrics
from ..physical.cost import node_bytes, over_link, work_of
from ..physical.memory import machine_memory
from ..physical.nodes import Node, walk_nodes
from ..physical.profiles import CORE_RATES, PROFILES, HardwareProfile, Rate
from .calibration_fit import Observation, fit
from .calibration_queries import Measured, queries, write_table
from .connection import Connection, connect
from .devices import why_no_gpu
from .profile import Profile
from .profile_files import LOCAL
from .settings import usable_cores

RUNS = 3


def calibrate(rows: int = 1_000_000, tell: Callable[[str], None] = lambda _: None) -> HardwareProfile:
    """The measured profile of this machine, from queries over so many rows; `tell` is given a line a device.
    Raises the errors of the queries.
    """
    with tempfile.TemporaryDirectory(prefix="tandemdb-") as folder, connect() as con:
        path = Path(folder) / "measured.parquet"
        write_table(path, rows)
        con.execute(f"CREATE VIEW file AS SELECT * FROM '{path}'; CREATE TABLE memory AS FROM file")
        tell(f"measuring the CPU ({usable_cores()} cores)")
        cpu = _fitted(_cpu_observations(con), _assumed(CORE_RATES, {"batch": 40e-6}))
        profile = HardwareProfile(
            LOCAL,
            usable_cores(),
            cpu=_rates(cpu),
            cpu_batch=cpu["batch"],
            host_memory=float(machine_memory()),
            origin=f"measured {date.today().isoformat()}",
        )
        if (why := why_no_gpu()) is not None:
            tell(f"no GPU is measured: {why}")
            return profile
        return _with_gpu(profile, con, tell)


def _with_gpu(profile: HardwareProfile, con: Connection, tell: Callable[[str], None]) -> HardwareProfile:
    name, memory = name_and_memory()
    tell(f"measuring the GPU ({name})")
    like = PROFILES["l4"]
    others = {"batch": like.gpu_batch, "transfer": like.latency, "moved": 1 / like.link_bandwidth}
    gpu = _fitted(_gpu_observations(con), _assumed(like.gpu, others))
    # A link that was too fast to be seen is not infinitely fast.
    link = 1 / max(gpu["moved"], 1e-13)
    return replace(
        profile,
        gpu_name=name,
        gpu_memory=float(memory),
        link_bandwidth=link,
        gpu=_rates(gpu),
        gpu_batch=gpu["batch"],
        latency=gpu["transfer"],
    )


# Rates and the names that their parts have while they are fitted
def _assumed(rates: Mapping[str, Rate], others: Mapping[str, float]) -> dict[str, float]:
    found = {f"{kind}.row": max(rate.row_ns, 1e-4) * 1e-9 for kind, rate in rates.items()}
    found |= {f"{kind}.byte": max(rate.byte_ns, 1e-4) * 1e-9 for kind, rate in rates.items()}
    return found | dict(others)


def _rates(fitted: Mapping[str, float]) -> dict[str, Rate]:
    return {kind: Rate(fitted[f"{kind}.row"] * 1e9, fitted[f"{kind}.byte"] * 1e9) for kind in CORE_RATES}


def _fitted(observations: Iterable[Observation], assumed: Mapping[str, float]) -> dict[str, float]:
    return fit([o for o in observations if any(o.amounts.values())], assumed)


# Observing
def _cpu_observations(con: Connection) -> Iterator[Observation]:
    """Each operator's own work and time, summed over the cores."""
    con.execute("SET device = 'cpu'")
    for query in queries():
        best: dict[int, float] = {}
        for _ in range(RUNS):
            profile = _run(con, query)
            for op_id, metrics in profile.operators.items():
                best[op_id] = min(best.get(op_id, math.inf), metrics.seconds)
        for node in walk_nodes(_as_measured(profile)):
            if node.op_id in best:
                yield Observation(_amounts(node, query), best[node.op_id])


def _gpu_observations(con: Connection) -> Iterator[Observation]:
    """Whole queries that ran on the GPU altogether."""
    con.execute("SET device = 'gpu'")
    for query in queries():
        runs = [_run(con, query) for _ in range(RUNS)]
        if runs[0].fallbacks:
            continue
        amounts: dict[str, float] = {}
        for node in walk_nodes(_as_measured(runs[0])):
            for name, amount in _gpu_amounts(node, query).items():
                amounts[name] = amounts.get(name, 0.0) + amount
        yield Observation(amounts, min(run.execution_ms for run in runs) / 1000)


def _run(con: Connection, query: Measured) -> Profile:
    for setting, device in (("batch_size", Device.CPU), ("gpu_batch_size", Device.GPU)):
        con.execute(f"SET {setting} = {query.rows_of_batch(device)}")
    cursor = con.execute(query.sql)
    cursor.fetch_arrow_table()
    return cursor.profile


def _as_measured(profile: Profile) -> Node:
    """The plan with the rows that there were in place of estimates."""
    assert profile.root is not None

    def visit(node: Node) -> Node:
        metrics = profile.operators.get(node.op_id)
        new = replace(node, rows=_rows(node, metrics))
        return replace(new, bytes=node_bytes(new))

    return nodes.transform_nodes(profile.root, visit)


def _rows(node: Node, metrics: OperatorMetrics | None) -> float:
    if metrics is not None and metrics.rows:
        return float(metrics.rows)
    return node.inputs[0].rows if node.inputs and not isinstance(node, nodes.HashAggregate) else node.rows


def _amounts(node: Node, query: Measured) -> dict[str, float]:
    found: dict[str, float] = {}
    for work in work_of(node):
        found[f"{work.kind}.row"] = found.get(f"{work.kind}.row", 0.0) + work.rows
        found[f"{work.kind}.byte"] = found.get(f"{work.kind}.byte", 0.0) + work.bytes
    if any(found.values()):
        found["batch"] = _batches(node, query)
    return found


def _gpu_amounts(node: Node, query: Measured) -> dict[str, float]:
    if isinstance(node, nodes.Transfer):
        return {"moved": node.bytes, "transfer": _batches(node, query)}
    found = _amounts(node, query)
    if (fetched := over_link(node)) and node.device is Device.GPU:
        found |= {"moved": fetched, "transfer": _batches(node, query)}
    return found


def _batches(node: Node, query: Measured) -> float:
    return max(1.0, math.ceil(_source_rows(node) / query.rows_of_batch(node.device)))


def _source_rows(node: Node) -> float:
    if isinstance(node, nodes.TableScan):
        return node.table.stats().rows
    return max([node.rows, *(_source_rows(child) for child in node.inputs)])


def stated(profile: HardwareProfile) -> list[str]:
    """A profile for people: what was measured of each device."""
    lines = [f"{'':<12}{'CPU core':>20}{'GPU':>20}", f"{'':<12}{'ns a row, a byte':>20}{'':>20}"]
    for kind, rate in profile.cpu.items():
        other: Any = profile.gpu.get(kind)
        gpu = "" if other is None else f"{other.row_ns:.3f}, {other.byte_ns:.4f}"
        lines.append(f"{kind:<12}{f'{rate.row_ns:.2f}, {rate.byte_ns:.3f}':>20}{gpu:>20}")
    lines.append(f"{'batch, us':<12}{profile.cpu_batch * 1e6:>20.0f}")
    if profile.has_gpu:
        lines[-1] += f"{profile.gpu_batch * 1e6:>20.0f}"
        lines.append(
            f"link {profile.link_bandwidth / 1e9:.1f} GB/s, {profile.latency * 1e6:.0f} us a transfer"
        )
    return lines
