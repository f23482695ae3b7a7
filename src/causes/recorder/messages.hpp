// Points of messages of MPI: a send, a receive, or a call that completes either. Definitions: those of Scalasca 2.6,
// peculiarities included; each stands beside the code that follows it. Cost: two points a wait.
#pragma once

#include "causes/recorded.hpp"

namespace waitstate::causes {

/// A receive that waited for its send.
void add_late_sender(Recorded& to, const Message& m, const Wait& wait);
/// A send that waited for its receive, in `completing`.
void add_late_receiver(Recorded& to, const Message& m, const Call& completing, const Wait& wait);
/// Calls that looked for a message before it was sent: Scalasca knows no such waits.
void add_search(Recorded& to, const MessageSearch& s);

}  // namespace waitstate::causes
