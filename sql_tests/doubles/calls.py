"""Which calls were made on the double, as data: how each argument was made, without its values.

with recording() as calls: ...  # calls.forms(): the calls, each shape once

Every public function, constructor, method and property of the double is watched, as it is called from outside
(what the double itself calls is its own affair, and so is what a function given to it calls). A call that
fails is no call, but for want of memory. The conformance tests make the same calls on the real library.
"""

from __future__ import annotations

import contextlib
import functools
import importlib
import inspect
import json
import threading
from collections.abc import Callable, Iterator
from enum import Enum
from typing import Any

from . import modules
from .shapes import HOLDING, ORIGIN, depth_of, described, name_of, shape_of

_local = threading.local()
# The recordings in progress.
_listening: list[Calls] = []


class Calls:
    """Calls by their shape; of each shape the first one is kept, with the sizes it had."""

    def __init__(self) -> None:
        self._found: dict[str, Any] = {}

    def keep(self, form: Any) -> None:
        """Adds a call as `form_of` gives it."""
        self._found.setdefault(json.dumps(shape_of(form)), form)

    def forms(self) -> list[Any]:
        """The calls in an order of their own."""
        return [self._found[key] for key in sorted(self._found)]

    def __len__(self) -> int:
        return len(self._found)


def form_of(name: str, target: Any, args: Any, kwargs: dict[str, Any]) -> dict[str, Any]:
    """A call as JSON; `target` is the object of a method, else None. `name` ends in that of the method."""
    form = {"call": name, "args": [described(a) for a in args]}
    form["kwargs"] = {key: described(value) for key, value in kwargs.items()}
    return form if target is None else {"of": described(target), **form}


@contextlib.contextmanager
def recording() -> Iterator[Calls]:
    """The calls made within."""
    calls = Calls()
    with contextlib.ExitStack() as watched:
        if not _listening:
            _watch_all(watched)
        _listening.append(calls)
        watched.callback(_listening.remove, calls)
        yield calls


def _watch_all(watched: contextlib.ExitStack) -> None:
    for name in modules():
        if name.startswith("rmm.pylibrmm.memory_resource.") or "._" in name:
            continue
        module = importlib.import_module(f"{__package__}.{name}")
        for attribute, value in list(vars(module).items()):
            if not attribute.startswith("_"):
                _watch(module, attribute, value, watched)


def _watch(module: Any, attribute: str, value: Any, watched: contextlib.ExitStack) -> None:
    """Watches a function where it is named, a class wherever it is."""
    package = f"{__package__}."
    name = f"{module.__name__.removeprefix(package)}.{attribute}"
    if inspect.isfunction(value):
        if value.__module__ == module.__name__ or value.__module__.startswith(f"{package}rmm."):
            _replace(module, attribute, _observed(name, value), watched)
    elif inspect.isclass(value) and value.__module__.startswith(package) and not issubclass(value, Enum):
        if "_watched" not in vars(value):
            value._watched = True
            watched.callback(delattr, value, "_watched")
            for member, what in list(vars(value).items()):
                found = _member(value, member, what)
                if found is not None:
                    _replace(value, member, found, watched)


def _replace(owner: Any, attribute: str, value: Any, watched: contextlib.ExitStack) -> None:
    watched.callback(setattr, owner, attribute, inspect.getattr_static(owner, attribute))
    setattr(owner, attribute, value)


def _member(owner: type, name: str, what: Any) -> Any:
    """A watched member of a class in place of a public one; None for others."""
    full = f"{name_of(owner)}.{name}"
    if name == "__init__":
        return _observed_constructor(what) if inspect.isfunction(what) else None
    if name.startswith("_"):
        return None
    match what:
        case staticmethod():
            return staticmethod(_observed(full, what.__func__))
        case classmethod():
            return classmethod(_observed(full, what.__func__, of_class=True))
        case property() if what.fget is not None:
            return property(_observed(full, what.fget, of_object=True), what.fset)
    return _observed(full, what, of_object=True) if inspect.isfunction(what) else None


def _observed(
    name: str, function: Callable[..., Any], *, of_object: bool = False, of_class: bool = False
) -> Callable[..., Any]:
    @functools.wraps(function)
    def called(*args: Any, **kwargs: Any) -> Any:
        if getattr(_local, "inside", False):
            return function(*args, **kwargs)
        _local.inside = True
        try:
            target = args[0] if of_object else None
            given = args[1:] if of_object or of_class else args
            form = form_of(name, target, given, kwargs)
            result = _kept(form, function, *args, **kwargs)
            _note_origin(form, target, result, depth_of((*args, *kwargs.values())))
        finally:
            _local.inside = False
        return result

    return called


def _observed_constructor(function: Callable[..., Any]) -> Callable[..., Any]:
    @functools.wraps(function)
    def called(self: Any, *args: Any, **kwargs: Any) -> None:
        if getattr(_local, "inside", False):
            function(self, *args, **kwargs)
            return
        _local.inside = True
        try:
            form = form_of(name_of(type(self)), None, args, kwargs)
            _kept(form, function, self, *args, **kwargs)
            _note_origin(form, None, self, depth_of((*args, *kwargs.values())))
        finally:
            _local.inside = False

    return called


def _kept(form: Any, function: Callable[..., Any], *args: Any, **kwargs: Any) -> Any:
    """Makes the call, and keeps it if it was one."""
    try:
        return function(*args, **kwargs)
    except MemoryError:
        raise
    except BaseException:
        form = None
        raise
    finally:
        if form is not None:
            for calls in list(_listening):
                calls.keep(form)


def _note_origin(form: Any, target: Any, result: Any, depth: int) -> None:
    """Notes at an object by which call it was made, or changed: a method that gives nothing, or itself."""
    noted = getattr(target, "__dict__", {}).get(ORIGIN)
    if noted is not None and (result is None or result is target):
        step = [form["call"].rpartition(".")[2], form["args"], form["kwargs"]]
        if step not in noted[1]:
            noted[1].append(step)
    elif type(result).__module__.startswith(f"{__package__}.") and not isinstance(result, (*HOLDING, Enum)):
        if hasattr(result, "__dict__"):
            result.__dict__.setdefault(ORIGIN, (form, [], depth + 1))
