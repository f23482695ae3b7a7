#include "support/run_state.hpp"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <random>
#include <sstream>
#include <utility>

namespace waitstate::support {

namespace {

class StateWatch : public Pattern {
 public:
  StateWatch(const EventTrace& trace, Position every, std::string& wrong)
      : trace_(trace), every_(every), wrong_(wrong) {}
  PatternInfo info() const override {
    return {.metrics = {{.id = "state_watch", .unit = Unit::occurrences}}, .needs_stack = true, .needs_queue = true};
  }
  void init(Context&) override { wrong_.clear(), seen_ = 0; }  // also before a second pass because of cancelled sends
  void enter_callback(const Event& e, Context& c) override { compare(e, c); }
  void exit_callback(const Event& e, Context& c) override { compare(e, c); }
  void send_callback(const Event& e, Context& c) override { compare(e, c); }
  void recv_callback(const Event& e, Context& c) override { compare(e, c); }
  void event_callback(const Event& e, Context& c) override { compare(e, c); }
  void wrapup(Context&) override {
    if (seen_ != trace_.size()) wrong_ += fmt::format("{} events of {}\n", seen_, trace_.size());
  }

 private:
  void compare(const Event& e, Context& c) {
    if (seen_++ % every_ != 0 || wrong_.size() > 10000) return;
    const EventSource& now = c.trace();
    if (e.loc != trace_.location(e.pos) || e.time != trace_.time(e.pos) || e.type != trace_.type(e.pos))
      wrong_ += fmt::format("{}: is another event in the run\n", trace_.literal(e.pos));
    const std::size_t locations = trace_.location_count();
    for (std::size_t i = 0; i <= locations; ++i) {
      const LocationId l{i};
      check(e.pos, fmt::format("stack of {}", i), trace_.stack(l, e.pos), now.stack(l), now);
      check(e.pos, fmt::format("queue from {}", i), trace_.queue(e.pos, l), now.queue(l), now);
      check(e.pos, fmt::format("queue to {}", i), trace_.queue(e.pos, {}, l), now.queue({}, l), now);
    }
    const LocationId nobody = LocationId::none();
    check(e.pos, "queue to nobody", trace_.queue(e.pos, {}, nobody), now.queue({}, nobody), now);
    const LocationId from{e.pos % locations}, to{e.pos / locations % locations};
    check(e.pos, fmt::format("queue from {} to {}", from.value, to.value), trace_.queue(e.pos, from, to),
          now.queue(from, to), now);
    check(e.pos, "queue", trace_.queue(e.pos), now.queue(), now);
  }
  void check(Position pos, const std::string& what, const std::vector<Position>& expected,
             const std::vector<Position>& found, const EventSource& now) {
    if (expected != found)
      wrong_ += fmt::format("{}: {} is [{}], in the run [{}]\n", trace_.literal(pos), what, fmt::join(expected, " "),
                            fmt::join(found, " "));
    for (const Position p : found)
      if (now.event(p).time != trace_.time(p) || now.event(p).type != trace_.type(p))
        wrong_ += fmt::format("{}: event {} is another one in the run\n", trace_.literal(pos), p);
  }

