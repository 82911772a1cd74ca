"""What is happening now: the feed of events."""
