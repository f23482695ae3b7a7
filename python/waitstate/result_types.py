"""A severity as a row, and the types of arguments and values of results. The other parts of a result (Metric,
WaitSummary, SevereInstance, …) are compiled: their attributes are the fields that reports have."""

from __future__ import annotations

from typing import NamedTuple, Union

import numpy
import numpy.typing as npt

from waitstate import _core
from waitstate._core import Metric

Int64 = npt.NDArray[numpy.int64]
MetricName = Union[str, int, Metric]


class Row(NamedTuple):
    """A severity: `value` in ticks, occurrences, bytes or quanta of a counter, by the metric's unit."""

    metric: Metric
    callpath: _core.CallPath
    location: _core.Location
    value: int
