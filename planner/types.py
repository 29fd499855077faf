"""SQL types: identity, names, and one registry row a type.

The registry `TYPES` is the single table from which storage, the Arrow edge, hashing class and order are read;
what DuckDB calls a type is `str(sql_type)`.
"""

from __future__ import annotations

from dataclasses import dataclass
from enum import Enum


class TypeId(Enum):
    """One entry a SQL type constructor; the value is DuckDB's name."""

    NULL = '"NULL"'
    BOOLEAN = "BOOLEAN"
    TINYINT = "TINYINT"
    SMALLINT = "SMALLINT"
    INTEGER = "INTEGER"
    BIGINT = "BIGINT"
    HUGEINT = "HUGEINT"
    UTINYINT = "UTINYINT"
    USMALLINT = "USMALLINT"
    UINTEGER = "UINTEGER"
    UBIGINT = "UBIGINT"
    FLOAT = "FLOAT"
    DOUBLE = "DOUBLE"
    DECIMAL = "DECIMAL"
    VARCHAR = "VARCHAR"
    BLOB = "BLOB"
    DATE = "DATE"
    TIME = "TIME"
    TIMESTAMP = "TIMESTAMP"
    TIMESTAMP_S = "TIMESTAMP_S"
    TIMESTAMP_MS = "TIMESTAMP_MS"
    TIMESTAMP_NS = "TIMESTAMP_NS"
    TIMESTAMPTZ = "TIMESTAMP WITH TIME ZONE"
    INTERVAL = "INTERVAL"
    LIST = "LIST"
    STRUCT = "STRUCT"
    MAP = "MAP"


@dataclass(frozen=True, slots=True)
class SQLType:
    """A SQL type. `width`/`scale` are used by DECIMAL, `fields` by LIST (one unnamed), STRUCT (where
    they have no names, as those of row(), it is written TUPLE) and MAP (key and value).

    >>> str(decimal(15, 2))
    'DECIMAL(15,2)'
    """

    id: TypeId
    width: int = 0
    scale: int = 0
    fields: tuple[tuple[str, SQLType], ...] = ()

    def __str__(self) -> str:
        if self.id is TypeId.DECIMAL:
            return f"DECIMAL({self.width},{self.scale})"
        if self.id is TypeId.LIST:
            return f"{self.fields[0][1]}[]"
        if self.id is TypeId.STRUCT:
            if self.is_tuple:
                return "TUPLE(" + ", ".join(str(kind) for _, kind in self.fields) + ")"
            return "STRUCT(" + ", ".join(f"{quoted(name)} {kind}" for name, kind in self.fields) + ")"
        if self.id is TypeId.MAP:
            return f"MAP({self.fields[0][1]}, {self.fields[1][1]})"
        return self.id.value

    @property
    def is_integer(self) -> bool:
        """Whole numbers, HUGEINT too."""
        return self.id in INTEGER_RANGES

    @property
    def is_decimal(self) -> bool:
        """DECIMAL of any width."""
        return self.id is TypeId.DECIMAL

    @property
    def is_float(self) -> bool:
        """FLOAT and DOUBLE."""
        return self.id in (TypeId.FLOAT, TypeId.DOUBLE)

    @property
    def is_numeric(self) -> bool:
        """Whole numbers, decimals and floats."""
        return self.is_integer or self.is_float or self.is_decimal

    @property
    def is_string(self) -> bool:
        """VARCHAR."""
        return self.id is TypeId.VARCHAR

    @property
    def is_temporal(self) -> bool:
        """Dates, times, timestamps and what else TEMPORAL lists."""
        return self.id in TEMPORAL

    @property
    def is_nested(self) -> bool:
        """LIST, STRUCT and MAP."""
        return self.id in NESTED

    @property
    def is_list(self) -> bool:
        """LIST."""
        return self.id is TypeId.LIST

    @property
    def is_struct(self) -> bool:
        """STRUCT, with or without names."""
        return self.id is TypeId.STRUCT

    @property
    def is_map(self) -> bool:
        """MAP."""
        return self.id is TypeId.MAP

    @property
    def is_tuple(self) -> bool:
        """A STRUCT whose fields have no names."""
        return self.id is TypeId.STRUCT and bool(self.fields) and not any(name for name, _ in self.fields)

    @property
    def element(self) -> SQLType:
        """The type of what a LIST holds; of a MAP, the STRUCT of key and value."""
        if self.id is TypeId.MAP:
            return SQLType(TypeId.STRUCT, fields=self.fields)
        assert self.id is TypeId.LIST, self
        return self.fields[0][1]


