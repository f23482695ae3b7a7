#include "access/dependencies/parts.hpp"

#include <algorithm>

namespace waitstate::access {

DependencyParts::DependencyParts(const EventTrace& from, bool with_all_waits, DependencyElements& to)
    : trace(from), definitions(from.definitions()), all_waits(with_all_waits), graph(to) {
  for (Position pos = 0; pos < trace.size(); ++pos) {
    Event e = trace.event(pos);
    if (e.loc.index() >= definitions.locations.size()) continue;
    auto& [first, last] = events_of[e.loc];
    if (!first) first = e;
    last = e;
    if (e.type == EventType::enter) {
      const bool known = e.region().index() < definitions.regions.size();
      call_at[pos] = calls.size();
      calls.push_back({e.loc, e.callpath, e.region(), known ? definitions[e.region()].mpi_function : MpiFunction::none,
                       e.time, e.time, pos, pos});
    } else if (const auto call = call_at.find(e.enterptr); call != call_at.end()) {
      if (e.type == EventType::exit)
        calls[call->second].exit = e.time, calls[call->second].exit_pos = pos;
      else
        records.emplace(pos, Record{std::move(e), call->second});
    }
  }
  // A call that is not left lasts until its location ends.
  for (Call& c : calls)
    if (c.exit_pos == c.enter_pos) c.exit = events_of[c.location].second->time;
}

DependencyParts::VertexIndex DependencyParts::add(const RecordInCall& place) {
  const Call& c = calls[place.call];
  return add({.kind = place.kind,
              .location = c.location,
              .callpath = c.callpath,
              .enter = c.enter,
              .exit = c.exit,
              .time = place.time,
              .enter_pos = c.enter_pos,
              .pos = place.pos});
}

void DependencyParts::point(VertexIndex v, std::optional<PointKind> kind, Ticks wait, Ticks completion,
                            std::vector<LocationId> met) {
  DependencyVertex& vertex = graph[v];
  vertex.point = kind, vertex.wait = wait, vertex.completion = completion, vertex.met = std::move(met);
}

void DependencyParts::add_pair(PointKind kind, Ticks wait, const RecordInCall& awaited, const RecordInCall& waiting) {
  const VertexIndex from = add(awaited), to = add(waiting);
  edge(from, to, EdgeKind::collective, true);
  const Call &came = calls[awaited.call], &waited = calls[waiting.call];
  const Ticks after = ticks(came.exit, waited.exit);
  point(from, kind, 0, std::max<Ticks>(0, -after), {waited.location});
  point(to, kind, wait, std::max<Ticks>(0, after), {came.location});
}

// The rest of the releasing call is what is released.
void DependencyParts::add_released(PointKind kind, Ticks wait, const Record& release, const RecordInCall& waiting,
                                   Time done) {
  const Time released = release.event.time;
  const VertexIndex from = add({VertexKind::request, release.call, released, release.event.pos}), to = add(waiting);
  edge(from, to, EdgeKind::late_receiver, true);
  DependencyVertex &came = graph[from], &waited = graph[to];
  came.enter = released, came.enter_pos = release.event.pos;
  waited.exit = done;
  const Ticks after = ticks(std::max(came.exit, released), done);
  point(from, kind, 0, std::max<Ticks>(0, -after), {waited.location});
  point(to, kind, wait, std::max<Ticks>(0, after), {came.location});
}

}  // namespace waitstate::access
