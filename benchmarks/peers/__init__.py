"""Other queues under the same workloads: one file a peer, which runs in an environment of its own.

Nothing here but what runs in QForge's process imports Django or QForge.
"""
