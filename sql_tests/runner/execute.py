"""Runs the records of a test file on an engine and says what differs, with file and line."""

from __future__ import annotations

import difflib
import re
from collections.abc import Callable, Iterator
from dataclasses import dataclass

from oracle.engines import Engine, EngineCrash, EngineError
from runner.records import Directive, File, Loop, Query, Record, Statement, substitute
from runner.values import letter, lines

SHOWN = 40


class Mismatch(Exception):
    """A record did not give what the file expects. The message starts with file:line and holds the SQL
    and a diff.
    """


@dataclass
class Run:
    """One run of a file on an engine: the state that directives change."""

    engine: Engine
    hash_threshold: int | None = None
    halted: bool = False
    labels: dict[str, tuple[str, ...]] | None = None


def execute(file: File, connect: Callable[[], Engine], config: dict[str, str]) -> int:
    """Run the file on a fresh engine under the settings of `config`; returns the number of records run.

    Raises Mismatch at the first record that fails.
    """
    count = 0
    for failure in failures(file, connect, config):
        if failure is not None:
            raise failure
        count += 1
    return count


def failures(file: File, connect: Callable[[], Engine], config: dict[str, str]) -> Iterator[Mismatch | None]:
    """Run all records of the file: for each one None, or what is wrong."""
    engine = connect()
    run = Run(engine, labels={})
    try:
        for setting, value in config.items():
            engine.set(setting, value)
        for record in flat(file.records):
            if run.halted:
                break
            if record.applies(family(engine.name)) and engine.name not in record.skip:
                try:
                    check(run, record)
                except Mismatch as mismatch:
                    yield mismatch
                else:
                    yield None
    finally:
        engine.close()


def family(engine: str) -> str:
    """What skipif, onlyif and require name: an engine on whatever device."""
    return engine.partition("-")[0]


def flat(records: tuple[Record, ...]) -> Iterator[Record]:
    """The records with their loops unrolled."""
    for record in records:
        if isinstance(record, Loop):
            for value in record.values:
                yield from flat(tuple(substitute(inner, record.name, value) for inner in record.body))
        else:
            yield record


def check(run: Run, record: Record) -> None:
    """Run one record; raises Mismatch."""
    if isinstance(record, Statement):
        check_statement(run.engine, record)
    elif isinstance(record, Query):
        check_query(run, record)
    else:
        assert isinstance(record, Directive), record
        direct(run, record)


def direct(run: Run, record: Directive) -> None:
    if record.word == "halt":
        run.halted = True
    elif record.word == "require":
        run.halted = run.halted or family(run.engine.name) not in record.arguments
    elif record.word == "hash-threshold":
        run.hash_threshold = int(record.arguments[0])
    else:
        run.engine.set(record.arguments[0], record.arguments[1])


def check_statement(engine: Engine, record: Statement) -> None:
    try:
        engine.execute(record.sql)
    except EngineCrash as crash:
        raise Mismatch(f"{record.where}: {engine.name} broke\n{record.sql}\n{crash}") from crash
    except EngineError as error:
        if record.error is None:
            raise Mismatch(
                f"{record.where}: the statement should succeed\n{record.sql}\n{error.message}"
            ) from error
        refusal = error.unsupported and "support" not in record.error
        if refusal or not re.search(record.error, error.message, re.IGNORECASE | re.DOTALL):
            wanted = f"an error matching {record.error!r}" if record.error else "an error of the statement"
            raise Mismatch(f"{record.where}: expected {wanted}\n{record.sql}\n{error.message}") from error
        return
    if record.error is not None:
        raise Mismatch(
            f"{record.where}: the statement should fail ({record.error or 'any error'})\n{record.sql}"
        )


def check_query(run: Run, record: Query) -> None:
    try:
        result = run.engine.execute(record.sql)
    except EngineCrash as crash:
        raise Mismatch(f"{record.where}: {run.engine.name} broke\n{record.sql}\n{crash}") from crash
    except EngineError as error:
        raise Mismatch(f"{record.where}: the query should succeed\n{record.sql}\n{error.message}") from error
    if record.expected is None:
        raise Mismatch(f"{record.where}: no result section; fill it with runner/complete.py\n{record.sql}")
    if len(record.letters) != len(result.types):
        message = f"{len(record.letters)} columns expected, {len(result.types)} given"
        raise Mismatch(f"{record.where}: {message}\n{record.sql}")
    if record.types is not None and record.types != result.types:
        given, wanted = ", ".join(result.types), ", ".join(record.types)
        raise Mismatch(f"{record.where}: wrong column types\n{record.sql}\n- {wanted}\n+ {given}")
    if record.types is None and any(
        wanted not in ("?", letter(type_)) for wanted, type_ in zip(record.letters, result.types, strict=True)
    ):
        given = "".join(letter(type_) for type_ in result.types)
        raise Mismatch(f"{record.where}: column types {record.letters} expected, {given} given\n{record.sql}")
    actual = lines(result, record.sort, run.hash_threshold)
    if actual != record.expected:
        raise Mismatch(f"{record.where}: wrong result\n{record.sql}\n{diff(record.expected, actual)}")
    if record.label:
        assert run.labels is not None
        other = run.labels.setdefault(record.label, actual)
        if other != actual:
            raise Mismatch(
                f"{record.where}: differs from the earlier query labelled {record.label}\n{record.sql}"
            )


def diff(expected: tuple[str, ...], actual: tuple[str, ...]) -> str:
    """A unified diff without its header, at most SHOWN lines."""
    found = list(difflib.unified_diff(expected, actual, "expected", "actual", lineterm="", n=2))[2:]
    rest = [f"... {len(found) - SHOWN} more lines"] if len(found) > SHOWN else []
    return "\n".join(found[:SHOWN] + rest)
