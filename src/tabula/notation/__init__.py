"""The notations of the field: what people and programs write positions and plays in."""
