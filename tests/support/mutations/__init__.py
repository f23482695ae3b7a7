"""Ways to damage an OTF2 archive, each by name, all drawn from one seeded generator.

A mutation returns the files that it changed and whether the loss must be told: whether a program that reads the archive
with care cannot but know that something is missing or wrong. That is so where
 - a file lacks its end mark, is empty or gone, or of another kind (but one location's events may stand for another's);
 - fewer records are there than the definitions or the anchor announce, or, where those numbers were mended too, enters
   no longer balance exits, or sends receives;
 - a reference has no definition, a parent is its own ancestor, a time lies before the one before it or far outside of
   the run, as the definitions give it, or a record reaches beyond its file.
It is not so of other values: a flipped bit in a length or a rank is another trace, and no reader can tell.

Each mutation takes the archive, a random generator, and the number of its turn, by which it goes through the files.
"""
from .archive import Mutant, Trace, location_of, write
from .definitions import (clocks, definition_sizes, definitions_dropped, definitions_reordered, definitions_to_nowhere,
                          parents_in_a_circle)
from .events import (deep_calls, event_sizes, event_times, events_dropped, events_reordered, events_to_nowhere,
                     last_times)
from .files import anchor_numbers, emptied, flipped, missing, no_file, overwritten, shifted, swapped, truncated

__all__ = ["KINDS", "Mutant", "Trace", "location_of", "write"]

KINDS = [truncated, emptied, missing, no_file, swapped, flipped, overwritten, shifted, anchor_numbers, events_dropped,
         events_reordered, event_times, last_times, events_to_nowhere, event_sizes, deep_calls, definitions_dropped,
         definitions_reordered, definitions_to_nowhere, definition_sizes, parents_in_a_circle, clocks]
