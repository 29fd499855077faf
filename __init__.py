"""TandemDB: SQL over Arrow, on CPU and GPU in tandem."""
