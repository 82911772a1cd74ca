"""The HTTP API. Views only translate: the verbs are in `jobs.client` and `jobs.lifecycle`."""
