"""The plans of the TPC-H queries are what they were: operators, join order, devices, reasons, estimates."""

from __future__ import annotations

import pytest
from golden_plans import NUMBERS, PROFILES, golden_path, plan_of


@pytest.mark.parametrize("profile", PROFILES)
@pytest.mark.parametrize("number", NUMBERS)
def test_plan(number: str, profile: str) -> None:
    assert plan_of(number, profile) == golden_path(number, profile).read_text(encoding="utf-8")


def test_every_node_has_a_device_and_a_reason() -> None:
    for number in NUMBERS:
        for profile in PROFILES:
            lines = plan_of(number, profile).splitlines()
            nodes = sum("[CPU]" in line or "[GPU]" in line for line in lines)
            reasons = sum(" because: " in line for line in lines)
            assert nodes == reasons > 0


def test_a_machine_with_a_gpu_would_use_it() -> None:
    """Scans of large tables are worth the transfer; a scan of five rows is not."""
    text = plan_of("05", "h200")
    assert "[GPU]" in text
    assert "Transfer to CPU" in text
    assert "[GPU]" not in plan_of("05", "none")
