"""The Python functions of a connection: `create_function` and `remove_function`."""

from __future__ import annotations

import itertools
import threading
from collections.abc import Callable, Mapping
from typing import Any

from ..physical.batch import Device
from ..physical.function_kernels import kernel_dtype
from ..physical.python_functions import PythonFunction
from ..planner import messages_udf as messages
from ..planner.candidates import did_you_mean
from ..planner.functions import (
    Form,
    Nulls,
    UserFunction,
    Volatility,
    find_aggregate,
    find_scalar,
    function_names,
)
from ..planner.types import SQLType
from .devices import backends
from .udf_signature import Signature, signature_of

_NUMBERS = itertools.count(1)
_FORMS = {"native": Form.NATIVE, "arrow": Form.ARROW}
_NULLS = {"default": Nulls.PROPAGATE, "special": Nulls.HANDLED}
_EXCEPTIONS = {"default": False, "return_null": True}
_DEVICES = {"cpu": False, "gpu": True}


class UserFunctions:
    """The functions of a connection by name; names have no case. Queries that run keep those that they began
    with.
    """

    def __init__(self) -> None:
        self._by_name: dict[str, PythonFunction] = {}
        self._lock = threading.Lock()

    @property
    def signatures(self) -> Mapping[str, UserFunction]:
        """What statements are bound with: signatures by lower-case name."""
        with self._lock:
            return {name: made.signature for name, made in self._by_name.items()}

    @property
    def by_number(self) -> Mapping[int, PythonFunction]:
        """What queries run with: functions by the number that plans have."""
        with self._lock:
            return {made.signature.number: made for made in self._by_name.values()}

    def create(self, name: str, function: Callable[..., Any], **options: Any) -> None:
        """Adds a function, see `Connection.create_function`. Raises SqlError when it cannot be one."""
        self._check_name(name)
        if not callable(function):
            raise messages.not_a_function(function)
        made = _made(name, function, **options)
        with self._lock:
            if name.lower() in self._by_name:
                raise messages.already_there(name)
            self._by_name[name.lower()] = made

    def _check_name(self, name: Any) -> None:
        if not isinstance(name, str) or not name.strip():
            raise messages.bad_name(name)
        lowered = name.lower()
        if find_scalar(lowered) or find_aggregate(lowered) or lowered in function_names():
            raise messages.built_in(name)
        with self._lock:
            if lowered in self._by_name:
                raise messages.already_there(name)

    def remove(self, name: str) -> None:
        """Forgets a function. Raises CatalogError where there is none of the name."""
        with self._lock:
            made = self._by_name.pop(name.lower(), None) if isinstance(name, str) else None
            names = [f.signature.name for f in self._by_name.values()]
        if made is None:
            raise messages.not_there(str(name), did_you_mean(str(name), names))


def _made(
    name: str,
    function: Callable[..., Any],
    parameters: Any,
    return_type: Any,
    *,
    type: str,
    null_handling: str,
    exception_handling: str,
    side_effects: bool,
    device: str,
) -> PythonFunction:
    form = _choice("type", type, _FORMS)
    nulls = _choice("null_handling", null_handling, _NULLS)
    fails_as_null = _choice("exception_handling", exception_handling, _EXCEPTIONS)
    gpu = _choice("device", device, _DEVICES)
    if not isinstance(side_effects, bool):
        raise messages.bad_option("side_effects", side_effects, [True, False])
    found = signature_of(name, function, parameters, return_type)
    if gpu:
        _check_device(name, found, form, side_effects=side_effects)
    signature = UserFunction(
        next(_NUMBERS),
        name,
        found.params,
        found.variadic,
        found.result,
        found.result,
        Form.COMPILED if gpu else form,
        nulls,
        fails_as_null,
        Volatility.VOLATILE if side_effects else Volatility.IMMUTABLE,
        gpu,
    )
    return _compiled(signature, function) if gpu else PythonFunction(signature, function)


def _compiled(signature: UserFunction, function: Callable[..., Any]) -> PythonFunction:
    """Compiled for the CPU, and for the GPU where this process has one: what cannot be is refused here."""
    from ..cpu_fallback.udf_compiled import compiled

    made = compiled(signature, function)
    if Device.GPU in backends():
        from ..gpu_exec.udf import compile_kernel

        compile_kernel(made)
    return made


def _choice(option: str, given: Any, choices: Mapping[str, Any]) -> Any:
    found = choices.get(given.lower()) if isinstance(given, str) else None
    if found is None:
        raise messages.bad_option(option, given, list(choices))
    return found


def _check_device(name: str, found: Signature, form: Form, *, side_effects: bool) -> None:
    """What a compiled function may be."""
    if form is Form.ARROW:
        raise messages.device_arrow(name)
    if side_effects:
        raise messages.device_volatile(name)
    if found.variadic is not None or not found.params:
        raise messages.device_parameters(name)
    for kind in (*found.params, found.result):
        if not isinstance(kind, SQLType):
            raise messages.device_parameters(name)
        if kernel_dtype(kind) is None:
            raise messages.device_type(name, kind)