NESTED = frozenset({TypeId.LIST, TypeId.STRUCT, TypeId.MAP})

# Inclusive value range of every integer type. HUGEINT is stored as decimal128(38, 0), so its range is 38
# digits.
INTEGER_RANGES: dict[TypeId, tuple[int, int]] = {
    TypeId.TINYINT: (-(2**7), 2**7 - 1),
    TypeId.SMALLINT: (-(2**15), 2**15 - 1),
    TypeId.INTEGER: (-(2**31), 2**31 - 1),
    TypeId.BIGINT: (-(2**63), 2**63 - 1),
    TypeId.HUGEINT: (-(10**38) + 1, 10**38 - 1),
    TypeId.UTINYINT: (0, 2**8 - 1),
    TypeId.USMALLINT: (0, 2**16 - 1),
    TypeId.UINTEGER: (0, 2**32 - 1),
    TypeId.UBIGINT: (0, 2**64 - 1),
}

TEMPORAL = frozenset(
    {
        TypeId.DATE,
        TypeId.TIME,
        TypeId.TIMESTAMP,
        TypeId.TIMESTAMP_S,
        TypeId.TIMESTAMP_MS,
        TypeId.TIMESTAMP_NS,
        TypeId.TIMESTAMPTZ,
    }
)

MAX_DECIMAL_WIDTH = 38
# A DECIMAL up to this width fits a scaled int64; wider ones may still be stored so where values are proven
# small.
INT64_DECIMAL_WIDTH = 18

NULL = SQLType(TypeId.NULL)
BOOLEAN = SQLType(TypeId.BOOLEAN)
TINYINT = SQLType(TypeId.TINYINT)
SMALLINT = SQLType(TypeId.SMALLINT)
INTEGER = SQLType(TypeId.INTEGER)
BIGINT = SQLType(TypeId.BIGINT)
HUGEINT = SQLType(TypeId.HUGEINT)
UTINYINT = SQLType(TypeId.UTINYINT)
USMALLINT = SQLType(TypeId.USMALLINT)
UINTEGER = SQLType(TypeId.UINTEGER)
UBIGINT = SQLType(TypeId.UBIGINT)
FLOAT = SQLType(TypeId.FLOAT)
DOUBLE = SQLType(TypeId.DOUBLE)
VARCHAR = SQLType(TypeId.VARCHAR)
BLOB = SQLType(TypeId.BLOB)
DATE = SQLType(TypeId.DATE)
TIME = SQLType(TypeId.TIME)
TIMESTAMP = SQLType(TypeId.TIMESTAMP)
TIMESTAMP_S = SQLType(TypeId.TIMESTAMP_S)
TIMESTAMP_MS = SQLType(TypeId.TIMESTAMP_MS)
TIMESTAMP_NS = SQLType(TypeId.TIMESTAMP_NS)
TIMESTAMPTZ = SQLType(TypeId.TIMESTAMPTZ)
INTERVAL = SQLType(TypeId.INTERVAL)


def decimal(width: int, scale: int) -> SQLType:
    """DECIMAL(width, scale) with 1 <= width <= 38 and 0 <= scale <= width."""
    assert 1 <= width <= MAX_DECIMAL_WIDTH, width
    assert 0 <= scale <= width, (width, scale)
    return SQLType(TypeId.DECIMAL, width, scale)


def list_of(element: SQLType) -> SQLType:
    """LIST type of `element`."""
    return SQLType(TypeId.LIST, fields=(("", element),))


