"""The rule driver and its ordered batches."""
