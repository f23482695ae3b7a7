#include "report/text/mpi_variables.hpp"

#include <algorithm>
#include <cctype>

#include "waitstate/region_class.hpp"

namespace waitstate::report {
namespace {

struct Meaning {
  std::string_view name, counts, compare;  ///< with what of the trace itself; empty: it is not in a trace
};

constexpr std::string_view not_in_a_trace = "nothing that a trace has: only the library knows";

constexpr Meaning counters[] = {
    {"BYTES_RECEIVED_USER", "bytes received by the program's messages between two processes", "bytes_rcvd"},
    {"BYTES_SENT_USER", "bytes sent by the program's messages between two processes", "bytes_sent"},
    {"BYTES_RECEIVED_MPI",
     "bytes that the library received for itself: messages of which it makes collective operations, and what controls "
     "transfers and sets up communicators, windows and files",
     ""},
    {"BYTES_SENT_MPI",
     "bytes that the library sent for itself: messages of which it makes collective operations, and what controls "
     "transfers and sets up communicators, windows and files",
     ""},
    {"BYTES_PUT",
     "bytes of remote writes, the program's and those of which the library makes large messages; counted when "
     "one is started",
     ""},
    {"BYTES_GET",
     "bytes of remote reads, the program's and those of which the library makes large messages; counted when "
     "one is started",
     ""},
    {"UNEXPECTED",
     "messages that arrived before a receive for them was posted: they wait in a queue, which each receive "
     "searches first",
     "messages that were sent before their receive was posted, which are no fewer"},
    {"OUT_OF_SEQUENCE",
     "messages that arrived before an earlier one of the same sender: they wait until it has come, as MPI "
     "keeps the order",
     ""},
    {"MATCH_TIME", "microseconds in which arriving messages and receives were matched, by a fixed clock rate", ""},
    {"OOS_MATCH_TIME", "microseconds in which messages were matched that had arrived out of sequence", ""},
    {"UNEXPECTED_IN_QUEUE", "messages that are in the queue of unexpected ones now", ""},
    {"OOS_IN_QUEUE", "messages that wait for an earlier one of their sender now", ""},
    {"MAX_UNEXPECTED_IN_QUEUE",
     "the most unexpected messages that were in their queue at once since this was last read", ""},
    {"MAX_OOS_IN_QUEUE", "the most messages that waited for an earlier one at once since this was last read", ""},
};

constexpr Meaning queues[] = {
    {"pml_ob1_unexpected_msgq_length",
     "messages that have arrived and for which no receive is posted yet, of one communicator and all peers together; "
     "those "
     "of which the library makes collective operations are in it",
     "messages that were sent before their receive was posted"},
    {"pml_ob1_posted_recvq_length",
     "receives that are posted and have no message yet, of one communicator and all peers together; those from "
     "MPI_ANY_SOURCE are not in it",
     "receives that were posted before their message was sent"},
};

// "MPI_Sendrecv_replace"
std::string function_of(std::string_view counter) {
  std::string name = "MPI_" + std::string(counter);
  std::transform(name.begin() + 5, name.end(), name.begin() + 5, [](unsigned char c) { return std::tolower(c); });
  return name;
}

std::string explanation(std::string_view name, std::string_view counts, std::string_view compare,
                        std::string_view offered, const Style& style) {
  return style.bold(name) + "\n\n" +
         paragraph("", "A performance variable of the MPI library, which 'waitstate record --pvar' records.",
                   style.width) +
         '\n' + paragraph("counts       ", counts, style.width) +
         paragraph("compare with ", compare.empty() ? not_in_a_trace : compare, style.width) +
         paragraph("offered by   ", offered, style.width);
}

}  // namespace

std::string explain_variable(std::string_view name, const Style& style) {
  for (const Meaning& m : queues)
    if (name == m.name || name.starts_with(std::string(m.name) + "_["))
      return explanation(m.name, m.counts, m.compare,
                         "Open MPI where its ob1 messages are used: within a node, and over TCP", style);
  std::string_view rest = name;
  for (const std::string_view begin :
       {std::string_view("runtime_spc_"), std::string_view("OMPI_"), std::string_view("SPC_")}) {
    const bool there = rest.starts_with(begin);
    if (there) rest.remove_prefix(begin.size());
    if (!there && begin != "SPC_") return "";
  }
  constexpr std::string_view offered =
      "Open MPI that was built with --enable-spc, for counters that its parameter mpi_spc_attach names";
  for (const Meaning& m : counters)
    if (rest == m.name) return explanation(name, m.counts, m.compare, offered, style);
  const std::string function = function_of(rest);
  if (mpi_function(function) == MpiFunction::none) return "";
  return explanation(name, "calls of " + function, "visits of " + function, offered, style);
}

}  // namespace waitstate::report
