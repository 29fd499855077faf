"""What to do and where: physical plans, placement, pipelines, memory."""
