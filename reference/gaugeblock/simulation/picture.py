"""The timeline as a picture: five panels over one axis of time, written as SVG; as PNG with an optional library."""

import importlib
from collections.abc import Callable, Sequence
from typing import Final, NamedTuple
from xml.sax.saxutils import escape

from gaugeblock.simulation.axes import clock_ticks, in_bytes, in_time, ticks
from gaugeblock.simulation.errors import PictureUnavailable
from gaugeblock.simulation.summary import Summary
from gaugeblock.simulation.timeline import Timeline

WIDTH: Final = 1040
LEFT: Final = 96
RIGHT: Final = 28
TOP: Final = 108
PANEL: Final = 104
GAP: Final = 44
PLOT: Final = WIDTH - LEFT - RIGHT
COLOURS: Final = ("#0b6e99", "#d1495b", "#2e8b57", "#8e5ea2", "#c77d0a", "#5b6770")
LINE_OF_TITLE: Final = 118
STYLE: Final = (
    "text{font-family:'Inter','Segoe UI','Helvetica Neue',Arial,'DejaVu Sans',sans-serif;font-size:12px;fill:#5f6b76}"
    ".title{font-size:19px;font-weight:600;fill:#17212b}.panel{font-size:13px;font-weight:600;fill:#17212b}"
    ".grid{stroke:#e7eaee}.base{stroke:#aab3bc}"
)


class Curve(NamedTuple):
    """One run to show: what to call it, its numbers and its use over time."""

    name: str
    summary: Summary
    timeline: Timeline


class Panel(NamedTuple):
    """One quantity: its title, its value in each bucket, and whether it is in bytes or drawn as bars."""

    title: str
    values: Callable[[Timeline], Sequence[float]]
    note: Callable[[Summary], str]
    binary: bool = False
    bars: bool = False


def _of(used: int, capacity: int) -> str:
    return f"peak {in_bytes(used)} of {in_bytes(capacity)}" + (f" ({100 * used / capacity:.0f} %)" if capacity > 0 else "")


def _panels(width: float) -> tuple[Panel, ...]:
    return (
        Panel(
            "RAM in use",
            lambda line: [use.ram_bytes for use in line.peaks],
            lambda summary: _of(summary.peak_ram_bytes, summary.capacity_ram_bytes),
            binary=True,
        ),
        Panel(
            "Disk in use",
            lambda line: [use.disk_bytes for use in line.peaks],
            lambda summary: _of(summary.peak_disk_bytes, summary.capacity_disk_bytes),
            binary=True,
        ),
        Panel(
            "Containers",
            lambda line: [use.containers for use in line.peaks],
            lambda summary: f"peak {summary.peak_containers:,}",
        ),
        Panel(
            "Pending invocations",
            lambda line: [use.pending for use in line.peaks],
            lambda summary: f"peak {summary.peak_pending:,}; {summary.waited:,} waited",
        ),
        Panel(
            f"Cold starts in each {in_time(width)}",
            lambda line: line.cold_starts,
            lambda summary: f"{summary.cold:,} in all, {summary.warm:,} warm",
            bars=True,
        ),
    )


def svg(title: str, curves: Sequence[Curve]) -> str:
    """Return the picture of one run, or of several with a legend. All timelines are brought to one width of bucket."""
    width = max(curve.timeline.width for curve in curves)
    for curve in curves:
        curve.timeline.widen_to(width)
    seconds = max(curve.timeline.seconds for curve in curves)
    panels = _panels(width)
    height = TOP + len(panels) * (PANEL + GAP) + 16
    parts = [
        f'<svg xmlns="http://www.w3.org/2000/svg" width="{WIDTH}" height="{height}" viewBox="0 0 {WIDTH} {height}">',
        f'<style>{STYLE}</style><rect width="{WIDTH}" height="{height}" fill="#ffffff"/>',
        *_heading(title, curves),
    ]
    for index, panel in enumerate(panels):
        parts += _panel(panel, curves, TOP + index * (PANEL + GAP), seconds)
    parts += _clock(TOP + len(panels) * (PANEL + GAP) - GAP, seconds)
    return "\n".join([*parts, "</svg>", ""])


def png(picture: str) -> bytes:
    """Return the picture rendered at twice its size.

    Raises:
        PictureUnavailable: as :func:`renderer`.
    """
    return bytes(renderer()(svg_string=picture, zoom=2))


