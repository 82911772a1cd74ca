"""One file a workload: `measure(scale)` returns figures by name."""
