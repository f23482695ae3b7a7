"""waitstate.one_sided_epochs(): the compound events of one-sided communication in a trace, without writing a pattern."""

from __future__ import annotations

from typing import Union

from waitstate._core import (RmaAccessEpoch, RmaCollective, RmaExposureEpoch, RmaLockEpoch, RmaOperation)
from waitstate.analysis import Path, analyze
from waitstate.pattern import Pattern

OneSided = Union[RmaCollective, RmaAccessEpoch, RmaExposureEpoch, RmaLockEpoch, RmaOperation]


def _first(event: OneSided) -> int:
    if isinstance(event, RmaCollective):
        return min(member.call.enter for member in event.collective.members)
    if isinstance(event, RmaAccessEpoch):
        return event.start.enter
    if isinstance(event, RmaExposureEpoch):
        return event.post.enter
    if isinstance(event, RmaLockEpoch):
        return event.locked.enter
    return event.start


def one_sided_epochs(path: Path, *, threads: int = 0, rma_model: str = "auto") -> list[OneSided]:
    """All compound events of one-sided communication in a trace, in the order of their first times, in ticks: the first
    enter of a collective's members, the enters of MPI_Win_start, MPI_Win_post and of the lock, the start of an operation.

    Fences and other collectives on windows (RmaCollective), access and exposure epochs, locks (RmaLockEpoch), and
    operations with their completions (RmaOperation), each with its members, calls and call paths, numbers of operations
    and bytes. `rma_model` as in analyze(). The caller owns them; memory grows with their number. Compound events that
    lack a part in the trace are left out. Raises the same errors as analyze().
    """
    kept: list[OneSided] = []

    class OneSidedEpochs(Pattern):
        """Keeps the compound events that it is given."""

        def rma_collective_callback(self, event: RmaCollective) -> None:
            kept.append(event)

        def rma_access_epoch_callback(self, event: RmaAccessEpoch) -> None:
            kept.append(event)

        def rma_exposure_epoch_callback(self, event: RmaExposureEpoch) -> None:
            kept.append(event)

        def rma_lock_epoch_callback(self, event: RmaLockEpoch) -> None:
            kept.append(event)

        def rma_operation_callback(self, event: RmaOperation) -> None:
            kept.append(event)

    analyze(path, patterns=[OneSidedEpochs], threads=threads, rma_model=rma_model)
    return sorted(kept, key=_first)
