"""Generate a TPC-H lake: one Parquet file, or one folder of Parquet files, a table.

    python -m tandemdb.tpch.generate --scale 1 --output lake/sf1

The rows come from `tpchgen-cli`. A lake appears under its name only when it is whole: it is written beside
that name, checked, and renamed. A complete lake of the same description is left as it is: the command can be
repeated.
"""

import argparse
import contextlib
import fcntl
import json
import os
import shutil
import subprocess
import sys
import sysconfig
import tempfile
from collections.abc import Iterator, Sequence
from dataclasses import asdict, dataclass
from pathlib import Path
from typing import Any, Final

import pyarrow as pa
import pyarrow.parquet as pq

from .texts import TABLES

MARKER: Final = "_tpch.json"

# About 115,000 rows of lineitem, near the 122,880 that other engines write: small enough to prune by
# statistics and to share out among threads.
ROW_GROUP_BYTES: Final = "7MiB"


class GenerationError(Exception):
    """The lake could not be made; the text is a sentence for the user."""


@dataclass(frozen=True)
class Description:
    """What a lake holds: two lakes with equal descriptions hold the same rows."""

    scale: float
    parts: int = 1
    row_group_bytes: str = ROW_GROUP_BYTES

    def __str__(self) -> str:
        return f"scale {self.scale:g} ({self.parts} files a table, row groups of {self.row_group_bytes})"


def table_files(lake: Path, table: str) -> list[Path]:
    """The Parquet files of a table, in order: `lake/table.parquet`, or the files in `lake/table/`."""
    single = lake / f"{table}.parquet"
    return [single] if single.exists() else sorted((lake / table).glob("*.parquet"))


def row_counts(lake: Path) -> dict[str, int]:
    """Rows of each table from the Parquet footers. Raises GenerationError for a missing or broken file."""
    counts: dict[str, int] = {}
    for table in TABLES:
        paths = table_files(lake, table)
        if not paths:
            raise GenerationError(f"{lake} has no table {table}")
        try:
            counts[table] = sum(pq.read_metadata(path).num_rows for path in paths)
        except (OSError, pa.ArrowException) as error:
            raise GenerationError(f"{lake}: table {table} cannot be read: {error}") from error
    return counts


def describe(lake: Path) -> tuple[Description, dict[str, int]] | None:
    """The description and row counts noted when a lake was made; None if the folder is not such a lake."""
    try:
        noted: dict[str, Any] = json.loads((lake / MARKER).read_text(encoding="utf-8"))
        return Description(**noted["description"]), dict(noted["rows"])
    except FileNotFoundError:
        return None
    except (ValueError, KeyError, TypeError) as error:
        raise GenerationError(f"{lake / MARKER} is not a lake's note: {error}") from error


def is_complete(lake: Path, wanted: Description) -> bool:
    """Whether `lake` is what `wanted` describes, with every file there and as many rows as were written."""
    noted = describe(lake)
    if noted is None or noted[0] != wanted:
        return False
    try:
        return row_counts(lake) == noted[1]
    except GenerationError:
        return False


def generate(lake: Path, wanted: Description, *, threads: int | None = None) -> bool:
    """Make the lake if it is not there yet; True if it was made, False if it was complete already.

    Args:
        lake: the folder to make; its parent is created.
        wanted: scale factor, files a table, row group size.
        threads: generator threads; all cores if None.

    Raises:
        GenerationError: the folder holds something else, the generator failed, or it wrote broken files.
    """
    lake = lake.absolute()
    lake.parent.mkdir(parents=True, exist_ok=True)
    with _locked(lake) as lock:
        if is_complete(lake, wanted):
            return False
        _refuse_foreign(lake, wanted)
        for leftover in lake.parent.glob(f".{lake.name}.partial-*"):
            shutil.rmtree(leftover)
        fresh = Path(tempfile.mkdtemp(prefix=f".{lake.name}.partial-", dir=lake.parent))
        try:
            _write(fresh, wanted, threads, lock)
            _swap(fresh, lake)
        except BaseException:
            shutil.rmtree(fresh, ignore_errors=True)
            raise
    return True


