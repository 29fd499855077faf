"""What the operator contract tests leave out on the GPU, and why.

`CPU_ONLY` is about parts that the GPU does not have by design: those tests are not made for it. `NOT_BUILT`
is what the capability table refuses: those tests run all the same, up to the refusal, so that an entry whose
capability has been built fails until it is removed. Elsewhere tests leave out only calls and types that the
capability table refuses (`Runner.supports`).
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Any

from tandemdb.planner.types import NULL


@dataclass(frozen=True)
class Exclusion:
    """Tests of a module, all or one, where their parameters have one of the given values."""

    module: str
    reason: str
    test: str = "*"
    where: Mapping[str, tuple[Any, ...]] = field(default_factory=dict)

    def names(self, module: str, test: str) -> bool:
        """Whether it is about a test."""
        return self.module == module and self.test in ("*", test)

    def covers(self, module: str, test: str, parameters: Mapping[str, Any]) -> bool:
        """Whether it is about a test with these parameters."""
        return self.names(module, test) and all(
            parameters[name] in values for name, values in self.where.items()
        )


CPU_ONLY = (
    Exclusion(
        "test_result_queue",
        "results leave the engine in host memory: the queue takes what a transfer has brought there",
        "test_result_sink",
    ),
    Exclusion(
        "test_runtime_filters",
        "the CPU's filters know the values of a key, the GPU's its range: sql_tests/gpu_exec tests those",
    ),
    Exclusion(
        "test_limits",
        "the device's memory has a budget of its own, tested in sql_tests/gpu_exec",
        "test_memory_limit",
    ),
    Exclusion(
        "test_limits",
        "the limit is that of the CPU's hash and sort tables; libcudf raises at its own",
        "test_more_rows_than_a_table_can_number",
    ),
    Exclusion(
        "test_window_reference",
        "so many small windows take the double long: the GPU's frames are those of test_window",
        "test_random_windows",
    ),
    Exclusion(
        "test_sort",
        "the CPU's top-N drops rows between batches; the GPU's cuts each batch by itself",
        "test_top_n_prunes_by_what_it_has_seen",
    ),
)
_TYPES = "libcudf has no such column type, or none with SQL's order"
NOT_BUILT = (
    Exclusion("test_intervals", _TYPES),
    Exclusion("test_nested", _TYPES, "test_sort_and_groups"),
    Exclusion("test_window", _TYPES, "test_aggregates", {"name": ("x", "c", "v")}),
    Exclusion("test_window", _TYPES, "test_keys_of_every_type", {"name": ("x", "c", "v")}),
    Exclusion("test_window", _TYPES, "test_no_rows_and_only_nulls", {"kind": (NULL,)}),
)


def excluded(
    table: tuple[Exclusion, ...], module: str, test: str, parameters: Mapping[str, Any]
) -> Exclusion | None:
    """The first entry of a table about a test with these parameters."""
    return next((entry for entry in table if entry.covers(module, test, parameters)), None)
