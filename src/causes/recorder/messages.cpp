#include "causes/recorder/messages.hpp"

#include <algorithm>

namespace waitstate::causes {

void add_late_sender(Recorded& to, const Message& m, const Wait& wait) {
  const Ticks after = ticks_from(m.send->exit, m.recv->exit);  // negative if the sender left later
  Point p = make_point(PointKind::late_sender, *m.send, m.send_time, 0, std::max<Ticks>(0, -after));
  p.met = m.receiver, p.other = m.recv->number & Point::other_bits;
  const PointId sender = to.order.add(p);
  p = make_point(PointKind::late_sender, *m.recv, m.recv_time, wait.ticks, std::max<Ticks>(0, after));
  p.culprit = sender, p.met = m.sender, p.other = m.send->number & Point::other_bits;
  to.order.add(p);
}

// As in Scalasca nothing of a send counts as completion, and a negative one takes more off; by plain rules what comes
// after the receive was posted counts.
void add_late_receiver(Recorded& to, const Message& m, const Call& completing, const Wait& wait) {
  const Call& request = *m.recv_post;
  const bool blocking = !completes_requests(completing.function);
  const Ticks after = ticks_from(request.exit, completing.exit);
  Point p = make_point(PointKind::late_receiver, request, request.enter, 0, std::max<Ticks>(0, -after));
  p.met = m.sender, p.other = completing.number & Point::other_bits;
  const PointId receiver = to.order.add(p);
  p = make_point(PointKind::late_receiver, completing, blocking ? m.send_time : completing.exit, wait.ticks,
                 to.wanted.plain ? std::max<Ticks>(0, after) : std::min<Ticks>(0, after));
  p.culprit = receiver, p.met = m.receiver, p.other = request.number & Point::other_bits;
  to.order.add(p);
}

}  // namespace waitstate::causes
