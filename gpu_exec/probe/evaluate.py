"""Runs calls on a library, real or double, and writes what they give as JSON."""

from __future__ import annotations

import functools
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

import pyarrow as pa
import pyarrow.parquet as pq

from . import forms
from .arrow_json import encode_array
from .forms import Form


@dataclass(frozen=True)
class Library:
    """The modules calls are made on (`pylibcudf`, `rmm`, or their doubles) and a folder for files.

    `kept` are the arguments of methods: a reader's options hold their filter by its address only.
    """

    plc: Any
    rmm: Any
    folder: Path
    kept: list[Any] = field(default_factory=list)

    def named(self, path: str) -> Any:
        """What a dotted path names: in rmm if it begins with `rmm.`, else in pylibcudf."""
        root, names = (
            (self.rmm, path.split(".")[1:]) if path.startswith("rmm.") else (self.plc, path.split("."))
        )
        return functools.reduce(getattr, names, root)

    def value(self, form: Form) -> Any:
        """The library's object for a form: calls are made, columns are moved to the device."""
        plc = self.plc
        match form:
            case forms.ColumnForm(array, skip):
                column = plc.Column.from_arrow(array)
                return plc.copying.slice(column, [skip, len(array)])[0] if skip else column
            case forms.ArrowForm(array, skip):
                return array[skip:]
            case forms.TableForm(columns):
                return plc.Table([self.value(c) for c in columns])
            case forms.ScalarForm(scalar):
                return plc.Scalar.from_arrow(scalar)
            case forms.TypeForm(name, scale):
                # libcudf counts a decimal's scale as a power of ten: two digits after the point are -2.
                return plc.DataType(getattr(plc.TypeId, name), -scale)
            case forms.MapForm(pairs):
                return dict(pairs)
            case forms.NameForm(path):
                return self.named(path)
            case forms.CallForm(path, args, kwargs):
                return self.named(path)(
                    *map(self.value, args), **{k: self.value(v) for k, v in kwargs.items()}
                )
            case forms.MethodForm(target, name, args):
                return getattr(self.value(target), name)(*map(self.value, args))
            case forms.AfterForm(target, steps):
                found = self.value(target)
                for name, args in steps:
                    given = [self.value(arg) for arg in args]
                    self.kept.append(given)
                    getattr(found, name)(*given)
                return found
            case forms.MemberForm(of, name):
                return getattr(self.value(of), name)
            case forms.ItemForm(of, index):
                return self.value(of)[index]
            case forms.FileForm(columns, group):
                return self.file(columns, group)
            case list():
                return [self.value(part) for part in form]
            case _:
                return form

    def file(self, columns: tuple[forms.ColumnForm, ...], group: int) -> str:
        """Writes a Parquet file and returns its path."""
        path = self.folder / "probe.parquet"
        pq.write_table(
            pa.table([c.array[c.skip :] for c in columns], [f"c{i}" for i in range(len(columns))]),
            path,
            row_group_size=group,
            store_schema=False,
        )
        return str(path)

    def result(self, form: Form) -> Any:
        """What a call gives, as JSON; an error is a result too."""
        self.kept.clear()
        try:
            return self.described(self.value(form))
        except Exception as error:  # noqa: BLE001 - an error is a result
            return {"error": type(error).__name__, "message": str(error)[:300]}

    def described(self, value: Any) -> Any:
        """A result as JSON: columns with the library's type and Arrow values."""
        plc = self.plc
        match value:
            case None | bool() | str() | float():
                return value
            case int():
                return int(value)
            case tuple() | list():
                return [self.described(part) for part in value]
            case plc.Column():
                return {"dtype": self._dtype(value.type()), "nulls": value.null_count()} | encode_array(
                    value.to_arrow()
                )
            case plc.Table():
                return {"rows": value.num_rows(), "columns": [self.described(c) for c in value.columns()]}
            case plc.Scalar():
                arrow = value.to_arrow()
                return {"dtype": self._dtype(value.type())} | encode_array(
                    pa.array([arrow.as_py()], arrow.type)
                )
            case plc.DataType():
                return {"dtype": self._dtype(value)}
            case _:
                return {"object": type(value).__name__}

    def _dtype(self, kind: Any) -> list[Any]:
        return [kind.id().name, -kind.scale()]
