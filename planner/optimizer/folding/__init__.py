"""Simplification of expressions: constants, three-valued logic, comparisons, conditions."""
