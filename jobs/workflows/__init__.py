"""Workflows: graphs of steps, each a job that starts when the steps before it have ended."""
