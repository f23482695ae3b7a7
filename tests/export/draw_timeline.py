#!/usr/bin/env python3
"""Draws a timeline as perfetto_reader.py decodes it, so that a person can look at what Perfetto is given. It is not Perfetto's
own view: tracks stand in their order below each other, with slices, instants, flows and counters; colours are those of the page.

usage: draw_timeline.py RUN.pftrace OUT.png [BEGIN END]        (seconds since the first event)

needs matplotlib (apt: python3-matplotlib)
"""
import json
import re
import sys
from dataclasses import dataclass
from pathlib import Path

import matplotlib
from perfetto_reader import Timeline

matplotlib.use("Agg")
import matplotlib.pyplot as plt
from matplotlib.patches import FancyArrowPatch

SECOND = 1_000_000_000
CLASSES = json.loads((Path(__file__).parents[2] / "src/report/fields/colours.json").read_text(encoding="utf-8"))["classes"]
WAIT, PATH = "#b2abd2", "#444444"


@dataclass
class Drawn:
    """How many of each are in the picture."""
    tracks: int = 0
    slices: int = 0
    instants: int = 0
    flows: int = 0
    values: int = 0


def in_order(timeline):
    """The tracks depth first, siblings by their rank, as the file asks viewers to show them."""
    children = {}
    for track in sorted(timeline.tracks.values(), key=lambda t: t.order):
        children.setdefault(track.parent.uuid if track.parent else None, []).append(track)

    def below(uuid):
        for track in children.get(uuid, ()):
            yield track
            yield from below(track.uuid)

    return list(below(None))


def colour(item):
    """The colour that the page has for such a region."""
    if "wait" in item.categories:
        return WAIT
    if "critical path" in item.categories:
        return PATH
    return next(c["colour"] for c in CLASSES if any(re.search(c["regions"], category) for category in item.categories or ("",)))


class Drawing:
    def __init__(self, timeline, begin, end):
        self.timeline, self.begin, self.end = timeline, begin, end
        self.drawn = Drawn()
        self.rows, height = {}, 0
        depth = {}
        for s in timeline.slices:
            depth[s.track.uuid] = max(depth.get(s.track.uuid, 0), s.depth + 1)
        used = {i.track.uuid for i in timeline.slices + timeline.instants + timeline.counters}
        for track in in_order(timeline):
            if track.uuid in used:
                rows = depth.get(track.uuid, 1)
                self.rows[track.uuid] = (height, rows)
                height += rows + 0.4
        self.figure, self.ax = plt.subplots(figsize=(12, max(2.5, 0.24 * height + 0.8)), dpi=100)
        self.ax.set(xlim=(begin / SECOND, end / SECOND), ylim=(height, -0.3), xlabel="seconds since the first event")
        self.ax.set_yticks([row + rows / 2 - 0.1 for row, rows in self.rows.values()],
                           [self.label(timeline.tracks[uuid]) for uuid in self.rows], fontsize=7)
        self.ax.tick_params(axis="y", length=0)
        for side in ("left", "right", "top"):
            self.ax.spines[side].set_visible(False)
        self.drawn.tracks = len(self.rows)

    @staticmethod
    def label(track):
        """The name, with those of the process and node where a track is deep in the tree."""
        return " · ".join(track.path()[-2:]) if track.parent and track.parent.parent else track.name

    def middle(self, item):
        """Where an instant or a slice is on the vertical axis."""
        row, rows = self.rows[item.track.uuid]
        return row + (item.depth + 0.45 if item.end is not None else rows / 2)

    def shown(self, item):
        return item.time <= self.end and (item.time if item.end is None else item.end) >= self.begin

    def slices(self):
        for s in filter(self.shown, self.timeline.slices):
            row, _ = self.rows[s.track.uuid]
            left, right = max(s.time, self.begin), min(s.end, self.end)
            self.ax.add_patch(plt.Rectangle((left / SECOND, row + s.depth), (right - left) / SECOND, 0.9, facecolor=colour(s),
                                            edgecolor="white", linewidth=0.4, hatch="///" if "wait" in s.categories else None))
            room = (right - left) / (self.end - self.begin) * 150  # characters
            if room > 3:
                text = s.name if len(s.name) <= room else s.name[: int(room) - 1] + "…"
                self.ax.text((left + right) / 2 / SECOND, row + s.depth + 0.47, text, ha="center", va="center", fontsize=6,
                             color="white" if "critical path" in s.categories else "black", clip_on=True,
                             bbox={"facecolor": colour(s), "edgecolor": "none", "pad": 0.6} if "wait" in s.categories else None)
            self.drawn.slices += 1

    def instants(self):
        for i in filter(self.shown, self.timeline.instants):
            self.ax.plot(i.time / SECOND, self.middle(i), marker="d", markersize=3, color="black", markeredgewidth=0)
            self.drawn.instants += 1

    def flows(self):
        for start, end in self.timeline.flows.values():
            if not (self.shown(start) or self.shown(end)):
                continue
            of_wait = "wait" in start.categories
            arrow = FancyArrowPatch(((start.end if start.end is not None else start.time) / SECOND, self.middle(start)),
                                    (end.time / SECOND, self.middle(end)), arrowstyle="->", mutation_scale=7, linewidth=0.7,
                                    shrinkA=0, shrinkB=0, color="#5e3c99" if of_wait else "#222222",
                                    linestyle=":" if of_wait else "-", zorder=3)
            self.ax.add_patch(arrow)  # clipped to the axes
            self.drawn.flows += 1

    def counters(self):
        of_track = {}
        for c in self.timeline.counters:
            of_track.setdefault(c.track.uuid, []).append(c)
        for uuid, values in of_track.items():
            row, _ = self.rows[uuid]
            largest = max(abs(c.value) for c in values) or 1
            times = [min(max(c.time, self.begin), self.end) / SECOND for c in values]
            self.ax.fill_between(times, row + 0.9, [row + 0.9 - 0.85 * c.value / largest for c in values], step="post",
                                 color="#9aa0a6", linewidth=0)
            self.drawn.values += len(values)


def draw(file, out, begin=None, end=None):
    """Writes the picture; returns how much is in it. Times in seconds; None: from the first, to the last."""
    timeline = Timeline(Path(file))
    first = 0 if begin is None else int(begin * SECOND)
    last = max(s.end for s in timeline.slices) if end is None else int(end * SECOND)
    drawing = Drawing(timeline, first, last)
    drawing.counters()
    drawing.slices()
    drawing.flows()
    drawing.instants()
    drawing.figure.tight_layout()
    drawing.figure.savefig(out)
    plt.close(drawing.figure)
    return drawing.drawn


if __name__ == "__main__":
    if len(sys.argv) not in (3, 5):
        sys.exit(__doc__)
    print(draw(sys.argv[1], sys.argv[2], *map(float, sys.argv[3:])))
