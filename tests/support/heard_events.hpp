// A listener that writes down what it hears, a row an event: calls as location@enter.
#pragma once

#include <fmt/format.h>

#include <string>
#include <utility>
#include <vector>

#include "link/listener.hpp"

namespace waitstate::support {

class HeardEvents : public link::Listener {
 public:
  HeardEvents() = default;
  explicit HeardEvents(link::Wanted wanted) : wanted_(wanted) {}

  link::Wanted wanted() const override { return wanted_; }
  /// The rows since the last call.
  std::vector<std::string> take() { return std::exchange(rows, {}); }

  void completed_receives(const CompletedReceives& r) override {
    std::string row = "receives " + at(r.call);
    for (const Message& m : r.messages) row += fmt::format(" {}→{}:{}", m.sender.value, m.receiver.value, m.tag);
    rows.push_back(row);
  }
  void collective(const Collective& c) override {
    std::string row = fmt::format("{} on", c.comm.valid() ? name_of(c.op) : world_name(c.kind));
    for (const CollectiveMember& m : c.members) row += fmt::format(" {}@{}-{}", m.call->location.value, m.begin, m.end);
    if (c.root != Collective::no_root) row += fmt::format(" root {}", c.root);
    if (c.neighbourhood) {
      row += " neighbours";
      for (std::size_t i = 0; i < c.members.size(); ++i) {
        row += i == 0 ? " " : "|";
        for (std::uint32_t n = c.neighbour_begin[i]; n < c.neighbour_begin[i + 1]; ++n)
          row += std::to_string(c.neighbours[n]);
      }
    }
    rows.push_back(row);
  }
  void completed_collectives(const CompletedCollectives& c) override {
    std::string row = "completes " + at(c.call);
    for (const CollectiveCompletion& one : c.completions)
      row += fmt::format(" {} {} awaits {}", name_of(one.op), at(*one.started), at(one.awaited));
    rows.push_back(row);
  }
  void other_collective(const OtherCollective& c) override {
    std::string row = fmt::format("other {} on", name_of(c.op));
    for (const OtherMember& m : c.members) row += fmt::format(" {}…{}", at(*m.started), at(*m.completed));
    rows.push_back(row);
  }
  void nonblocking_collective(const Call& started, CollectiveOp op, std::uint64_t sent,
                              std::uint64_t received) override {
    rows.push_back(fmt::format("moved by {} {}: {} sent, {} received", name_of(op), at(started), sent, received));
  }
  void rma_operation(const RmaOperation& o) override {
    rows.push_back(fmt::format("{} {}→{} from {} to {}", enum_name(o.kind), o.origin.value, o.target.value, o.start,
                               o.completion) +
                   " in " + at(o.completed));
  }
  void rma_collective(const RmaCollective& c) override {
    constexpr const char* kinds[] = {"create", "free", "fence", "other"};
    std::string row = fmt::format("window {} {}", c.win.value, kinds[static_cast<int>(c.kind)]);
    for (const CollectiveMember& m : c.collective.members) row += " " + at(*m.call);
    if (c.collective.root != Collective::no_root) row += fmt::format(" root {}", c.collective.root);
    for (const RmaAccess& a : c.accesses)
      row += fmt::format(", {}→{}: {} puts of {}", a.origin_member, a.target_member, a.puts, a.bytes_put);
    rows.push_back(row);
  }
  void rma_access_epoch(const RmaAccessEpoch& e) override {
    std::string row = fmt::format("access {} to {}:", at(e.start), at(e.complete));
    for (const RmaAccessTarget& t : e.targets)
      row += fmt::format(" {} post {} {} operations", t.target.value, at(t.post), t.access.operations());
    rows.push_back(row);
  }
  void rma_exposure_epoch(const RmaExposureEpoch& e) override {
    std::string row = fmt::format("exposure {} to {}:", at(e.post), at(e.wait));
    for (const RmaExposureOrigin& o : e.origins)
      row += fmt::format(" {} start {} complete {} {} operations", o.origin.value, at(o.start), at(o.complete),
                         o.access.operations());
    rows.push_back(row);
  }
  void rma_passive_call(const RmaPassiveCall& p) override {
    std::string row = fmt::format("passive {} after {}", at(p.call), at(p.released));
    if (p.released != nullptr) row += fmt::format(" released {}", p.release_time);
    if (!p.lock_known) row += " unknown lock";
    for (const RmaProgressGap& g : p.gaps) row += fmt::format(" gap {}-{}", g.begin, g.end);
    rows.push_back(row);
  }
  void rma_wait_change(const RmaWaitChange& w) override {
    rows.push_back(fmt::format("wait {} changed by {}", at(w.call), at(w.changed)));
  }
  void device_wait(const DeviceWait& w) override {
    std::string row = "device " + at(w.call);
    for (const DeviceWait::ActivityWait& p : w.parts)
      row += fmt::format(" {}-{} {}{}", p.begin, p.end, p.copy ? "copy " : "", p.stream.value);
    rows.push_back(row);
  }
  void team_barrier(const TeamBarrier& b) override {
    std::string row = "barrier";
    for (const Call* const c : b.members) row += " " + at(*c);
    rows.push_back(row);
  }
  void task_idle(const TaskIdle& idle) override {
    for (const TaskIdle::IdleStretch& p : idle.parts)
      rows.push_back(fmt::format("idle {} {}-{}{}", idle.call.location.value, p.begin, p.end,
                                 p.created ? " created by " : " ended by ") +
                     (p.culprit.valid() ? std::to_string(p.culprit.value) : "nobody"));
  }
  void lock_acquired(const LockAcquired& a) override {
    rows.push_back(fmt::format("lock {}@{} after {}@{}", a.call.location.value, a.acquire_time,
                               a.released.location.value, a.release_time));
  }
  void unused_threads(const UnusedThreads& u) override {
    std::string row = fmt::format("unused {}-{} team", u.begin, u.end);
    for (const LocationId l : u.team) row += fmt::format(" {}", l.value);
    rows.push_back(row);
  }
  void parallel_region(const link::ParallelRegion& p) override {
    rows.push_back(fmt::format("region {} {} {}-{} {}", p.location.value, p.fork, p.enter, p.exit, p.join));
  }

  std::vector<std::string> rows;

 private:
  static std::string at(const Call& c) { return fmt::format("{}@{}", c.location.value, c.enter); }
  static std::string at(const Call* c) { return c == nullptr ? "nobody" : at(*c); }
  static std::string name_of(CollectiveOp op) { return std::string(enum_name(op)); }
  static std::string world_name(CollectiveKind kind) { return kind == CollectiveKind::init ? "init" : "finalize"; }

  link::Wanted wanted_;
};

}  // namespace waitstate::support
