"""Drawings as SVG elements: marks become text, tones become colours.

No element has an id, so that any number of pictures can stand on one page. Colours are attributes, for programs that
know no style sheets, with classes that a style sheet overrides on dark pages; it is the same in every picture.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable
from functools import lru_cache
from typing import Any

from cgt_games.drawing import Box, Disc, Group, Lines, Mark, Text, Tone

COLOURS = {
    Tone.PAPER: ("#fcfbf8", "#1c1f26"),
    Tone.BOARD: ("#efebe1", "#2b303a"),
    Tone.FAINT: ("#cfcdc6", "#454b57"),
    Tone.SOFT: ("#676c76", "#a2a8b3"),
    Tone.INK: ("#22262e", "#e9e7e2"),
    Tone.LEFT: ("#8c1c3e", "#ee7d9b"),
    Tone.RIGHT: ("#1f3b82", "#84a9f5"),
    Tone.BLACK: ("#1a1c21", "#07080a"),
    Tone.WHITE: ("#ffffff", "#f3f1ec"),
    Tone.LAST: ("#b45f06", "#f5b342"),
    Tone.HIGHLIGHT: ("#1d7a46", "#5fd394"),
}
"""Each tone on light and on dark pages."""

STYLE = (
    "<style>@media (prefers-color-scheme:dark){"
    + f".cgt-board{{color:{COLOURS[Tone.INK][1]}}}"
    + "".join(
        f".cgt-board .{letter}-{tone}{{{kind}:{dark}}}"
        for tone, (_, dark) in COLOURS.items()
        if tone is not Tone.INK
        for letter, kind in (("f", "fill"), ("s", "stroke"))
    )
    + "}</style>"
)

SANS = "system-ui,-apple-system,'Segoe UI',Roboto,'DejaVu Sans',sans-serif"
MONO = "ui-monospace,'DejaVu Sans Mono',Menlo,Consolas,monospace"

_FORBIDDEN = re.compile("[^\t\n\r\u0020-\ud7ff\ue000-\ufffd\U00010000-\U0010ffff]")


def escaped(text: str) -> str:
    """A text for an element or a quoted attribute; characters that XML cannot hold become U+FFFD.

    >>> escaped('a < "b"')
    'a &lt; &quot;b&quot;'
    """
    if text.isalnum():
        return text
    text = text.replace("&", "&amp;").replace("<", "&lt;").replace(">", "&gt;").replace('"', "&quot;")
    return _FORBIDDEN.sub("\ufffd", text)


@lru_cache(maxsize=1024)
def paint(fill: Tone | None, outline: Tone | None, width: float) -> str:
    """The attributes for a shape with this fill and outline."""
    classes, attributes = [], []
    for letter, kind, tone in (("f", "fill", fill), ("s", "stroke", outline)):
        if tone is None:
            attributes += [f'{kind}="none"'] if kind == "fill" else []
            continue
        classes += [] if tone is Tone.INK else [f"{letter}-{tone}"]
        colour = "currentColor" if tone is Tone.INK else COLOURS[tone][0]
        attributes.append(f'{kind}="{colour}"')
    if outline is not None and width != 1:
        attributes.append(f'stroke-width="{width:g}"')
    return " ".join([f'class="{" ".join(classes)}"'] * bool(classes) + attributes)


@lru_cache(maxsize=1024)
def _steps(points: int) -> str:
    """A path through so many points, with places for the numbers."""
    return "M" + "L".join(["%.7g %.7g"] * points)


def _lines(mark: Lines) -> str:
    if not mark.paths:
        return ""
    steps = "".join([_steps(len(path)) for path in mark.paths])
    steps %= tuple([number for path in mark.paths for point in path for number in point])
    more = f' stroke-dasharray="{mark.width + 1:g} {2.5 * mark.width + 1:g}"' if mark.dashed else ""
    if mark.opacity != 1:
        more += f' opacity="{mark.opacity:g}"'
    return (
        f'<path {paint(None, mark.tone, mark.width)} stroke-linecap="round" stroke-linejoin="round"{more} d="{steps}"/>'
    )


def _disc(mark: Disc) -> str:
    return (
        f'<circle {paint(mark.fill, mark.outline, mark.width)} '
        f'cx="{mark.x:.7g}" cy="{mark.y:.7g}" r="{mark.radius:.7g}"/>'
    )  # fmt: skip


def _box(mark: Box) -> str:
    rounding = f' rx="{mark.rounding:g}"' if mark.rounding else ""
    return (
        f'<rect {paint(mark.fill, mark.outline, mark.width)}{rounding} x="{mark.x:.7g}" y="{mark.y:.7g}" '
        f'width="{mark.across:.7g}" height="{mark.down:.7g}"/>'
    )


@lru_cache(maxsize=1024)
def _font(tone: Tone, size: float, anchor: str, bold: bool, mono: bool) -> str:
    attributes = [paint(tone, None, 0), f'font-size="{size:g}"']
    if anchor != "start":
        attributes.append(f'text-anchor="{anchor}"')
    if bold:
        attributes.append('font-weight="700"')
    if mono:
        attributes.append(f'font-family="{MONO}" xml:space="preserve" style="white-space:pre"')
    return " ".join(attributes)


def _text(mark: Text) -> str:
    # Figures and capitals are about 0.7 of the size high; not all programs know other ways to centre them.
    font = _font(mark.tone, mark.size, mark.anchor, mark.bold, mark.mono)
    return f'<text {font} x="{mark.x:.7g}" y="{mark.y + 0.35 * mark.size:.7g}">{escaped(mark.text)}</text>'


def _group(mark: Group) -> str:
    return f'<g transform="translate({mark.x:.7g} {mark.y:.7g})">{elements(mark.marks)}</g>'


_WRITERS: dict[type, Callable[[Any], str]] = {Lines: _lines, Disc: _disc, Box: _box, Text: _text, Group: _group}


def elements(marks: Iterable[Mark]) -> str:
    """The marks as SVG elements, in their order."""
    return "".join([_WRITERS[type(mark)](mark) for mark in marks])


def document(width: float, height: float, scale: float, title: str, marks: Iterable[Mark]) -> str:
    """A whole picture: one ``svg`` element, to stand in a page or in a file of its own."""
    name = escaped(title)
    return (
        f'<svg xmlns="http://www.w3.org/2000/svg" class="cgt-board" role="img" aria-label="{name}" '
        f'color="{COLOURS[Tone.INK][0]}" font-family="{SANS}" viewBox="0 0 {width:.7g} {height:.7g}" '
        f'width="{width * scale:.7g}" height="{height * scale:.7g}"><title>{name}</title>{STYLE}{elements(marks)}</svg>'
    )
