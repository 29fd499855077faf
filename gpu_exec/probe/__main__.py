"""Runs the probe on this machine's GPU: python -m tandemdb.gpu_exec.probe --output FILE."""

from __future__ import annotations

import argparse
import importlib.metadata
import json
import platform
import sys
import tempfile
import time
from collections import Counter
from pathlib import Path
from typing import Any

from .case import Case
from .cases import all_cases
from .evaluate import Library
from .forms import to_json


def record(library: Library, cases: list[Case]) -> dict[str, Any]:
    """Calls and results by name, as JSON."""
    return {
        case.name: {"call": to_json(case.form), "order": case.order.value, "gives": library.result(case.form)}
        for case in cases
    }


def machine() -> dict[str, str]:
    """What the record was made on: the card, its driver, the libraries."""
    import cuda.bindings.driver as driver  # pyright: ignore[reportMissingImports]

    distribution = importlib.metadata.packages_distributions()["pylibcudf"][0]
    driver.cuInit(0)
    _, card = driver.cuDeviceGet(0)
    _, text = driver.cuDeviceGetName(100, card)
    _, version = driver.cuDriverGetVersion()
    return {
        "gpu": text.split(b"\0")[0].decode(),
        "driver": str(version),
        "pylibcudf": importlib.metadata.version(distribution),
        "python": platform.python_version(),
    }


def main(arguments: list[str]) -> int:
    """Exit code 0 when every call was made, whatever it gave."""
    parser = argparse.ArgumentParser(
        description="Record what small calls of pylibcudf and rmm give on this GPU."
    )
    parser.add_argument("--output", type=Path, required=True, help="the JSON file to write")
    parser.add_argument("--only", default="", help="only the cases whose name begins so")
    options = parser.parse_args(arguments)
    import pylibcudf  # pyright: ignore[reportMissingImports]
    import rmm.mr  # pyright: ignore[reportMissingImports]

    started = time.perf_counter()
    cases = [case for case in all_cases() if case.name.startswith(options.only)]
    with tempfile.TemporaryDirectory() as folder:
        results = record(Library(pylibcudf, rmm, Path(folder)), cases)
    made = {"date": time.strftime("%Y-%m-%d", time.gmtime()), "machine": machine(), "cases": results}
    options.output.write_text(json.dumps(made, ensure_ascii=False, indent=1) + "\n")
    errors = Counter(r["gives"]["error"] for r in results.values() if "error" in (r["gives"] or {}))
    print(f"{len(results)} calls in {time.perf_counter() - started:.1f} s; errors: {dict(errors) or 'none'}")
    return 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
