// Everything that a program needs to look at the events of a trace.
//
//   #include <waitstate/trace.hpp>
//
//   const waitstate::EventTrace trace("run/traces.otf2");
//   for (waitstate::Position pos = 0; pos < trace.size(); ++pos) std::cout << trace.literal(pos) << '\n';
//
// A program finds waitstate with find_package(waitstate) and links waitstate::waitstate. An EventTrace keeps all events
// of a trace in one order, in which no effect stands before its cause; times are ticks of one clock.
//
//   trace/event_trace.hpp   events by position, with the stack and the message queue at each of them
//   trace/event.hpp         one event: its type, attributes, and links to earlier events
//   trace/event_type.hpp    all types of events with their attributes
//   trace/columns.hpp       the trace as arrays of numbers, for counting and summing
//   trace/definitions.hpp   regions, locations, communicators and what else events refer to by number
//   trace/ids.hpp           the types of these numbers
//   trace/otf2_enums.hpp    enumerations of definitions; region_class.hpp has the classes of regions
//   trace/call_tree.hpp     all call paths of all locations
//   trace/diagnostics.hpp   damage and anomalies, counted
//   trace/notation.hpp      events and definitions as text
//   error.hpp               exceptions
#pragma once

#include "waitstate/error.hpp"
#include "waitstate/trace/call_tree.hpp"
#include "waitstate/trace/columns.hpp"
#include "waitstate/trace/definitions.hpp"
#include "waitstate/trace/diagnostics.hpp"
#include "waitstate/trace/event.hpp"
#include "waitstate/trace/event_trace.hpp"
#include "waitstate/trace/event_type.hpp"
#include "waitstate/trace/ids.hpp"
#include "waitstate/trace/notation.hpp"
#include "waitstate/trace/otf2_enums.hpp"
#include "waitstate/trace/region_class.hpp"
