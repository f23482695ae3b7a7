"""The grouped choices of waitstate.analyze(): the part of the run that counts, and the data that are kept beyond sums."""

from __future__ import annotations

import operator
from collections.abc import Iterable
from dataclasses import dataclass
from typing import SupportsIndex, Union

from waitstate._core import Location, UsageError

#: One location or several, by number or as Location; None for all.
Locations = Union[int, Location, Iterable[Union[int, Location]], None]


@dataclass(frozen=True)
class Focus:
    """The part of a run that counts. Everything is read and matched nevertheless, since causes may lie outside of it.

    region     name of a region: only what happens inside it counts; None: everything
    locations  the locations that count: one or several, by number or as Location; None: all
    time       (from, to) in ticks as in events, both included, as with --time of the program; None: the whole run.
               Values that a pattern adds with add() or add_many() in callbacks of compound events or in wrapup have no
               time, and always count; see Pattern.add()

    Raises UsageError for values of the wrong kind. analyze() checks whether the trace has the region and the locations.
    """

    region: str | None = None
    locations: Locations = None
    time: tuple[int, int] | None = None

    def __post_init__(self) -> None:
        if self.region is not None:
            check_text(self.region, "region")
        numbers = location_numbers(self.locations)
        object.__setattr__(self, "locations", None if numbers is None else tuple(numbers))
        object.__setattr__(self, "time", _window(self.time))


@dataclass(frozen=True)
class Keep:
    """Data that an analysis keeps beyond severities, statistics of waits and the most severe instances. Each kind costs time,
    memory or another reading of the trace.

    details   data that only reports for programs and pictures show: members and causes of the most severe instances
              (Result.instances()), histograms and statistics by call path (Result.waits), Result.communication
    contexts  the events around the most severe waits: Result.contexts
    series    the distribution of waits over time: Result.series
    phase     name of a region whose visits are phases, or "time:20" for 20 stretches of time of equal length:
              Result.phases. The trace is read once more for visits, twice more for time
    """

    details: bool = False
    contexts: bool = False
    series: bool = False
    phase: str | None = None

    def __post_init__(self) -> None:
        if self.phase is not None:
            check_text(self.phase, "phase")


def check_text(text: str, name: str) -> None:
    """Raises UsageError for a value that is not a str."""
    if not isinstance(text, str):
        raise UsageError(f"{name} is {text!r}, expected a str")


def location_numbers(locations: Locations) -> list[int] | None:
    """The numbers of locations that a user gave; None for all. Raises UsageError for an empty list, and for numbers
    that no location has."""
    if locations is None:
        return None
    if isinstance(locations, SupportsIndex):  # one alone
        locations = (locations,)
    numbers = [operator.index(location) for location in locations]
    if not numbers:
        raise UsageError("locations is empty, expected at least one, or None for all")
    for number in numbers:
        if not 0 <= number < 1 << 32:
            raise UsageError(f"there is no location {number}: they are numbered from 0")
    return numbers


def _window(time: tuple[int, int] | None) -> tuple[int, int] | None:
    if time is None:
        return None
    try:
        begin, end = (operator.index(t) for t in time)
    except (TypeError, ValueError):
        raise UsageError(f"time is {time!r}, expected two whole numbers of ticks: (from, to)") from None
    if begin < 0 or end < 0 or max(begin, end) >= 1 << 64:
        raise UsageError(f"time is {time!r}, expected ticks as events have them, from 0 to 2**64 - 1")
    if begin > end:
        raise UsageError(f"time is {time!r}, expected the second not to be smaller than the first")
    return begin, end
