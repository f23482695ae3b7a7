"""Suggestions for attributes that an object does not have: the name that was probably meant.

Objects of the compiled module and of results ask missing() where Python has found nothing, so that attributes that exist
cost nothing more (bind/suggestions.cpp). Patterns, and the trace that a pattern has, are not slowed at all: an error in
their callbacks gets its suggestion when it ends the analysis."""

from __future__ import annotations

import enum
from collections.abc import Mapping
from typing import Any

#: Names that the C++ library, or other tools, have for attributes with another name here; by class, or "" for all.
OTHER_NAMES = {
    "Result": {"severities": "rows", "severity": "rows", "table": "rows", "call_tree": "call_paths", "resolution": "seconds",
               "efficiencies": "efficiency", "save": "write", "to_csv": "csv", "to_json": "json", "summary": "text"},
    "": {"comms": "communicators", "rma_wins": "windows", "call_tree": "call_paths", "callpaths": "call_paths"},
}


def _nearest(name: str, candidates: list[str]) -> str:
    from waitstate import _core

    return _core._nearest(name, candidates)


def suggestion(name: str, known: list[str], other_names: dict[str, str] | None = None) -> str:
    """'; did you mean ...?', or nothing where no name is near."""
    others = {old: new for old, new in (other_names or {}).items() if new in known}
    near = _nearest(name, [*known, *others])
    return f"; did you mean '{others.get(near, near)}'?" if near else ""


def missing(owner: object, name: str) -> AttributeError:
    """The error for an attribute that `owner` does not have."""
    cls = type(owner)
    known = [member for member in dir(owner) if not member.startswith("_")]
    others = {**OTHER_NAMES[""], **OTHER_NAMES.get(cls.__name__, {})}
    # `obj` is left out: Python would add a suggestion of its own.
    return AttributeError(f"'{cls.__name__}' object has no attribute '{name}'{suggestion(name, known, others)}", name=name)


def explain(error: AttributeError) -> None:
    """Adds the suggestion to the error of an attribute that an object of this package, or of a class derived from one of
    its, does not have."""
    owner, name = getattr(error, "obj", None), getattr(error, "name", None)
    if not isinstance(name, str) or name.startswith("_") or "did you mean" in str(error):
        return
    if any(cls.__module__.split(".")[0] == "waitstate" for cls in type(owner).__mro__):
        error.args = missing(owner, name).args


def member(cls: type[enum.Enum], name: str) -> Any:
    """The __getattr__ of the metaclass of our enumerations, for names that Python has not found."""
    members: Mapping[str, Any] = cls.__members__
    if name in members:  # as in Python 3.10 and 3.11
        return members[name]
    near = "" if name.startswith("_") else suggestion(name, list(members))
    raise AttributeError(f"enumeration '{cls.__name__}' has no member '{name}'{near}", name=name)
