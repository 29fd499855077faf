"""Each call of the probe has a result on the double, or the error that the real library is said to raise."""

from __future__ import annotations

import gc
from pathlib import Path

import doubles
import pytest
from tandemdb.gpu_exec.probe.case import Case
from tandemdb.gpu_exec.probe.cases import all_cases
from tandemdb.gpu_exec.probe.evaluate import Library

# Calls that fail, by name.
ERRORS = {
    "interop/concatenate/types_differ": "RuntimeError",
    "binary/TRUE_DIV/decimal64": "TypeError",
    "binary/TRUE_DIV/decimal64_to_float64": "TypeError",
    "binary/TRUE_DIV/decimal128_to_float64": "TypeError",
    "binary/FLOOR_DIV/decimal64_to_float64": "TypeError",
    "binary/FLOOR_DIV/decimal128_to_float64": "TypeError",
    "binary/DIV/decimal64_to_float64": "TypeError",
    "binary/DIV/decimal128_to_float64": "TypeError",
    "binary/EQUAL/decimal64_and_128": "TypeError",
    "unary/RINT/decimal128": "TypeError",
    "unary/BIT_INVERT/float64": "TypeError",
    "cast/date32_day/int32": "RuntimeError",
    "cast/timestamp_us/int64": "RuntimeError",
    "cast/int64/timestamp_us": "RuntimeError",
    "cast/int32/date32_day": "RuntimeError",
    "cast/int64/string": "RuntimeError",
    "filter/mask_of_integers": "RuntimeError",
    "filter/mask_too_short": "RuntimeError",
    "gather/null_place": "ValueError",
    "choose/types_differ": "TypeError",
    "top_k/ascending/empty": "ValueError",
    "top_k/descending/empty": "ValueError",
    "group/var/decimal64/overflow": "RuntimeError",
    "reduce/sum/string": "ValueError",
    "reduce/sum/decimal64/to_DECIMAL128": "ValueError",
    "join/inner/types_differ": "TypeError",
    "ast/types_differ": "RuntimeError",
    "strings/replace/empty": "RuntimeError",
    "strings/regex/broken": "RuntimeError",
    "memory/limit/beyond": "MemoryError",
    "memory/pool/beyond": "MemoryError",
    "memory/too_large": "MemoryError",
    "memory/pinned/too_large": "MemoryError",
    **{
        f"group/{title}/{kind}/odd": "RuntimeError"
        for title in ("sum", "mean")
        for kind in ("string", "date32_day", "timestamp_us")
    },
    **{
        f"strings/{function}/null": "RuntimeError"
        for function in ("contains", "starts_with", "ends_with", "find")
    },
    **{
        f"strings/{function}/4": "RuntimeError"
        for function in ("contains_re", "matches_re", "count_re", "replace_re")
    },
}


def test_each_call_gives_a_result_or_the_known_error(device: doubles.Device, tmp_path: Path) -> None:
    import pylibcudf as plc
    import rmm

    library = Library(plc, rmm, tmp_path)
    errors = {}
    for case in all_cases():
        found = library.result(case.form)
        if isinstance(found, dict) and "error" in found:
            errors[case.name] = found["error"]
    known = {name: error for name, error in ERRORS.items() if name in {case.name for case in all_cases()}}
    assert errors == known
    gc.collect()
    assert (device.live_bytes, device.live_allocations) == (0, 0)


@pytest.mark.parametrize("seed", [1, 2])
def test_another_order_of_chance_gives_the_same_rows(
    device: doubles.Device, tmp_path: Path, seed: int
) -> None:
    import pylibcudf as plc
    import rmm
    from doubles.replay import compared

    library = Library(plc, rmm, tmp_path)

    def unordered(case: Case) -> bool:
        return case.order.value != "exact" and not case.name.startswith(("partition/", "distinct/any"))

    cases = [case for case in all_cases() if unordered(case)]
    first = [library.result(case.form) for case in cases]
    device.seed = seed
    for case, before in zip(cases, first, strict=True):
        what = compared(before, library.result(case.form), case.order, sets="collect_set" in case.name)
        # The row of a smallest value, and the row kept of equal ones, are any.
        assert what is None or "arg" in case.name or case.name == "distinct/any", (case.name, what)
