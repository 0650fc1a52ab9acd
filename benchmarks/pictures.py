"""Plots as SVG: milliseconds against size, both axes from zero, with few and round numbers on them."""

from collections.abc import Iterator

Points = list[tuple[int, float]]

FONTS = "Helvetica, Arial, 'DejaVu Sans', sans-serif"
COLOURS = ("#1b6ca8", "#c0532b", "#4f8a3c", "#8a5aa8")
LEFT, RIGHT, TOP, BOTTOM = 70, 560, 104, 330
"""The edges of the plot itself."""


def picture(lines: dict[str, Points], title: str, across: str) -> str:
    """Return the picture of some lines by their labels."""
    most = max(size for points in lines.values() for size, _ in points)
    tallest = max(value for points in lines.values() for _, value in points)
    step = nice_step(tallest)
    highest = step
    while highest < tallest:
        highest += step
    body = [text(LEFT, 22, title, size=15), text(LEFT - 8, TOP - 12, "ms", anchor="end")]
    level = 0.0
    while level <= highest + step / 2:
        y = BOTTOM - (BOTTOM - TOP) * level / highest
        body.append(f'<path d="M{LEFT} {y:.1f}H{RIGHT}" stroke="{"#333" if level == 0 else "#ddd"}"/>')
        body.append(text(LEFT - 8, y + 4, f"{level:.4g}", anchor="end"))
        level += step
    for size in sorted({size for points in lines.values() for size, _ in points}):
        body.append(text(LEFT + (RIGHT - LEFT) * size / most, BOTTOM + 18, f"{size:,}", anchor="middle"))
    body.append(text((LEFT + RIGHT) / 2, BOTTOM + 38, across, anchor="middle"))
    for number, (label, points) in enumerate(lines.items()):
        body += curve(points, most, highest, COLOURS[number % len(COLOURS)])
        body += legend(number, label, COLOURS[number % len(COLOURS)])
    joined = "\n".join(body)
    return (
        f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 600 380" font-family="{FONTS}" font-size="12">\n'
        f'<rect width="600" height="380" fill="white"/>\n{joined}\n</svg>\n'
    )


def nice_step(largest: float) -> float:
    """Return the least of 1, 2, 5, 10 ... and their tenths of which at most five reach ``largest``."""
    power = 1e-6
    while True:
        for digit in (1, 2, 5):
            if 5 * digit * power >= largest:
                return digit * power
        power *= 10


def curve(points: Points, most: int, highest: float, colour: str) -> Iterator[str]:
    """Yield one line with a dot at each measurement."""
    places = [(LEFT + (RIGHT - LEFT) * size / most, BOTTOM - (BOTTOM - TOP) * value / highest) for size, value in points]
    path = " ".join(f"{x:.1f},{y:.1f}" for x, y in places)
    yield f'<polyline fill="none" stroke="{colour}" stroke-width="2" points="{path}"/>'
    for x, y in places:
        yield f'<circle cx="{x:.1f}" cy="{y:.1f}" r="3" fill="{colour}"/>'


def legend(number: int, label: str, colour: str) -> Iterator[str]:
    """Yield the entry of one line, two to a row, above the plot."""
    x, y = LEFT + 250 * (number % 2), 46 + 20 * (number // 2)
    yield f'<path d="M{x} {y - 4}h18" stroke="{colour}" stroke-width="3"/>'
    yield text(x + 24, y, label)


def text(x: float, y: float, words: str, *, anchor: str = "start", size: int = 12) -> str:
    """Return a line of text."""
    return f'<text x="{x:.1f}" y="{y:.1f}" text-anchor="{anchor}" font-size="{size}" fill="#222">{words}</text>'
