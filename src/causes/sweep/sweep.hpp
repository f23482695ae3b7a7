// The costs of delays. A process that waits does so because another one came late, and that one may have been late
// because it had waited itself. So the call path to blame for a wait may lie in a process with which the waiting one
// never communicated. The sweep finds it for all waits of a trace at once: every wait is charged to what the culprit
// did longer than the one that waited (short-term costs); as far as the culprit was late because it waited, its waits
// owe the rest, which is charged to whoever they were for (long-term costs), and so on.
//
// That takes one look at each wait, if all locations are gone through backwards, from their ends to their starts: when
// the sweep comes to a wait, everything later that this wait could have caused has been judged, and it knows what the
// wait owes. Debts are not written down at the waits that they are handed to, since a wait late in the run may be
// handed to thousands of earlier waits: while the sweep goes back over the span in which they lie, the span is open
// (OpenSpans), and the sum of what all open spans ask of a tick of waiting is at hand. Each wait takes its debts from
// there, and tells its culprit (Waiter).
//
// For a wait w of Q at point q, for P at point p: they had met before at points a of P and b of Q. d(c) is the time
// that P worked in call path c from a to p, less that of Q from b to q, if it is more; D the sum of d; W the time that
// P itself waited from a to p; s = w / (D + W), for messages at most 1. Then
//
//   short-term costs of P in c:    s d(c)
//   a wait y of P from a to p owes y s to waits of the type of w, and y K / (D + W) to those that w owes K to
//   long-term costs of P in c:     K d(c) / (D + W)
//
// An example, with times in ticks (tests/cases/delay/chain.case has it; all are in MPI_Init until 10):
//
//   anna    work 10-110, MPI_Send to bert 110-112
//   bert    work 10-20,  MPI_Recv from anna 20-115, work 115-125, MPI_Send to cora 125-127
//   cora    work 10-30,  MPI_Recv from bert 30-130
//
// Bert waits for anna from 20 to 110, w = 90; cora waits for bert from 30 to 125, w = 95. The sweep begins with cora.
// She had met bert in MPI_Init. Since then bert worked 20 and was in MPI_Recv for 95, of which he waited 90: 5 remain.
// Cora worked 20 meanwhile. So d(work) = 0, d(MPI_Recv) = 5, D = 5, W = 90, s = 95 / 95 = 1. Bert is charged with 5 in
// MPI_Recv, and a span is open over his time since MPI_Init, in which a tick of waiting owes 1.
//
// Going back over bert, the sweep comes to his wait: it owes 90 to cora's. Anna is told so. Since MPI_Init anna worked
// 100, bert 10: d(work) = 90, W = 0, s = 90 / 90 = 1. She is charged with 90 in work for bert's wait (short-term), and
// with 90 for cora's (long-term). All together is 5 + 90 + 90 = 185: as long as both waited, and 180 of it is anna's.
//
// Locations are judged in parts, each on a thread of its own; neighbours are in one part, since they wait for each
// other most. The rest of the algorithm, what a part remembers and what passes between parts, stands in part.hpp.
//
// Definitions and peculiarities are those of Scalasca 2.6, unless WantedCauses::plain; see the texts of the pattern
// delay. Source: Boehme et al., ICPP 2010.
#pragma once

#include <cstddef>

#include "causes/history.hpp"
#include "causes/sweep/sums.hpp"

namespace waitstate::causes {

/// Judges all waits of a trace, in that many parts; 0: as many as there are threads, but not more than cores or than
/// are worth it. Rethrows what a part has thrown.
JudgedDelays judge_all_waits(const History& history, std::size_t parts, unsigned threads);

}  // namespace waitstate::causes
