"""The GPU device."""
