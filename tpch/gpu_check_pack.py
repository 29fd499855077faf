"""Takes what a GPU check needs to a machine that can download nothing: packed here, joined there.

    python3 tpch/gpu_check_pack.py pack DIR --python 3.12
    python3 tpch/gpu_check_pack.py join DIR --into .venv-gpu

A pack is the wheels of the GPU libraries, of the engine's own needs and of the tests, for one or more
versions of Python, as one stream cut into pieces of a size that can be carried, beside `pack.json` with
checksums. This file uses Python's own library only: where packs are joined nothing is installed yet.
"""

from __future__ import annotations

import argparse
import hashlib
import io
import json
import re
import subprocess
import sys
import sysconfig
import tarfile
import tempfile
import time
from collections.abc import Sequence
from pathlib import Path
from typing import Any

NOTE = "pack.json"
# In an environment that a pack was installed into.
JOINED = ".joined"
PIECE_BYTES = 55 << 20
# What of the test extra a check runs; the rest are rivals and linters.
CHECKED_WITH = ("pytest", "pytest-xdist", "hypothesis", "duckdb", "tpchgen-cli", "setuptools")
# The gpu extra names cudf, which brings much that the engine does not import: five times the bytes.
OF_CUDF = ("pylibcudf-cu13", "rmm-cu13")
# libcudf's wheels need a C library of this version, which is what the others may need too.
_C_LIBRARIES = [f"manylinux_2_{minor}_x86_64" for minor in range(28, 4, -1)]
_PLATFORMS = [*_C_LIBRARIES, "manylinux2014_x86_64", "manylinux2010_x86_64", "manylinux1_x86_64"]
_ROOT = Path(__file__).resolve().parent.parent


class PackError(Exception):
    """A pack cannot be made or joined; the text says why in a sentence."""


def requirements(project: dict[str, Any], *, whole: bool) -> list[str]:
    """What a check installs, by pyproject.toml's `project` table; `whole` keeps all of the gpu extra.

    >>> extras = {"gpu": ["cudf-cu13==26.10.*"], "test": ["pytest>=9", "ruff>=1"]}
    >>> requirements({"dependencies": ["numpy>=2"], "optional-dependencies": extras}, whole=False)
    ['numpy>=2', 'pylibcudf-cu13==26.10.*', 'rmm-cu13==26.10.*', 'pytest>=9']
    """
    extras = project["optional-dependencies"]
    found = list(project["dependencies"])
    for text in extras["gpu"]:
        name, versions = _split(text)
        lean = name == "cudf-cu13" and not whole
        found += [f"{part}{versions}" for part in OF_CUDF] if lean else [text]
    return found + [text for text in extras["test"] if _split(text)[0] in CHECKED_WITH]


def _split(requirement: str) -> tuple[str, str]:
    """The name, and what follows it."""
    match = re.match(r"[A-Za-z0-9._-]+", requirement)
    assert match is not None, requirement
    return match[0], requirement[match.end() :]


class _Pieces(io.RawIOBase):
    """Writes a stream into numbered files of a size."""

    def __init__(self, folder: Path, size: int) -> None:
        self.folder, self.size = folder, size
        self.made: list[dict[str, Any]] = []
        self._piece = bytearray()

    def writable(self) -> bool:
        return True

    def write(self, data: Any) -> int:
        given = memoryview(data)
        at = 0
        while at < len(given):
            taken = min(self.size - len(self._piece), len(given) - at)
            self._piece += given[at : at + taken]
            at += taken
            if len(self._piece) == self.size:
                self.finish()
        return len(given)

    def finish(self) -> None:
        """Writes what is left."""
        if self._piece:
            name = f"piece-{len(self.made):03}"
            (self.folder / name).write_bytes(self._piece)
            digest = hashlib.sha256(self._piece).hexdigest()
            self.made.append({"name": name, "bytes": len(self._piece), "sha256": digest})
            self._piece = bytearray()


