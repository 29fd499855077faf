"""The sqllogictest format, parsed: statements, queries, loops and conditions with their lines.

What a file may hold (the README of this folder is the module docstring of `runner.execute`):

    # configs: batch_size=1,3,default threads=1,2      one run of the file for every combination
    # slow                                             the file runs with the slow tests
    statement ok | error [REGEX]
    query TYPES [nosort|rowsort|valuesort] [LABEL]     TYPES: a letter a column, as in other sqllogictest
    dialects
    ---- [TYPE, TYPE, ...]                             the column types, in DuckDB's spelling, where they
    are checked
    loop NAME FROM TO / foreach NAME VALUE... / endloop, with ${NAME} in the text
    skipif ENGINE / onlyif ENGINE                      for the record that follows
    require ENGINE                                     the rest of the file is for that engine
    hash-threshold N, set SETTING VALUE, halt
"""

from __future__ import annotations

import itertools
import re
from dataclasses import dataclass, field, replace
from pathlib import Path

SORT_MODES = ("nosort", "rowsort", "valuesort")


class SltSyntaxError(Exception):
    """A test file that cannot be read; the message starts with file:line."""


@dataclass(frozen=True)
class Record:
    """One directive with its place: `line` is the directive's, `end` the line after its last."""

    path: Path
    line: int
    end: int
    only: frozenset[str] = frozenset()
    skip: frozenset[str] = frozenset()

    @property
    def where(self) -> str:
        return f"{self.path.name}:{self.line}"

    def applies(self, engine: str) -> bool:
        return engine not in self.skip and (not self.only or engine in self.only)


@dataclass(frozen=True)
class Statement(Record):
    """`error` is None where the statement must succeed, else a regular expression its message must match."""

    sql: str = ""
    error: str | None = None


@dataclass(frozen=True)
class Query(Record):
    sql: str = ""
    letters: str = ""
    sort: str = "nosort"
    label: str = ""
    types: tuple[str, ...] | None = None
    expected: tuple[str, ...] | None = None
    """The result lines as written; None where the file has no result section yet."""


@dataclass(frozen=True)
class Directive(Record):
    """require, halt, hash-threshold or set, with its arguments."""

    word: str = ""
    arguments: tuple[str, ...] = ()


@dataclass(frozen=True)
class Loop(Record):
    name: str = ""
    values: tuple[str, ...] = ()
    body: tuple[Record, ...] = ()


@dataclass(frozen=True)
class File:
    path: Path
    lines: tuple[str, ...]
    configs: tuple[dict[str, str], ...]
    records: tuple[Record, ...]
    slow: bool = False


@dataclass
class _Reader:
    path: Path
    lines: list[str]
    at: int = 0
    only: set[str] = field(default_factory=set)
    skip: set[str] = field(default_factory=set)

    def fail(self, message: str) -> SltSyntaxError:
        return SltSyntaxError(f"{self.path.name}:{self.at + 1}: {message}")

    def block(self) -> list[str]:
        """The lines up to a blank line, a separator or the end."""
        start = self.at
        while self.at < len(self.lines) and self.lines[self.at].strip() and not self.separator():
            self.at += 1
        return self.lines[start : self.at]

    def separator(self) -> bool:
        return self.lines[self.at].startswith("----")

    def place(self, line: int) -> dict[str, object]:
        found = {"path": self.path, "line": line + 1, "end": self.at}
        found |= {"only": frozenset(self.only), "skip": frozenset(self.skip)}
        self.only, self.skip = set(), set()
        return found


def read(path: Path) -> File:
    """Parse a file; raises SltSyntaxError."""
    text = path.read_text(encoding="utf-8")
    lines = text.split("\n")
    reader = _Reader(path, lines)
    records = tuple(_records(reader, inside_loop=False))
    return File(path, tuple(lines), tuple(_configs(lines)), records, slow="# slow" in lines)


def _configs(lines: list[str]) -> list[dict[str, str]]:
    """The settings of each run of the file: every combination of the `# configs:` line."""
    for line in lines:
        found = re.match(r"#\s*configs:\s*(.+)", line)
        if found:
            pairs = [part.split("=", 1) for part in found[1].split()]
            names = [name for name, _ in pairs]
            return [
                dict(zip(names, values, strict=True))
                for values in itertools.product(*(v.split(",") for _, v in pairs))
            ]
    return [{}]


