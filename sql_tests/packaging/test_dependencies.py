"""What pyproject.toml asks pip to install is what the product imports, no more and no less."""

import re
import sys
import tomllib

from product_tree import ROOT, modules
from test_imports import absolute_imports

# What the gpu extra's one distribution brings.
OF_GPU = {"pylibcudf", "rmm", "cupy", "numba_cuda", "cudf", "cuda"}


def declared(requirements: list[str]) -> set[str]:
    """Import names of requirements such as "prompt_toolkit>=3.0.43"."""
    return {re.split(r"[\s\[<>=!~;]", text)[0].replace("-", "_") for text in requirements}


def imported() -> dict[str, set[str]]:
    """The product's top-level folders by the libraries they import, those of Python left out."""
    found: dict[str, set[str]] = {}
    for path in modules():
        for _, name in absolute_imports(ROOT / path):
            library = name.split(".")[0]
            if library not in sys.stdlib_module_names:
                found.setdefault(library, set()).add(path.parts[0])
    return found


PROJECT = tomllib.loads((ROOT / "pyproject.toml").read_text(encoding="utf-8"))["project"]
CORE = declared(PROJECT["dependencies"])


def test_every_core_dependency_is_imported() -> None:
    outside_benchmarks = {library for library, folders in imported().items() if folders != {"tpch"}}
    assert CORE - outside_benchmarks == set()


def test_every_import_is_a_declared_dependency() -> None:
    benchmarks = declared(PROJECT["optional-dependencies"]["test"])
    for library, folders in imported().items():
        allowed = CORE | (OF_GPU if folders == {"gpu_exec"} else benchmarks if folders == {"tpch"} else set())
        assert library in allowed, f"{sorted(folders)} import {library}"


def test_requirements_are_read_by_name() -> None:
    texts = ["a-b>=1,<2", "c[x]==1", "d", "e ; python_version < '3.12'"]
    assert declared(texts) == {"a_b", "c", "d", "e"}
