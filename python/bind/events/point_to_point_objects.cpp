#include "bind/events/point_to_point_objects.hpp"

#include <fmt/format.h>

#include <array>

#include "waitstate/trace/call_tree.hpp"

namespace waitstate::python {

namespace {

std::vector<MessageObject> messages_of(std::span<const Message> messages, const Names& names) {
  std::vector<MessageObject> copies;
  copies.reserve(messages.size());
  for (const Message& m : messages) copies.emplace_back(m, names);
  return copies;
}

// Copies, as all else here: to tie each message to the object it came from would cost more than its bytes.
py::list list_of(const std::vector<MessageObject>& messages) {
  py::list list(messages.size());
  for (std::size_t i = 0; i < messages.size(); ++i) list[i] = py::cast(messages[i]);
  return list;
}

/// All that a wait says.
std::array<std::uint64_t, 8> numbers_of(const Wait& w) {
  return {w.location.value, w.callpath.value,        w.enter, w.exit, w.begin, static_cast<std::uint64_t>(w.ticks),
          w.culprit.value,  w.culprit_callpath.value};
}

void bind_calls(py::module_& module) {
  py::class_<IntervalObject>(
      module, "Interval", "A time without a break, in ticks, that a location spent in one call path (without callees).")
      .def_property_readonly(
          "callpath", [](const IntervalObject& o) { return (*o.names)[o.interval.callpath]; },
          "The CallPath; None where no region was open.")
      .def_property_readonly(
          "begin", [](const IntervalObject& o) { return o.interval.begin; }, "Begin in ticks.")
      .def_property_readonly(
          "end", [](const IntervalObject& o) { return o.interval.end; }, "End in ticks.")
      .def("__repr__", [](const IntervalObject& o) {
        return fmt::format("<Interval callpath={} [{}, {}]>", static_cast<std::int32_t>(o.interval.callpath.value),
                           o.interval.begin, o.interval.end);
      });
  py::class_<CallObject>(
      module, "Call",
      "A region instance in which communication was recorded. Times in ticks. A copy: valid for as long as it is kept.")
      .def_property_readonly(
          "location", [](const CallObject& c) { return (*c.names)[c.call.location]; },
          "The Location that made the call.")
      .def_property_readonly(
          "callpath", [](const CallObject& c) { return (*c.names)[c.call.callpath]; }, "Its CallPath.")
      .def_property_readonly(
          "region", [](const CallObject& c) { return (*c.names)[c.call.region]; },
          "The Region, which equals its name: call.region == 'MPI_Recv'.")
      .def_property_readonly(
          "function", [](const CallObject& c) { return enum_member(c.call.function); }, "Its MpiFunction.")
      .def_property_readonly(
          "enter", [](const CallObject& c) { return c.call.enter; }, "When it was entered, in ticks.")
      .def_property_readonly(
          "exit", [](const CallObject& c) { return c.call.exit; }, "When it was left, in ticks.")
      .def_property_readonly(
          "before",
          [](const CallObject& c) {
            return IntervalObject{c.call.before, c.names};
          },
          "The longest Interval between the previous call with communication and this one.")
      .def_property_readonly(
          "previous",
          [](const CallObject& c) {
            return IntervalObject{c.call.previous, c.names};
          },
          "The Interval of that previous call.")
      .def_property_readonly(
          "earlier",
          [](const CallObject& c) {
            return IntervalObject{c.call.earlier, c.names};
          },
          "The longest Interval before the previous call, if no call since then lasted as long; else one without a "
          "CallPath.")
      .def(
          "meanwhile", [](const CallObject& c, Time from, Time to) { return (*c.names)[c.call.meanwhile(from, to)]; },
          py::arg("from_time"), py::arg("to_time"),
          "The CallPath in which the location was in [from_time, to_time): the call path before this call, or the "
          "call's own if the location was in this call then. None where most of that time is not known: CallPath or "
          "None.")
      .def("__repr__", &call_text);
  py::class_<WaitObject>(
      module, "Wait",
      "One wait: the location that waited, where and how long, and the location that caused it. Times in ticks. "
      "Patterns find waits, and results keep the most severe ones. Waits with the same values are equal.")
      .def_property_readonly(
          "location", [](const WaitObject& w) { return (*w.names)[w.wait.location]; }, "The Location that waited.")
      .def_property_readonly(
          "callpath", [](const WaitObject& w) { return (*w.names)[w.wait.callpath]; },
          "The CallPath of the waiting call.")
      .def_property_readonly(
          "enter", [](const WaitObject& w) { return w.wait.enter; }, "When the waiting call was entered, in ticks.")
      .def_property_readonly(
          "exit", [](const WaitObject& w) { return w.wait.exit; }, "When the waiting call was left, in ticks.")
      .def_property_readonly(
          "begin", [](const WaitObject& w) { return w.wait.begin; }, "When the wait began, in ticks.")
      .def_property_readonly(
          "ticks", [](const WaitObject& w) { return w.wait.ticks; }, "How long it lasted, in ticks.")
      .def_property_readonly(
          "culprit", [](const WaitObject& w) { return (*w.names)[w.wait.culprit]; },
          "The Location that caused it; None if no location in particular did: Location or None.")
      .def_property_readonly(
          "culprit_callpath", [](const WaitObject& w) { return (*w.names)[w.wait.culprit_callpath]; },
          "The CallPath in which the culprit was meanwhile; None where it is not known: CallPath or None.")
      .def("__eq__",
           [](const WaitObject& w, const py::object& other) -> py::object {
             if (!py::isinstance<WaitObject>(other)) return py::reinterpret_borrow<py::object>(Py_NotImplemented);
             return py::bool_(numbers_of(w.wait) == numbers_of(other.cast<const WaitObject&>().wait));
           })
      .def("__hash__", [](const WaitObject& w) { return py::hash(py::cast(numbers_of(w.wait))); })
      .def("__repr__", [](const WaitObject& w) {
        return fmt::format("<Wait of {} ticks on location {}>", w.wait.ticks, w.wait.location.value);
      });
}

void bind_messages(py::module_& module) {
  py::class_<MessageObject>(module, "Message",
                            "A message with both ends known. Times in ticks; a copy, valid for as long as it is kept.")
      .def_property_readonly(
          "sender", [](const MessageObject& m) { return (*m.send.names)[m.message.sender]; },
          "Location that recorded the send.")
      .def_property_readonly(
          "receiver", [](const MessageObject& m) { return (*m.send.names)[m.message.receiver]; },
          "Location that recorded the (completed) receive.")
      .def_property_readonly(
          "comm", [](const MessageObject& m) { return (*m.send.names)[m.message.comm]; }, "Its Communicator.")
      .def_property_readonly(
          "tag", [](const MessageObject& m) { return m.message.tag; }, "Its tag.")
      .def_property_readonly(
          "bytes", [](const MessageObject& m) { return m.message.bytes; }, "Bytes, as the sender recorded them.")
      .def_property_readonly(
          "send_time", [](const MessageObject& m) { return m.message.send_time; }, "Time of the send event in ticks.")
      .def_property_readonly(
          "recv_time", [](const MessageObject& m) { return m.message.recv_time; },
          "Time of the receive event in ticks.")
      .def_property_readonly(
          "send", [](const MessageObject& m) { return m.send; }, "The Call that started the send.")
      .def_property_readonly(
          "recv_post", [](const MessageObject& m) { return m.recv_post; }, "The Call that posted the receive.")
      .def_property_readonly(
          "recv", [](const MessageObject& m) { return m.recv; }, "The Call in which the receive completed.")
      .def_property_readonly(
          "seen_time", [](const MessageObject& m) { return m.message.seen_time; },
          "First time in ticks since the enter of `send` at which the receiving process was in MPI, at most the enter "
          "of `recv_post`. 0 unless a pattern has message_queues = True, and in completed_sends_callback.")
      .def("__repr__", [](const MessageObject& m) {
        return fmt::format("<Message {} -> {}, tag {}, {} bytes>", m.message.sender.value, m.message.receiver.value,
                           m.message.tag, m.message.bytes);
      });
  py::class_<ReceivesObject>(module, "CompletedReceives",
                             "A call in which receives completed, and their messages in the order of their records.")
      .def_property_readonly(
          "call", [](const ReceivesObject& r) { return r.call; }, "The Call in which the receives completed.")
      .def_property_readonly(
          "messages", [](const ReceivesObject& r) { return list_of(r.messages); },
          "Their messages, in the order of the receive events: list of Message.")
      .def("__repr__", [](const ReceivesObject& r) {
        return fmt::format("<CompletedReceives of {} messages in {}>", r.messages.size(), call_text(r.call));
      });
  py::class_<SendsObject>(
      module, "CompletedSends",
      "A call in which sends completed. `receive_wait_ticks`: the time that the call waited for its receives.")
      .def_property_readonly(
          "call", [](const SendsObject& s) { return s.call; }, "The Call in which the sends completed.")
      .def_property_readonly(
          "messages", [](const SendsObject& s) { return list_of(s.messages); },
          "Their messages, in the order of completion: list of Message.")
      .def_readonly("receive_wait_ticks", &SendsObject::receive_wait,
                    "Ticks that the same call waited for its receives; see Pattern.set_receive_wait.")
      .def("__repr__", [](const SendsObject& s) {
        return fmt::format("<CompletedSends of {} messages in {}>", s.messages.size(), call_text(s.call));
      });
  py::class_<OvertakenObject>(module, "Overtaken",
                              "Two messages that were received in the wrong order; see Pattern.watch_overtaking.")
      .def_property_readonly(
          "wait",
          [](const OvertakenObject& o) {
            return WaitObject{o.overtaken.wait, o.names};
          },
          "The Wait that watch_overtaking was given.")
      .def_property_readonly(
          "source", [](const OvertakenObject& o) { return (*o.names)[o.overtaken.source]; },
          "The Location that sent the message that was received too early.")
      .def_property_readonly(
          "bytes", [](const OvertakenObject& o) { return o.overtaken.bytes; }, "Bytes of that message.")
      .def_property_readonly(
          "overtaker", [](const OvertakenObject& o) { return (*o.names)[o.overtaken.overtaker]; },
          "The Location that sent the older message.")
      .def_property_readonly(
          "comm", [](const OvertakenObject& o) { return (*o.names)[o.overtaken.comm]; },
          "The Communicator of the message that was received too early.")
      .def_property_readonly(
          "tag", [](const OvertakenObject& o) { return o.overtaken.tag; }, "Tag of that message.")
      .def_property_readonly(
          "send_time", [](const OvertakenObject& o) { return o.overtaken.send_time; },
          "Time of its send event in ticks.")
      .def_property_readonly(
          "recv_time", [](const OvertakenObject& o) { return o.overtaken.recv_time; },
          "Time of its receive event in ticks; for a non-blocking receive, of its completion.")
      .def_property_readonly(
          "send_enter", [](const OvertakenObject& o) { return o.overtaken.send_enter; },
          "Time in ticks at which the call that started its send was entered.")
      .def_property_readonly(
          "send_exit", [](const OvertakenObject& o) { return o.overtaken.send_exit; },
          "Time in ticks at which that call was left.")
      .def("__repr__", [](const OvertakenObject& o) {
        return fmt::format("<Overtaken message from {}>", o.overtaken.source.value);
      });
}

void bind_collectives(py::module_& module) {
  py::class_<MemberObject>(module, "CollectiveMember",
                           "The part of one process in a collective operation. Times in ticks.")
      .def_readonly("call", &MemberObject::call, "The Call of the operation.")
      .def_property_readonly(
          "begin", [](const MemberObject& m) { return m.member.begin; },
          "Time of the begin record in ticks; for init and finalize, the enter of the call.")
      .def_property_readonly(
          "end", [](const MemberObject& m) { return m.member.end; },
          "Time of the end record in ticks; for init and finalize, the exit of the call.")
      .def_property_readonly(
          "bytes_sent", [](const MemberObject& m) { return m.member.bytes_sent; }, "Bytes that it sent.")
      .def_property_readonly(
          "bytes_received", [](const MemberObject& m) { return m.member.bytes_received; }, "Bytes that it received.")
      .def("__repr__", [](const MemberObject& m) {
        return fmt::format("<CollectiveMember [{}, {}] in {}>", m.member.begin, m.member.end, call_text(m.call));
      });
  py::class_<CollectiveObject>(
      module, "Collective",
      "A complete blocking collective operation, or MPI_Init or MPI_Finalize: all members took part and agree. "
      "Operations of one process, and those that only create or free handles, are left out.")
      .def_property_readonly(
          "kind", [](const CollectiveObject& c) { return enum_member(c.collective.kind); }, "Its CollectiveKind.")
      .def_property_readonly(
          "op", [](const CollectiveObject& c) { return enum_member(c.collective.op); },
          "Its CollectiveOp; means nothing for init and finalize.")
      .def_property_readonly(
          "comm", [](const CollectiveObject& c) { return (*c.names)[c.collective.comm]; },
          "The Communicator; None for init and finalize: Communicator or None.")
      .def_readonly("members", &CollectiveObject::members,
                    "The members by rank; for an inter-communicator, group A, then group B: list of CollectiveMember.")
      .def_property_readonly(
          "root",
          [](const CollectiveObject& c) {
            return c.collective.root == Collective::no_root ? std::nullopt : std::optional(c.collective.root);
          },
          "Index into `members`, or None.")
      .def_property_readonly(
          "group_a", [](const CollectiveObject& c) { return c.collective.group_a; },
          "Inter-communicator: number of members of group A; else 0.")
      .def_property_readonly(
          "inter", [](const CollectiveObject& c) { return c.collective.inter(); }, "True for an inter-communicator.")
      .def_property_readonly(
          "neighbourhood", [](const CollectiveObject& c) { return c.collective.neighbourhood; },
          "True for a neighbourhood operation, in which members wait for their neighbours only.")
      .def(
          "neighbours",
          [](const CollectiveObject& c, std::size_t member) {
            if (member >= c.members.size()) throw py::index_error("the operation has no such member");
            if (!c.collective.neighbourhood) return std::vector<std::uint32_t>();
            return std::vector<std::uint32_t>(c.neighbours.begin() + c.neighbour_begin[member],
                                              c.neighbours.begin() + c.neighbour_begin[member + 1]);
          },
          py::arg("member"),
          "Indices of the members that `member` waits for in a neighbourhood operation; empty in any other.")
      .def(
          "reaches",
          [](const CollectiveObject& c, std::size_t from, std::size_t to) { return c.collective.reaches(from, to); },
          py::arg("from_member"), py::arg("to_member"),
          "True if data can go between the two: always within one group; in an inter-communicator, only across its "
          "groups.")
      .def("__repr__", [](const CollectiveObject& c) {
        return fmt::format("<Collective {} of {} members>", enum_name(c.collective.op), c.members.size());
      });
  py::class_<CompletionObject>(module, "CollectiveCompletion",
                               "A non-blocking collective operation as the member that completes it sees it.")
      .def_property_readonly(
          "kind", [](const CompletionObject& c) { return enum_member(c.completion.kind); }, "Its CollectiveKind.")
      .def_property_readonly(
          "op", [](const CompletionObject& c) { return enum_member(c.completion.op); }, "Its CollectiveOp.")
      .def_property_readonly(
          "comm", [](const CompletionObject& c) { return (*c.started.names)[c.completion.comm]; }, "Its Communicator.")
      .def_readonly("started", &CompletionObject::started, "The member's own Call that started the operation.")
      .def_readonly("awaited", &CompletionObject::awaited,
                    "The latest Call that started it among those awaited, or None.")
      .def_readonly("wait_ticks", &CompletionObject::wait_ticks,
                    "min(E(awaited), L(call)) - E(call) if > 0, else 0; E is the enter of a call, L its exit.")
      .def("__repr__", [](const CompletionObject& c) {
        return fmt::format("<CollectiveCompletion {}>", enum_name(c.completion.op));
      });
  py::class_<CompletionsObject>(module, "CompletedCollectives",
                                "A call in which non-blocking collective operations completed.")
      .def_readonly("call", &CompletionsObject::call, "The Call that completed them.")
      .def_readonly("completions", &CompletionsObject::completions,
                    "In the order of their records: list of CollectiveCompletion.")
      .def("__repr__", [](const CompletionsObject& c) {
        return fmt::format("<CompletedCollectives: {} in {}>", c.completions.size(), call_text(c.call));
      });
}

void bind_published(py::module_& module) {
  py::class_<InstanceObject>(module, "PublishedWait",
                             "A message and the wait for it, as mpi_latesender and mpi_latereceiver publish them.")
      .def_readonly("message", &InstanceObject::message, "The Message.")
      .def_property_readonly(
          "wait",
          [](const InstanceObject& i) {
            return WaitObject{i.wait, i.message.send.names};
          },
          "The Wait for it.")
      .def("__repr__",
           [](const InstanceObject& i) { return fmt::format("<PublishedWait of {} ticks>", i.wait.ticks); });
  py::class_<PublishedObject>(module, "Published",
                              "A compound event that another pattern published: id of the pattern, and its data.")
      .def_readonly("pattern", &PublishedObject::pattern, "Id of the pattern that published it.")
      .def_readonly("data", &PublishedObject::data,
                    "The object that a Python pattern published; a PublishedWait of mpi_latesender and "
                    "mpi_latereceiver; None for objects that Python does not know.")
      .def("__repr__", [](const PublishedObject& p) { return fmt::format("<Published by {}>", p.pattern); });
}

}  // namespace

std::string call_text(const CallObject& c) {
  const Definitions& definitions = c.names->definitions();
  return fmt::format("<Call {} on location {} [{}, {}]>",
                     c.call.region.index() < definitions.regions.size() ? definitions[c.call.region].name : "?",
                     c.call.location.value, c.call.enter, c.call.exit);
}

RunNames::RunNames(const Definitions& definitions)
    : copies_(std::make_shared<Copies>(Copies{definitions, {}})),
      names_(std::make_shared<Tables>(Source{copies_, &copies_->definitions, &copies_->call_tree})) {}

void RunNames::copy_rest(const CallTree& tree) {
  for (std::size_t i = copies_->call_tree.size(); i < tree.size(); ++i)
    copies_->call_tree.find_or_add(tree[CallPathId{i}]);  // in the same order, so with the same ids
}

ReceivesObject::ReceivesObject(const CompletedReceives& r, const Names& names)
    : call{r.call, names}, messages(messages_of(r.messages, names)) {}

SendsObject::SendsObject(const CompletedSends& s, const Names& names)
    : call{s.call, names}, messages(messages_of(s.messages, names)), receive_wait(s.receive_wait) {}

CollectiveObject::CollectiveObject(const Collective& c, const Names& n)
    : collective(c),
      neighbours(c.neighbours.begin(), c.neighbours.end()),
      neighbour_begin(c.neighbour_begin.begin(), c.neighbour_begin.end()),
      names(n) {
  members.reserve(c.members.size());
  for (const CollectiveMember& m : c.members) members.push_back({m, {*m.call, names}});
}

CompletionsObject::CompletionsObject(const CompletedCollectives& c, const Names& names) : call{c.call, names} {
  for (const CollectiveCompletion& one : c.completions) {
    std::optional<CallObject> awaited;
    if (one.awaited != nullptr) awaited = CallObject{*one.awaited, names};
    completions.push_back({one, {*one.started, names}, std::move(awaited), nonblocking_wait_ticks(c.call, one)});
  }
}

void bind_compound_events(py::module_& module) {
  bind_calls(module);
  bind_messages(module);
  bind_collectives(module);
  bind_published(module);
}

}  // namespace waitstate::python
