// The requests that are open in each process: what its threads have started without waiting, by the number that the
// recorder gave it. A number may be used again once its request is over, and by any thread of the process.
// Cost: a hash look-up per start and per end. Memory: what is open.
#pragma once

#include <cstdint>
#include <variant>
#include <vector>

#include "link/calls.hpp"
#include "link/merge_feed.hpp"
#include "link/messages/messages.hpp"
#include "replay/chunk/records.hpp"
#include "util/flat_map.hpp"
#include "util/hash.hpp"
#include "util/paged_table.hpp"
#include "waitstate/trace/diagnostics.hpp"

namespace waitstate::link {

struct PendingSend {
  MessageRef message = Messages::none;  ///< none if nobody can receive it
};
struct PostedReceive {
  CallRef call;                             ///< call that posted it; held
  std::uint32_t order = 0;                  ///< place among the receives that the call posted
  std::uint32_t searches = Messages::none;  ///< calls that looked for its message, before and after
};
struct StartedCollective {
  std::uint32_t number = 0;  ///< number that Collectives::start() gave
  std::uint32_t step = 0;    ///< as in CommRecord
};

struct Request {
  std::variant<std::monostate, PendingSend, PostedReceive, StartedCollective> operation;
  std::uint32_t place = Link::none;  ///< for the merge: of its start
  LocationId location;               ///< location that started it
  Time time = 0;
};

class Requests {
 public:
  /// With `feed`, starts get places for the merge.
  Requests(std::size_t processes, Calls& calls, Diagnostics& diagnostics, MergeFeed* feed)
      : calls_(calls), diagnostics_(diagnostics), feed_(feed), open_(processes) {}

  /// A request starts with that record; gives its place. If another one of that number is open, it is given up.
  template <class Operation>
  std::uint32_t start(ProcessId process, LocationId l, const replay::CommRecord& r, Operation operation) {
    Request& q = add(process, l, r);
    q.operation = operation;
    return q.place;
  }
  /// The request that the record is about; null, and counted, if it is not open. Valid until the next start or end.
  Request* find(ProcessId process, LocationId l, const replay::CommRecord& r) {
    Request* const q = look_up(process, r.request);
    if (q == nullptr) diagnostics_.add(DiagnosticId::request_unknown, {l, r.time, {}});
    return q;
  }
  /// Like find(), but a request that is not open is not counted.
  Request* look_up(ProcessId process, std::uint64_t number) { return open_[process.index()].find({number}); }
  /// It is over. Gives its place, whose hold goes over to the link of what has ended it.
  std::uint32_t end(ProcessId process, Request& q);
  /// Calls use(request, call that posted it) for each receive that is open.
  template <class Use>
  void for_each_posted(Use&& use) {
    for_each_open([&](const Request& q) {
      if (const auto* const receive = std::get_if<PostedReceive>(&q.operation)) use(q, calls_[receive->call].call);
    });
  }
  /// Calls use(request) for each that is open.
  template <class Use>
  void for_each_open(Use&& use) {
    open_.for_each([&](std::size_t, util::FlatMap<RequestKey, Request>& open) {
      open.for_each([&](const RequestKey&, const Request& q) { use(q); });
    });
  }
  /// Everything has been read: counts what is open.
  void finish();

 private:
  struct RequestKey {
    std::uint64_t number = 0;
    bool operator==(const RequestKey&) const = default;
    std::uint64_t hash() const { return util::spread(number ^ number >> 32); }
  };

  Request& add(ProcessId process, LocationId l, const replay::CommRecord& r);

  Calls& calls_;
  Diagnostics& diagnostics_;
  MergeFeed* const feed_;
  util::PagedTable<util::FlatMap<RequestKey, Request>> open_;  ///< by process
};

}  // namespace waitstate::link
