"""One statement on both engines, each in a folder of its own with the same files."""

from __future__ import annotations

import os
from collections.abc import Callable
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

import duckdb
import tandemdb
from oracle.duck import duck


@dataclass
class Answer:
    """What a statement gave: rows with the names and types of their columns, or the text of its error; and
    the files in the folder afterwards."""

    rows: list[Any] = field(default_factory=list)
    names: list[str] = field(default_factory=list)
    types: list[str] = field(default_factory=list)
    error: str | None = None
    files: dict[str, bytes] = field(default_factory=dict)


def both(folder: Path, sql: str, files: Callable[[Path], object] = lambda _: None) -> tuple[Answer, Answer]:
    """Our answer and DuckDB's, with the folder as the current one; `files` makes what is in it before."""
    answers = []
    for name in ("ours", "theirs"):
        own = folder / name
        own.mkdir()
        files(own)
        answers.append(_answer(own, sql, name == "ours"))
    return answers[0], answers[1]


def _answer(folder: Path, sql: str, ours: bool) -> Answer:
    before = os.getcwd()
    os.chdir(folder)
    answer = Answer()
    con: Any = tandemdb.connect() if ours else duck().cursor()
    try:
        for part in sql.split(";;"):
            result = con.execute(part)
            if result.description:
                answer.names = [column[0] for column in result.description]
                answer.types = [str(column[1]) for column in result.description]
                answer.rows = result.fetchall()
    except tandemdb.Error as error:
        assert ours
        answer.error = str(error)
    except duckdb.Error as error:
        assert not ours
        answer.error = str(error)
    finally:
        con.close()
        os.chdir(before)
    for path in sorted(folder.rglob("*")):
        if path.is_file():
            answer.files[str(path.relative_to(folder))] = path.read_bytes()
    return answer
