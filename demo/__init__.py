"""A small application that shows what jobs look like in a project."""
