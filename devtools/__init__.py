"""Tools for working on the project itself; not part of the distribution."""