@contextlib.contextmanager
def _locked(lake: Path) -> Iterator[int]:
    """One generation of a lake at a time; what another left unfinished is then surely dead.

    Yields the lock's file descriptor. The generator inherits it: the lock outlives us while it still writes.
    """
    with open(lake.parent / f".{lake.name}.lock", "w") as lock:
        fcntl.flock(lock, fcntl.LOCK_EX)
        yield lock.fileno()


def _refuse_foreign(lake: Path, wanted: Description) -> None:
    """Never replace a folder that this tool did not write, or a lake of another description."""
    if not lake.exists() or (lake.is_dir() and not any(lake.iterdir())):
        return
    noted = describe(lake) if lake.is_dir() else None
    if noted is None:
        raise GenerationError(f"{lake} exists and is not a TPC-H lake; remove it or choose another folder")
    if noted[0] != wanted:
        raise GenerationError(f"{lake} holds TPC-H at {noted[0]}; remove it or choose another folder")


def _write(folder: Path, wanted: Description, threads: int | None, lock: int) -> None:
    command = [_generator(), "parquet", f"--scale-factor={wanted.scale:g}", f"--output-dir={folder}"]
    command += [f"--row-group-bytes={wanted.row_group_bytes}", "--quiet"]
    if wanted.parts > 1:
        command.append(f"--parts={wanted.parts}")
    if threads is not None:
        command.append(f"--num-threads={threads}")
    done = subprocess.run(
        command, stdin=subprocess.DEVNULL, capture_output=True, text=True, check=False, pass_fds=(lock,)
    )
    if done.returncode != 0:
        raise GenerationError(f"tpchgen-cli failed with exit code {done.returncode}: {done.stderr.strip()}")
    note = {"description": asdict(wanted), "rows": row_counts(folder)}
    (folder / MARKER).write_text(json.dumps(note, indent=2) + "\n", encoding="utf-8")


def _generator() -> str:
    """The program that came with this Python's packages, or else one on the PATH."""
    found = shutil.which("tpchgen-cli", path=sysconfig.get_path("scripts")) or shutil.which("tpchgen-cli")
    if found is None:
        raise GenerationError("tpchgen-cli is not installed; it comes with: pip install 'tandemdb[test]'")
    return found


def _swap(fresh: Path, lake: Path) -> None:
    """Put the finished folder under its name; a damaged lake of the same description makes way."""
    fresh.chmod(0o755)
    if lake.exists():
        damaged = Path(tempfile.mkdtemp(prefix=f".{lake.name}.partial-", dir=lake.parent))
        os.rename(lake, damaged / "old")
        os.rename(fresh, lake)
        shutil.rmtree(damaged)
    else:
        os.rename(fresh, lake)


def main(arguments: Sequence[str] | None = None) -> int:
    """Command line entry; returns the exit code."""
    parser = argparse.ArgumentParser(
        prog="python -m tandemdb.tpch.generate", description="Generate a TPC-H lake of Parquet files."
    )
    parser.add_argument("--scale", type=float, default=1.0, help="scale factor; 1 is about 1 GB of text")
    parser.add_argument("--output", type=Path, required=True, metavar="DIR", help="the lake's folder")
    parser.add_argument("--parts", type=int, default=1, help="files a table; above 1 each table is a folder")
    parser.add_argument("--row-group-bytes", default=ROW_GROUP_BYTES, help="approximate, e.g. 7MiB")
    parser.add_argument("--threads", type=int, default=None, help="generator threads (all cores)")
    chosen = parser.parse_args(arguments)
    if not (chosen.scale > 0 and chosen.parts > 0):
        parser.error("--scale and --parts must be above zero")
    wanted = Description(chosen.scale, chosen.parts, chosen.row_group_bytes)
    try:
        made = generate(chosen.output, wanted, threads=chosen.threads)
    except GenerationError as error:
        print(f"error: {error}", file=sys.stderr)
        return 1
    state = "generated" if made else "is complete already"
    print(f"{chosen.output}: TPC-H at scale {wanted.scale:g} {state}", flush=True)
    return 0


if __name__ == "__main__":
    sys.exit(main())
