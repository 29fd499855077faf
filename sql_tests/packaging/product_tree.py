"""The product's files as they lie in the repository."""

from collections.abc import Iterator
from pathlib import Path

ROOT = Path(__file__).resolve().parents[2]

PRODUCT = ("cpu_fallback", "engine", "gpu_exec", "physical", "planner", "tpch")

# What compilers leave behind, never part of the product.
BUILT = {".pyc", ".pyo", ".nbi", ".nbc"}


def product_files() -> Iterator[Path]:
    """Modules and data files of the package, relative to the repository's root."""
    yield from (Path("__init__.py"), Path("py.typed"))
    for folder in PRODUCT:
        for path in sorted((ROOT / folder).rglob("*")):
            if path.is_file() and path.suffix not in BUILT and "__pycache__" not in path.parts:
                yield path.relative_to(ROOT)


def modules() -> list[Path]:
    """The product's Python files, relative to the repository's root."""
    return [path for path in product_files() if path.suffix == ".py"]


def module_name(path: Path) -> str:
    """The dotted name of a product file: planner/types.py is tandemdb.planner.types."""
    parts = path.with_suffix("").parts
    return ".".join(("tandemdb", *(parts[:-1] if parts[-1] == "__init__" else parts)))
