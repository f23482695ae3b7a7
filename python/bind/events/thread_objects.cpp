// Compound events of thread teams, locks and accelerators as Python objects: barriers, idle threads, acquired locks,
// waits for devices.
#include <fmt/format.h>

#include <span>

#include "bind/events/point_to_point_objects.hpp"

namespace waitstate::python {

TeamBarrierObject::TeamBarrierObject(const TeamBarrier& b, const Names& names) : region_class(b.region_class) {
  members.reserve(b.members.size());
  for (const Call* m : b.members) members.push_back({*m, names});
  tasks.reserve(b.tasks.size());
  for (const std::span<const TimeSpan> own : b.tasks) tasks.emplace_back(own.begin(), own.end());
}

TaskIdleObject::TaskIdleObject(const TaskIdle& t, const Names& names) : call{t.call, names} {
  parts.reserve(t.parts.size());
  for (const TaskIdle::IdleStretch& p : t.parts) parts.push_back({p, call});
}

DeviceWaitObject::DeviceWaitObject(const DeviceWait& w, const Names& names) : call{w.call, names} {
  parts.reserve(w.parts.size());
  for (const DeviceWait::ActivityWait& p : w.parts) parts.push_back({p, call});
}

UnusedThreadsObject::UnusedThreadsObject(const UnusedThreads& u, const Names& n)
    : what(u), team(u.team.begin(), u.team.end()), names(n) {
  what.team = {};
}

Ticks TeamBarrierObject::in_tasks(std::size_t member, Time from, Time to) const {
  if (member >= members.size()) throw py::index_error("the barrier has no such member");
  if (member >= tasks.size()) return 0;
  const std::span<const TimeSpan> own = tasks[member];
  return TeamBarrier{region_class, {}, {&own, 1}}.in_tasks(0, from, to);
}

void bind_team_events(py::module_& module) {
  py::class_<TimeSpan>(module, "TimeSpan", "An interval of time, in ticks.")
      .def_readonly("begin", &TimeSpan::begin, "Begin in ticks.")
      .def_readonly("end", &TimeSpan::end, "End in ticks.")
      .def("__repr__", [](const TimeSpan& o) { return fmt::format("<TimeSpan [{}, {}]>", o.begin, o.end); });
  py::class_<UnusedThreadsObject>(
      module, "UnusedThreads",
      "An interval of time in which threads of a process took no part in the work of its first thread: outside of "
      "parallel regions all other threads, in a parallel region those that are not in its team.")
      .def_property_readonly(
          "master", [](const UnusedThreadsObject& o) { return (*o.names)[o.what.master]; },
          "The Location of the first thread.")
      .def_property_readonly(
          "begin", [](const UnusedThreadsObject& o) { return o.what.begin; },
          "Begin in ticks: of the process, of a join, or of the parallel region's fork.")
      .def_property_readonly(
          "end", [](const UnusedThreadsObject& o) { return o.what.end; },
          "End in ticks: of the process, of a fork, or of the parallel region's join.")
      .def_property_readonly(
          "callpath", [](const UnusedThreadsObject& o) { return (*o.names)[o.what.callpath]; },
          "The CallPath in which the first thread was longest without a break, or the call path of the parallel "
          "region: CallPath or None.")
      .def_property_readonly(
          "parallel", [](const UnusedThreadsObject& o) { return o.what.parallel; }, "True: during a parallel region.")
      .def_property_readonly(
          "team",
          [](const UnusedThreadsObject& o) {
            py::list team;
            for (const LocationId l : o.team) team.append((*o.names)[l]);
            return team;
          },
          "During a parallel region, the locations that took part; else empty: list of Location.")
      .def(
          "wait_of",
          [](const UnusedThreadsObject& o, const py::object& location) {
            return WaitObject{
                Wait{given_location(o.names->definitions(), location), o.what.callpath, o.what.begin, o.what.end,
                     o.what.begin, static_cast<Ticks>(o.what.end - o.what.begin), o.what.master, o.what.callpath},
                o.names};
          },
          py::arg("location"),
          "The Wait of a thread that was idle meanwhile, as add_wait() takes it. Raises IndexError for a location that "
          "the "
          "trace does not have.")
      .def("__repr__", [](const UnusedThreadsObject& o) {
        return fmt::format("<UnusedThreads [{}, {}]>", o.what.begin, o.what.end);
      });
  py::class_<TeamBarrierObject>(module, "TeamBarrier",
                                "A barrier that all threads of a team have passed; `members` by location.")
      .def_property_readonly(
          "region_class", [](const TeamBarrierObject& b) { return enum_member(b.region_class); },
          "RegionClass.omp_ebarrier or RegionClass.omp_ibarrier.")
      .def_readonly("members", &TeamBarrierObject::members,
                    "The barrier as each thread called it, by location: list of Call.")
      .def_readonly("tasks", &TeamBarrierObject::tasks,
                    "The times at which each of the members executed explicit tasks inside the barrier, in order; "
                    "empty if none of them did: list of lists of TimeSpan.")
      .def("in_tasks", &TeamBarrierObject::in_tasks, py::arg("member"), py::arg("from_time"), py::arg("to_time"),
           "The ticks in [from_time, to_time) in which the `member`-th thread executed tasks.")
      .def("__repr__",
           [](const TeamBarrierObject& b) { return fmt::format("<TeamBarrier of {} threads>", b.members.size()); });
  py::class_<LockObject>(
      module, "LockAcquired",
      "A lock that a thread acquired in `call`, after another had released it in `released`. Times in ticks.")
      .def_readonly("call", &LockObject::call, "The Call in which the lock was acquired.")
      .def_readonly("released", &LockObject::released, "The Call in which the previous owner released it last.")
      .def_readonly("acquire_time", &LockObject::acquire_time, "The time of the acquisition in ticks.")
      .def_readonly("release_time", &LockObject::release_time, "The time of the release in ticks.")
      .def("__repr__", [](const LockObject& l) {
        return fmt::format("<LockAcquired at {}, released at {}>", l.acquire_time, l.release_time);
      });
  py::class_<TaskIdlePartObject>(
      module, "TaskIdlePart",
      "A part of the time in which a thread was idle, and the event that ended the lack of tasks. Times in ticks.")
      .def_property_readonly(
          "begin", [](const TaskIdlePartObject& o) { return o.part.begin; }, "Begin in ticks.")
      .def_property_readonly(
          "end", [](const TaskIdlePartObject& o) { return o.part.end; }, "End in ticks.")
      .def_property_readonly(
          "created", [](const TaskIdlePartObject& o) { return o.part.created; },
          "True: the lack of tasks ended with a creation. False: with the end of the last running task.")
      .def_property_readonly(
          "culprit", [](const TaskIdlePartObject& o) { return (*o.call.names)[o.part.culprit]; },
          "The Location that created that task, or ended it; None if it is not known: Location or None.")
      .def_property_readonly(
          "culprit_callpath", [](const TaskIdlePartObject& o) { return (*o.call.names)[o.part.culprit_callpath]; },
          "The CallPath in which it did so: CallPath or None.")
      .def_property_readonly(
          "culprit_time",
          [](const TaskIdlePartObject& o) {
            return o.part.culprit.valid() ? std::optional(o.part.culprit_time) : std::nullopt;
          },
          "The time in ticks at which it did so: after `end` if the thread continued a task before. None if the "
          "location is not known.")
      .def_property_readonly(
          "idle_since", [](const TaskIdlePartObject& o) { return o.part.idle_since; },
          "When the thread entered the call or left the last task there, in ticks: not after begin.")
      .def_property_readonly(
          "wait",
          [](const TaskIdlePartObject& o) {
            const Call& call = o.call.call;
            return WaitObject{
                Wait{call.location, call.callpath, call.enter, call.exit, o.part.begin,
                     static_cast<Ticks>(o.part.end - o.part.begin), o.part.culprit, o.part.culprit_callpath},
                o.call.names};
          },
          "The Wait of that time, as add_wait() takes it.")
      .def("__repr__", [](const TaskIdlePartObject& o) {
        return fmt::format("<TaskIdlePart [{}, {}]>", o.part.begin, o.part.end);
      });
  py::class_<TaskIdleObject>(module, "TaskIdle",
                             "A barrier or taskwait in which a thread was idle while no task of its team was ready, "
                             "and some task was still to end or to be created while it was in the call.")
      .def_readonly("call", &TaskIdleObject::call, "The Call of the barrier or taskwait.")
      .def_readonly("parts", &TaskIdleObject::parts, "The times in which it was idle, in order: list of TaskIdlePart.")
      .def("__repr__", [](const TaskIdleObject& o) {
        return fmt::format("<TaskIdle of {} parts in {}>", o.parts.size(), call_text(o.call));
      });
  py::class_<DeviceWaitPartObject>(
      module, "DeviceWaitPart", "A kernel, or a copy between host and device, that a call waited for. Times in ticks.")
      .def_property_readonly(
          "begin", [](const DeviceWaitPartObject& o) { return o.part.begin; },
          "Begin of the wait for it in ticks: the enter of the call, or the end of the part before.")
      .def_property_readonly(
          "end", [](const DeviceWaitPartObject& o) { return o.part.end; }, "Its end in ticks.")
      .def_property_readonly(
          "copy", [](const DeviceWaitPartObject& o) { return o.part.copy; }, "True: a copy. False: a kernel.")
      .def_property_readonly(
          "stream", [](const DeviceWaitPartObject& o) { return (*o.call.names)[o.part.stream]; },
          "The Location that executed it.")
      .def_property_readonly(
          "callpath", [](const DeviceWaitPartObject& o) { return (*o.call.names)[o.part.callpath]; },
          "Its CallPath there: CallPath or None.")
      .def_property_readonly(
          "wait",
          [](const DeviceWaitPartObject& o) {
            return WaitObject{DeviceWait{o.call.call, {}}.wait(o.part), o.call.names};
          },
          "The Wait for it, as add_wait() takes it.")
      .def("__repr__", [](const DeviceWaitPartObject& o) {
        return fmt::format("<DeviceWaitPart [{}, {}]>", o.part.begin, o.part.end);
      });
  py::class_<DeviceWaitObject>(module, "DeviceWait",
                               "A call of a host thread that waits for a device, in which kernels or copies ended on "
                               "streams of its process.")
      .def_readonly("call", &DeviceWaitObject::call, "The Call that waited.")
      .def_readonly(
          "parts", &DeviceWaitObject::parts,
          "The parts of the wait, in order of time and without gaps from the enter on: list of DeviceWaitPart.")
      .def("__repr__", [](const DeviceWaitObject& o) {
        return fmt::format("<DeviceWait of {} parts in {}>", o.parts.size(), call_text(o.call));
      });
}

}  // namespace waitstate::python
