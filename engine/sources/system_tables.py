"""What a connection tells of itself in SQL: information_schema, duckdb_tables() and the like, sqlite_master.

Each table is made anew from the catalog's snapshot when a statement names it. Columns that would hold maps
(`tags`) are left out, as there are none to tell.
"""

from __future__ import annotations

import sys
from collections.abc import Callable, Iterator, Sequence
from typing import TYPE_CHECKING, Any

import pyarrow as pa

from ...physical.arrow_types import storage_type
from ...physical.batch import Batch
from ...physical.tables import MemoryTable
from ...planner import messages_query as messages
from ...planner.catalog import Table, TableColumn, View, constraints_of
from ...planner.expr import Column
from ...planner.types import BIGINT, BOOLEAN, INTEGER, INTEGER_RANGES, TYPES, VARCHAR, SQLType, TypeId

if TYPE_CHECKING:
    from ..catalog import Snapshot

Row = Sequence[Any]
Rows = Callable[["Snapshot"], Iterator[Row]]
_DATABASE, _SCHEMA, _OWNER = "memory", "main", "duckdb"
_TYPES = {"text": VARCHAR, "int": INTEGER, "big": BIGINT, "bool": BOOLEAN}
_BITS = {
    TypeId.TINYINT: 8,
    TypeId.UTINYINT: 8,
    TypeId.SMALLINT: 16,
    TypeId.USMALLINT: 16,
    TypeId.INTEGER: 32,
    TypeId.UINTEGER: 32,
    TypeId.FLOAT: 24,
    TypeId.DOUBLE: 53,
    TypeId.BIGINT: 64,
    TypeId.UBIGINT: 64,
}


class SystemTable:
    """Names and types of the columns (`text`, `int`, `big`, `bool`), and the function that gives the rows."""

    def __init__(self, columns: str, rows: Rows) -> None:
        pairs = [word.split(":") for word in columns.split()]
        self.columns = tuple(TableColumn(name, _TYPES[kind[0] if kind else "text"]) for name, *kind in pairs)
        self.rows = rows

    def table(self, name: str, snapshot: Snapshot, uid: int) -> MemoryTable:
        """The table as the snapshot has it; `uid` as of tables in memory."""
        return made(name, self.columns, list(self.rows(snapshot)), uid)


def made(name: str, columns: Sequence[TableColumn], rows: Sequence[Row], uid: int) -> MemoryTable:
    """A table of literal rows."""
    schema = tuple(Column(i, c.name, c.type) for i, c in enumerate(columns))
    arrays = [pa.array([row[i] for row in rows], storage_type(c.type)) for i, c in enumerate(columns)]
    batches = (Batch(schema, arrays, len(rows)),) if rows else ()
    return MemoryTable(name, tuple(columns), uid, 0, batches, ())


# By name after FROM: plain, or with its schema.
TABLES: dict[str, SystemTable] = {}
# By the name of the function that gives it.
FUNCTIONS: dict[str, SystemTable] = {}


def system_table(columns: str, *names: str) -> Callable[[Rows], Rows]:
    """Registers rows under names: `schema.name` for tables, `name()` for functions."""

    def register(rows: Rows) -> Rows:
        entry = SystemTable(columns, rows)
        for name in names:
            if name.endswith("()"):
                FUNCTIONS[name[:-2]] = entry
            else:
                TABLES[name] = entry
        return rows

    return register


def find_table(parts: Sequence[str]) -> SystemTable | None:
    """The system table of this name: with its schema, or one of pg_catalog and main without."""
    words = [part.lower() for part in parts]
    if len(words) == 3 and words[0] in (_DATABASE, "system"):
        words = words[1:]
    if len(words) == 1:
        return (
            TABLES.get(f"pg_catalog.{words[0]}") or TABLES.get(f"main.{words[0]}") or FUNCTIONS.get(words[0])
        )
    return TABLES.get(".".join(words))


def entries(snapshot: Snapshot) -> Iterator[Table | View]:
    """All tables and views, by name."""
    for name in snapshot.names():
        entry = snapshot.lookup((name,))
        if entry is not None:
            yield entry


def create_text(entry: Table | View) -> str:
    """The statement that makes a table or view."""
    if isinstance(entry, View):
        aliases = f" ({', '.join(map(quoted, entry.aliases))})" if entry.aliases else ""
        return f"CREATE VIEW {quoted(entry.name)}{aliases} AS {entry.sql};"
    columns = ", ".join(
        f"{quoted(c.name)} {c.type}"
        + (f" DEFAULT({c.default})" if c.default is not None else "")
        + ("" if c.nullable else " NOT NULL")
        for c in entry.columns
    )
    return f"CREATE TABLE {quoted(entry.name)}({columns});"


