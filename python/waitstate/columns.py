# mypy: disable-error-code="import"
# pandas and networkx may be there or not, with types or without.
"""Columns of a trace as a dict of arrays, so that everything that takes a dict of columns takes these.

The dict holds nothing itself: an array is made when it is asked for, as a view of the trace's memory. Libraries that take dicts
(pandas, Polars, dict()) ask for keys, values and items, which this class provides."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import TYPE_CHECKING, Any, NoReturn

import numpy
import numpy.typing as npt

from waitstate._core import CallPath, CollectiveOp, Region, UsageError, _Columns, _nearest, event_types

if TYPE_CHECKING:
    import pandas

__all__ = ["Columns"]

Array = npt.NDArray[Any]


class Columns(dict[str, Array]):
    """Columns of equal length: a read-only dict of NumPy arrays by name, columns["time"], or columns.time.

    pandas.DataFrame(columns), polars.DataFrame(columns) and dict(columns) take it as it is; to_dataframe() has names
    instead of numbers of definitions. len() is the number of rows, like that of a data frame; iteration and keys() give
    the names.

    Arrays have one dimension of len() numbers and are read-only views of memory that all users of the trace share: taking
    one copies nothing, and keeps the memory and the trace alive. The memory is filled from the trace's packed store when a
    column is asked for first; the table of messages(), collectives() or region_instances() as a whole. It is released
    with the last array and Columns that refer to it, so a trace whose columns are never used needs none. An unknown
    name raises UsageError, which lists the known names. Filling takes some 10 ns an event for time, loc, type and
    enterptr, 40 ns for the others. Pickled, columns become a dict of copies of the arrays.

    Times are int64 ticks, positions int64 (-1: none), references such as loc, region and callpath int32 numbers of
    definitions (-1: none), types uint8 numbers into waitstate.event_types, operations those of waitstate.CollectiveOp.
    """

    __slots__ = ("_core",)
    _core: _Columns

    def __init__(self, core: _Columns) -> None:
        self._core = core

    # ---- as a table ----

    def __len__(self) -> int:
        return len(self._core)

    def to_dataframe(self, *, names: bool = True) -> pandas.DataFrame:
        """A pandas.DataFrame of all columns. With `names`, event types, regions, call paths and collective operations
        are categories by name instead of numbers; a reference to nothing is then missing. Raises ImportError without
        pandas."""
        try:
            import pandas
        except ImportError as error:
            raise ImportError("frames need pandas (python3-pandas); columns work without") from error
        data: dict[str, object] = {}
        for name, numbers in self.items():
            labels = self._labels(name) if names else None
            data[name] = numbers if labels is None else _categories(numbers, labels)
        return pandas.DataFrame(data, copy=False)

    def _labels(self, name: str) -> Sequence[str] | None:
        """The names that the numbers of a column stand for; None if they are plain numbers."""
        if name == "type":
            return event_types
        if name == "op":
            return [operation.name for operation in CollectiveOp]
        if name == "region" or name.endswith("_region"):
            return [region.name for region in self.regions]
        if name == "callpath" or name.endswith("_callpath"):
            return [path.path for path in self.call_paths]
        return None

    @property
    def regions(self) -> tuple[Region, ...]:
        """The regions that numbers in columns refer to: tuple of Region."""
        return self._core.regions

    @property
    def call_paths(self) -> tuple[CallPath, ...]:
        """The call paths that numbers in columns refer to: tuple of CallPath."""
        return self._core.call_paths

    # ---- as a dict ----

    def __bool__(self) -> bool:
        return True  # it has columns, whatever the number of their rows; who takes dicts asks this

    def __getitem__(self, name: str) -> Array:
        return self._core[name]

    def __getattr__(self, name: str) -> Array:
        if name.startswith("_"):
            raise AttributeError(f"'Columns' object has no attribute '{name}'", name=name)
        try:
            return self._core[name]
        except UsageError as error:
            near = _nearest(name, [member for member in dir(Columns) if not member.startswith("_")])
            known = "" if "did you mean" in str(error) or not near else f"; did you mean '{near}'?"
            raise AttributeError(f"{error}{known}", name=name) from None

    def __dir__(self) -> list[str]:
        return [*super().__dir__(), *self.keys()]

    def __iter__(self) -> Iterator[str]:
        return iter(self._core.names())

    def __reversed__(self) -> Iterator[str]:
        return reversed(self._core.names())

    def __contains__(self, name: object) -> bool:
        return name in self._core.names()

    def keys(self) -> list[str]:  # type: ignore[override]
        """Names of all columns: list of str."""
        return self._core.names()

    def values(self) -> list[Array]:  # type: ignore[override]
        """All columns, in the order of their names: list of arrays."""
        return [self._core[name] for name in self._core.names()]

    def items(self) -> list[tuple[str, Array]]:  # type: ignore[override]
        """Names and columns: list of tuple."""
        return [(name, self._core[name]) for name in self._core.names()]

    def get(self, name: str, default: Any = None) -> Any:
        """The column of that name, or `default` if there is none."""
        return self._core[name] if name in self else default

    def copy(self) -> dict[str, Array]:
        """A dict of the same arrays, to which others can be added."""
        return dict(self)

    def __or__(self, other: dict[Any, Any]) -> dict[Any, Any]:  # type: ignore[override]
        return dict(self) | dict(other)

    def __ror__(self, other: dict[Any, Any]) -> dict[Any, Any]:  # type: ignore[override]
        return dict(other) | dict(self)

    def __eq__(self, other: object) -> bool:
        return self is other

    def __ne__(self, other: object) -> bool:
        return self is not other

    def __hash__(self) -> int:  # type: ignore[override]
        return id(self)

    def __reduce_ex__(self, protocol: Any) -> tuple[Any, ...]:
        return dict, ({name: numpy.array(column) for name, column in self.items()},)

    def __repr__(self) -> str:
        return f"<Columns of {len(self)} {self._core.what}>"

    # ---- what changes a dict ----

    def _read_only(self, *given: Any, **named: Any) -> NoReturn:
        """Raises TypeError: columns are read-only."""
        raise TypeError("columns are read-only: copy() gives a dict to which others can be added")

    __setitem__ = __delitem__ = __ior__ = _read_only  # type: ignore[assignment]
    clear = pop = popitem = setdefault = update = _read_only  # type: ignore[assignment]


def _categories(numbers: numpy.ndarray[Any, Any], labels: Sequence[str]) -> pandas.Categorical:
    """Categories for numbers into labels; equal labels, such as regions of one name, are one category."""
    import pandas

    code_of: dict[str, int] = {}
    codes = numpy.array([code_of.setdefault(label, len(code_of)) for label in labels] + [-1], dtype=numpy.int32)
    known = (numbers >= 0) & (numbers < len(labels))
    return pandas.Categorical.from_codes(codes[numpy.where(known, numbers, -1)], list(code_of))
