"""The small services that run inside every pool; row locks make them safe side by side."""
