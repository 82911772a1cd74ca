"""Horizontal bars of medians with whiskers from least to greatest, as SVG without a library."""

from __future__ import annotations

import math
import statistics
from collections.abc import Iterable, Iterator, Mapping, Sequence
from html import escape
from typing import Final

WIDTH: Final = 720
_LEFT, _RIGHT = 132, 84
_ROW, _HEAD, _FOOT = 26, 44, 40

_STYLE: Final = """
svg { font: 13px system-ui, sans-serif; background: #fff; }
text { fill: #1f2430; }
.title { font-weight: 600; }
.tick { fill: #5b6270; font-size: 11px; text-anchor: middle; }
.name { text-anchor: end; }
.grid { stroke: #e3e6ec; }
.bar { fill: #9aa7bd; }
.own { fill: #2f6fed; }
.whisker { stroke: #1f2430; stroke-width: 1.5; fill: none; }
@media (prefers-color-scheme: dark) {
  svg { background: #14171d; }
  text { fill: #e6e9ef; }
  .tick { fill: #9aa3b2; }
  .grid { stroke: #2a2f3a; }
  .bar { fill: #5d6b84; }
  .own { fill: #5b92ff; }
  .whisker { stroke: #e6e9ef; }
}
"""


def svg(panels: Mapping[str, Mapping[str, Sequence[float]]], *, own: str) -> str:
    """A picture of panels one below the other.

    Args:
        panels: by title, the values by name; the best median comes first, which is the greatest
            of a rate and the least of a time.
        own: the name whose bar is coloured.
    """
    parts: list[str] = []
    top = 0
    for title, values in panels.items():
        parts += _panel(title, values, own, top)
        top += _HEAD + _ROW * len(values) + _FOOT
    head = (
        f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 {WIDTH} {top}" width="{WIDTH}" '
        f'height="{top}" role="img" aria-label="{escape("; ".join(panels))}">'
    )
    return "\n".join([head, f"<style>{_STYLE}</style>", *parts, "</svg>", ""])


def decades(values: Iterable[float]) -> tuple[int, int]:
    """The powers of ten below the least and above the greatest positive value; 0 and 1 for none."""
    positive = [value for value in values if value > 0]
    if not positive:
        return 0, 1
    # A little below, so that the shortest bar can be seen.
    low = math.floor(math.log10(min(positive)) - 0.05)
    return low, max(math.ceil(math.log10(max(positive))), low + 1)


def short(value: float) -> str:
    return f"{value:,.0f}" if value >= 100 else f"{value:.2f}"


def _panel(title: str, values: Mapping[str, Sequence[float]], own: str, top: int) -> Iterator[str]:
    rate = title.endswith("/s")
    low, high = decades(value for each in values.values() for value in each)
    bottom = top + _HEAD + _ROW * len(values)

    def across(value: float) -> float:
        """The place of a value; what is not above the scale's begin stands there."""
        share = (math.log10(max(value, 10.0**low)) - low) / (high - low)
        return round(_LEFT + share * (WIDTH - _LEFT - _RIGHT), 1)

    words = f"{title} ({'more' if rate else 'less'} is better, logarithmic)"
    yield f'<text class="title" x="12" y="{top + 24}">{escape(words)}</text>'
    for power in range(low, high + 1):
        at = across(10.0**power)
        yield f'<line class="grid" x1="{at}" x2="{at}" y1="{top + _HEAD - 6}" y2="{bottom}"/>'
        yield f'<text class="tick" x="{at}" y="{bottom + 16}">{10.0**power:,g}</text>'
    medians = {name: statistics.median(each) for name, each in values.items()}
    for row, name in enumerate(sorted(medians, key=lambda n: medians[n], reverse=rate)):
        spread = (across(min(values[name])), across(max(values[name])))
        y = top + _HEAD + _ROW * row + _ROW // 2
        bar = across(medians[name])
        yield f'<text class="name" x="{_LEFT - 8}" y="{y + 4}">{escape(name)}</text>'
        kind = "bar own" if name == own else "bar"
        width = round(bar - _LEFT, 1)
        yield f'<rect class="{kind}" x="{_LEFT}" y="{y - 8}" width="{width}" height="16" rx="2"/>'
        yield f'<path class="whisker" d="{_whisker(*spread, y)}"/>'
        yield f'<text x="{max(bar, spread[1]) + 8}" y="{y + 4}">{short(medians[name])}</text>'


def _whisker(least: float, greatest: float, y: int) -> str:
    ends = f"M{least} {y - 5}V{y + 5}M{greatest} {y - 5}V{y + 5}"
    return f"{ends}M{least} {y}H{greatest}"
