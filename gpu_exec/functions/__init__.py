"""Scalar functions on the device, by family; the planner's registry has their signatures."""
