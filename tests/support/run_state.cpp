#include "support/run_state.hpp"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <optional>
#include <tuple>

namespace waitstate::support {

namespace {

class StateWatch : public Pattern {
 public:
  StateWatch(const EventTrace& trace, Position every, std::string& wrong)
      : trace_(trace), every_(every), wrong_(wrong) {}
  PatternInfo info() const override {
    return {.metrics = {{.id = "state_watch", .unit = Unit::occurrences}}, .needs_stack = true, .needs_queue = true};
  }
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
  EventTraceOptions same;  // of a damaged trace, chunks may decide what is waited for in vain, and how long
  same.threads = options.threads;
  same.chunk_events = options.chunk_events;
  const EventTrace whole(trace, same);
  std::string wrong;
  options.patterns.push_back(make_pattern<StateWatch>(whole, every, wrong));
  (void)analyze(trace, options);
  return wrong;
}

PatternInfo QueuedOlder::info() const {
  return {.metrics = {{.id = "queued_older", .parent = "mpi_point2point", .title = "Older message queued"},
                      {.id = "queued_older_wait",
                       .parent = "queued_older",
                       .title = "Late Sender, older message queued",
                       .kind = MetricKind::wait}},
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
  const Time enter = c.trace().event(exit.enterptr).time;
  bool wrong = false;
  Ticks idle = 0;
  for (const auto& [pos, older] : found->second) {
    const Event send = c.trace().event(pos);
    const std::vector<Position> queued = c.trace().queue({}, send.peer());
    if (std::find_first_of(older.begin(), older.end(), queued.begin(), queued.end()) == older.end()) continue;
    wrong = true;
    if (send.enterptr == no_position) continue;
    const Time sent = c.trace().event(send.enterptr).time;
    idle = std::max(idle, static_cast<Ticks>(std::min(sent, exit.time) - enter));
  }
  found_.erase(found);
  if (wrong) c.add({exit.callpath, exit.loc}, static_cast<Ticks>(exit.time - enter));
  if (idle > 0) c.add({exit.callpath, exit.loc}, idle, MetricHandle{1});
}

WrongOrders wrong_orders(const std::filesystem::path& trace, AnalysisOptions options) {
  options.patterns.push_back(make_pattern<QueuedOlder>());
  const AnalysisResult r = analyze(trace, options);
  std::map<std::tuple<bool, CallPathId, LocationId>, std::int64_t> expected, found;
  const MetricIndex calls = r.metrics.at("wrong_order"), waits = r.metrics.at("mpi_latesender_wo");
  for (const SeverityRow& row : r.table()) {
    const RegionId region = r.call_tree[row.callpath].region;
    const std::string& name = region.valid() ? r.definitions[region].name : "";
    if (row.metric == calls) expected[{false, row.callpath, row.location}] += row.value;
    if (row.metric == r.metrics.at("queued_older")) found[{false, row.callpath, row.location}] += row.value;
    if (receives_several(name)) continue;
    if (row.metric == waits) expected[{true, row.callpath, row.location}] += row.value;
    if (row.metric == r.metrics.at("queued_older_wait")) found[{true, row.callpath, row.location}] += row.value;
  }
  WrongOrders result;
  for (const auto& row : expected) ++(std::get<bool>(row.first) ? result.waits : result.calls);
  const auto compare = [&](const auto& of, const auto& with, const char* what) {
    for (const auto& [key, value] : of) {
      const auto other = with.find(key);
      if (other != with.end() && other->second == value) continue;
      const auto& [is_wait, callpath, location] = key;
      result.differences += fmt::format("{}: {} of {},{},{}\n", what, value, is_wait ? "waits" : "calls",
                           r.call_tree.path(callpath, r.definitions), location.value);
    }
  };
  compare(expected, found, "built in");
  compare(found, expected, "by the queue");
  return result;
}

}  // namespace waitstate::support
