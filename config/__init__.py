"""The thin project around the reusable app: settings, URLs, entry points."""
