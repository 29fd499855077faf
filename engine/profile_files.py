"""Hardware profiles by name: those known, the one that `tandemdb calibrate` stored for this machine, and
files.
"""

from __future__ import annotations

import functools
import json
import os
from pathlib import Path

from ..physical.profile_json import profile_from_json, profile_to_json
from ..physical.profiles import PROFILES, HardwareProfile
from ..planner.messages_settings import bad_profile_file

LOCAL = "local"


def local_path() -> Path:
    """Where the measured profile of this machine is stored."""
    from platformdirs import user_config_path

    return user_config_path("tandemdb") / "hardware.json"


def profile_name(text: str) -> str:
    """The value of the setting `gpu_profile` that a text stands for: 'none', a name in lower case, or an
    absolute path. ValueError with the reason when there is no such profile.
    """
    name = text.lower()
    if name == "none" or name in PROFILES:
        return name
    if name == LOCAL:
        if not local_path().exists():
            raise ValueError("this machine has not been measured: run `tandemdb calibrate`")
        return name
    if name.endswith(".json") or os.sep in text:
        path = Path(text).expanduser().absolute()
        read_profile(path)
        return str(path)
    names = ", ".join(f"'{known}'" for known in ("none", LOCAL, *sorted(PROFILES)))
    raise ValueError(f"one of {names} or the path of a profile (*.json) is expected")


def find_profile(name: str) -> HardwareProfile:
    """The profile of a name that `profile_name` gave. SettingsError when its file cannot be read."""
    return PROFILES[name] if name in PROFILES else _stored(local_path() if name == LOCAL else Path(name))


def measured_here() -> HardwareProfile | None:
    """The measured profile of this machine; None when there is none. SettingsError for a damaged file."""
    path = local_path()
    return _stored(path) if path.exists() else None


def read_profile(path: Path) -> HardwareProfile:
    """The profile in a file. ValueError with the reason in words."""
    try:
        return profile_from_json(json.loads(path.read_text(encoding="utf-8")))
    except OSError as error:
        raise ValueError(f"{path} cannot be read: {error.strerror}") from None
    except RecursionError:
        raise ValueError(f"{path} is no hardware profile: it is nested too deep") from None
    except ValueError as error:
        what = "it is no JSON text" if isinstance(error, (json.JSONDecodeError, UnicodeError)) else error
        raise ValueError(f"{path} is no hardware profile: {what}") from None


def store_local(profile: HardwareProfile) -> Path:
    """Stores the measured profile of this machine, whole or not at all; OSError when that fails."""
    path = local_path()
    path.parent.mkdir(parents=True, exist_ok=True)
    scratch = path.with_suffix(f".{os.getpid()}.tmp")
    scratch.write_text(json.dumps(profile_to_json(profile), indent=2) + "\n", encoding="utf-8")
    scratch.replace(path)
    return path


def _stored(path: Path) -> HardwareProfile:
    local = path == local_path()
    try:
        status = path.stat()
        return _read_version(path, status.st_mtime_ns, status.st_size)
    except OSError as error:
        raise bad_profile_file(f"{path} cannot be read: {error.strerror}", local=local) from None
    except ValueError as error:
        raise bad_profile_file(str(error), local=local) from None


@functools.lru_cache(maxsize=16)
def _read_version(path: Path, mtime: int, size: int) -> HardwareProfile:
    del mtime, size  # which version of the file this is
    return read_profile(path)
