"""The double has no name, parameter, default or enumeration that the real library lacks or differs in."""

from __future__ import annotations

import ast
import enum
import functools
import importlib
import importlib.metadata
import inspect
import re
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import doubles
import doubles.cuda_runtime
import pylibcudf
import pytest
import rmm
from helpers_of_doubles import HELPERS


def modules() -> list[str]:
    """The public modules of the doubles, by the name of the real ones."""
    # The double splits one compiled module in three.
    return [
        name
        for name in doubles.modules()
        if not any(part.startswith("_") for part in name.split("."))
        and not name.startswith("rmm.pylibrmm.memory_resource.")
    ]


def public(module: str) -> Iterator[tuple[str, Any, Any]]:
    """Names that a module of the double defines, with its object and the real one."""
    double, real = importlib.import_module(f"doubles.{module}"), importlib.import_module(module)
    for name, value in vars(double).items():
        defined = getattr(value, "__module__", None)
        if name.startswith("_") or not (inspect.isclass(value) or inspect.isfunction(value)):
            continue
        if defined == double.__name__ or (module == "rmm.mr" and name in double.__all__):
            yield f"{module}.{name}", value, getattr(real, name, None)


NAMES = [entry for module in modules() for entry in public(module)]


def test_the_version_is_the_one_the_double_follows() -> None:
    distribution = importlib.metadata.packages_distributions()["pylibcudf"][0]
    assert importlib.metadata.version(distribution).split(".")[:2] == ["26", "10"]
    assert rmm.__version__.split(".")[:2] == importlib.import_module("doubles.rmm").__version__.split(".")[:2]


@pytest.mark.parametrize("module", modules())
def test_each_module_exists(module: str) -> None:
    importlib.import_module(module)


def test_each_name_exists() -> None:
    missing = [name for name, _, real in NAMES if real is None and name not in HELPERS]
    assert missing == []


@pytest.mark.parametrize(
    ("name", "double", "real"),
    [
        entry
        for entry in NAMES
        if inspect.isclass(entry[1]) and issubclass(entry[1], enum.Enum) and entry[2] is not None
    ],
    ids=lambda value: value if isinstance(value, str) else "",
)
def test_enumerations_are_equal(name: str, double: Any, real: Any) -> None:
    assert {k: int(v) for k, v in double.__members__.items()} == {
        k: int(v) for k, v in real.__members__.items()
    }, name


def _parameters(function: Any) -> list[tuple[str, Any]]:
    """Names and defaults; a default of an enumeration as its number."""
    found = []
    for parameter in inspect.signature(function).parameters.values():
        default = parameter.default
        if hasattr(default, "__cuda_stream__"):
            default = default.__cuda_stream__()
        found.append((parameter.name, int(default) if isinstance(default, enum.IntEnum) else default))
    return [entry for entry in found if entry[0] not in ("self", "cls")]


@functools.cache
def _stub(module: str) -> ast.Module | None:
    path = Path(str(importlib.import_module(module).__file__))
    stub = path.parent / f"{path.name.split('.')[0]}.pyi"
    if not stub.exists():
        return None
    # The type parameters of one function are younger than the Python that runs this.
    return ast.parse(re.sub(r"^(def \w+)\[.*?\]\(", r"\1(", stub.read_text(), flags=re.MULTILINE))


def _constructor(module: str, name: str) -> list[str] | None:
    """The parameters of a constructor by the stub: compiled constructors tell none."""
    stub = _stub(module)
    for node in stub.body if stub is not None else []:
        if isinstance(node, ast.ClassDef) and node.name == name:
            for part in node.body:
                if isinstance(part, ast.FunctionDef) and part.name == "__init__":
                    return [a.arg for a in [*part.args.args, *part.args.kwonlyargs] if a.arg != "self"]
    return None


def callables() -> Iterator[tuple[str, Any, Any]]:
    """Functions and methods of the double, and the real ones."""
    for name, double, real in NAMES:
        if real is None or (inspect.isclass(double) and issubclass(double, enum.Enum)):
            continue
        if not inspect.isclass(double):
            yield name, double, real
            continue
        for attribute, value in vars(double).items():
            plain = value.__func__ if isinstance(value, (staticmethod, classmethod)) else value
            if not attribute.startswith("_") and inspect.isfunction(plain):
                yield f"{name}.{attribute}", getattr(double, attribute), getattr(real, attribute, None)


@pytest.mark.parametrize(
    ("name", "double", "real"), list(callables()), ids=lambda value: value if isinstance(value, str) else ""
)
def test_parameters_are_equal(name: str, double: Any, real: Any) -> None:
    assert real is not None, f"the real library has no {name}"
    try:
        wanted = _parameters(real)
    except ValueError:
        pytest.fail(f"{name} tells no signature: look it up in the stub")
    assert _parameters(double) == wanted, name


@pytest.mark.parametrize(
    ("module", "name", "double"),
    [
        (entry[0].rsplit(".", 1)[0], entry[0].rsplit(".", 1)[1], entry[1])
        for entry in NAMES
        if inspect.isclass(entry[1]) and not issubclass(entry[1], enum.Enum) and "__init__" in vars(entry[1])
    ],
    ids=lambda value: value if isinstance(value, str) else "",
)
def test_constructors_take_the_same(module: str, name: str, double: Any) -> None:
    wanted = _constructor(module, name)
    if wanted is None:
        # No stub: a class written in Python, which tells its signature.
        real = getattr(importlib.import_module(module), name)
        try:
            wanted = [n for n, _ in _parameters(real.__init__)]
        except ValueError:
            pytest.fail(f"{module}.{name} has neither stub nor signature")
    if wanted in (["args", "kwargs"], []):
        return
    assert [n for n, _ in _parameters(double.__init__)] == wanted


def test_the_runtime_has_what_the_double_has() -> None:
    """Its compiled functions tell their parameters in the first line of their help only."""
    real, double = importlib.import_module("cuda.bindings.runtime"), doubles.cuda_runtime
    for name, value in vars(double).items():
        if not name.startswith("cuda"):
            continue
        wanted = getattr(real, name)
        if inspect.isfunction(value):
            told = re.match(rf"{name}\((.*?)\)", wanted.__doc__)
            assert told is not None, name
            names = [part.split(":")[0].split()[-1] for part in told[1].split(", ") if part]
            assert [parameter for parameter, _ in _parameters(value)] == names, name
        elif inspect.isclass(value) and issubclass(value, enum.Enum):
            assert {k: int(v) for k, v in value.__members__.items()}.items() <= {
                k: int(v) for k, v in wanted.__members__.items()
            }.items()
        elif not inspect.isclass(value):
            assert value == wanted, name


def test_installing_restores_the_real_library() -> None:
    with doubles.install():
        assert importlib.import_module("pylibcudf") is not pylibcudf
    assert importlib.import_module("pylibcudf") is pylibcudf
    assert importlib.import_module("pylibcudf.strings.find") is pylibcudf.strings.find
