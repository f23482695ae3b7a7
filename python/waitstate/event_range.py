"""Parts of a trace, as slicing it returns them."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import overload

from waitstate._core import Event, EventTrace

__all__ = ["EventRange"]


class EventRange(Sequence[Event]):
    """Events of a trace at a range of positions: what ``trace[a:b:c]`` gives.

    Events are read only when they are asked for, and the trace lives as long as the range.
    """

    def __init__(self, trace: EventTrace, positions: range) -> None:
        self.trace = trace
        self.positions = positions

    def __len__(self) -> int:
        return len(self.positions)

    @overload
    def __getitem__(self, index: int) -> Event: ...
    @overload
    def __getitem__(self, index: slice) -> EventRange: ...
    def __getitem__(self, index: int | slice) -> Event | EventRange:
        if isinstance(index, slice):
            return EventRange(self.trace, self.positions[index])
        return self.trace.event(self.positions[index])

    def __iter__(self) -> Iterator[Event]:
        return map(self.trace.event, self.positions)

    def __repr__(self) -> str:
        return f"<EventRange {self.positions} of {self.trace!r}>"