def quoted(name: str) -> str:
    """A name as SQL needs it.

    >>> quoted("a"), quoted("A b")
    ('a', '"A b"')
    """
    plain = name.isidentifier() and name.isascii() and name == name.lower()
    return name if plain else '"' + name.replace('"', '""') + '"'


def _precision(kind: SQLType) -> tuple[int | None, int | None, int | None]:
    """Precision, its radix and the scale of a number."""
    if kind.is_decimal:
        return kind.width, 10, kind.scale
    bits = _BITS.get(kind.id)
    return (None, None, None) if bits is None else (bits, 2, 0)


# Tables -----------------------------------------------------------------------------------------------------
@system_table(
    "table_catalog table_schema table_name table_type self_referencing_column_name reference_generation"
    " user_defined_type_catalog user_defined_type_schema user_defined_type_name is_insertable_into is_typed"
    " commit_action TABLE_COMMENT",
    "information_schema.tables",
)
def _tables(snapshot: Snapshot) -> Iterator[Row]:
    for entry in entries(snapshot):
        kind, writable = ("VIEW", "NO") if isinstance(entry, View) else ("BASE TABLE", "YES")
        yield (_DATABASE, _SCHEMA, entry.name, kind, *(None,) * 5, writable, "NO", None, None)


@system_table(
    "table_catalog table_schema table_name column_name ordinal_position:int column_default is_nullable"
    " data_type character_maximum_length:int character_octet_length:int numeric_precision:int"
    " numeric_precision_radix:int numeric_scale:int datetime_precision:int COLUMN_COMMENT",
    "information_schema.columns",
)
def _information_columns(snapshot: Snapshot) -> Iterator[Row]:
    for entry in entries(snapshot):
        for place, c in enumerate(entry.columns, 1):
            nullable = "YES" if c.nullable else "NO"
            described = (place, c.default, nullable, str(c.type), None, None, *_precision(c.type), None, None)
            yield (_DATABASE, _SCHEMA, entry.name, c.name, *described)


@system_table(
    "catalog_name schema_name schema_owner default_character_set_catalog default_character_set_schema"
    " default_character_set_name sql_path",
    "information_schema.schemata",
)
def _schemata(snapshot: Snapshot) -> Iterator[Row]:
    for database, schema in _SCHEMAS:
        yield (database, schema, _OWNER, None, None, None, None)


_SCHEMAS = (
    (_DATABASE, _SCHEMA),
    ("system", "information_schema"),
    ("system", "main"),
    ("system", "pg_catalog"),
)


@system_table(
    "database_name schema_name table_name comment internal:bool temporary:bool has_primary_key:bool"
    " estimated_size:big column_count:big index_count:big check_constraint_count:big sql",
    "duckdb_tables()",
)
def _duckdb_tables(snapshot: Snapshot) -> Iterator[Row]:
    for entry in entries(snapshot):
        if not isinstance(entry, View):
            size = int(entry.stats().rows)
            rules = constraints_of(entry)
            primary = any(key.primary for key in rules.keys)
            counts = (size, len(entry.columns), len(rules.keys), len(rules.checks))
            yield (_DATABASE, _SCHEMA, entry.name, None, False, False, primary, *counts, create_text(entry))


@system_table(
    "database_name schema_name view_name comment internal:bool temporary:bool column_count:big sql",
    "duckdb_views()",
)
def _duckdb_views(snapshot: Snapshot) -> Iterator[Row]:
    for entry in entries(snapshot):
        if isinstance(entry, View):
            count = len(entry.columns)
            yield (_DATABASE, _SCHEMA, entry.name, None, False, False, count, create_text(entry))


@system_table(
    "database_name schema_name table_name column_name column_index:int comment internal:bool column_default"
    " is_nullable:bool data_type character_maximum_length:int numeric_precision:int"
    " numeric_precision_radix:int numeric_scale:int is_generated:bool generation_expression",
    "duckdb_columns()",
)
def _duckdb_columns(snapshot: Snapshot) -> Iterator[Row]:
    for entry in entries(snapshot):
        for place, c in enumerate(entry.columns, 1):
            described = (place, None, False, c.default, c.nullable, str(c.type), None, *_precision(c.type))
            yield (_DATABASE, _SCHEMA, entry.name, c.name, *described, False, None)


@system_table("database_name schema_name comment internal:bool sql", "duckdb_schemas()")
def _duckdb_schemas(snapshot: Snapshot) -> Iterator[Row]:
    for database, schema in _SCHEMAS:
        yield (database, schema, None, True, None)


