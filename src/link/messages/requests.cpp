#include "link/messages/requests.hpp"

namespace waitstate::link {

Request& Requests::add(ProcessId process, LocationId l, const replay::CommRecord& r) {
  util::FlatMap<RequestKey, Request>& open = open_[process.index()];
  Request* q = &open.find_or_insert({r.request});
  if (q->location.valid()) {
    diagnostics_.add(DiagnosticId::request_never_completed, {l, r.time, {}});
    if (feed_ != nullptr) feed_->release_slot(q->place);
    end(process, *q);
    q = &open.find_or_insert({r.request});
  }
  q->location = l;
  q->time = r.time;
  q->place = feed_ != nullptr ? feed_->new_slot() : Link::none;
  return *q;
}

std::uint32_t Requests::end(ProcessId process, Request& q) {
  const std::uint32_t place = q.place;
  if (const auto* const receive = std::get_if<PostedReceive>(&q.operation)) calls_.release(receive->call);
  open_[process.index()].erase(q);
  return place;
}

void Requests::finish() {
  for_each_open([&](const Request& q) {
    diagnostics_.add(DiagnosticId::request_never_completed, {q.location, q.time, {}});
  });
}

}  // namespace waitstate::link
