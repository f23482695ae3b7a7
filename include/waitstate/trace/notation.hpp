// Events and definitions as text, in the notation that `waitstate print` writes and every trace argument accepts.
#pragma once

#include <string>

#include "waitstate/trace/definitions.hpp"
#include "waitstate/trace/event.hpp"

namespace waitstate {

/// EARL's literal representation of an event: its line in the notation, its position and the links that it has, e.g.
/// "pos=12 0 110 recv src=1 tag=7 com=0 len=8 enterptr=10 sendptr=5". Takes time linear in the number of regions for an
/// enter or exit.
std::string literal(const Event& event, const Definitions& definitions);

/// All definitions, a line each; with event lines behind them they are a trace that can be read again.
std::string to_notation(const Definitions& definitions);

}  // namespace waitstate
