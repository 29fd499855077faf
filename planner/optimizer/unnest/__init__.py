"""Removal of every subquery and lateral join (general unnesting)."""
