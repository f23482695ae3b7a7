#include <algorithm>
#include <map>
#include <tuple>
#include <utility>
#include <vector>

#include "access/dependencies/steps/messages.hpp"

namespace waitstate::access {

namespace {

class SearchStep : public DependencyStep {
 public:
  using DependencyStep::DependencyStep;

  void run() {
    collect();
    std::sort(receives_.begin(), receives_.end(), [](const Received& a, const Received& b) {
      return std::tuple(a.record->event.loc, a.record->event.pos) <
             std::tuple(b.record->event.loc, b.record->event.pos);
    });
    for (const Received& r : receives_) tell(r);
  }

 private:
  using CallList = std::vector<std::size_t>;
  struct Received {
    const Record* record;
    std::size_t post;
    CallList looked;  ///< the calls that looked for the message
  };
  struct OfLocation {
    CallList probes, polls;
  };

  // A receive is what the probes and polls before it looked for: polls only if no other data moved in between.
  void collect() {
    std::map<Position, std::size_t> searches;  // calls by their exits
    for (std::size_t c = 0; c < parts_.calls.size(); ++c)
      if (const MpiFunction f = parts_.calls[c].function; f == MpiFunction::probe || f == MpiFunction::iprobe)
        searches.emplace(parts_.calls[c].exit_pos, c);
    auto next = searches.begin();
    for (const auto& [pos, r] : parts_.records) {
      for (; next != searches.end() && next->first < pos; ++next) {
        const Call& call = parts_.calls[next->second];
        OfLocation& of = locations_[call.location];
        (call.function == MpiFunction::probe ? of.probes : of.polls).push_back(next->second);
      }
      look_at(r);
    }
  }

  void look_at(const Record& r) {
    const Event& e = r.event;
    switch (e.type) {
      case EventType::irecv_request:
        asked_[e.pos] = take(e.loc);
        posts_[e.pos] = r.call;
        return;
      case EventType::request_test:
        ask(e.requestptr, r.call);
        return;
      case EventType::recv:
        receives_.push_back({&r, r.call, take(e.loc)});
        break;
      case EventType::irecv:
        if (is_test(parts_.calls[r.call].function)) ask(e.requestptr, r.call);
        receives_.push_back({&r, posts_.contains(e.requestptr) ? posts_[e.requestptr] : r.call, asked_[e.requestptr]});
        break;
      case EventType::send:
      case EventType::isend:
      case EventType::collective_end:
      case EventType::nonblocking_collective_complete:
        break;
      default:
        return;
    }
    locations_[e.loc].polls.clear();  // data has moved
  }
  void ask(Position request, std::size_t call) {
    const auto of = asked_.find(request);
    if (of != asked_.end() && (of->second.empty() || of->second.back() != call)) of->second.push_back(call);
  }
  CallList take(LocationId l) {
    OfLocation& of = locations_[l];
    CallList all = std::exchange(of.probes, {});
    all.insert(all.end(), of.polls.begin(), of.polls.end());
    of.polls.clear();
    return all;
  }

  // The time of a call that belongs to the message that was received first does not belong to another one.
  void tell(const Received& r) {
    const auto sent = parts_.records.find(r.record->event.sendptr);
    if (sent == parts_.records.end()) return;
    const Call& send = parts_.calls[sent->second.call];
    const DependencyParts::RecordInCall awaited{VertexKind::request, sent->second.call, send.enter, send.enter_pos};
    std::size_t found = r.record->call;
    std::map<CallPathId, Ticks> earlier;  // polls that ended before the send
    const auto may_have_found = [&](std::size_t c) {
      if (parts_.calls[c].exit > send.enter && parts_.calls[c].enter_pos < parts_.calls[found].enter_pos) found = c;
    };
    may_have_found(r.post);
    for (const std::size_t c : r.looked) {
      const Call& call = parts_.calls[c];
      may_have_found(c);
      const bool probes = call.function == MpiFunction::probe;
      if (probes && send.enter >= call.exit) continue;  // it found another one
      Time& told = told_.try_emplace(c, call.enter).first->second;
      const Time until = std::min(send.enter, call.exit);
      if (until <= told) continue;
      const Ticks ticks = DependencyParts::ticks(std::exchange(told, until), until);
      if (call.exit <= send.enter)
        earlier[call.callpath] += ticks;
      else
        parts_.add_pair(PointKind::probe, ticks, awaited, {VertexKind::completion, c, call.exit, call.exit_pos});
    }
    for (const auto& [callpath, ticks] : earlier) {
      const VertexIndex from = parts_.add(awaited);
      const Call& here = parts_.calls[found];
      // The call begins with what it found, unless it was entered before that was sent.
      const bool is_sent = here.enter > send.enter;
      const VertexIndex to = parts_.add(DependencyParts::instant(is_sent ? VertexKind::poll : VertexKind::completion,
                                                                 here.location, callpath, here.enter, here.enter_pos));
      parts_.edge(from, to, EdgeKind::message, true);
      parts_.point(from, PointKind::poll, 0, 0, {here.location});
      parts_.point(to, PointKind::poll, ticks, 0, {send.location});
    }
  }

  std::map<LocationId, OfLocation> locations_;
  std::map<Position, CallList> asked_;     ///< by request of a receive
  std::map<Position, std::size_t> posts_;  ///< calls, by request
  std::vector<Received> receives_;
  std::map<std::size_t, Time> told_;  ///< by call
};

}  // namespace

void add_searches(DependencyParts& parts) { SearchStep(parts).run(); }

}  // namespace waitstate::access
