"""For the tests of projects that use QForge."""
