// The lines of all processes become the definitions of one archive, and for each process the numbers that its own
// become: no process has to ask another what a definition is called while it records.
//
// What has the same identity on two processes is the same definition. A communicator's identity is derived from its
// parent's and from how many were made of that before (see mpi/communicators), so it costs no message; its members are
// said by one of them. Pure: texts in, tables out. The order of the parts changes nothing. Parts may come from killed
// processes and from anywhere else, so nothing in them is trusted: a line that says nothing is counted and left out.
// Cost: linear in the lines, a look-up in a tree each.
#pragma once

#include <string>
#include <vector>

#include "record/archive/merged.hpp"

namespace waitstate::record {

/// `parts`: the lines of a process each.
Merged merge(const std::vector<std::string>& parts);

}  // namespace waitstate::record
