#include "report/text/mpi_variables.hpp"

#include <algorithm>
#include <cctype>

#include "report/words/software_counters.hpp"
#include "waitstate/trace/region_class.hpp"

namespace waitstate::report {
namespace {

struct Meaning {
  std::string_view name, counts, compare;  ///< the value of the trace that it is to be compared with
};

constexpr Meaning queues[] = {
    {"pml_ob1_unexpected_msgq_length",
     "messages that have arrived and for which no receive is posted yet, for one communicator and all peers together, "
     "including the messages that make up collective operations",
     "the length of the unexpected queue, in the message queues that --pattern mpi_posted_count computes: only for "
     "messages of the program, which may still have been on their way"},
    {"pml_ob1_posted_recvq_length",
     "receives that are posted and have no message yet, for one communicator and all peers together, excluding "
     "receives from MPI_ANY_SOURCE",
     "the length of the posted queue, in the message queues that --pattern mpi_posted_count computes: without receives "
     "whose message was on its way"},
};

// "MPI_Sendrecv_replace"; "" if it does not count a function.
std::string function_of(std::string_view counter) {
  if (counter.empty()) return "";
  std::string name = "MPI_" + std::string(counter);
  std::transform(name.begin() + 5, name.end(), name.begin() + 5, [](unsigned char c) { return std::tolower(c); });
  // The name is looked up in small letters, as in Fortran: any name that begins with MPI_ is taken for a function of
  // MPI, known or not.
  return mpi_function("mpi_" + name.substr(4)) == MpiFunction::none ? "" : name;
}

std::string explanation(std::string_view name, std::string_view counts, std::string_view compare,
                        std::string_view offered, const Style& style) {
  return style.bold(name) + "\n\n" +
         paragraph("", "A performance variable of the MPI library, which 'waitstate record --pvar' records.",
                   style.width) +
         '\n' + paragraph("counts       ", counts, style.width) + paragraph("in a trace   ", compare, style.width) +
         paragraph("offered by   ", offered, style.width);
}

}  // namespace

std::string explain_variable(std::string_view name, const Style& style) {
  for (const Meaning& m : queues)
    if (name == m.name || name.starts_with(std::string(m.name) + "_["))
      return explanation(m.name, m.counts, m.compare,
                         "Open MPI where its ob1 messages are used: within a node, and over TCP", style);
  constexpr std::string_view prefix = "runtime_spc_OMPI_", further = "SPC_";
  if (!name.starts_with(prefix)) return "";
  std::string_view rest = name.substr(prefix.size());
  if (rest.starts_with(further)) rest.remove_prefix(further.size());
  constexpr std::string_view offered =
      "Open MPI that was built with --enable-spc, for counters that its parameter mpi_spc_attach names";
  if (const SoftwareCounter* const counter = software_counter("OMPI_" + std::string(rest)))
    return explanation(name, words_of(*counter).counts, in_a_trace(*counter), offered, style);
  const std::string function = function_of(rest);
  if (function.empty()) return "";
  return explanation(name, "calls of " + function, "visits of " + function + ", as far as its calls are recorded",
                     offered, style);
}

}  // namespace waitstate::report
