// The calls in which threads look for messages, until it is known which message they found.
//
// Few recorders say what MPI_Probe and Mprobe found, but the next receive that the thread begins is of that message:
// for Mprobe the next matched receive, in the order in which several were found. Calls of Iprobe and Improbe since data
// was moved last belong to the message that is received next; tests belong to the request that they ask about.
//
// Where a record says what was found (OTF2 3.1), the calls belong to the next receive of that sender, tag and
// communicator, and those of Mprobe and Improbe to the receive that names their number, on whatever thread.
//
//   0 add(MPI_Iprobe)  add(MPI_Iprobe)   data_moved(): nothing was found
//   0 add(MPI_Iprobe)  take(MPI_Recv) -> a list, which goes with the message
//   1                                       found(list, message), once its send is known: so long each call waited
//
// Cost: a call with a record for each poll. Memory: the calls of a list; of more than most_in_list polls of a list,
// those that stand side by side become one, whose time counts as a whole. Tests that ask about
// several requests are in several lists and stay alone: such a loop costs memory for each of its calls.
#pragma once

#include <cstdint>
#include <vector>

#include "link/calls.hpp"
#include "link/listener.hpp"
#include "link/processes.hpp"
#include "replay/chunk/records.hpp"
#include "replay/matched_receives.hpp"
#include "util/pool.hpp"

namespace waitstate::link {

class MessageSearches {
 public:
  static constexpr std::uint32_t none = util::Pool<int>::none;
  static constexpr std::size_t most_in_list = 4096;
  static constexpr std::uint64_t no_message = replay::MatchedReceives::no_message;

  MessageSearches(const Processes& processes, Calls& calls, Listener& listener)
      : processes_(processes),
        calls_(calls),
        listener_(listener),
        wanted_(listener.wanted().any(interest_message_search)),
        locations_(processes.locations()) {}

  /// True if anybody wants to know.
  static bool wanted(const Listener* listener) {
    return listener != nullptr && listener->wanted().any(interest_message_search | interest_mpi_account);
  }

  /// False as long as no location has looked for a message, or tested a request: there is nothing to take, find or give
  /// up then.
  bool any() const { return any_; }
  /// The location's next call that looks for a message.
  void add(LocationId l, CallRef call);
  /// A test that asks about a request; `list` is that of the request, or none, and becomes the list that the test is
  /// in.
  void test(std::uint32_t& list, CallRef call);
  /// The record of what the location's latest search, `call`, has found.
  void found_by_record(LocationId l, const replay::CommRecord& r, CallRef call);
  /// The location begins a receive with that record: the list of what it looked for before; none if it did not.
  std::uint32_t take(LocationId l, const replay::CommRecord& r, const Call& receive);
  /// The location has moved other data: its polls have found nothing.
  void data_moved(LocationId l) {
    if (OfLocation& of = locations_[l.index()]; of.polls != none || of.matched_polls != none) give_up_polls(of);
  }
  /// The message that the calls of the list looked for is known. They are forgotten.
  void found(std::uint32_t list, const Message& message);
  /// It is not known what they found. `list` may be none.
  void give_up(std::uint32_t list);
  /// Nothing follows.
  void finish();

 private:
  struct Search {
    CallRef call = none;
    std::uint32_t uses = 0;  ///< number of lists that it is in
    Time told = 0;           ///< the time before it belongs to another message
    Ticks inside = 0;        ///< time in the calls that it stands for
    LocationId sender{};     ///< sender of the message that it found; none if there is no record of that
    CommId comm{};
    std::uint32_t tag = 0;
  };
  using List = std::vector<std::uint32_t>;  ///< numbers of searches
  struct MatchedProbe {
    std::uint32_t list = none;
    std::uint64_t message = no_message;  ///< its number, if a record gives it
  };
  struct OfLocation {
    std::uint32_t probes = none, polls = none, matched_polls = none;  ///< lists
    std::uint32_t latest = none;                                      ///< search that was added last
    std::vector<MatchedProbe> matched_probes;                         ///< the oldest first
  };

  std::uint32_t make_search(CallRef call);
  void append(std::uint32_t& list, std::uint32_t search);
  void move_to(std::uint32_t& list, std::uint32_t& from);
  void join_neighbours(List& list);
  bool may_join(const Search& first, const Search& second) const;
  void join(std::uint32_t first, std::uint32_t second);
  void forget(std::uint32_t search);
  void take_fitting(std::uint32_t& list, std::uint32_t& from, const replay::CommRecord& receive);
  bool take_matched(std::uint32_t& list, LocationId l, std::uint64_t message);
  void mark(std::uint32_t list, const replay::CommRecord& r);
  void give_up_polls(OfLocation& of);
  void release(std::uint32_t list);

  const Processes& processes_;
  Calls& calls_;
  Listener& listener_;
  const bool wanted_;
  bool any_ = false;
  std::vector<OfLocation> locations_;
  util::Pool<Search> searches_;
  util::Pool<List> lists_;
  std::uint32_t last_test_ = none;               ///< the search of the test that came last
  std::vector<SearchingCall> view_, lost_view_;  ///< scratch of found() and give_up()
};

}  // namespace waitstate::link
