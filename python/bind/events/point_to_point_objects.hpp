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

/// What the objects of one run share: copies of its definitions and of its call tree as far as it is known, so that an
/// object that is kept says the same when the run is over. Those of a trace in memory share the trace's.
class RunNames {
 public:
  explicit RunNames(const Definitions& definitions);
  explicit RunNames(std::shared_ptr<Tables> tables) : tables_(std::move(tables)) {}

  /// Brings the copy of the call tree up to date; of a run only.
  void follow(const CallTree& tree) {
    if (tree.size() > copies_->call_tree.size()) copy_rest(tree);
  }
  Tables& tables() { return *tables_; }

 private:
  struct Copies {
    Definitions definitions;
    CallTree call_tree;
  };
  void copy_rest(const CallTree& tree);
  std::shared_ptr<Copies> copies_;  ///< null: those of a trace
  std::shared_ptr<Tables> tables_;
};
using Names = std::shared_ptr<RunNames>;

struct CallObject {
  Call call;
  Names names;
};

struct WaitObject {
  Wait wait;
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
  OvertakenObject(const Overtaken& o, const Names&) : overtaken(o) {}
};

struct MemberObject {
  CollectiveMember member;  ///< its pointer is not used
  CallObject call;
};

struct CollectiveObject {
  Collective collective;  ///< its spans are not used
  std::vector<MemberObject> members;
  std::vector<std::uint32_t> neighbours, neighbour_begin;
  CollectiveObject(const Collective& c, const Names& names);
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
  TaskIdle::Part part;
  Call call;
};

struct TaskIdleObject {
  CallObject call;
  std::vector<TaskIdlePartObject> parts;
  TaskIdleObject(const TaskIdle& t, const Names& names);
};

struct DeviceWaitPartObject {
  DeviceWait::Part part;
  Call call;
};

struct DeviceWaitObject {
  CallObject call;
  std::vector<DeviceWaitPartObject> parts;
  DeviceWaitObject(const DeviceWait& w, const Names& names);
};

struct UnusedThreadsObject {
  UnusedThreads what;  ///< without its team
  std::vector<std::uint32_t> team;
  UnusedThreadsObject(const UnusedThreads& u, const Names& names);
};

struct LockObject {
  CallObject call, released;
  Time acquire_time, release_time;
  LockObject(const LockAcquired& l, const Names& names)
      : call{l.call, names}, released{l.released, names}, acquire_time(l.acquire_time), release_time(l.release_time) {}
};

/// What another pattern published: an object of its own if it is a Python pattern, the message and the wait if it is
/// mpi_latesender or mpi_latereceiver.
struct PublishedObject {
  std::string pattern;
  py::object data;  ///< None if the publisher is a C++ pattern whose compound events Python does not know
};

/// A published compound event of a Python pattern.
struct PublishedByPython {
  py::handle object;
};

/// What mpi_latesender and mpi_latereceiver publish.
struct InstanceObject {
  MessageObject message;
  Wait wait;
};

/// The number of an id; None for one that refers to nothing.
template <class Tag>
std::optional<std::uint32_t> or_none(Id<Tag> id) {
  return id.valid() ? std::optional(id.value) : std::nullopt;
}

/// A call as repr() shows it.
std::string call_text(const CallObject& c);

// Members of the Python enumerations MpiFunction, CollectiveKind, CollectiveOp and RegionClass.
py::object function_name(MpiFunction f);
py::object kind_name(CollectiveKind k);
py::object op_name(CollectiveOp op);
py::object class_name(RegionClass c);

}  // namespace waitstate::python
