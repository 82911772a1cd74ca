"""How long others wait while the schema changes beside many jobs."""
