// How the records of a worker's processes reach the place where they meet those of others: a call if that is here, else
// a record to the worker where it is. OneSidedReceiver makes the same calls of the records there.
//
// Cost: a comparison where everything is here.
#pragma once

#include <algorithm>
#include <cstdint>
#include <utility>
#include <vector>

#include "link/calls.hpp"
#include "link/rma/accesses.hpp"
#include "link/rma/away/meeting_places.hpp"
#include "link/rma/away/one_sided_sender.hpp"
#include "link/rma/epochs.hpp"
#include "link/rma/groups.hpp"
#include "link/rma/window_collectives.hpp"
#include "util/paged_table.hpp"
#include "util/pool.hpp"

namespace waitstate::link {

/// One of the two is not null, if anybody wants to know.
template <class Part>
struct Door {
  Part* here = nullptr;
  OneSidedSender* away = nullptr;
};

/// The way to RmaEpochs, whose functions these are: one for each window. An epoch has a number of its own for what is
/// away.
class EpochsDoor {
 public:
  using Action = EpochStep::Action;

  EpochsDoor(RmaGroups& groups, std::vector<Door<RmaEpochs>> doors) : groups_(groups), doors_(std::move(doors)) {}

  std::uint32_t start(LocationId l, RmaWinId win, GroupId group, CallRef call, Time t) {
    if (RmaEpochs* const here = of(win).here) return here->start(l, win, group, call, t);
    return open(Action::start, l, win, group, call, t);
  }
  std::uint32_t post(LocationId l, RmaWinId win, GroupId group, CallRef call, Time t) {
    if (RmaEpochs* const here = of(win).here) return here->post(l, win, group, call, t);
    return open(Action::post, l, win, group, call, t);
  }
  void complete(RmaWinId win, std::uint32_t access, CallRef call) {
    if (RmaEpochs* const here = of(win).here) return here->complete(access, call);
    close(Action::complete, win, access, of(win).away->call(call));
  }
  void wait(RmaWinId win, std::uint32_t exposure, CallRef call) {
    if (RmaEpochs* const here = of(win).here) return here->wait(exposure, call);
    close(Action::wait, win, exposure, of(win).away->call(call));
  }
  void give_up_access(RmaWinId win, std::uint32_t access) {
    if (RmaEpochs* const here = of(win).here) return here->give_up_access(access);
    close(Action::give_up_access, win, access, 0);
  }
  void give_up_exposure(RmaWinId win, std::uint32_t exposure) {
    if (RmaEpochs* const here = of(win).here) return here->give_up_exposure(exposure);
    close(Action::give_up_exposure, win, exposure, 0);
  }
  bool access(RmaWinId win, std::uint32_t access, const RmaStart& s) {
    const Door<RmaEpochs>& door = of(win);
    if (door.here != nullptr) return door.here->access(access, s);
    if (groups_.index(open_[access], s.target) == RmaGroups::none) return false;
    RmaStart start = s;
    start.call = door.away->call(s.call);
    door.away->post(EpochAccess{access, start});
    return true;
  }

 private:
  const Door<RmaEpochs>& of(RmaWinId win) const { return doors_[win.index()]; }
  std::uint32_t open(Action action, LocationId l, RmaWinId win, GroupId group, CallRef call, Time t) {
    const std::uint32_t slot = open_.acquire();
    open_[slot] = group;
    OneSidedSender& away = *of(win).away;
    away.post(EpochStep{action, slot, away.call(call), l, win, group, t});
    return slot;
  }
  void close(Action action, RmaWinId win, std::uint32_t slot, std::uint32_t call) {
    of(win).away->post(EpochStep{action, slot, call, {}, {}, {}, 0});
    open_.release(slot);
  }

  RmaGroups& groups_;
  const std::vector<Door<RmaEpochs>> doors_;  ///< by window
  util::Pool<GroupId> open_;                  ///< epochs that are away, with their groups
};

/// The way to WindowCollectives: one for each place where windows meet.
class WindowsDoor {
 public:
  WindowsDoor(const Definitions& definitions, Calls& calls, const MeetingPlaces& places,
              std::vector<Door<WindowCollectives>> doors)
      : calls_(calls), places_(places), doors_(std::move(doors)), open_begins_(definitions.locations.size()) {}

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
    const Door<WindowCollectives>& door = doors_[places_.collectives(r.win)];
    if (door.here != nullptr) return door.here->end(member, accesses);
    for (RmaAccesses::Entry e : accesses.entries()) {
      e.last = door.away->call(e.last);
      door.away->post(WindowAccess{e});
    }
    accesses.clear(calls_);
    member.call = door.away->call(call);
    door.away->post(member);
  }

 private:
  static constexpr std::size_t most_open_begins = 64;  ///< more have no end

  Calls& calls_;
  const MeetingPlaces places_;
  const std::vector<Door<WindowCollectives>> doors_;  ///< by worker
  util::PagedTable<std::vector<Time>> open_begins_;   ///< by location
};

}  // namespace waitstate::link
