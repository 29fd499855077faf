"""Errors about settings."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Any

from .candidates import did_you_mean
from .errors import GpuWarning, SettingsError, UnsupportedError
from .expr import Literal
from .literals import format_literal
from .python_literals import NoLiteral, python_literal


def unknown_setting(name: str, known: Iterable[str]) -> SettingsError | UnsupportedError:
    """No setting of this name; candidates come as a hint. A setting that DuckDB has is refused as not
    supported.
    """
    if (what := _NOT_BUILT.get(name.lower())) is not None:
        return UnsupportedError("setting", f'the setting "{name}" is not supported: {what}, not built yet')
    hint = did_you_mean(name, known) or "SHOW ALL lists the settings"
    return SettingsError("unknown_setting", f'there is no setting named "{name}"', hint=hint)


# Settings of DuckDB that change the meaning of statements: refused as not built rather than as unknown.
_NOT_BUILT = {
    "timezone": "time zones other than UTC",
    "calendar": "calendars",
    "default_collation": "collations",
    "binary_as_string": "texts in binary columns",
    "allowed_directories": "limits of what files may be read",
    "allowed_paths": "limits of what files may be read",
    "disabled_filesystems": "limits of what files may be read",
    "enable_external_access": "limits of what files may be read",
    "lock_configuration": "settings that cannot be set",
    "max_execution_time": "limits of time",
    "order_by_non_integer_literal": "constants in ORDER BY",
    "preserve_identifier_case": "names in lower case",
    "ieee_floating_point_ops": "errors in place of infinities",
    "scalar_subquery_error_on_multiple_rows": "scalar subqueries of several rows",
    "search_path": "schemas",
    "schema": "schemas",
}


def bad_setting_value(name: str, value: Any, why: str) -> SettingsError:
    """A value that the setting does not take."""
    return SettingsError("bad_setting", f'"{name}" cannot be set to {_shown(value)}: {why}')


def _shown(value: Any) -> str:
    """A Python value or literal as SQL would write it, if it has values of its class."""
    if isinstance(value, Literal):
        return format_literal(value.value, value.type)
    try:
        kind, literal = python_literal(value)
    except (NoLiteral, UnicodeError, OverflowError):
        return repr(value)
    return format_literal(literal, kind)


def bad_profile_file(why: str, *, local: bool) -> SettingsError:
    """A stored hardware profile that cannot be used; `local`: that of this machine."""
    hint = "`tandemdb calibrate` writes it anew; without the file, built-in assumptions are used"
    return SettingsError(
        "hardware_profile", why, hint=hint if local else "SET gpu_profile = 'none' does without it"
    )


def profile_without_gpu(name: str) -> SettingsError:
    """A report about the GPU for a machine that has none."""
    return SettingsError("no_gpu", f"the profile '{name}' has no GPU: there is nothing to report")


def runs_on_cpu(why: str) -> GpuWarning:
    """SET device = 'gpu' without a GPU; `why` is 'cause: what to do'."""
    return GpuWarning(
        f"SET device = 'gpu': {why}; until then queries run on the CPU, and every operator counts as a "
        "fallback"
    )


def no_gpu(why: str) -> SettingsError:
    """The same with SET on_fallback = 'error'."""
    return SettingsError(
        "no_gpu",
        f"\"device\" cannot be set to 'gpu': {why}",
        hint="SET on_fallback = 'report' takes it, and runs queries on the CPU",
    )


def fallback_refused(first: str, count: int) -> UnsupportedError:
    """SET on_fallback = 'error' and operators that cannot run on the GPU."""
    more = f" (and {count - 1} more)" if count > 1 else ""
    return UnsupportedError(
        "gpu_fallback",
        f"an operator cannot run on the GPU: {first}{more}",
        hint="SET on_fallback = 'report' runs it on the CPU and counts it",
    )
