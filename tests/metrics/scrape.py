"""Reads what Prometheus would read."""

from __future__ import annotations

from urllib.request import ProxyHandler, build_opener

from prometheus_client.parser import text_string_to_metric_families

Samples = dict[tuple[str, ...], float]


def samples(text: str) -> Samples:
    """Each number by its name and the values of its labels, in the order of the labels' names."""
    return {
        (sample.name, *(value for _, value in sorted(sample.labels.items()))): sample.value
        for family in text_string_to_metric_families(text)
        for sample in family.samples
    }


def scrape(port: int) -> Samples:
    """What a worker serves on a port of this machine."""
    opener = build_opener(ProxyHandler({}))
    with opener.open(f"http://127.0.0.1:{port}/metrics", timeout=20) as answer:
        return samples(answer.read().decode())
