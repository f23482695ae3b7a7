#include "report/words/software_counters.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <iterator>

namespace waitstate::report {
namespace {

constexpr SoftwareCounterWords all_words[] = {
    {"OMPI_SEND", "calls of MPI_Send", ""},
    {"OMPI_RECV", "calls of MPI_Recv", ""},
    {"OMPI_ISEND", "calls of MPI_Isend", ""},
    {"OMPI_IRECV", "calls of MPI_Irecv", ""},
    {"OMPI_BCAST", "calls of MPI_Bcast", ""},
    {"OMPI_REDUCE", "calls of MPI_Reduce", ""},
    {"OMPI_ALLREDUCE", "calls of MPI_Allreduce", ""},
    {"OMPI_SCATTER", "calls of MPI_Scatter", ""},
    {"OMPI_GATHER", "calls of MPI_Gather", ""},
    {"OMPI_ALLTOALL", "calls of MPI_Alltoall", ""},
    {"OMPI_ALLGATHER", "calls of MPI_Allgather", ""},
    {"OMPI_BYTES_RECEIVED_USER",
     "bytes received in the program's messages between two processes; the bytes of large messages are counted as put "
     "or got instead",
     ""},
    {"OMPI_BYTES_RECEIVED_MPI",
     "bytes that the library received for itself: messages that make up collective operations, control transfers, or "
     "set up communicators, windows and files",
     "a trace does not record how the library carries these out (bytes_cin has the bytes that collective operations "
     "received)"},
    {"OMPI_BYTES_SENT_USER",
     "bytes sent in the program's messages between two processes; the bytes of large messages are counted as put or "
     "got instead",
     ""},
    {"OMPI_BYTES_SENT_MPI",
     "bytes that the library sent for itself: messages that make up collective operations, control transfers, or set "
     "up communicators, windows and files",
     "a trace does not record how the library carries these out (bytes_cout has the bytes that collective operations "
     "sent)"},
    {"OMPI_BYTES_PUT",
     "bytes of remote writes, both the program's and those by which the library moves large messages; counted when a "
     "write is started",
     "a trace does not record how the library moves messages (bytes_put counts MPI_Put and similar calls)"},
    {"OMPI_BYTES_GET",
     "bytes of remote reads, both the program's and those by which the library moves large messages; counted when a "
     "read is started",
     "a trace does not record how the library moves messages (bytes_get counts MPI_Get and similar calls)"},
    {"OMPI_UNEXPECTED",
     "messages that arrived before a receive for them was posted: they wait in a queue, which each receive searches "
     "first",
     ""},
    {"OMPI_OUT_OF_SEQUENCE",
     "messages that arrived before an earlier message of the same sender: they wait for it, because MPI keeps messages "
     "in order",
     "arrivals are not recorded"},
    {"OMPI_MATCH_TIME", "microseconds spent on matching arriving messages and receives, assuming a fixed clock rate",
     "searches are not recorded"},
    {"OMPI_OOS_MATCH_TIME", "microseconds spent on matching messages that had arrived out of sequence",
     "searches are not recorded"},
    {"OMPI_UNEXPECTED_IN_QUEUE",
     "messages that are in the queue of unexpected messages now; in a trace, at the end of the run", ""},
    {"OMPI_MAX_UNEXPECTED_IN_QUEUE",
     "the largest number of messages in the queue of unexpected messages since the counter was last read; in a trace, "
     "during the run",
     ""},
    {"OMPI_MAX_POSTED_IN_QUEUE",
     "the largest number of receives in the queue of posted receives; the name is formed like that of the unexpected "
     "queue, but Open MPI has no such counter",
     ""},
    {"OMPI_OOS_IN_QUEUE", "messages that wait for an earlier message of their sender now", "arrivals are not recorded"},
    {"OMPI_MAX_OOS_IN_QUEUE",
     "the largest number of messages that waited for an earlier one at once since the counter was last read",
     "arrivals are not recorded"},
};

}  // namespace

const SoftwareCounterWords& words_of(const SoftwareCounter& counter) {
  const auto* const found = std::find_if(std::begin(all_words), std::end(all_words),
                                         [&](const SoftwareCounterWords& w) { return w.name == counter.name; });
  static constexpr SoftwareCounterWords none{};
  return found == std::end(all_words) ? none : *found;
}

std::string meaning(const SoftwareCounter& counter) {
  const SoftwareCounterWords& words = words_of(counter);
  return std::string(words.counts) + (words.why_not.empty() ? "" : ": ") + std::string(words.why_not);
}

std::string in_a_trace(const SoftwareCounter& c) {
  if (c.bound == CounterBound::unknown)
    return fmt::format("not available; only a library built with --enable-spc has it (MPI_T): {}", words_of(c).why_not);
  if (c.is_of_queues())
    return fmt::format("{} bound, in the message queues that --pattern mpi_posted_count computes",
                       c.bound == CounterBound::at_most ? "an upper" : "a lower");
  if (c.counts_calls()) return fmt::format("visits of {}, as far as its calls are recorded", c.metric);
  return fmt::format("{}: the library's value is {} that", c.metric, name(c.bound));
}

}  // namespace waitstate::report
