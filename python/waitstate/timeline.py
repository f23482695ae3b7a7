# mypy: disable-error-code="import"
# matplotlib may be there or not, with types or without.
"""Timelines: a row a location, its calls as nested bars coloured by what they are, messages as arrows, one-sided transfers as
dashed arrows, waits hatched on top.

`trace.plot.timeline()` draws a part of an EventTrace; `result.plot.instance()` draws the surroundings of one severe wait, from
the contexts of a Result. Both use draw()."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING, Any, Iterable, NamedTuple, Sequence

import numpy

from waitstate import colours
from waitstate._core import EventTrace, UsageError
from waitstate.axes import axes_for, location_names, name_ticks

if TYPE_CHECKING:
    from matplotlib.axes import Axes

    from waitstate._core import Location, Region
    from waitstate.picture_numbers import PictureNumbers

#: The kind of a call, and its colour, as in the HTML report.
COLOURS = {name: colour for name, colour, _ in colours.CLASSES}
FULL = 0.84  #: the part of a row's height that bars take
TRANSFER = "#7a2e5e"  #: the colour of transfers: darker than that of the calls that start them, so that they are seen on these


class Bar(NamedTuple):
    """A location was in a region from `enter` to `exit` (seconds); `depth` regions were around it."""

    location: Location
    region: Region | None
    enter: float
    exit: float
    depth: int


class Arrow(NamedTuple):
    """A message (seconds) between two locations, or a one-sided transfer: from the location whose memory is read to the one
    whose memory is written."""

    sender: Location
    receiver: Location
    sent: float
    received: float


class Hatched(NamedTuple):
    """A location waited from `begin` to `end` (seconds)."""

    location: Location
    begin: float
    end: float


def kind(region: Region | None) -> str:
    """The key in COLOURS for a region."""
    of = "" if region is None else region.region_class
    return next(name for name, _, regions in colours.CLASSES if re.search(regions, of))


def draw(ax: Axes, locations: Sequence[Location], window: tuple[float, float], bars: Sequence[Bar], arrows: Iterable[Arrow],
         waits: Iterable[Hatched], transfers: Iterable[Arrow] = (), **kwargs: Any) -> Axes:
    """Draws the rows of `locations`, the first at the top. `kwargs` go to the PolyCollection of the bars."""
    from matplotlib.collections import LineCollection, PolyCollection
    from matplotlib.lines import Line2D
    from matplotlib.patches import Patch

    row = {location: i for i, location in enumerate(locations)}
    deepest = dict.fromkeys(locations, 0)
    for bar in bars:
        deepest[bar.location] = max(deepest[bar.location], bar.depth)
    corners: dict[str, list[list[tuple[float, float]]]] = {}
    for bar in sorted(bars, key=lambda b: b.depth):
        high = FULL / (deepest[bar.location] + 1)
        top = row[bar.location] - FULL / 2 + bar.depth * high
        of = kind(bar.region)
        corners.setdefault(of, []).append(_box(bar.enter, bar.exit, top, top + high))
    for of in (name for name in COLOURS if name in corners):
        ax.add_collection(PolyCollection(corners[of], **{"facecolor": COLOURS[of], "edgecolor": "white", "linewidth": 0.3,
                                                         "label": of, **kwargs}))
    hatched = [_box(w.begin, w.end, row[w.location] - FULL / 2, row[w.location] + FULL / 2) for w in waits]
    if hatched:
        ax.add_collection(PolyCollection(hatched, facecolor="none", edgecolor="black", hatch="///", linewidth=1.0, label="wait",
                                         zorder=2))
    drawn = list(arrows)
    if drawn:
        x, y = [a.sent for a in drawn], [float(row[a.sender]) for a in drawn]
        to_x, to_y = [a.received - a.sent for a in drawn], [float(row[a.receiver] - row[a.sender]) for a in drawn]
        ax.quiver(x, y, to_x, to_y, angles="xy", scale_units="xy", scale=1, units="dots", width=1.2, headwidth=5, headlength=7,
                  color="black", zorder=3)
    lines = [[(t.sent, float(row[t.sender])), (t.received, float(row[t.receiver]))] for t in transfers]
    if lines:
        ax.add_collection(LineCollection(lines, colors=TRANSFER, linestyles="dashed", linewidths=1.2, label="transfer", zorder=3))
        ax.plot(*zip(*(end for _, end in lines)), linestyle="none", marker="o", markersize=4, color=TRANSFER, zorder=3)
    ax.set_xlim(*window)
    ax.set_ylim(len(locations) - 0.5, -0.5)
    name_ticks(ax, "y", location_names(locations))
    ax.set_xlabel("time since the first event (s)")
    ax.set_ylabel("location")
    shown = [Patch(facecolor=COLOURS[of], label=of) for of in COLOURS if of in corners]
    if hatched:
        shown.append(Patch(facecolor="none", edgecolor="black", hatch="///", label="wait"))
    if lines:
        shown.append(Line2D([], [], color=TRANSFER, linestyle="dashed", marker="o", markersize=4, label="one-sided transfer"))
    if shown:
        ax.legend(handles=shown, loc="upper left", bbox_to_anchor=(1.01, 1), borderaxespad=0, frameon=False)
    return ax


def _box(left: float, right: float, top: float, bottom: float) -> list[tuple[float, float]]:
    return [(left, top), (right, top), (right, bottom), (left, bottom)]


class TracePlots:
    """The pictures of a trace: `trace.plot`."""

    def __init__(self, trace: EventTrace) -> None:
        self._trace = trace

    def __repr__(self) -> str:
        return f"<TracePlots of {self._trace!r}>"

    def timeline(self, start: float | None = None, stop: float | None = None, locations: Iterable[Location | int] | None = None,
                 waits: PictureNumbers | None = None, shortest: float | None = None, messages: bool = True, ax: Axes | None = None,
                 **kwargs: Any) -> Axes:
        """The activities of `locations` (default: all, at most 64) from `start` to `stop`, seconds since the first event (default: the
        whole run): calls as bars, callees below their callers, messages between these locations as arrows (unless
        `messages` is False: a long time has too many). `waits`, a Result of the same trace, hatches the waits that it
        keeps of each wait state, the most severe of each call path.

        One-sided transfers are dashed, from their start to the end that MPI guarantees, if the trace was opened with
        transfers=True: by the model that was chosen there (rma_model), the end lies in the call that starts a transfer or in
        the one that completes it.

        Calls shorter than `shortest` seconds (default: a 2,000th of the time that is shown) are left out. The numbers:
        EventTrace.timeline(). `kwargs` go to the PolyCollection of the bars. Raises UsageError for times in the wrong order,
        and more than 64 locations."""
        shown = timeline(self._trace, start, stop, locations, waits, shortest, messages)
        ax = axes_for(ax, 2 * len(shown.locations))
        return draw(ax, shown.locations, (shown.start, shown.stop), shown.bars, shown.arrows, shown.waits, shown.transfers,
                    **kwargs)


class Timeline(NamedTuple):
    """The activities of `locations` from `start` to `stop`, in seconds since the first event."""

    locations: list[Location]
    start: float
    stop: float
    bars: list[Bar]
    arrows: list[Arrow]
    waits: list[Hatched]
    transfers: list[Arrow]


def timeline(self: EventTrace, start: float | None = None, stop: float | None = None,
             locations: Iterable[Location | int] | None = None, waits: PictureNumbers | None = None, shortest: float | None = None,
             messages: bool = True) -> Timeline:
    """The numbers that plot.timeline() draws with the same arguments: Timeline."""
    calls = self.region_instances()
    every = self.locations
    chosen = [every[int(l)] for l in locations] if locations is not None else list(every)
    if len(chosen) > 64:
        raise UsageError(f"a timeline of {len(chosen)} locations has no room: give at most 64 as locations=")
    first = int(self[0].time) if len(self) else 0
    end = self.seconds(int(self[len(self) - 1].time)) if len(self) else 0.0
    begin = 0.0 if start is None else start
    until = end if stop is None else stop
    if begin > until or (begin == until and len(self) > 1):
        raise UsageError(f"a timeline from {begin:g} s to {until:g} s: expected a start before the stop")
    least = (until - begin) / 2000 if shortest is None else shortest
    wanted = numpy.array([l.id for l in chosen], dtype=numpy.int32)
    enter, leave = self.seconds(calls["enter"]), self.seconds(calls["exit"])
    leave = numpy.where(calls["exitptr"] < 0, end, leave)
    seen = numpy.isin(calls["loc"], wanted) & (enter < until) & (leave > begin) & (leave - enter >= least)
    regions = self.regions
    bars = [Bar(every[l], None if r < 0 else regions[r], max(float(a), begin), min(float(b), until), int(d))
            for l, r, a, b, d in zip(*(c[seen].tolist() for c in (calls["loc"], calls["region"], enter, leave,
                                                                 calls["depth"])))]
    arrows = []
    if messages:
        table = self.messages()
        sent, received = self.seconds(table["send_time"]), self.seconds(table["recv_time"])
        seen = numpy.isin(table["src"], wanted) & numpy.isin(table["dest"], wanted) & (sent >= begin) & (received <= until)
        arrows = [Arrow(every[src], every[dest], float(s), float(r))
                  for src, dest, s, r in zip(*(c[seen].tolist() for c in (table["src"], table["dest"], sent, received)))]
    hatched = [] if waits is None else waits_of(waits, first, chosen, begin, until)
    seen_transfers = [t for t in transfers_of(self, every) if t.sender in chosen and t.receiver in chosen and t.sent >= begin
                      and t.received <= until]
    return Timeline(chosen, begin, until, bars, arrows, hatched, seen_transfers)


def transfers_of(trace: EventTrace, locations: Sequence[Location]) -> list[Arrow]:
    """The one-sided transfers of a trace that was opened with transfers=True, in the order of their ends; those that never
    end are left out."""
    starts, ends = trace.columns("put_1ts", "get_1ts"), trace.columns("put_1te", "get_1te")
    ended = ends["startptr"] >= 0
    start = numpy.searchsorted(starts["pos"], ends["startptr"][ended])
    return [Arrow(locations[origin], locations[target], float(sent), float(received))
            for origin, target, sent, received in zip(
                starts["loc"][start].tolist(), ends["loc"][ended].tolist(), trace.seconds(starts["time"][start]).tolist(),
                trace.seconds(ends["time"][ended]).tolist())]


def waits_of(result: PictureNumbers, first: int, locations: list[Location], begin: float, until: float) -> list[Hatched]:
    """The waits that the result keeps, each of them once, although shares of other wait states repeat them."""
    chosen = set(locations)
    found: dict[tuple[Location, int, int], Hatched] = {}
    for waits in result.waits.values():
        for instance in waits.instances:
            for wait in instance.members or [instance.longest]:
                since = result.seconds(wait.begin - first)
                to = since + result.seconds(wait.ticks)
                if wait.location in chosen and since < until and to > begin:
                    found[wait.location, wait.begin, wait.ticks] = Hatched(wait.location, max(since, begin), min(to, until))
    return [found[key] for key in sorted(found)]


def _plots(self: EventTrace) -> TracePlots:
    """Pictures by matplotlib: plot.timeline(); see waitstate.timeline."""
    return TracePlots(self)


def install() -> None:
    """Gives EventTrace its `plot`, and the functions that return its numbers."""
    setattr(EventTrace, "timeline", timeline)  # noqa: B010 (as below)
    setattr(EventTrace, "plot", property(_plots))  # noqa: B010 (to mypy, a class that is compiled has all its attributes)
