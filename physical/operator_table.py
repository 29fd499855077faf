"""The table from a spec's type to the class that runs it on a device; each device has one."""

from __future__ import annotations

import importlib
from collections.abc import Callable, Mapping
from typing import Any, TypeVar

Operator = TypeVar("Operator", bound=Callable[..., Any])


class OperatorTable:
    """Classes by the type of the spec they run. `modules` says which module of `package` to import for a
    spec: what no query needs is not loaded.
    """

    def __init__(self, package: str, modules: Mapping[type, str]) -> None:
        self.modules = modules
        self._package = package
        self._classes: dict[type, Callable[..., Any]] = {}

    def implements(self, spec: type) -> Callable[[Operator], Operator]:
        """Registers a class, or a function that makes one, as what runs specs of a type: it is called as
        `operator(spec, backend, **options)`.
        """

        def register(operator: Operator) -> Operator:
            assert spec not in self._classes, spec
            self._classes[spec] = operator
            return operator

        return register

    def make(self, spec: Any, backend: Any, **options: Any) -> Any:
        """The operator that runs `spec`."""
        kind = type(spec)
        if kind not in self._classes:
            importlib.import_module(f".{self.modules[kind]}", self._package)
        return self._classes[kind](spec, backend, **options)
