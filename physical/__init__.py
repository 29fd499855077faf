"""What to do and where: physical plan nodes, placement, pipelines, memory. Imports `planner` only."""
