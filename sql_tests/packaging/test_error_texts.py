"""The texts of errors lie in one place, `planner/messages*.py`: elsewhere errors are raised, not worded."""

import ast
from collections.abc import Iterator
from pathlib import Path

from product_tree import ROOT, modules
from tandemdb.planner import errors

ERRORS = {
    name for name, kind in vars(errors).items() if isinstance(kind, type) and issubclass(kind, Exception)
}


def holds_texts(path: Path) -> bool:
    """Whether a product file may build errors."""
    return path.parent == Path("planner") and (path.stem.startswith("messages") or path.stem == "errors")


def built_errors(path: Path) -> Iterator[tuple[int, str]]:
    """(line, class) of every error of ours that a file builds, its texts included."""
    for node in ast.walk(ast.parse(path.read_text(encoding="utf-8"))):
        if isinstance(node, ast.Call):
            name = getattr(node.func, "id", None) or getattr(node.func, "attr", None)
            if name in ERRORS:
                yield node.lineno, name


def test_errors_are_worded_in_the_messages_modules_only() -> None:
    found = [
        f"{path}:{line}: {name}"
        for path in modules()
        if not holds_texts(path)
        for line, name in built_errors(ROOT / path)
    ]
    assert found == []


def test_an_error_built_elsewhere_would_be_seen(tmp_path: Path) -> None:
    file = tmp_path / "example.py"
    file.write_text(
        "raise BinderError('code', f'text {x}', span=None)\n"
        "raise errors.InterfaceError('closed')\n"
        "raise messages.unknown_column('a', [], None)\n"
        "raise ValueError('the reason, worded by whoever catches it')\n"
    )
    assert list(built_errors(file)) == [(1, "BinderError"), (2, "InterfaceError")]