class _Joined(io.RawIOBase):
    """Reads pieces one after the other."""

    def __init__(self, paths: Sequence[Path]) -> None:
        self._left = list(paths)
        self._open: io.BufferedReader | None = None

    def readable(self) -> bool:
        return True

    def readinto(self, buffer: Any) -> int:
        while True:
            if self._open is None:
                if not self._left:
                    return 0
                self._open = self._left.pop(0).open("rb")
            count = self._open.readinto(buffer)
            if count:
                return count
            self._open.close()
            self._open = None

    def close(self) -> None:
        """Closes the piece that is being read."""
        if self._open is not None:
            self._open.close()
        super().close()


def split(wheels: Sequence[Path], folder: Path, size: int = PIECE_BYTES, **notes: Any) -> dict[str, Any]:
    """Writes wheels into pieces of `size` bytes in a folder without a pack; the note put beside them."""
    folder.mkdir(parents=True, exist_ok=True)
    if any(folder.glob("piece-*")) or (folder / NOTE).exists():
        raise PackError(f"{folder} holds a pack already; choose another folder or remove it")
    pieces = _Pieces(folder, size)
    with tarfile.open(fileobj=pieces, mode="w|") as stream:  # type: ignore[call-overload]
        for wheel in wheels:
            stream.add(wheel, wheel.name)
    pieces.finish()
    listed = [{"name": w.name, "bytes": w.stat().st_size, "sha256": _digest(w)} for w in wheels]
    note = {**notes, "pieces": pieces.made, "wheels": listed}
    (folder / NOTE).write_text(json.dumps(note, indent=1) + "\n", encoding="utf-8")
    return note


def note_of(folder: Path) -> dict[str, Any]:
    """A pack's note. Raises PackError."""
    try:
        return json.loads((folder / NOTE).read_text(encoding="utf-8"))
    except (OSError, ValueError) as error:
        raise PackError(f"there is no pack in {folder}: {error}") from error


def join(folder: Path, into: Path) -> list[Path]:
    """The wheels of a pack, written into a folder, each as it was packed. Raises PackError."""
    note = note_of(folder)
    missing = [piece["name"] for piece in note["pieces"] if not (folder / piece["name"]).exists()]
    if missing:
        raise PackError(f"{len(missing)} of {len(note['pieces'])} pieces are missing: {', '.join(missing)}")
    for piece in note["pieces"]:
        if _digest(folder / piece["name"]) != piece["sha256"]:
            raise PackError(f"{folder / piece['name']} is damaged: carry it over again")
    wanted = {wheel["name"]: wheel["sha256"] for wheel in note["wheels"]}
    into.mkdir(parents=True, exist_ok=True)
    pieces = _Joined([folder / piece["name"] for piece in note["pieces"]])
    with io.BufferedReader(pieces) as joined, tarfile.open(fileobj=joined, mode="r|") as stream:
        for member in stream:
            if member.name not in wanted:
                raise PackError(f"the pack holds {member.name}, which its note does not name")
            stream.extract(member, into, filter="data")
            if _digest(into / member.name) != wanted[member.name]:
                raise PackError(f"{member.name} is not as it was packed")
    return [into / name for name in wanted]


def _digest(path: Path) -> str:
    with path.open("rb") as file:
        return hashlib.file_digest(file, "sha256").hexdigest()


def download(needs: Sequence[str], pythons: Sequence[str], into: Path) -> None:
    """The wheels of requirements and of what they need, for each version of Python. Raises PackError."""
    for python in pythons:
        command = [sys.executable, "-m", "pip", "download", "--quiet", "--disable-pip-version-check"]
        command += ["--only-binary=:all:", f"--python-version={python}", "--implementation=cp"]
        command += [f"--platform={name}" for name in _PLATFORMS]
        _run([*command, f"--dest={into}", *needs], f"the wheels for Python {python} cannot be downloaded")