def renderer() -> Callable[..., bytes]:
    """Return what renders SVG.

    Raises:
        PictureUnavailable: when the optional library is not installed.
    """
    try:
        render: Callable[..., bytes] = importlib.import_module("resvg_py").svg_to_bytes
    except ImportError as error:
        expected = "pip install 'gaugeblock[pictures]'; an .svg file needs nothing"
        raise PictureUnavailable(f"found no resvg-py, the library that renders a PNG; expected {expected}") from error
    return render


def _text(x: float, y: float, words: str, role: str = "", anchor: str = "start", colour: str = "") -> str:
    fill = f' style="fill:{colour}"' if colour else ""
    return f'<text x="{x:.1f}" y="{y:.1f}" class="{role}" text-anchor="{anchor}"{fill}>{escape(words)}</text>'


def _heading(title: str, curves: Sequence[Curve]) -> list[str]:
    shown = title if len(title) <= LINE_OF_TITLE else f"{title[:LINE_OF_TITLE]}…"
    parts = [_text(LEFT, 34, "What the cluster did over time", "title"), _text(LEFT, 55, shown)]
    x = float(LEFT)
    for curve, colour in zip(curves, _colours(curves), strict=True):
        if len(curves) > 1:
            parts.append(f'<rect x="{x:.1f}" y="66" width="18" height="4" rx="2" fill="{colour}"/>')
            parts.append(_text(x + 24, 72, curve.name, colour="#17212b"))
            x += 48 + 7 * len(curve.name)
    return parts


def _colours(curves: Sequence[Curve]) -> list[str]:
    return [COLOURS[index % len(COLOURS)] for index in range(len(curves))]


def _panel(panel: Panel, curves: Sequence[Curve], top: float, seconds: float) -> list[str]:
    values = [panel.values(curve.timeline) for curve in curves]
    levels = ticks(max(1.0, *(max(each) for each in values)), 4, panel.binary)
    bottom = top + PANEL
    parts = [_text(LEFT, top - 9, panel.title, "panel")]
    if len(curves) == 1:
        parts.append(_text(WIDTH - RIGHT, top - 9, panel.note(curves[0].summary), anchor="end"))
    for level in levels:
        y = bottom - PANEL * level / levels[-1]
        role = "grid" if level > 0 else "base"
        parts.append(f'<line x1="{LEFT}" x2="{WIDTH - RIGHT}" y1="{y:.1f}" y2="{y:.1f}" class="{role}"/>')
        parts.append(_text(LEFT - 8, y + 4, in_bytes(level) if panel.binary else f"{level:,.0f}", anchor="end"))
    for each, curve, colour in zip(values, curves, _colours(curves), strict=True):
        scale = PLOT * curve.timeline.width / seconds
        heights = [PANEL * value / levels[-1] for value in each]
        if panel.bars and len(curves) == 1:
            parts.append(_bars(heights, bottom, scale, colour))
        else:
            parts += _steps(heights, bottom, scale, colour, filled=len(curves) == 1)
    return parts


def _bars(heights: Sequence[float], bottom: float, scale: float, colour: str) -> str:
    width = max(scale * 0.8, 0.8)
    bars = [
        f"M{LEFT + index * scale:.1f} {bottom:.1f}v{-height:.1f}h{width:.1f}v{height:.1f}z"
        for index, height in enumerate(heights)
        if height > 0
    ]
    return f'<path d="{"".join(bars)}" fill="{colour}"/>'


def _steps(heights: Sequence[float], bottom: float, scale: float, colour: str, filled: bool) -> list[str]:
    points = [f"V{bottom - height:.1f}H{LEFT + (index + 1) * scale:.1f}" for index, height in enumerate(heights)]
    outline = f"M{LEFT} {bottom:.1f}{''.join(points)}"
    area = f'<path d="{outline}V{bottom:.1f}z" fill="{colour}" fill-opacity="0.16"/>'
    pen = f'stroke="{colour}" stroke-width="1.5" stroke-opacity="0.85" stroke-linejoin="round"'
    line = f'<path d="{outline}" fill="none" {pen}/>'
    return [area, line] if filled else [line]


def _clock(bottom: float, seconds: float) -> list[str]:
    return [
        _text(LEFT + PLOT * tick / seconds, bottom + 20, in_time(tick) if tick else "0", anchor="middle")
        for tick in clock_ticks(seconds, 12)
    ]
