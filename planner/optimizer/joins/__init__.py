"""Join ordering: the graph of a region of inner joins, enumeration of its join trees, and the choice of build
sides.
"""
