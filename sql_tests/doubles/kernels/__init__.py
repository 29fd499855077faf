"""What the doubles compute with: pyarrow arrays in storage form, and numpy views of them."""
