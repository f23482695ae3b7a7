"""Event traces of parallel programs: what happened, and where processes waited for each other.

Times are integers, in ticks of the trace's clock. Positions are numbers of events in the one stream, from 0.
"""

from waitstate._core import Error, OutputError, PatternError, TraceError, UsageError, __version__

__all__ = [
    "Error",
    "OutputError",
    "PatternError",
    "TraceError",
    "UsageError",
    "__version__",
]
