#include "access/dependencies/steps/messages.hpp"

#include <algorithm>
#include <map>
#include <optional>
#include <set>
#include <vector>

namespace waitstate::access {

namespace {

class MessageStep : public DependencyStep {
 public:
  using DependencyStep::DependencyStep;

  void run() {
    std::map<Position, const Record*> completion_of;  // by send
    for (const auto& [pos, r] : parts_.records)
      if (r.event.type == EventType::isend_complete) completion_of.try_emplace(r.event.requestptr, &r);
    std::vector<Message> all;
    for (const auto& [pos, r] : parts_.records) {
      if (r.event.type != EventType::recv && r.event.type != EventType::irecv) continue;
      const auto send = parts_.records.find(r.event.sendptr);
      if (send == parts_.records.end()) continue;
      Message m{&send->second, &r, r.call};
      if (const auto request = parts_.records.find(r.event.requestptr); request != parts_.records.end())
        m.post = request->second.call, m.request = &request->second;
      if (const auto c = completion_of.find(send->first); c != completion_of.end()) m.completion = c->second;
      all.push_back(m);
    }
    std::map<std::size_t, std::vector<std::size_t>> receiving, sending;  // calls → messages that complete there
    for (std::size_t i = 0; i < all.size(); ++i) receiving[all[i].receive->call].push_back(i);
    std::vector<std::size_t> by_completion(all.size());
    for (std::size_t i = 0; i < all.size(); ++i) by_completion[i] = i;
    std::sort(by_completion.begin(), by_completion.end(), [&](std::size_t a, std::size_t b) {
      return completing(all[a])->event.pos < completing(all[b])->event.pos;
    });
    for (const std::size_t i : by_completion)
      if (completes(all[i])) sending[completing(all[i])->call].push_back(i);

    std::set<std::size_t> late;  // calls that waited for a sender
    std::vector<bool> is_late(all.size());
    for (const auto& [call, here] : receiving)
      choose(here, in_one(call), is_late, [&](std::size_t i) { return late_sender(all[i]); });
    for (std::size_t i = 0; i < all.size(); ++i)
      if (is_late[i]) late.insert(all[i].receive->call);
    for (std::size_t i = 0; i < all.size(); ++i) add_message(all[i], is_late[i]);
    std::vector<bool> is_late_receiver(all.size());
    for (const auto& [call, here] : sending)
      if (!in_one(call) || !late.contains(call))
        choose(here, in_one(call), is_late_receiver, [&](std::size_t i) { return late_receiver(all[i]); });
    for (std::size_t i = 0; i < all.size(); ++i)
      if (is_late_receiver[i]) add_late_receiver(all[i]);
  }

 private:
  struct Message {
    const Record *send, *receive;
    std::size_t post;                    ///< the call that posted the receive
    const Record* request = nullptr;     ///< a non-blocking receive has one
    const Record* completion = nullptr;  ///< a non-blocking send has one
  };

  static Ticks ticks(Time from, Time to) { return DependencyParts::ticks(from, to); }
  /// All that waited; in a call that waits for many at a time only the first of those that waited longest.
  template <class Wait>
  static void choose(const std::vector<std::size_t>& messages, bool one, std::vector<bool>& chosen, Wait&& wait) {
    std::optional<std::size_t> longest;
    for (const std::size_t i : messages) {
      if (wait(i) <= 0) continue;
      if (!one) chosen[i] = true;
      if (!longest || wait(i) > wait(*longest)) longest = i;
    }
    if (one && longest) chosen[*longest] = true;
  }
  bool in_one(std::size_t call) const {
    return parts_.calls[call].function == MpiFunction::waitall || parts_.calls[call].function == MpiFunction::waitsome;
  }
  /// The record of where the send completes: of a blocking one its own.
  static const Record* completing(const Message& m) { return m.completion != nullptr ? m.completion : m.send; }
  static bool completes(const Message& m) { return m.completion != nullptr || m.send->event.type == EventType::send; }

  Ticks late_sender(const Message& m) const {
    const Call &send = parts_.calls[m.send->call], &receive = parts_.calls[m.receive->call];
    if (is_test(receive.function)) return 0;
    return std::max<Ticks>(0, ticks(receive.enter, std::min(send.enter, receive.exit)));
  }
  Ticks late_receiver(const Message& m) const {
    using F = MpiFunction;
    const Call &send = parts_.calls[m.send->call], &post = parts_.calls[m.post],
               &done = parts_.calls[completing(m)->call];
    const bool blocking = (send.function == F::send || send.function == F::ssend) && &send == &done;
    const bool started = (send.function == F::isend || send.function == F::issend || send.function == F::start ||
                          send.function == F::startall) &&
                         (done.function == F::wait || done.function == F::waitany || done.function == F::waitall ||
                          done.function == F::waitsome);
    if ((!blocking && !started) || completes_requests(post.function) || done.exit <= post.enter) return 0;
    return std::max<Ticks>(0, ticks(done.enter, post.enter));
  }

  void add_message(const Message& m, bool late) {
    const VertexIndex from = send_vertex(*m.send);
    const VertexIndex to =
        parts_.add({VertexKind::receive, m.receive->call, m.receive->event.time, m.receive->event.pos});
    parts_.edge(from, to, EdgeKind::message, late);
    if (!late) return;
    const Call &send = parts_.calls[m.send->call], &receive = parts_.calls[m.receive->call];
    const Ticks after = ticks(send.exit, receive.exit);
    parts_.point(from, PointKind::late_sender, 0, std::max<Ticks>(0, -after), {receive.location});
    parts_.point(to, PointKind::late_sender, late_sender(m), std::max<Ticks>(0, after), {send.location});
  }
  VertexIndex send_vertex(const Record& send) {
    return parts_.add({VertexKind::send, send.call, send.event.time, send.event.pos});
  }

  // A blocking send is complete at its exit, and a blocking receive requested at its enter: so that a send and a
  // receive of one message, each of which needs the other, are no circle.
  void add_late_receiver(const Message& m) {
    const Record& done = *completing(m);
    const Call &post = parts_.calls[m.post], &call = parts_.calls[done.call];
    const bool blocking = m.completion == nullptr;
    const VertexIndex from =
        m.request != nullptr ? parts_.add({VertexKind::request, m.post, m.request->event.time, m.request->event.pos})
                             : parts_.add({VertexKind::request, m.post, post.enter, post.enter_pos});
    const VertexIndex to = blocking ? parts_.add({VertexKind::completion, done.call, call.exit, call.exit_pos})
                                    : parts_.add({VertexKind::completion, done.call, done.event.time, done.event.pos});
    parts_.edge(from, to, EdgeKind::late_receiver, true);
    const Ticks after = ticks(post.exit, call.exit);
    parts_.point(from, PointKind::late_receiver, 0, std::max<Ticks>(0, -after), {call.location});
    parts_.point(to, PointKind::late_receiver, late_receiver(m), std::min<Ticks>(0, after), {post.location});
  }
};

}  // namespace

void add_messages(DependencyParts& parts) { MessageStep(parts).run(); }

}  // namespace waitstate::access