def _records(r: _Reader, *, inside_loop: bool) -> list[Record]:
    records: list[Record] = []
    while r.at < len(r.lines):
        line, start = r.lines[r.at].strip(), r.at
        if not line or line.startswith("#"):
            r.at += 1
            continue
        words = line.split()
        if words[0] == "endloop":
            if not inside_loop:
                raise r.fail("endloop without loop")
            r.at += 1
            return records
        record = _record(r, words, start)
        if record is not None:
            records.append(record)
    if inside_loop:
        raise r.fail("loop without endloop")
    return records


def _record(r: _Reader, words: list[str], start: int) -> Record | None:
    word, arguments = words[0], words[1:]
    if word in ("skipif", "onlyif"):
        if len(arguments) != 1:
            raise r.fail(f"{word} needs the name of an engine")
        (r.skip if word == "skipif" else r.only).add(arguments[0])
        r.at += 1
        return None
    if word == "statement":
        return _statement(r, arguments, start)
    if word == "query":
        return _query(r, arguments, start)
    if word in ("loop", "foreach"):
        return _loop(r, word, arguments, start)
    if word in ("require", "halt", "hash-threshold", "set"):
        r.at += 1
        return Directive(**r.place(start), word=word, arguments=tuple(arguments))
    raise r.fail(f"unknown directive {word!r}")


def _statement(r: _Reader, arguments: list[str], start: int) -> Statement:
    if not arguments or arguments[0] not in ("ok", "error"):
        raise r.fail("expected `statement ok` or `statement error [REGEX]`")
    error = " ".join(arguments[1:]) if arguments[0] == "error" else None
    if arguments[0] == "ok" and len(arguments) > 1:
        raise r.fail("`statement ok` takes no arguments")
    r.at += 1
    sql = r.block()
    if not sql:
        raise r.fail("a statement needs SQL")
    if r.at < len(r.lines) and r.separator():
        if error is None:
            raise r.fail("`statement ok` has no result section")
        r.at += 1
        message = "\n".join(r.block())
        error = message.removeprefix("<REGEX>:") if message.startswith("<REGEX>:") else re.escape(message)
    return Statement(**r.place(start), sql="\n".join(sql), error=error)


def _query(r: _Reader, arguments: list[str], start: int) -> Query:
    if not arguments:
        raise r.fail("a query needs its column types")
    letters, rest = arguments[0], arguments[1:]
    sort = rest.pop(0) if rest and rest[0] in SORT_MODES else "nosort"
    if len(rest) > 1:
        raise r.fail(f"cannot read {' '.join(rest)!r}: expected a sort mode and a label")
    r.at += 1
    sql = r.block()
    if not sql:
        raise r.fail("a query needs SQL")
    types, expected = None, None
    if r.at < len(r.lines) and r.separator():
        written = r.lines[r.at][4:].strip()
        types = split_types(written) if written else None
        r.at += 1
        expected = tuple(r.block())
    return Query(
        **r.place(start),
        sql="\n".join(sql),
        letters=letters,
        sort=sort,
        label=rest[0] if rest else "",
        types=types,
        expected=expected,
    )


def _loop(r: _Reader, word: str, arguments: list[str], start: int) -> Loop:
    if word == "loop":
        if len(arguments) != 3:
            raise r.fail("expected `loop NAME FROM TO`")
        values = tuple(str(i) for i in range(int(arguments[1]), int(arguments[2])))
    else:
        values = tuple(arguments[1:])
    if not arguments or not values:
        raise r.fail("a loop needs a name and values")
    r.at += 1
    body = tuple(_records(r, inside_loop=True))
    return Loop(**r.place(start), name=arguments[0], values=values, body=body)


def split_types(text: str) -> tuple[str, ...]:
    """The type names of a list, split at the commas outside parentheses.

    >>> split_types("INTEGER, DECIMAL(4,1)")
    ('INTEGER', 'DECIMAL(4,1)')
    """
    return tuple(part.strip() for part in re.split(r",(?![^()]*\))", text))


def substitute(record: Record, name: str, value: str) -> Record:
    """The record with ${name} replaced in its SQL and results."""
    mark = "${" + name + "}"
    if isinstance(record, Statement):
        error = record.error.replace(mark, value) if record.error is not None else None
        return replace(record, sql=record.sql.replace(mark, value), error=error)
    if isinstance(record, Query):
        expected = (
            tuple(line.replace(mark, value) for line in record.expected)
            if record.expected is not None
            else None
        )
        types = (
            tuple(type_.replace(mark, value) for type_ in record.types) if record.types is not None else None
        )
        return replace(record, sql=record.sql.replace(mark, value), expected=expected, types=types)
    if isinstance(record, Loop):
        values = tuple(item.replace(mark, value) for item in record.values)
        return replace(
            record, values=values, body=tuple(substitute(inner, name, value) for inner in record.body)
        )
    return record
