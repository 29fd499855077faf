"""Values of every type that tests use: NULL, zero, extremes, and what is special about the type. SQL text."""

from __future__ import annotations

TINYINT = ["NULL", "0", "1", "-1", "7", "127", "-128", "100"]
INTEGER = ["NULL", "0", "1", "-1", "2", "-7", "46341", "2147483647", "-2147483648"]
BIGINT = [
    "NULL",
    "0",
    "1",
    "-1",
    "10",
    "3037000500",
    "9223372036854775807",
    "-9223372036854775808",
    "4611686018427387904",
]
HUGEINT = [
    "NULL",
    "0",
    "-1",
    "3",
    "9223372036854775807",
    "-9223372036854775809",
    "12345678901234567890123",
    "-9999999999999999999999999999999999999",
]
UTINYINT = ["NULL", "0", "1", "16", "200", "255"]
UINTEGER = ["NULL", "0", "1", "65536", "4294967295"]
UBIGINT = ["NULL", "0", "1", "4294967296", "9223372036854775808", "18446744073709551615"]
FLOAT = [
    "NULL",
    "0",
    "'-0.0'",
    "1.5",
    "-2.25",
    "'nan'",
    "'inf'",
    "'-inf'",
    "3.4028235e38",
    "1e-45",
    "0.1",
    "16777217",
]
DOUBLE = [
    "NULL",
    "0",
    "'-0.0'",
    "1",
    "-1.5",
    "2.5",
    "3.5",
    "'nan'",
    "'inf'",
    "'-inf'",
    "1.7976931348623157e308",
    "5e-324",
    "0.1",
    "1e16",
    "123456.789",
    "-1e-7",
]
DECIMAL_4_1 = ["NULL", "0", "0.1", "-0.1", "2.5", "-2.5", "999.9", "-999.9"]
DECIMAL_15_2 = ["NULL", "0", "0.01", "-0.05", "1.00", "99.95", "9999999999999.99", "-9999999999999.99"]
DECIMAL_18_3 = ["NULL", "0", "1.005", "-1.005", "999999999999999.999", "-999999999999999.999"]
DECIMAL_38_2 = [
    "NULL",
    "0",
    "-0.01",
    "12.34",
    "92233720368547758.08",
    "'999999999999999999999999999999999999.99'",
    "'-999999999999999999999999999999999999.99'",
]
DECIMAL_30_10 = [
    "NULL",
    "0",
    "0.0000000001",
    "-1.5",
    "'12345678901234567890.0123456789'",
    "922337203.6854775808",
]
BOOLEAN = ["NULL", "true", "false"]
VARCHAR = [
    "NULL",
    "''",
    "'a'",
    "'A'",
    "'abc'",
    "'abcabc'",
    "'héllo'",
    "'naïve ÀÉß'",
    "'  pad  '",
    "'a%b_c'",
    "chr(10)",
    "'e' || chr(769) || 'x'",
    "'🦆🦆'",
    "'12'",
    "'x\\y'",
    "'Hello World'",
]
DATE = [
    "NULL",
    "'1970-01-01'",
    "'1969-12-31'",
    "'2020-02-29'",
    "'2021-01-31'",
    "'1999-12-31'",
    "'2000-03-01'",
    "'0001-01-01'",
    "'0044-03-15 (BC)'",
    "'9999-12-31'",
    "'2026-06-15'",
    "'infinity'",
    "'-infinity'",
]
TIMESTAMP = [
    "NULL",
    "'1970-01-01 00:00:00'",
    "'1969-12-31 23:59:59.999999'",
    "'2020-02-29 12:34:56.789012'",
    "'2021-01-31 23:59:59'",
    "'1900-01-01 00:00:00.000001'",
    "'0044-03-15 (BC) 01:02:03'",
    "'2026-12-31 10:00:00'",
    "'infinity'",
    "'-infinity'",
]
TIME = ["NULL", "'00:00:00'", "'12:34:56.789012'", "'23:59:59.999999'", "'06:30:00'"]
INTERVAL = [
    "NULL",
    "'0 days'",
    "'1 month'",
    "'30 days'",
    "'29 days 24 hours'",
    "'-14 months'",
    "'1 year 2 months 3 days 04:05:06.789'",
    "'-5 days -01:30:00'",
    "'90.5 seconds'",
    "'40 days'",
]
BLOB = ["NULL", "''::BLOB", "'abc'::BLOB", r"'\xFF\x00'::BLOB"]

BY_TYPE: dict[str, list[str]] = {
    "TINYINT": TINYINT,
    "SMALLINT": ["NULL", "0", "-3", "32767", "-32768"],
    "INTEGER": INTEGER,
    "BIGINT": BIGINT,
    "HUGEINT": HUGEINT,
    "UTINYINT": UTINYINT,
    "USMALLINT": ["NULL", "0", "2", "65535"],
    "UINTEGER": UINTEGER,
    "UBIGINT": UBIGINT,
    "FLOAT": FLOAT,
    "DOUBLE": DOUBLE,
    "DECIMAL(4,1)": DECIMAL_4_1,
    "DECIMAL(15,2)": DECIMAL_15_2,
    "DECIMAL(18,3)": DECIMAL_18_3,
    "DECIMAL(30,10)": DECIMAL_30_10,
    "DECIMAL(38,2)": DECIMAL_38_2,
    "BOOLEAN": BOOLEAN,
    "VARCHAR": VARCHAR,
    "DATE": DATE,
    "TIMESTAMP": TIMESTAMP,
    "TIME": TIME,
    "INTERVAL": INTERVAL,
    "BLOB": BLOB,
}
INTEGERS = [name for name in BY_TYPE if name.endswith(("INT", "INTEGER"))]
DECIMALS = [name for name in BY_TYPE if name.startswith("DECIMAL")]
