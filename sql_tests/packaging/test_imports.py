"""Who may import what, where import-linter does not reach: bare names, submodules of libraries, start-up."""

import ast
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path

from product_tree import PRODUCT, ROOT, module_name, modules

# An import of one of these, at any depth of a file, stays under the folder named.
CONFINED = {"numba.cuda": "gpu_exec"}

# Not needed to connect or to read a command line, and slow to import.
NOT_AT_START = ("duckdb", "polars", "datafusion", "pandas", "numba", "llvmlite", "cudf", "pylibcudf", "cupy")


def absolute_imports(path: Path) -> Iterator[tuple[int, str]]:
    """(line, dotted name) of every absolute import in a file, inside functions too."""
    for node in ast.walk(ast.parse((ROOT / path).read_text(encoding="utf-8"))):
        if isinstance(node, ast.Import):
            for alias in node.names:
                yield node.lineno, alias.name
        elif isinstance(node, ast.ImportFrom) and node.level == 0:
            for alias in node.names:
                yield node.lineno, f"{node.module}.{alias.name}"


def test_own_modules_are_imported_relatively() -> None:
    own = {*PRODUCT, "tandemdb", "sql_tests"}
    found = [
        f"{path}:{line}: {name}"
        for path in modules()
        for line, name in absolute_imports(path)
        if name.split(".")[0] in own
    ]
    assert found == []


def test_confined_libraries_stay_in_their_folder() -> None:
    found = [
        f"{path}:{line}: {name}"
        for path in modules()
        for line, name in absolute_imports(path)
        for library, folder in CONFINED.items()
        if f"{name}.".startswith(f"{library}.") and path.parts[0] != folder
    ]
    assert found == []


def test_a_bare_import_would_be_seen(tmp_path: Path) -> None:
    file = tmp_path / "example.py"
    file.write_text("def f():\n    import planner.types\n    from numba import cuda\n    from . import x\n")
    assert list(absolute_imports(file)) == [(2, "planner.types"), (3, "numba.cuda")]


def test_every_module_name_is_unique_and_importable_by_name() -> None:
    names = [module_name(path) for path in modules()]
    assert len(names) == len(set(names))
    assert [name for name in names if not all(part.isidentifier() for part in name.split("."))] == []


def test_import_loads_nothing_heavy() -> None:
    code = f"import sys, tandemdb; print([name for name in {NOT_AT_START!r} if name in sys.modules])"
    done = subprocess.run([sys.executable, "-c", code], cwd=ROOT, capture_output=True, text=True, check=False)
    assert done.stdout.strip() == "[]", done.stdout + done.stderr


def import_time_edges() -> dict[str, set[str]]:
    """Own modules that each module imports while it is itself imported: not in functions or for types."""
    names = {module_name(path): path for path in modules()}
    edges: dict[str, set[str]] = {}
    for name, path in names.items():
        package = name if path.name == "__init__.py" else name.rpartition(".")[0]
        edges[name] = set()
        for node in ast.parse((ROOT / path).read_text(encoding="utf-8")).body:
            if isinstance(node, ast.ImportFrom) and node.level:
                base = ".".join(package.split(".")[: len(package.split(".")) - node.level + 1])
                source = f"{base}.{node.module}" if node.module else base
                for alias in node.names:
                    target = f"{source}.{alias.name}"
                    edges[name].add(target if target in names else source)
        edges[name].discard(name)
    return edges


def test_no_module_imports_itself_by_a_detour() -> None:
    """Imports inside functions are not meant: recursive definitions are split over files with them."""
    edges = import_time_edges()
    left = dict(edges)
    while free := [name for name, targets in left.items() if not targets & left.keys()]:
        for name in free:
            del left[name]
    assert {name: sorted(targets & left.keys()) for name, targets in left.items()} == {}
