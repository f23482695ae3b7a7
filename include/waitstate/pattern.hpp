// Everything that the author of a pattern needs: a class with a callback for each kind of compound event that it wants
// to judge, built into waitstate, as a plug-in, or inside of a program of one's own.
//
//   #include <waitstate/pattern.hpp>
//
//   class TinyMessages : public waitstate::Pattern { … };  // see waitstate/pattern/pattern.hpp
//   WAITSTATE_PLUGIN(TinyMessages)                         // for `waitstate analyze --plugin`
//
// A plug-in finds waitstate with find_package(waitstate COMPONENTS plugin) and needs no other library: it links
// nothing, because the program that loads it has the one copy of waitstate. These headers include only each other and
// the standard library. patterns/README.md has a complete example.
//
//   pattern/pattern.hpp          Pattern, its callbacks and its description; Context, to which callbacks add values
//   pattern/compound_events.hpp  the events that callbacks receive, with all participants: message.hpp,
//                                collective.hpp, team.hpp, device.hpp, rma.hpp, mpi_account.hpp
//   pattern/late_sender.hpp      what the built-in point-to-point patterns publish for others
//   pattern/parameters.hpp       values that a user may set (--set ID.PARAMETER=VALUE)
//   pattern/undetermined.hpp     what a trace lacks, so that a zero would say nothing
//   pattern/report_facts.hpp     what a pattern may use for a line at the top of the report
//   pattern/plugin.hpp           the macro WAITSTATE_PLUGIN
//   error.hpp                    exceptions, for a pattern that refuses its parameters
#pragma once

#include "waitstate/error.hpp"
#include "waitstate/pattern/late_sender.hpp"
#include "waitstate/pattern/pattern.hpp"
#include "waitstate/pattern/plugin.hpp"
#include "waitstate/pattern/report_facts.hpp"
#include "waitstate/pattern/undetermined.hpp"
