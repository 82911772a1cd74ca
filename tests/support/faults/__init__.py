"""Faults on purpose: a bad network, a wrong clock, a database that is slow or refuses."""
