#include "access/dependencies/steps/passive.hpp"

#include <algorithm>
#include <map>
#include <optional>
#include <set>
#include <tuple>
#include <utility>
#include <vector>

namespace waitstate::access {

namespace {

class PassiveStep : public DependencyStep {
 public:
  using DependencyStep::DependencyStep;

  void run() {
    find_ambiguous();
    find_library();
    for (const auto& [pos, r] : parts_.records) read(r);
    for (auto& [call, uses] : uses_) {
      // The lock that the call comes to first, then the others in the order of their names.
      std::sort(uses.begin() + 1, uses.end(), [](const Use& a, const Use& b) { return a.lock < b.lock; });
      judge(call, uses);
    }
  }

 private:
  /// A lock; without a `target`, it is one of all processes, or of SHMEM.
  struct LockName {
    std::uint64_t win;
    ProcessId target;
    std::uint64_t number;
    bool exclusive;
    auto operator<=>(const LockName&) const = default;
  };
  struct Use {
    LockName lock;
    bool progress;  ///< it needs the target to call MPI
  };
  struct Release {
    LockName lock;
    const Record* record;
  };
  struct Held {
    LocationId target;
    LockName lock;
    std::size_t call;
    bool acquired;
  };
  struct PassiveOperation {
    LocationId target;
    LockName lock;
    std::uint64_t match;
  };
  /// The locks and operations of a process on a window.
  struct WindowUse {
    std::vector<Held> locks{};
    std::vector<PassiveOperation> open{};
  };
  struct Gap {
    Time begin, end;
    std::size_t next;  ///< the call that ended it
  };

  // ---- locks ----

  bool of_mpi(std::uint64_t win) const { return parts_.definitions.is_of_mpi(RmaWinId{win}); }
  static bool names_lock(const Event& e) {
    return e.type == EventType::rma_request_lock || e.type == EventType::rma_acquire_lock ||
           e.type == EventType::rma_release_lock;
  }
  bool is_known(std::uint64_t win) const { return win < parts_.definitions.rma_wins.size(); }

  // Symmetric memory lies elsewhere on each process, but at the same place in its page. Where a process has two locks
  // at one place only the whole addresses can tell.
  static constexpr std::uint64_t page = 4096;
  void find_ambiguous() {
    std::map<std::tuple<std::uint64_t, ProcessId, std::uint64_t>, std::uint64_t> first;
    for (const auto& [pos, r] : parts_.records) {
      const Event& e = r.event;  // attributes: window, remote, lock
      if (!names_lock(e) || !is_known(e.attributes[0]) || of_mpi(e.attributes[0])) continue;
      const std::uint64_t win = e.attributes[0], lock = e.attributes[2];
      const auto known = first.try_emplace({win, parts_.process_of(e.loc), lock % page}, lock).first;
      if (known->second != lock) ambiguous_.insert({win, lock % page});
    }
  }
  LockName lock_of(const Event& e, bool exclusive) const {
    const std::uint64_t win = e.attributes[0], number = e.attributes[2];
    const bool whole = of_mpi(win) || ambiguous_.contains({win, number % page});
    return {win, parts_.process_of(remote(e)), whole ? number : number % page, exclusive};
  }
  LocationId remote(const Event& e) const {
    const LocationId l{e.attributes[1]};
    return l.index() < parts_.definitions.locations.size() ? l : LocationId::none();
  }

  // ---- what calls have to do with locks ----

  void read(const Record& r) {
    const Event& e = r.event;
    switch (e.type) {
      case EventType::rma_request_lock:
      case EventType::rma_acquire_lock:
      case EventType::rma_try_lock:
      case EventType::rma_release_lock:
      case EventType::rma_put:
      case EventType::rma_get:
      case EventType::rma_atomic:
      case EventType::rma_op_complete_blocking:
      case EventType::rma_op_complete_nonblocking:
      case EventType::rma_op_complete_remote:
        break;
      default:
        return;
    }
    if (!is_known(e.attributes[0])) return;
    WindowUse& window = windows_[{e.attributes[0], parts_.process_of(e.loc)}];
    switch (e.type) {
      case EventType::rma_request_lock:
      case EventType::rma_acquire_lock:
        return ask(window, r);
      case EventType::rma_try_lock:
        return drop(window, r);
      case EventType::rma_release_lock:
        return release(window, r);
      case EventType::rma_put:
      case EventType::rma_get:
      case EventType::rma_atomic:
        return operate(window, r);
      default:  // attributes: window, match
        return complete(window, r.call, [&](const PassiveOperation& o) { return o.match == e.attributes[1]; });
    }
  }

  void use(std::size_t call, const LockName& lock, bool progress) {
    std::vector<Use>& uses = uses_[call];
    const auto known = std::find_if(uses.begin(), uses.end(), [&](const Use& u) { return u.lock == lock; });
    if (known == uses.end())
      uses.push_back({lock, progress});
    else
      known->progress |= progress;
  }