def install(folder: Path, environment: Path, *, reuse: bool) -> None:
    """An environment with a joined pack and this checkout in it, from no network. Raises PackError.

    `reuse`: packages of the Python that runs this serve where they fit.
    """
    note = note_of(folder)
    _run([sys.executable, "-m", "venv", str(environment)], "no environment can be made")
    if reuse:
        _see_packages_of_this(environment)
    with tempfile.TemporaryDirectory(dir=folder) as wheels:
        join(folder, Path(wheels))
        pip = [str(environment / "bin" / "python"), "-m", "pip", "install", "--quiet", "--no-index"]
        pip += ["--disable-pip-version-check", f"--find-links={wheels}"]
        _run([*pip, *note["requirements"]], "the pack cannot be installed")
    checkout = ["--no-build-isolation", "--no-deps", "--editable", str(_ROOT)]
    _run([*pip, *checkout], "TandemDB itself cannot be installed")
    (environment / JOINED).touch()


def _see_packages_of_this(environment: Path) -> None:
    """venv's own option would show those of the Python that this one was made with, if this is in one too."""
    (library,) = (environment / "lib").glob("python3.*")
    paths = {sysconfig.get_paths()[kind] for kind in ("purelib", "platlib")}
    (library / "site-packages" / "reused.pth").write_text("\n".join(sorted(paths)) + "\n", encoding="utf-8")


def _run(command: Sequence[str], problem: str) -> None:
    done = subprocess.run(command, stdin=subprocess.DEVNULL, capture_output=True, text=True, check=False)
    if done.returncode:
        raise PackError(f"{problem}:\n{done.stdout[-4000:]}{done.stderr[-4000:]}")


def _pack(chosen: argparse.Namespace) -> None:
    import tomllib

    project = tomllib.loads((_ROOT / "pyproject.toml").read_text(encoding="utf-8"))["project"]
    needs = requirements(project, whole=chosen.whole) + chosen.with_
    with tempfile.TemporaryDirectory(prefix="tandemdb-pack-") as folder:
        download(needs, chosen.python, Path(folder))
        left_out = {name.replace("-", "_").lower() for name in chosen.without}
        wheels = [
            wheel
            for wheel in sorted(Path(folder).glob("*.whl"))
            if wheel.name.split("-")[0].lower() not in left_out
        ]
        made = time.strftime("%Y-%m-%d", time.gmtime())
        note = split(
            wheels, chosen.folder, chosen.piece << 20, made=made, pythons=chosen.python, requirements=needs
        )
    size = sum(piece["bytes"] for piece in note["pieces"])
    print(f"{len(wheels)} wheels, {size >> 20} MiB in {len(note['pieces'])} pieces in {chosen.folder}")


def _join(chosen: argparse.Namespace) -> None:
    install(chosen.folder, chosen.into, reuse=chosen.reuse)
    print(f"{chosen.into} is ready")


def _arguments() -> argparse.ArgumentParser:
    parser = argparse.ArgumentParser(description=str(__doc__).splitlines()[0])
    verbs = parser.add_subparsers(required=True)
    pack = verbs.add_parser("pack", help="download and cut into pieces")
    pack.add_argument("folder", type=Path, metavar="DIR")
    pack.add_argument("--python", action="append", metavar="3.N", help="for this Python (3.12); repeatable")
    pack.add_argument("--piece", type=int, default=PIECE_BYTES >> 20, metavar="MIB", help="of a piece (55)")
    pack.add_argument("--whole", action="store_true", help="all of cudf, not only what the engine imports")
    pack.add_argument("--with", dest="with_", action="append", default=[], metavar="REQUIREMENT")
    pack.add_argument(
        "--without", action="append", default=[], metavar="NAME", help="leave a wheel out: the machine has it"
    )
    pack.set_defaults(action=_pack)
    join = verbs.add_parser("join", help="put together, verify, install without network")
    join.add_argument("folder", type=Path, metavar="DIR")
    join.add_argument("--into", type=Path, default=Path(".venv-gpu"), metavar="VENV")
    join.add_argument("--reuse", action="store_true", help="use packages that this Python has where they fit")
    join.set_defaults(action=_join)
    return parser


def main(arguments: Sequence[str] | None = None) -> int:
    """Command line entry; returns the exit code."""
    chosen = _arguments().parse_args(arguments)
    if getattr(chosen, "python", ()) is None:
        chosen.python = ["3.12"]
    try:
        chosen.action(chosen)
    except PackError as error:
        print(f"error: {error}", file=sys.stderr)
        return 1
    return 0


if __name__ == "__main__":
    sys.exit(main())
