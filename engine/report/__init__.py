"""The "why not GPU" report: what of SQL files a machine with a GPU would not run on it, and why."""
