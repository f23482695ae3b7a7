// Compound events as Python objects: what the *_callback methods of a Python pattern receive, with the names of the C++
// structs. Each is a copy: it may be kept after its callback and says the same then. A copy costs less than the Python
// call that it is made for; who cannot afford either takes the batch form (patterns/rows.hpp).
#pragma once

#include <cstdint>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "bind/bind.hpp"
#include "bind/definitions/definitions.hpp"
#include "waitstate/pattern/collective.hpp"
#include "waitstate/pattern/device.hpp"
#include "waitstate/pattern/late_sender.hpp"
#include "waitstate/pattern/message.hpp"
#include "waitstate/pattern/team.hpp"
#include "waitstate/trace/definitions.hpp"

namespace waitstate::python {

/// The definitions and call paths that an object refers to by number, and the Python objects for them.
using Names = std::shared_ptr<Tables>;

/// Copies of the definitions and of the call tree of a run, as far as it is known, so that an object that is kept says
/// the same when the run is over.
class RunNames {
 public:
  explicit RunNames(const Definitions& definitions);

  /// Brings the copy of the call tree up to date.
  void follow(const CallTree& tree) {
    if (tree.size() > copies_->call_tree.size()) copy_rest(tree);
  }
  const Names& names() const { return names_; }

 private:
  struct Copies {
    Definitions definitions;
    CallTree call_tree;
  };
  void copy_rest(const CallTree& tree);
  std::shared_ptr<Copies> copies_;
  Names names_;
};

/// An interval of time in a call path.
struct IntervalObject {
  Interval interval;
  Names names;
};

struct CallObject {
  Call call;
  Names names;
};

/// One wait, as a pattern finds it and as a result keeps it.
struct WaitObject {
  Wait wait;
  Names names;
};

struct MessageObject {
  Message message;  ///< its pointers are not used
  CallObject send, recv_post, recv;
  MessageObject(const Message& m, const Names& names)
      : message(m), send{*m.send, names}, recv_post{*m.recv_post, names}, recv{*m.recv, names} {}
};

struct ReceivesObject {
  CallObject call;
  std::vector<MessageObject> messages;
  ReceivesObject(const CompletedReceives& r, const Names& names);
};

struct SendsObject {
  CallObject call;
  std::vector<MessageObject> messages;
  Ticks receive_wait;
  SendsObject(const CompletedSends& s, const Names& names);
};

struct OvertakenObject {
  Overtaken overtaken;
  Names names;
  OvertakenObject(const Overtaken& o, const Names& n) : overtaken(o), names(n) {}
};

struct MemberObject {
  CollectiveMember member;  ///< its pointer is not used
  CallObject call;
};

struct CollectiveObject {
  Collective collective;  ///< its spans are not used
  std::vector<MemberObject> members;
  std::vector<std::uint32_t> neighbours, neighbour_begin;
  Names names;
  CollectiveObject(const Collective& c, const Names& n);
};

struct CompletionObject {
  CollectiveCompletion completion;  ///< its pointers are not used
  CallObject started;
  std::optional<CallObject> awaited;
  Ticks wait_ticks;
};

struct CompletionsObject {
  CallObject call;
  std::vector<CompletionObject> completions;
  CompletionsObject(const CompletedCollectives& c, const Names& names);
};

struct TeamBarrierObject {
  RegionClass region_class;
  std::vector<CallObject> members;
  std::vector<std::vector<TimeSpan>> tasks;
  TeamBarrierObject(const TeamBarrier& b, const Names& names);
  /// Throws IndexError for a member that the barrier has not.
  Ticks in_tasks(std::size_t member, Time from, Time to) const;
};

struct TaskIdlePartObject {
  TaskIdle::IdleStretch part;
  CallObject call;
};

struct TaskIdleObject {
  CallObject call;
  std::vector<TaskIdlePartObject> parts;
  TaskIdleObject(const TaskIdle& t, const Names& names);
};

struct DeviceWaitPartObject {
  DeviceWait::ActivityWait part;
  CallObject call;
};

struct DeviceWaitObject {
  CallObject call;
  std::vector<DeviceWaitPartObject> parts;
  DeviceWaitObject(const DeviceWait& w, const Names& names);
};

struct UnusedThreadsObject {
  UnusedThreads what;  ///< without its team
  std::vector<LocationId> team;
  Names names;
  UnusedThreadsObject(const UnusedThreads& u, const Names& n);
};

struct LockObject {
  CallObject call, released;
  Time acquire_time, release_time;
  LockObject(const LockAcquired& l, const Names& names)
      : call{l.call, names}, released{l.released, names}, acquire_time(l.acquire_time), release_time(l.release_time) {}
};

/// The compound event that another pattern published: an object of its own if it is a Python pattern, the message and
/// the wait if it is mpi_latesender or mpi_latereceiver.
struct PublishedObject {
  std::string pattern;
  py::object data;  ///< None if the publisher is a C++ pattern whose compound events Python does not know
};

/// A published compound event of a Python pattern.
struct PublishedByPython {
  py::handle object;
};

/// The compound event of mpi_latesender and mpi_latereceiver.
struct InstanceObject {
  MessageObject message;
  Wait wait;
};

/// A call as repr() shows it.
std::string call_text(const CallObject& c);

// Members of Python's enumerations, and the names of these.
py::object enum_member(MpiFunction f);
py::object enum_member(CollectiveKind k);
py::object enum_member(CollectiveOp op);
py::object enum_member(RegionClass c);
constexpr const char* enumeration_name(MpiFunction) { return "MpiFunction"; }
constexpr const char* enumeration_name(CollectiveKind) { return "CollectiveKind"; }
constexpr const char* enumeration_name(CollectiveOp) { return "CollectiveOp"; }
constexpr const char* enumeration_name(RegionClass) { return "RegionClass"; }

}  // namespace waitstate::python