  // A lock that was requested and then acquired counts once.
  void ask(WindowUse& window, const Record& r) {
    const Event& e = r.event;  // attributes: window, remote, lock, type
    const LockName lock = lock_of(e, static_cast<LockType>(e.attributes[3]) == LockType::exclusive);
    const bool acquired = e.type == EventType::rma_acquire_lock;
    const auto asked = std::find_if(window.locks.begin(), window.locks.end(), [&](const Held& h) {
      return h.target == remote(e) && h.lock.number == lock.number && !h.acquired;
    });
    if (acquired && asked != window.locks.end())
      asked->acquired = true;
    else
      window.locks.push_back({remote(e), lock, r.call, acquired});
    use(r.call, lock, of_mpi(lock.win) && lock.target.valid());
  }
  // An attempt that was not successful.
  void drop(WindowUse& window, const Record& r) {
    const LockName lock = lock_of(r.event, true);
    const auto asked = std::find_if(window.locks.begin(), window.locks.end(), [&](const Held& h) {
      return h.target == remote(r.event) && h.lock.number == lock.number && h.call == r.call && !h.acquired;
    });
    if (asked != window.locks.end()) window.locks.erase(asked);
  }

  // The operation belongs to the last lock of its target, or of all targets.
  void operate(WindowUse& window, const Record& r) {
    const Event& e = r.event;  // attributes: window, remote, …, match
    const LocationId target = remote(e);
    if (!of_mpi(e.attributes[0]) || !target.valid()) return;
    const auto held = std::find_if(window.locks.rbegin(), window.locks.rend(),
                                   [&](const Held& h) { return !h.target.valid() || h.target == target; });
    if (held == window.locks.rend()) return;
    LockName lock = held->lock;
    lock.target = parts_.process_of(target);
    window.open.push_back({target, lock, e.attributes[e.type == EventType::rma_atomic ? 5 : 3]});
    use(r.call, lock, true);
  }
  template <class Which>
  void complete(WindowUse& window, std::size_t call, Which&& which) {
    for (const PassiveOperation& o : window.open)
      if (which(o)) use(call, o.lock, true);
    std::erase_if(window.open, which);
  }

  // The unlock completes operations that nothing else has completed.
  void release(WindowUse& window, const Record& r) {
    const LocationId target = remote(r.event);
    const LockName name = lock_of(r.event, true);
    const auto held = std::find_if(window.locks.rbegin(), window.locks.rend(),
                                   [&](const Held& h) { return h.target == target && h.lock.number == name.number; });
    if (held == window.locks.rend()) return;
    const LockName lock = held->lock;
    window.locks.erase(std::next(held).base());
    complete(window, r.call, [&](const PassiveOperation& o) { return !target.valid() || o.target == target; });
    releases_[{lock.win, lock.number}].emplace(r.event.time, Release{lock, &r});
    own_release_[r.call] = r.event.time;
    if (r.event.time == parts_.calls[r.call].enter) released_at_once_[r.call] = r.event.pos;
    if (of_mpi(lock.win)) use(r.call, lock, lock.target.valid());
  }

  // ---- who waited for what ----

  void judge(std::size_t c, const std::vector<Use>& uses) {
    const Call& call = parts_.calls[c];
    const RegionClass of = parts_.class_of(call);
    const bool shmem = of == RegionClass::shmem_point2point_synchronization;
    if (!shmem && of != RegionClass::mpi_rma_sync_passive && of != RegionClass::mpi_rma_communication) return;
    // The call waits from its enter on: a lock that it releases itself is released after that.
    const auto at_once = released_at_once_.find(c);
    const Position pos = at_once == released_at_once_.end() ? call.enter_pos : at_once->second;
    const auto own = own_release_.find(c);
    const Record* const released =
        last_release(call, own == own_release_.end() ? call.exit : std::min(call.exit, own->second), uses);
    const Time from = released != nullptr ? released->event.time : call.enter;
    const std::optional<Gap> gap = shmem ? std::nullopt : last_gap(call, from, uses);
    if (gap) {
      const Call& next = parts_.calls[gap->next];
      parts_.add_pair(PointKind::passive_target, DependencyParts::ticks(call.enter, gap->end),
                      {VertexKind::request, gap->next, next.enter, next.enter_pos},
                      {VertexKind::completion, c, gap->end, pos});
    } else if (released != nullptr) {
      parts_.add_released(shmem ? PointKind::shmem_pair : PointKind::passive_target,
                          DependencyParts::ticks(call.enter, from), *released,
                          {VertexKind::completion, c, call.exit, pos}, call.exit);
    }
  }

