# mypy: disable-error-code="import"
# pandas and networkx may be there or not, with types or without.
"""Columns as pandas frames, where pandas is there."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING, Any

import numpy

from waitstate._core import CollectiveOp, event_types

if TYPE_CHECKING:
    import pandas

    from waitstate.columns import Columns

__all__ = ["to_dataframe"]


def to_dataframe(columns: Columns, names: bool = True) -> pandas.DataFrame:
    """A frame of all columns, a row each: Columns.to_dataframe().

    With ``names``, event types, regions, call paths and collective operations are categories by name; a reference that
    leads nowhere is then missing. Numbers stay numbers of definitions otherwise. Raises ImportError without pandas.
    """
    try:
        import pandas
    except ImportError as error:
        raise ImportError("frames need pandas (python3-pandas); columns work without") from error
    data: dict[str, object] = {}
    for name in columns.keys():
        numbers = columns[name]
        labels = _labels(columns, name) if names else None
        data[name] = numbers if labels is None else _named(numbers, labels)
    return pandas.DataFrame(data, copy=False)


def _labels(columns: Columns, name: str) -> Sequence[str] | None:
    """What the numbers of a column stand for; None if they are just numbers."""
    if name == "type":
        return event_types
    if name == "op":
        return [operation.name for operation in CollectiveOp]
    if name == "region" or name.endswith("_region"):
        return [region.name for region in columns.regions]
    if name == "callpath" or name.endswith("_callpath"):
        return [path.path for path in columns.call_paths]
    return None


def _named(numbers: numpy.ndarray[Any, Any], labels: Sequence[str]) -> pandas.Categorical:
    """Categories for numbers into labels; equal labels, such as regions of one name, are one category."""
    import pandas

    code_of: dict[str, int] = {}
    codes = numpy.array([code_of.setdefault(label, len(code_of)) for label in labels] + [-1], dtype=numpy.int32)
    known = (numbers >= 0) & (numbers < len(labels))
    return pandas.Categorical.from_codes(codes[numpy.where(known, numbers, -1)], list(code_of))
