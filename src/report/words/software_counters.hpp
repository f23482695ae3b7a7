// The software counters of Open MPI (facts/software_counters.hpp) in words: what the library counts, and why a trace
// does not have some of them.
#pragma once

#include <string>
#include <string_view>

#include "report/facts/software_counters.hpp"

namespace waitstate::report {

struct SoftwareCounterWords {
  std::string_view name;     ///< "OMPI_SEND"
  std::string_view counts;   ///< the things that the library counts
  std::string_view why_not;  ///< why a trace does not have it; empty if it does
};
/// Empty for a counter that is not one of software_counters(), such as one whose fields are only listed.
const SoftwareCounterWords& words_of(const SoftwareCounter& counter);

/// The things that the counter counts, and the reason why a trace does not have it.
std::string meaning(const SoftwareCounter& counter);
/// The value of a trace with which the counter is to be compared, or the reason why there is none.
std::string in_a_trace(const SoftwareCounter& counter);

}  // namespace waitstate::report