  // The last release, during the call, of a conflicting lock by another process: by the previous owner, so not after
  // the call has released its own lock. Releases at one time are taken in the order of the locks that are used; those
  // of one lock exclusive ones first, and those of all targets last; then the release of the last location.
  const Record* last_release(const Call& call, Time until, const std::vector<Use>& uses) const {
    const Record* last = nullptr;
    for (const Use& u : uses)
      for (const Kind kind : {Kind::exclusive, Kind::shared, Kind::shared_of_all})
        if (const Record* const r = last_release(call, until, u.lock, kind);
            r != nullptr && (last == nullptr || r->event.time > last->event.time))
          last = r;
    return last;
  }
  enum class Kind { exclusive, shared, shared_of_all };
  const Record* last_release(const Call& call, Time until, const LockName& used, Kind kind) const {
    const auto of_lock = releases_.find({used.win, used.number});
    if (of_lock == releases_.end()) return nullptr;
    const Record* last = nullptr;
    if (until <= call.enter) return nullptr;
    for (auto r = of_lock->second.upper_bound(call.enter); r != of_lock->second.upper_bound(until); ++r) {
      const auto& [lock, record] = r->second;
      if (parts_.process_of(record->event.loc) == parts_.process_of(call.location)) continue;
      const bool same = lock.target == used.target;
      const bool conflicts = kind == Kind::exclusive ? lock.exclusive && (same || !used.target.valid())
                             : !used.exclusive       ? false
                             : kind == Kind::shared  ? !lock.exclusive && same
                                                     : !lock.exclusive && !same && !lock.target.valid();
      const auto when = [](const Record& x) { return std::tuple(x.event.time, x.event.loc, x.event.pos); };
      if (conflicts && (last == nullptr || when(*record) > when(*last))) last = record;
    }
    return last;
  }

  // ---- when targets were outside of MPI ----

  // The outermost MPI calls.
  void find_library() {
    std::map<LocationId, Position> inside_until;
    for (std::size_t c = 0; c < parts_.calls.size(); ++c) {
      const Call& call = parts_.calls[c];
      if (!is_mpi(parts_.class_of(call))) continue;
      const auto outer = inside_until.find(call.location);
      if (outer != inside_until.end() && call.enter_pos < outer->second) continue;
      inside_until[call.location] = is_left(call) ? call.exit_pos : no_position;
      library_[parts_.process_of(call.location)].push_back(c);
    }
    for (auto& [process, calls] : library_)
      std::sort(calls.begin(), calls.end(), [&](std::size_t a, std::size_t b) {
        const Call &x = parts_.calls[a], &y = parts_.calls[b];
        return std::tuple(x.enter, x.location, x.enter_pos) < std::tuple(y.enter, y.location, y.enter_pos);
      });
  }
  static bool is_left(const Call& call) { return call.exit_pos != call.enter_pos; }

  // The interval that ends last; of several with the same end the one that began first, then that of the first
  // location.
  std::optional<Gap> last_gap(const Call& call, Time from, const std::vector<Use>& uses) const {
    std::optional<Gap> last;
    const auto when = [&](const Gap& g) { return std::tuple(~g.end, g.begin, parts_.calls[g.next].location); };
    for (const Use& u : uses) {
      if (!u.progress || !u.lock.target.valid() || u.lock.target == parts_.process_of(call.location)) continue;
      const auto gap = last_gap(call, from, u.lock.target);
      if (gap && (!last || when(*gap) < when(*last))) last = gap;
    }
    return last;
  }

  // The last of all if the target was in MPI when the call was left, in a call that it had entered meanwhile; else
  // the first one, if the target was outside already.
  std::optional<Gap> last_gap(const Call& call, Time from, ProcessId target) const {
    const auto of_target = library_.find(target);
    if (of_target == library_.end()) return std::nullopt;
    std::optional<Gap> first, last;
    bool was_inside = false, is_inside = false;
    Time covered = from;
    for (const std::size_t c : of_target->second) {
      const Call& x = parts_.calls[c];
      if (x.enter > call.exit) break;
      const Time exit = is_left(x) ? x.exit : ~Time{0};
      if (x.enter <= from) {
        was_inside |= x.enter == from || exit > from;
      } else {
        if (!first) first = Gap{from, x.enter, c};
        is_inside |= exit >= call.exit;
        if (x.enter > covered) last = Gap{covered, x.enter, c};
      }
      covered = std::max(covered, exit);
    }
    if (is_inside) return last;
    return was_inside ? std::nullopt : first;
  }

  std::set<std::pair<std::uint64_t, std::uint64_t>> ambiguous_;  ///< windows and places in a page
  std::map<std::pair<std::uint64_t, ProcessId>, WindowUse> windows_;
  std::map<std::size_t, std::vector<Use>> uses_;  ///< by call
  /// By window and number of the lock, in the order of time.
  std::map<std::pair<std::uint64_t, std::uint64_t>, std::multimap<Time, Release>> releases_;
  std::map<std::size_t, Position> released_at_once_;  ///< the last of calls that release when they are entered
  std::map<std::size_t, Time> own_release_;           ///< the last of a call
  std::map<ProcessId, std::vector<std::size_t>> library_;
};

}  // namespace

void add_passive(DependencyParts& parts) { PassiveStep(parts).run(); }

}  // namespace waitstate::access
