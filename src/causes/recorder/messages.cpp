#include "causes/recorder/messages.hpp"

#include <algorithm>

#include "causes/recorder/pairs.hpp"

namespace waitstate::causes {

void add_late_sender(Recorded& to, const Message& m, const Wait& wait) {
  const Ticks after = ticks_from(m.send->exit, m.recv->exit);  // negative if the sender left later
  Point p = make_point(PointKind::late_sender, *m.send, m.send_time, 0, std::max<Ticks>(0, -after));
  p.met = m.receiver, p.other = m.recv->number & Point::other_bits;
  const PointId sender = to.add(p);
  p = make_point(PointKind::late_sender, *m.recv, m.recv_time, wait.ticks, std::max<Ticks>(0, after));
  p.culprit = sender, p.met = m.sender, p.other = m.send->number & Point::other_bits;
  to.add(p);
}

// As in Scalasca nothing of a send counts as completion, and a negative one takes more off; by plain rules what comes
// after the receive was posted counts.
void add_late_receiver(Recorded& to, const Message& m, const Call& completing, const Wait& wait) {
  const Call& request = *m.recv_post;
  const bool blocking = !completes_requests(completing.function);
  const Ticks after = ticks_from(request.exit, completing.exit);
  Point p = make_point(PointKind::late_receiver, request, request.enter, 0, std::max<Ticks>(0, -after));
  p.met = m.sender, p.other = completing.number & Point::other_bits;
  const PointId receiver = to.add(p);
  p = make_point(PointKind::late_receiver, completing, blocking ? m.send_time : completing.exit, wait.ticks,
                 to.wanted.plain ? std::max<Ticks>(0, after) : std::min<Ticks>(0, after));
  p.culprit = receiver, p.met = m.receiver, p.other = request.number & Point::other_bits;
  to.add(p);
}

namespace {

// The path leaves the location where the message was found: had the polls been shorter, there would be more of them.
// That call begins before others wait for it to begin, unless it was entered before the message was sent: then it
// waits, too.
void add_polls(Recorded& to, const MessageSearch& s, const Call& poll, Ticks ticks) {
  Point p = make_point(PointKind::poll, *s.send, s.send->enter, 0, 0);
  p.met = poll.location, p.other = poll.number & Point::other_bits;
  const PointId sender = to.add(p);
  p = make_point(PointKind::poll, poll, 0, ticks, 0);
  p.enter = s.found_time;
  p.record = s.found_time > s.send->enter ? s.found_time - 1 : s.found_time + 1;
  p.call = 0;
  p.total = p.completion = ticks_from(poll.enter, p.enter);
  p.met = s.send->location, p.other = s.send->number & Point::other_bits;
  p.culprit = sender;
  to.add(p);
}

}  // namespace

void add_search(Recorded& to, const MessageSearch& s) {
  if (s.send == nullptr) return;
  const auto is_earlier = [&](const SearchingCall& looked) { return looked.call->exit <= s.send->enter; };
  for (auto looked = s.calls.begin(); looked != s.calls.end(); ++looked) {
    const Call& call = *looked->call;
    if (!to.wanted.all_waits || !is_earlier(*looked)) {
      add_pair(to, PointKind::probe, call, call.exit, looked->ticks, *s.send, s.send->enter);
      continue;
    }
    const auto here = [&](const SearchingCall& l) { return is_earlier(l) && l.call->callpath == call.callpath; };
    if (std::any_of(s.calls.begin(), looked, here)) continue;
    Ticks ticks = 0;
    for (auto l = looked; l != s.calls.end(); ++l) ticks += here(*l) ? l->ticks : 0;
    add_polls(to, s, call, ticks);
  }
}

}  // namespace waitstate::causes