  const EventTrace& trace_;
  const Position every_;
  std::string& wrong_;
  Position seen_ = 0;
};

bool receives_several(const std::string& region) {
  for (const char* name : {"MPI_Waitall", "MPI_Waitsome"})
    if (region == name) return true;
  return region.starts_with("MPI_Test");
}

}  // namespace

std::string state_differences(const std::filesystem::path& trace, AnalysisOptions options, Position every) {
  EventTraceOptions same;  // in a damaged trace, chunks may decide what is waited for in vain, and how long
  same.threads = options.threads;
  same.chunk_events = options.chunk_events;
  const EventTrace whole(trace, same);
  std::string wrong;
  options.patterns.push_back(make_pattern<StateWatch>(whole, every, wrong));
  (void)analyze(trace, options);
  return wrong;
}

std::string damaged(const std::string& text, std::uint64_t seed) {
  std::mt19937_64 random(seed);
  std::string left;
  std::istringstream in(text);
  for (std::string line; std::getline(in, line);)
    if (line.empty() || line.front() < '0' || line.front() > '9' || random() % 16 != 0) left += line + "\n";
  return left;
}

PatternInfo QueuedOlder::info() const {
  const auto metric = [](const char* id, const char* parent, MetricKind kind) {
    return MetricSpec{.id = id, .parent = parent, .kind = kind};
  };
  return {.metrics = {metric("queued_older", "mpi_point2point", MetricKind::other),
                      metric("queued_older_wait", "queued_older", MetricKind::wait),
                      metric("queued_older_same", "queued_older_wait", MetricKind::wait),
                      metric("queued_older_different", "queued_older_wait", MetricKind::wait)},
          .needs_queue = true};
}

void QueuedOlder::recv_callback(const Event& recv, Context& c) {
  if (recv.sendptr == no_position || recv.enterptr == no_position) return;
  const Event send = c.trace().event(recv.sendptr);
  std::vector<Position> older = c.trace().queue({}, send.peer());
  std::erase_if(older, [&](Position pos) { return c.trace().event(pos).time >= send.time; });
  if (!older.empty()) found_[recv.enterptr].push_back({recv.sendptr, std::move(older)});
}

void QueuedOlder::exit_callback(const Event& exit, Context& c) {
  const auto found = found_.find(exit.enterptr);
  if (found == found_.end()) return;
  const auto process = [&](LocationId l) { return c.definitions()[l].process; };
  const Time enter = c.trace().event(exit.enterptr).time;
  bool wrong = false, same = true, different = true;
  Ticks idle = 0;
  for (auto& [pos, older] : found->second) {
    const Event send = c.trace().event(pos);
    const std::vector<Position> queued = c.trace().queue({}, send.peer());
    std::erase_if(older, [&](Position p) { return !std::binary_search(queued.begin(), queued.end(), p); });
    if (older.empty()) continue;
    wrong = true;
    for (const Position p : older) (process(c.trace().event(p).loc) == process(send.loc) ? different : same) = false;
    if (send.enterptr == no_position) continue;
    const Time sent = c.trace().event(send.enterptr).time;
    idle = std::max(idle, static_cast<Ticks>(std::min(sent, exit.time) - enter));
  }
  found_.erase(found);
  const Charge charge(exit.callpath, exit.loc);
  if (wrong) c.add(charge, static_cast<Ticks>(exit.time - enter));
  if (idle <= 0) return;
  c.add(charge, idle, MetricHandle{1});
  if (same) c.add(charge, idle, MetricHandle{2});
  if (different) c.add(charge, idle, MetricHandle{3});
}

WrongOrders wrong_orders(const std::filesystem::path& trace, AnalysisOptions options) {
  options.patterns.push_back(make_pattern<QueuedOlder>());
  const AnalysisResult r = analyze(trace, options);
  using Place = std::pair<CallPathId, LocationId>;
  std::map<Place, std::map<std::string, std::int64_t>> values;  // values of metrics
  for (const SeverityRow& row : r.table()) values[{row.callpath, row.location}][r.metrics[row.metric].id] = row.value;
  WrongOrders result;
  for (auto& of_place : values) {
    const Place place = of_place.first;
    auto& value = of_place.second;
    const RegionId region = r.call_tree[place.first].region;
    const auto differs = [&](const char* built_in, std::int64_t least, std::int64_t most) {
      const std::int64_t expected = value[built_in];
      if (least <= expected && expected <= most) return;
      result.differences +=
          fmt::format("{} in {} on {}: {}, by the queue {}\n", built_in, r.call_tree.path(place.first, r.definitions),
                      place.second.value, expected, least);
    };
    result.calls += value["wrong_order"] != 0;
    differs("wrong_order", value["queued_older"], value["queued_older"]);
    if (!region.valid() || receives_several(r.definitions[region].name)) continue;
    result.waits += value["mpi_latesender_wo"] != 0;
    const std::int64_t all = value["queued_older_wait"], same = value["queued_older_same"],
                       different = value["queued_older_different"];
    differs("mpi_latesender_wo", all, all);
    differs("mpi_lswo_same", same, all - different);
    differs("mpi_lswo_different", different, all - same);
  }
  return result;
}

}  // namespace waitstate::support
