"""The only code that writes the tables."""
