#include "bind/events/one_sided_objects.hpp"

#include <fmt/format.h>

#include <span>
#include <string>

#include "waitstate/error.hpp"

namespace waitstate::python {

namespace {

std::optional<CallObject> rma_call_or_none(const Call* call, const Names& names) {
  if (call == nullptr) return std::nullopt;
  return CallObject{*call, names};
}

template <class Copy, class Original>
std::vector<Copy> rma_copies(std::span<const Original> originals, const Names& names) {
  std::vector<Copy> copies;
  copies.reserve(originals.size());
  for (const Original& one : originals) copies.emplace_back(one, names);
  return copies;
}

std::string id_text(LocationId id) { return id.valid() ? fmt::format("{}", id.value) : "none"; }

void bind_rma_operations(py::module_& module) {
  py::class_<RmaOperationObject>(
      module, "RmaOperation",
      "A put, get or atomic operation, once the origin's trace shows that it is complete. Times in ticks.")
      .def_property_readonly(
          "kind", [](const RmaOperationObject& o) { return enum_member(o.kind); }, "Its RmaOperationKind.")
      .def_property_readonly(
          "win", [](const RmaOperationObject& o) { return (*o.call.names)[o.win]; },
          "The Window, or None if the trace does not define it.")
      .def_property_readonly(
          "origin", [](const RmaOperationObject& o) { return (*o.call.names)[o.origin]; },
          "The Location that started it.")
      .def_property_readonly(
          "target", [](const RmaOperationObject& o) { return (*o.call.names)[o.target]; },
          "The Location whose memory it accessed; None where the recorder named a process that the window does not "
          "have.")
      .def_readonly("bytes_put", &RmaOperationObject::bytes_put, "Bytes from the origin to the target.")
      .def_readonly("bytes_got", &RmaOperationObject::bytes_got, "Bytes from the target to the origin.")
      .def_readonly("call", &RmaOperationObject::call, "The Call that started it.")
      .def_readonly("start", &RmaOperationObject::start, "Time of its record, in ticks.")
      .def_readonly("completed", &RmaOperationObject::completed, "The Call in which it became complete; may be `call`.")
      .def_readonly("completion", &RmaOperationObject::completion,
                    "Time in ticks of the record that shows the completion.")
      .def("__repr__", [](const RmaOperationObject& o) {
        return fmt::format("<RmaOperation {} {} -> {}, {} bytes put, {} got>", rma_operation_text(o.kind),
                           id_text(o.origin), id_text(o.target), o.bytes_put, o.bytes_got);
      });
  py::class_<RmaAccessObject>(module, "RmaAccess",
                              "All accesses of one process to another one's part of a window within an epoch.")
      .def_property_readonly(
          "origin", [](const RmaAccessObject& o) { return (*o.names)[o.access.origin]; }, "The Location that accessed.")
      .def_property_readonly(
          "target", [](const RmaAccessObject& o) { return (*o.names)[o.access.target]; },
          "The Location that was accessed, None where the recorder named a process that the window does not have.")
      .def_property_readonly(
          "puts", [](const RmaAccessObject& o) { return o.access.puts; }, "Number of puts.")
      .def_property_readonly(
          "gets", [](const RmaAccessObject& o) { return o.access.gets; }, "Number of gets.")
      .def_property_readonly(
          "atomics", [](const RmaAccessObject& o) { return o.access.atomics; }, "Number of atomic operations.")
      .def_property_readonly(
          "operations", [](const RmaAccessObject& o) { return o.access.operations(); }, "Number of all operations.")
      .def_property_readonly(
          "bytes_put", [](const RmaAccessObject& o) { return o.access.bytes_put; },
          "Bytes from the origin to the target, of all of them.")
      .def_property_readonly(
          "bytes_got", [](const RmaAccessObject& o) { return o.access.bytes_got; },
          "Bytes from the target to the origin, of all of them.")
      .def_readonly("last", &RmaAccessObject::last,
                    "The Call of the operation that was left last; None if there is none.")
      .def_property_readonly(
          "origin_member", [](const RmaAccessObject& o) { return o.access.origin_member; },
          "In a RmaCollective: index of the origin in `collective.members`; else 0.")
      .def_property_readonly(
          "target_member", [](const RmaAccessObject& o) { return o.access.target_member; },
          "In a RmaCollective: index of the target in `collective.members`; else 0.")
      .def("__repr__", [](const RmaAccessObject& o) {
        return fmt::format("<RmaAccess {} -> {}: {} operations>", id_text(o.access.origin), id_text(o.access.target),
                           o.access.operations());
      });
}

void bind_rma_collectives(py::module_& module) {
  py::class_<RmaCollectiveObject>(module, "RmaCollective",
                                  "A collective operation on a window in which all members of the window took part.")
      .def_property_readonly(
          "kind", [](const RmaCollectiveObject& o) { return enum_member(o.kind); }, "Its RmaCollectiveKind.")
      .def_property_readonly(
          "win", [](const RmaCollectiveObject& o) { return (*o.names)[o.win]; },
          "The Window, or None if the trace does not define it.")
      .def_property_readonly(
          "paradigm", [](const RmaCollectiveObject& o) { return enumerator(o.paradigm); },
          "The paradigm of the window, such as 'mpi' or 'shmem': str or int.")
      .def_readonly("collective", &RmaCollectiveObject::collective, "The Collective; `comm` is the window's.")
      .def_readonly("accesses", &RmaCollectiveObject::accesses,
                    "Accesses since the previous collective on the window, outside of all other epochs, by origin and "
                    "target; for a fence, the accesses of the epoch that it ends: list of RmaAccess.")
      .def("__repr__", [](const RmaCollectiveObject& o) {
        return fmt::format("<RmaCollective {} of {} members, {} accesses>", rma_collective_text(o.kind),
                           o.collective.members.size(), o.accesses.size());
      });
}

void bind_rma_epochs(py::module_& module) {
  py::class_<RmaAccessTargetObject>(module, "RmaAccessTarget", "A target of an access epoch.")
      .def_property_readonly(
          "target", [](const RmaAccessTargetObject& o) { return (*o.post.names)[o.target]; },
          "The Location of the target.")
      .def_readonly("post", &RmaAccessTargetObject::post,
                    "The Call of MPI_Win_post of the exposure epoch that the access epoch accesses.")
      .def_readonly("access", &RmaAccessTargetObject::access, "The accesses to the target; its `operations` may be 0.")
      .def("__repr__", [](const RmaAccessTargetObject& o) {
        return fmt::format("<RmaAccessTarget {}: {} operations>", id_text(o.target), o.access.access.operations());
      });
  py::class_<RmaEpochOperationObject>(module, "RmaEpochOperation", "An operation within an access epoch.")
      .def_readonly("call", &RmaEpochOperationObject::call, "The Call that started it.")
      .def_readonly("target", &RmaEpochOperationObject::target, "Index into RmaAccessEpoch.targets.")
      .def("__repr__", [](const RmaEpochOperationObject& o) {
        return fmt::format("<RmaEpochOperation on target {} in {}>", o.target, call_text(o.call));
      });
  py::class_<RmaAccessEpochObject>(module, "RmaAccessEpoch",
                                   "The accesses of an origin from MPI_Win_start to MPI_Win_complete.")
      .def_property_readonly(
          "win", [](const RmaAccessEpochObject& o) { return (*o.start.names)[o.win]; },
          "The Window, or None if the trace does not define it.")
      .def_readonly("start", &RmaAccessEpochObject::start, "The Call of MPI_Win_start.")
      .def_readonly("complete", &RmaAccessEpochObject::complete, "The Call of MPI_Win_complete.")
      .def_readonly("targets", &RmaAccessEpochObject::targets,
                    "The targets, in the order of the group given to MPI_Win_start: list of RmaAccessTarget.")
      .def_readonly("operations", &RmaAccessEpochObject::operations,
                    "The operations, in order: list of RmaEpochOperation.")
      .def("__repr__", [](const RmaAccessEpochObject& o) {
        return fmt::format("<RmaAccessEpoch of {} targets, {} operations, from {}>", o.targets.size(),
                           o.operations.size(), call_text(o.start));
      });
  py::class_<RmaExposureOriginObject>(module, "RmaExposureOrigin", "An origin of an exposure epoch.")
      .def_property_readonly(
          "origin", [](const RmaExposureOriginObject& o) { return (*o.start.names)[o.origin]; },
          "The Location of the origin.")
      .def_readonly("start", &RmaExposureOriginObject::start, "The origin's Call of MPI_Win_start.")
      .def_readonly("complete", &RmaExposureOriginObject::complete, "The origin's Call of MPI_Win_complete.")
      .def_readonly("access", &RmaExposureOriginObject::access,
                    "The origin's accesses to this target; its `operations` may be 0.")
      .def("__repr__", [](const RmaExposureOriginObject& o) {
        return fmt::format("<RmaExposureOrigin {}: {} operations>", id_text(o.origin), o.access.access.operations());
      });
  py::class_<RmaExposureEpochObject>(module, "RmaExposureEpoch",
                                     "The time in which a target exposed its memory: from MPI_Win_post to "
                                     "MPI_Win_wait, or to a successful MPI_Win_test.")
      .def_property_readonly(
          "win", [](const RmaExposureEpochObject& o) { return (*o.post.names)[o.win]; },
          "The Window, or None if the trace does not define it.")
      .def_readonly("post", &RmaExposureEpochObject::post, "The Call of MPI_Win_post.")
      .def_readonly("wait", &RmaExposureEpochObject::wait, "The Call of MPI_Win_wait or MPI_Win_test.")
      .def_readonly("origins", &RmaExposureEpochObject::origins,
                    "The origins, in the order of the group given to MPI_Win_post: list of RmaExposureOrigin.")
      .def("__repr__", [](const RmaExposureEpochObject& o) {
        return fmt::format("<RmaExposureEpoch to {} origins, until {}>", o.origins.size(), call_text(o.wait));
      });
}

void bind_rma_passive(py::module_& module) {
  py::class_<RmaLockEpochObject>(module, "RmaLockEpoch",
                                 "A lock of a window that was held and released. Times in ticks.")
      .def_property_readonly(
          "win", [](const RmaLockEpochObject& o) { return (*o.locked.names)[o.win]; },
          "The Window, or None if the trace does not define it.")
      .def_property_readonly(
          "target", [](const RmaLockEpochObject& o) { return (*o.locked.names)[o.target]; },
          "The Location whose part of the window was locked; None: all of them (MPI_Win_lock_all), or a lock of SHMEM.")
      .def_readonly("lock", &RmaLockEpochObject::lock, "The recorder's number of the lock.")
      .def_property_readonly(
          "type", [](const RmaLockEpochObject& o) { return enumerator(o.type); }, "'exclusive' or 'shared': str.")
      .def_readonly("locked", &RmaLockEpochObject::locked, "The Call in which the lock was asked for.")
      .def_readonly("unlocked", &RmaLockEpochObject::unlocked, "The Call in which it was released.")
      .def_readonly("release_time", &RmaLockEpochObject::release_time, "The time of the release in ticks.")
      .def_readonly("accesses", &RmaLockEpochObject::accesses, "Accesses meanwhile, by target: list of RmaAccess.")
      .def("__repr__", [](const RmaLockEpochObject& o) {
        return fmt::format("<RmaLockEpoch of {} until {}, {} accesses>", id_text(o.target), o.release_time,
                           o.accesses.size());
      });
  py::class_<RmaProgressGapObject>(
      module, "RmaProgressGap",
      "A time within a call in which the target of the call was outside of MPI and so could make no progress.")
      .def_readonly("begin", &RmaProgressGapObject::begin, "Begin in ticks.")
      .def_readonly("end", &RmaProgressGapObject::end, "End in ticks.")
      .def_readonly("next", &RmaProgressGapObject::next,
                    "The MPI call in which the target continued, entered at `end`.")
      .def("__repr__",
           [](const RmaProgressGapObject& o) { return fmt::format("<RmaProgressGap [{}, {}]>", o.begin, o.end); });
  py::class_<RmaPassiveCallObject>(
      module, "RmaPassiveCall",
      "A call that concerns a lock of a window: it asks for the lock, accesses the window under it, completes such "
      "accesses or releases it (SHMEM: it asks for the lock). Times in ticks.")
      .def_readonly("call", &RmaPassiveCallObject::call, "The Call.")
      .def_property_readonly(
          "win", [](const RmaPassiveCallObject& o) { return (*o.call.names)[o.win]; },
          "The Window, or None if the trace does not define it.")
      .def_property_readonly(
          "paradigm", [](const RmaPassiveCallObject& o) { return enumerator(o.paradigm); },
          "The paradigm of the window, such as 'mpi' or 'shmem': str or int.")
      .def_readonly("released", &RmaPassiveCallObject::released,
                    "The Call that released a conflicting lock of another process while this one was in its call, the "
                    "last one if there are several; None if there is none. Two shared locks do not conflict.")
      .def_readonly("release_time", &RmaPassiveCallObject::release_time,
                    "The time of that release in ticks; means nothing if `released` is None.")
      .def_readonly("lock_known", &RmaPassiveCallObject::lock_known,
                    "False if it is not known which lock this is: in SHMEM, recorders name a lock by its address on "
                    "each process, of which only the offset in its page is comparable.")
      .def_readonly("gaps", &RmaPassiveCallObject::gaps,
                    "MPI: the times within the call in which its targets were outside of MPI; ascending, without "
                    "overlaps: list of RmaProgressGap.")
      .def("__repr__",
           [](const RmaPassiveCallObject& o) { return fmt::format("<RmaPassiveCall {}>", call_text(o.call)); });
  py::class_<RmaWaitChangeObject>(module, "RmaWaitChange",
                                  "A process that waited for its memory to be changed (shmem_wait_until).")
      .def_readonly("call", &RmaWaitChangeObject::call, "The Call in which it waited.")
      .def_property_readonly(
          "win", [](const RmaWaitChangeObject& o) { return (*o.call.names)[o.win]; },
          "The Window, or None if the trace does not define it.")
      .def_readonly("changed", &RmaWaitChangeObject::changed,
                    "The Call of the operation of another process on this one's memory that was started last before "
                    "the wait was left, if the two overlap; None if there is none.")
      .def("__repr__",
           [](const RmaWaitChangeObject& o) { return fmt::format("<RmaWaitChange {}>", call_text(o.call)); });
}

}  // namespace

RmaModel rma_model_of(const std::string& word) {
  if (word == "auto") return RmaModel::automatic;
  if (word == "basic") return RmaModel::basic;
  if (word == "extended") return RmaModel::extended;
  throw UsageError("'" + word + "' is not a model of one-sided communication; expected auto, basic or extended");
}

RmaOperationObject::RmaOperationObject(const RmaOperation& o, const Names& names)
    : kind(o.kind),
      win(o.win),
      origin(o.origin),
      target(o.target),
      bytes_put(o.bytes_put),
      bytes_got(o.bytes_got),
      call{o.call, names},
      completed{o.completed, names},
      start(o.start),
      completion(o.completion) {}

RmaAccessObject::RmaAccessObject(const RmaAccess& a, const Names& n)
    : access(a), last(rma_call_or_none(a.last, n)), names(n) {}

RmaCollectiveObject::RmaCollectiveObject(const RmaCollective& c, const Names& n)
    : kind(c.kind),
      win(c.win),
      paradigm(c.paradigm),
      collective(c.collective, n),
      accesses(rma_copies<RmaAccessObject>(c.accesses, n)),
      names(n) {}

RmaAccessTargetObject::RmaAccessTargetObject(const RmaAccessTarget& t, const Names& names)
    : target(t.target), post{t.post, names}, access(t.access, names) {}

RmaAccessEpochObject::RmaAccessEpochObject(const RmaAccessEpoch& e, const Names& names)
    : win(e.win),
      start{e.start, names},
      complete{e.complete, names},
      targets(rma_copies<RmaAccessTargetObject>(e.targets, names)),
      operations(rma_copies<RmaEpochOperationObject>(e.operations, names)) {}

RmaExposureOriginObject::RmaExposureOriginObject(const RmaExposureOrigin& o, const Names& names)
    : origin(o.origin), start{o.start, names}, complete{o.complete, names}, access(o.access, names) {}

RmaExposureEpochObject::RmaExposureEpochObject(const RmaExposureEpoch& e, const Names& names)
    : win(e.win),
      post{e.post, names},
      wait{e.wait, names},
      origins(rma_copies<RmaExposureOriginObject>(e.origins, names)) {}

RmaLockEpochObject::RmaLockEpochObject(const RmaLockEpoch& e, const Names& names)
    : win(e.win),
      target(e.target),
      lock(e.lock),
      type(e.type),
      locked{e.locked, names},
      unlocked{e.unlocked, names},
      release_time(e.release_time),
      accesses(rma_copies<RmaAccessObject>(e.accesses, names)) {}

RmaPassiveCallObject::RmaPassiveCallObject(const RmaPassiveCall& c, const Names& names)
    : call{c.call, names},
      win(c.win),
      paradigm(c.paradigm),
      released(rma_call_or_none(c.released, names)),
      release_time(c.release_time),
      lock_known(c.lock_known),
      gaps(rma_copies<RmaProgressGapObject>(c.gaps, names)) {}

RmaWaitChangeObject::RmaWaitChangeObject(const RmaWaitChange& c, const Names& names)
    : call{c.call, names}, win(c.win), changed(rma_call_or_none(c.changed, names)) {}

void bind_rma_events(py::module_& module) {
  bind_rma_operations(module);
  bind_rma_collectives(module);
  bind_rma_epochs(module);
  bind_rma_passive(module);
}

}  // namespace waitstate::python