def struct_of(*fields: tuple[str, SQLType]) -> SQLType:
    """STRUCT type with named fields in order."""
    return SQLType(TypeId.STRUCT, fields=tuple(fields))


def map_of(key: SQLType, value: SQLType) -> SQLType:
    """MAP type."""
    return SQLType(TypeId.MAP, fields=(("key", key), ("value", value)))


def quoted(name: str) -> str:
    """The name of a field as types are written."""
    from .frontend.keywords import quote_name  # the front end needs types

    return quote_name(name)


@dataclass(frozen=True, slots=True)
class TypeInfo:
    """One row of the type registry.

    `storage` names how a column of the type is held in a CPU batch (see physical/batch.py), `bytes` its width
    a value (0: variable), `key` how it becomes int64 key words for hashing and grouping ('int', 'float',
    'wide', 'string' or 'none'), `ordered` whether it has an order, `literal` the form of a literal's Python
    value (see expr.Literal).
    """

    storage: str
    bytes: int
    key: str
    ordered: bool
    literal: str


TYPES: dict[TypeId, TypeInfo] = {
    TypeId.NULL: TypeInfo("null", 0, "int", True, "None"),
    TypeId.BOOLEAN: TypeInfo("bool", 1, "int", True, "bool"),
    TypeId.TINYINT: TypeInfo("int8", 1, "int", True, "int"),
    TypeId.SMALLINT: TypeInfo("int16", 2, "int", True, "int"),
    TypeId.INTEGER: TypeInfo("int32", 4, "int", True, "int"),
    TypeId.BIGINT: TypeInfo("int64", 8, "int", True, "int"),
    TypeId.HUGEINT: TypeInfo("decimal128(38,0) | int64", 16, "wide", True, "int"),
    TypeId.UTINYINT: TypeInfo("uint8", 1, "int", True, "int"),
    TypeId.USMALLINT: TypeInfo("uint16", 2, "int", True, "int"),
    TypeId.UINTEGER: TypeInfo("uint32", 4, "int", True, "int"),
    TypeId.UBIGINT: TypeInfo("uint64", 8, "int", True, "int"),
    TypeId.FLOAT: TypeInfo("float", 4, "float", True, "float"),
    TypeId.DOUBLE: TypeInfo("double", 8, "float", True, "float"),
    TypeId.DECIMAL: TypeInfo("int64 (scaled) | decimal128(38,scale)", 16, "wide", True, "scaled int"),
    TypeId.VARCHAR: TypeInfo("string | dictionary<int32,string>", 0, "string", True, "str"),
    TypeId.BLOB: TypeInfo("binary", 0, "string", True, "bytes"),
    TypeId.DATE: TypeInfo("date32", 4, "int", True, "days since 1970-01-01"),
    TypeId.TIME: TypeInfo("time64[us]", 8, "int", True, "microseconds"),
    TypeId.TIMESTAMP: TypeInfo("timestamp[us]", 8, "int", True, "microseconds since 1970-01-01"),
    TypeId.TIMESTAMP_S: TypeInfo("timestamp[s]", 8, "int", True, "seconds since 1970-01-01"),
    TypeId.TIMESTAMP_MS: TypeInfo("timestamp[ms]", 8, "int", True, "milliseconds since 1970-01-01"),
    TypeId.TIMESTAMP_NS: TypeInfo("timestamp[ns]", 8, "int", True, "nanoseconds since 1970-01-01"),
    TypeId.TIMESTAMPTZ: TypeInfo("timestamp[us, UTC]", 8, "int", True, "microseconds since 1970-01-01 UTC"),
    TypeId.INTERVAL: TypeInfo("month_day_nano_interval", 16, "none", True, "(months, days, microseconds)"),
    TypeId.LIST: TypeInfo("list", 0, "string", True, "tuple"),
    TypeId.STRUCT: TypeInfo("struct", 0, "string", True, "tuple"),
    TypeId.MAP: TypeInfo("map", 0, "string", True, "tuple of (key, value)"),
}
