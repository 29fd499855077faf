"""The product: connections, statements, sources and the command line."""