@system_table(
    "database_name path comment internal:bool type readonly:bool encrypted:bool cipher", "duckdb_databases()"
)
def _duckdb_databases(snapshot: Snapshot) -> Iterator[Row]:
    yield (_DATABASE, None, None, False, "duckdb", False, False, None)
    yield ("system", None, None, True, "duckdb", False, False, None)


@system_table(
    "database_name schema_name type_name type_size:big logical_type type_category",
    "duckdb_types()",
)
def _duckdb_types(snapshot: Snapshot) -> Iterator[Row]:
    for kind, info in TYPES.items():
        category = "NUMERIC" if kind in INTEGER_RANGES or kind in _BITS else _CATEGORIES.get(kind)
        yield ("system", _SCHEMA, kind.value.strip('"').lower(), info.bytes, kind.value.strip('"'), category)


_CATEGORIES = {
    TypeId.DECIMAL: "NUMERIC",
    TypeId.BOOLEAN: "BOOLEAN",
    TypeId.VARCHAR: "STRING",
    TypeId.LIST: "COMPOSITE",
    TypeId.STRUCT: "COMPOSITE",
    TypeId.DATE: "DATETIME",
    TypeId.TIME: "DATETIME",
    TypeId.TIMESTAMP: "DATETIME",
    TypeId.TIMESTAMPTZ: "DATETIME",
    TypeId.INTERVAL: "DATETIME",
}


@system_table(
    "type name tbl_name rootpage:int sql",
    "main.sqlite_master",
    "main.sqlite_schema",
    "sqlite_master()",
)
def _sqlite_master(snapshot: Snapshot) -> Iterator[Row]:
    found = sorted(entries(snapshot), key=lambda entry: isinstance(entry, View))
    for entry in found:
        kind = "view" if isinstance(entry, View) else "table"
        yield (kind, entry.name, entry.name, 0, create_text(entry))


@system_table(
    "schemaname tablename tableowner tablespace hasindexes:bool hasrules:bool hastriggers:bool",
    "pg_catalog.pg_tables",
)
def _pg_tables(snapshot: Snapshot) -> Iterator[Row]:
    for entry in entries(snapshot):
        if not isinstance(entry, View):
            yield (_SCHEMA, entry.name, _OWNER, None, False, False, False)


@system_table("schemaname viewname viewowner definition", "pg_catalog.pg_views")
def _pg_views(snapshot: Snapshot) -> Iterator[Row]:
    for entry in entries(snapshot):
        if isinstance(entry, View):
            yield (_SCHEMA, entry.name, _OWNER, create_text(entry))


# What PRAGMA gives ------------------------------------------------------------------------------------------
@system_table("seq:big name file", "pragma_database_list()")
def _database_list(snapshot: Snapshot) -> Iterator[Row]:
    yield (1, _DATABASE, None)


@system_table("library_version source_id codename", "pragma_version()")
def _version(snapshot: Snapshot) -> Iterator[Row]:
    from ... import __version__

    yield (f"v{__version__}", "", "TandemDB")


@system_table("platform", "pragma_platform()")
def _platform(snapshot: Snapshot) -> Iterator[Row]:
    yield (sys.platform,)


@system_table("user_agent", "pragma_user_agent()")
def _user_agent(snapshot: Snapshot) -> Iterator[Row]:
    from ... import __version__

    yield (f"tandemdb/{__version__} python/{sys.version_info.major}.{sys.version_info.minor}",)


@system_table("collname", "pragma_collations()")
def _collations(snapshot: Snapshot) -> Iterator[Row]:
    yield ("binary",)


_TABLE_INFO = tuple(
    TableColumn(name, kind)
    for name, kind in (
        ("cid", INTEGER),
        ("name", VARCHAR),
        ("type", VARCHAR),
        ("notnull", BOOLEAN),
        ("dflt_value", VARCHAR),
        ("pk", BOOLEAN),
    )
)


def table_info(snapshot: Snapshot, args: Sequence[Any], uid: int) -> MemoryTable:
    """pragma_table_info('table'): a row a column."""
    if len(args) != 1 or not isinstance(args[0], str):
        raise messages.table_function_usage("pragma_table_info", "pragma_table_info('table')")
    entry = snapshot.lookup(args[0].split("."))
    if entry is None:
        raise messages.unknown_table(args[0], snapshot.names(), None)
    keys = () if isinstance(entry, View) else constraints_of(entry).keys
    primary = {name for key in keys if key.primary for name in key.columns}
    rows = [
        (i, c.name, str(c.type), not c.nullable, c.default, c.name in primary)
        for i, c in enumerate(entry.columns)
    ]
    return made("pragma_table_info", _TABLE_INFO, rows, uid)
