"""JSON scan: blocks of whole values, whose members become columns."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

from ...physical.batch import Batch
from ...physical.context import QueryContext, Task
from ...physical.file_tables import JsonTable
from ...physical.pipeline import Morsel, ScanSource
from ...planner import messages_json as messages
from ..json_text import BadJson, decode, lines
from ..kernels.json_values import last_value_end
from .csv_values import constant_column
from .json_values import Unfit, build
from .scan import FilteredScan
from .text_blocks import Block, read_blocks


class JsonScan(FilteredScan):
    """Rows of a JsonTable that satisfy the node's predicate and its runtime filters."""

    def __init__(self, spec: ScanSource) -> None:
        super().__init__(spec)
        table: Any = spec.node.table
        assert isinstance(table, JsonTable)
        self.table = table
        numbers = {column.name: number for number, column in enumerate(table.columns)}
        self.numbers = tuple(numbers[name] for name in self.names)
        self.known = frozenset(key for key in table.keys if key is not None)

    def morsels(self, q: QueryContext) -> Iterator[Morsel]:
        """The blocks of all files, in order."""
        seq = 0
        for number, file in enumerate(self.table.files):
            for block in read_blocks(number, file, last_value_end):
                yield Morsel(seq, block)
                seq += 1

    def read(self, morsel: Morsel, task: Task) -> Iterator[Batch]:
        """The block's wanted rows in batches."""
        block: Block = morsel.payload
        values = self._values(block)
        if not values:
            return
        task.check()
        columns = [self._column(values, number, block) for number in self.numbers]
        batch = Batch(self.columns, columns, len(values))
        for start in range(0, batch.num_rows, task.query.batch_size):
            found = self.wanted(batch.slice(start, task.query.batch_size), task)
            if found is not None:
                yield found

    def _values(self, block: Block) -> list[Any]:
        """The values of a block; with `ignore_errors` NULL for what is none."""
        path = self.table.files[block.file].file.path
        try:
            values = decode(block.data, array=self.table.array)
        except BadJson as error:
            if not self.table.ignore_errors or self.table.array:
                raise messages.malformed(path, block.line + error.line, str(error)) from error
            values = [None if isinstance(v, BadJson) else v for v in lines(block.data)]
        if self.table.open or self.known == frozenset():
            return values
        for row, value in enumerate(values):
            if not isinstance(value, dict):
                if value is not None and not self.table.ignore_errors:
                    raise messages.no_record(path, block.line, row + 1, value)
            elif not self.known.issuperset(value) and not self.table.ignore_errors:
                key = next(key for key in value if key not in self.known)
                raise messages.unknown_key(path, block.line, row + 1, key)
        return values

    def _column(self, values: list[Any], number: int, block: Block) -> Any:
        table = self.table
        column, file = table.columns[number], table.files[block.file]
        constants = dict(file.constants)
        if number in constants:
            return constant_column(constants[number], column.type, len(values))
        key = table.keys[number]
        if key is not None:
            values = [v.get(key) if isinstance(v, dict) else None for v in values]
        shape = table.formats[number] if table.formats else None
        try:
            return build(values, column.type, shape, strict=not table.ignore_errors)
        except Unfit as error:
            where = file.file.path, block.line, error.row + 1
            raise messages.json_conversion(*where, column.name, error.value, column.type) from error
