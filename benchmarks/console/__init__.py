"""How long the console's requests take beside many jobs."""
