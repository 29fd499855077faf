"""From syntax trees to bound, typed logical plans."""
