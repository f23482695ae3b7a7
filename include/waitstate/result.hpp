// Everything that a program needs to analyse traces and to use what comes of it.
//
//   #include <waitstate/result.hpp>
//
//   const waitstate::AnalysisResult result = waitstate::analyze("run/traces.otf2");
//   for (const waitstate::SeverityRow& row : result.table()) …  // metric, call path, location, value in ticks
//   waitstate::write_json(result, "run.json");
//
// A program finds waitstate with find_package(waitstate) and links waitstate::waitstate. Values are integers (ticks,
// occurrences, bytes); AnalysisResult says how long a tick is.
//
//   analysis.hpp                analyze(), the choices for it, and AnalysisResult
//   result/metrics.hpp          the tree of metrics and their ids
//   result/severities.hpp       values by metric, call path and location
//   result/wait_summary.hpp     statistics of waits, the most severe ones, and who made whom wait;
//                               wait_details.hpp, wait_context.hpp and wait_series.hpp have more of them on request
//   result/wait_graph.hpp       who waits for whom, as a graph of the Boost library
//   result/causes.hpp           chains of waits, and the critical path
//   result/phases.hpp, communication.hpp, counter.hpp, message_queues.hpp
//   result/report.hpp           reports as files: write_json(), write_csv(), write_cube(), read_report()
//   pattern/registry.hpp        the patterns that an analysis may use, plug-ins included
//   error.hpp                   exceptions
#pragma once

#include "waitstate/analysis.hpp"
#include "waitstate/error.hpp"
#include "waitstate/pattern/registry.hpp"
#include "waitstate/result/causes.hpp"
#include "waitstate/result/communication.hpp"
#include "waitstate/result/counter.hpp"
#include "waitstate/result/message_queues.hpp"
#include "waitstate/result/metrics.hpp"
#include "waitstate/result/phases.hpp"
#include "waitstate/result/report.hpp"
#include "waitstate/result/severities.hpp"
#include "waitstate/result/wait_context.hpp"
#include "waitstate/result/wait_details.hpp"
#include "waitstate/result/wait_graph.hpp"
#include "waitstate/result/wait_series.hpp"
#include "waitstate/result/wait_summary.hpp"
