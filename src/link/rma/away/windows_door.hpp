// How a member of a collective on a window reaches WindowCollectives, where it meets the others: those of each window
// at one worker, from the second on, as the first has other things to do (PassiveDoor). It is a call if that is here,
// else a record to the worker where it is; OneSidedReceiver makes the same call of it there.
//
// Cost: a comparison where everything is here.
#pragma once

#include <algorithm>
#include <utility>
#include <vector>

#include "link/calls.hpp"
#include "link/rma/accesses.hpp"
#include "link/rma/away/one_sided_sender.hpp"
#include "link/rma/window_collectives.hpp"
#include "util/paged_table.hpp"

namespace waitstate::link {

class WindowsDoor {
 public:
  /// The worker where collectives of the window meet.
  static WorkerId place(RmaWinId win, std::size_t workers) {
    return static_cast<WorkerId>((win.value + std::uint64_t{1}) % workers);
  }
  /// The way to one worker; one of the two is not null, if any window meets there.
  struct Way {
    WindowCollectives* here = nullptr;
    OneSidedSender* away = nullptr;
  };

  /// `ways`: by worker.
  WindowsDoor(const Definitions& definitions, Calls& calls, std::vector<Way> ways)
      : calls_(calls), ways_(std::move(ways)), open_begins_(definitions.locations.size()) {}

  void begin(LocationId l, Time t) {
    if (std::vector<Time>& open = open_begins_[l.index()]; open.size() < most_open_begins) open.push_back(t);
  }
  /// Takes what `accesses` holds, which is empty afterwards.
  void end(LocationId l, const replay::RmaRecord& r, CallRef call, RmaAccesses& accesses) {
    Time begin = calls_[call].call.enter;  // a recorder that writes no begin: it began with the call
    if (auto& open = open_begins_[l.index()]; !open.empty()) {
      begin = std::max(begin, open.back());
      open.pop_back();
    }
    WindowMember member{l, call, r.win, r.op, r.remote, begin, r.time, r.bytes, r.received};
    const Way& way = ways_[place(r.win, ways_.size())];
    if (way.here != nullptr) return way.here->end(member, accesses);
    for (RmaAccesses::Entry e : accesses.entries()) {
      e.last = way.away->call(e.last);
      way.away->post(WindowAccess{e});
    }
    accesses.clear(calls_);
    member.call = way.away->call(call);
    way.away->post(member);
  }

 private:
  static constexpr std::size_t most_open_begins = 64;  ///< more have no end

  Calls& calls_;
  const std::vector<Way> ways_;
  util::PagedTable<std::vector<Time>> open_begins_;  ///< by location
};

}  // namespace waitstate::link
