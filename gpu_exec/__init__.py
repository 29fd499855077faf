"""The GPU backend. Today: its capability table, by which plans are placed and explained. No GPU operator runs
yet.
"""
