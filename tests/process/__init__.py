"""Real worker processes on a real PostgreSQL, and everything that can go wrong between them."""
