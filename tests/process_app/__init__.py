"""A Django app whose tasks misbehave in every way that is known from the field."""
