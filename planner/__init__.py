"""SQL text to an optimised logical plan. Knows no device: imports nothing from the folders above it."""
