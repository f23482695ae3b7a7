// The run that a trace belongs to: when it was recorded, of which program, on which hosts.
//
// A host is the node of the recorder's system tree whose processes share memory. Recorders mark it with a domain, or
// give it the class "node"; reports keep only the class. If it has neither, it is not known on which host a process
// ran. Cost: one walk up the system tree for each process.
#pragma once

#include <string>
#include <vector>

#include "waitstate/analysis.hpp"

namespace waitstate::report {

struct Host {
  std::string name;                  ///< as recorded
  std::vector<ProcessId> processes;  ///< without accelerators, ascending
  std::vector<std::int64_t> ranks;   ///< their ranks, ascending; empty if they have none
};
/// Hosts in the order of their first processes.
std::vector<Host> hosts(const Definitions& definitions);

/// The node that all processes ran on, if there are several of them; "" otherwise.
std::string only_node(const Definitions& definitions);

/// "2020-09-13T12:26:40Z"; empty if the trace does not say when it was recorded.
std::string date_of(const Clock& clock);

/// Names of the programs, as recorded, in the order of the call tree.
std::vector<std::string> programs(const AnalysisResult& result);

}  // namespace waitstate::report
