"""SQL text to an optimised logical plan; knows no device."""
