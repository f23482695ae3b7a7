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
     "bytes received by the program's messages between two processes; those of large ones are counted as put or got "
     "instead",
     ""},
    {"OMPI_BYTES_RECEIVED_MPI",
     "bytes that the library received for itself: messages of which it makes collective operations, and what "
     "controls transfers and sets up communicators, windows and files",
     "how the library carries these out is not recorded (bytes_cin has what collective operations received)"},
    {"OMPI_BYTES_SENT_USER",
     "bytes sent by the program's messages between two processes; those of large ones are counted as put or got "
     "instead",
     ""},
    {"OMPI_BYTES_SENT_MPI",
     "bytes that the library sent for itself: messages of which it makes collective operations, and what controls "
     "transfers and sets up communicators, windows and files",
     "how the library carries these out is not recorded (bytes_cout has what collective operations sent)"},
    {"OMPI_BYTES_PUT",
     "bytes of remote writes, the program's and those of which the library makes large messages; counted when one is "
     "started",
     "how the library moves messages is not recorded (bytes_put is of MPI_Put and its like)"},
    {"OMPI_BYTES_GET",
     "bytes of remote reads, the program's and those of which the library makes large messages; counted when one is "
     "started",
     "how the library moves messages is not recorded (bytes_get is of MPI_Get and its like)"},
    {"OMPI_UNEXPECTED",
     "messages that arrived before a receive for them was posted: they wait in a queue, which each receive searches "
     "first",
     ""},
    {"OMPI_OUT_OF_SEQUENCE",
     "messages that arrived before an earlier one of the same sender: they wait until it has come, as MPI keeps the "
     "order",
     "arrivals are not recorded"},
    {"OMPI_MATCH_TIME", "microseconds in which arriving messages and receives were matched, by a fixed clock rate",
     "searches are not recorded"},
    {"OMPI_OOS_MATCH_TIME", "microseconds in which messages were matched that had arrived out of sequence",
     "searches are not recorded"},
    {"OMPI_UNEXPECTED_IN_QUEUE",
     "messages that are in the queue of unexpected ones now; of a trace, at the end of the run", ""},
    {"OMPI_MAX_UNEXPECTED_IN_QUEUE",
     "the most unexpected messages that were in their queue at once: since this was last read; of a trace, in the "
     "run",
     ""},
    {"OMPI_MAX_POSTED_IN_QUEUE",
     "the most receives that were in the queue of posted ones at once; a name as that of the unexpected queue, which "
     "Open MPI does not have",
     ""},
    {"OMPI_OOS_IN_QUEUE", "messages that wait for an earlier one of their sender now", "arrivals are not recorded"},
    {"OMPI_MAX_OOS_IN_QUEUE", "the most messages that waited for an earlier one at once since this was last read",
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
    return fmt::format("it cannot be had, only from a library built with --enable-spc (MPI_T): {}",
                       words_of(c).why_not);
  if (c.is_of_queues())
    return fmt::format("{} bound, in the message queues that --pattern mpi_posted_count brings",
                       c.bound == CounterBound::at_most ? "an upper" : "a lower");
  if (c.counts_calls()) return fmt::format("visits of {}, as far as the recorder has its calls", c.metric);
  return fmt::format("{}: the library's value is {} that", c.metric, name(c.bound));
}

}  // namespace waitstate::report
