#include "report/graph/dependencies/devices.hpp"

#include <algorithm>
#include <cstdint>
#include <map>
#include <optional>
#include <set>
#include <tuple>
#include <utility>
#include <vector>

#include "waitstate/region_class.hpp"

namespace waitstate::report {

namespace {

class DeviceStep : public DependencyStep {
 public:
  using DependencyStep::DependencyStep;

  void run() {
    find_kernels();
    find_copies();
    for (std::size_t call = 0; call < parts_.calls.size(); ++call) {
      const Call& c = parts_.calls[call];
      if (is_host(c.location) && is_over(c) && waits(c) && !waits_inside(call)) wait_in(call);
    }
  }

 private:
  /// Of a stream; `kernel` none: a copy.
  struct Activity {
    Time begin, end;
    std::optional<std::size_t> kernel;
  };

  bool is_host(LocationId l) const { return parts_.definitions[l].type == LocationType::cpu_thread; }
  bool is_stream(LocationId l) const { return parts_.definitions[l].type == LocationType::accelerator_stream; }
  static bool is_over(const Call& c) { return c.exit_pos != c.enter_pos; }
  bool is_known(const Call& c) const { return c.region.index() < parts_.definitions.regions.size(); }
  bool waits(const Call& c) const { return is_known(c) && waits_for_device(parts_.definitions[c.region]); }
  bool launches(const Call& c) const { return is_known(c) && launches_kernel(parts_.definitions[c.region]); }
  bool waits_inside(std::size_t call) const {
    const Call& outer = parts_.calls[call];
    return std::any_of(parts_.calls.begin(), parts_.calls.end(), [&](const Call& c) {
      return c.location == outer.location && c.enter_pos > outer.enter_pos && c.enter < outer.exit && waits(c);
    });
  }
  /// Whose threads wait for a stream: an accelerator may have a group of its own, which one process has created.
  ProcessId process_of_stream(LocationId stream) const {
    const ProcessId p = parts_.process_of(stream);
    if (!p.valid()) return p;
    const LocationGroup& group = parts_.definitions[p];
    return group.type == LocationGroupType::accelerator && group.creator.valid() ? group.creator : p;
  }

  void find_kernels() {
    for (std::size_t call = 0; call < parts_.calls.size(); ++call) {
      const Call& c = parts_.calls[call];
      if (is_stream(c.location) && is_over(c)) {
        kernels_[c.location].push_back(call);
        streams_[c.location].push_back({c.enter, c.exit, call});
      } else if (launches(c) && is_host(c.location)) {
        launches_[parts_.process_of(c.location)].push_back(call);
      }
    }
  }
  void find_copies() {
    std::map<std::tuple<LocationId, std::uint64_t, std::uint64_t>, Time> open;  // by window and number
    for (Position pos = 0; pos < parts_.trace.size(); ++pos) {
      const Event e = parts_.trace.event(pos);
      if (e.loc.index() >= parts_.definitions.locations.size() || !is_stream(e.loc)) continue;
      switch (e.type) {
        case EventType::rma_put:
        case EventType::rma_get:
          open[{e.loc, *e.get("win"), *e.get("match")}] = e.time;
          break;
        case EventType::rma_op_complete_blocking:
        case EventType::rma_op_complete_nonblocking:
        case EventType::rma_op_complete_remote:
          if (const auto copy = open.extract({e.loc, *e.get("win"), *e.get("match")}))
            streams_[e.loc].push_back({copy.mapped(), e.time, std::nullopt});
          break;
        default:
          break;
      }
    }
  }

  // Of what ended in the call the last one is what it waited for in the end, before that began, for what had ended last
  // until then, and so on: as far back as to a kernel.
  void wait_in(std::size_t call) {
    const Call& host = parts_.calls[call];
    Time bound = host.exit;
    std::set<const Activity*> seen;
    while (bound > host.enter) {
      const Activity* last = nullptr;
      for (const auto& [stream, activities] : streams_) {
        if (process_of_stream(stream) != parts_.process_of(host.location)) continue;
        const Activity* of_stream = nullptr;
        for (const Activity& a : activities)
          if (a.end <= bound && a.end > host.enter && !seen.contains(&a) &&
              (of_stream == nullptr || a.end >= of_stream->end))
            of_stream = &a;
        if (of_stream != nullptr && (last == nullptr || of_stream->end > last->end)) last = of_stream;
      }
      if (last == nullptr) return;
      if (last->kernel) return add_wait(call, *last->kernel);
      seen.insert(last);
      bound = last->begin;
    }
  }

  void add_wait(std::size_t call, std::size_t kernel) {
    const Call &host = parts_.calls[call], &of_stream = parts_.calls[kernel];
    const Time end = of_stream.exit;
    const VertexIndex from = parts_.add({.kind = VertexKind::request,
                                         .location = of_stream.location,
                                         .callpath = of_stream.callpath,
                                         .enter = end,
                                         .exit = end,
                                         .time = end,
                                         .enter_pos = of_stream.exit_pos,
                                         .pos = of_stream.exit_pos}),
                      until = parts_.add({VertexKind::completion, call, host.exit, host.exit_pos});
    parts_.graph[parts_.edge(from, until, EdgeKind::device, true)].leads_back =
        lead_back(kernel, parts_.process_of(host.location));
    parts_.point(from, PointKind::device, 0, 0, {host.location});
    parts_.point(until, PointKind::device, DependencyParts::ticks(host.enter, end),
                 DependencyParts::ticks(end, host.exit), {of_stream.location});
  }

  // From the last of several kernels that followed each other to the launch of the first of them. True if there is one.
  bool lead_back(std::size_t kernel, ProcessId process) {
    const std::vector<std::size_t>& of = kernels_[parts_.calls[kernel].location];
    for (auto k = std::find(of.begin(), of.end(), kernel);; --k) {
      const Call& own = parts_.calls[*k];
      const std::optional<std::size_t> by = latest_launch(process, own.enter);
      if (!by) return false;
      if (k != of.begin() && parts_.calls[*std::prev(k)].exit > parts_.calls[*by].enter) continue;
      if (launched_.insert(*k).second) add_launch(*by, *k);
      return true;
    }
  }
  std::optional<std::size_t> latest_launch(ProcessId process, Time until) const {
    const auto of = launches_.find(process);
    std::optional<std::size_t> last;
    if (!process.valid() || of == launches_.end()) return last;
    for (const std::size_t l : of->second) {
      const Call& c = parts_.calls[l];
      if (c.enter > until) continue;
      const auto is_later = [&](const Call& before) {
        return c.enter != before.enter ? c.enter > before.enter : c.location <= before.location;
      };
      if (!last || is_later(parts_.calls[*last])) last = l;
    }
    return last;
  }
  void add_launch(std::size_t launch, std::size_t kernel) {
    const Call &host = parts_.calls[launch], &of_stream = parts_.calls[kernel];
    const VertexIndex from = parts_.add({VertexKind::request, launch, host.enter, host.enter_pos}),
                      until = parts_.add({VertexKind::completion, kernel, of_stream.enter, of_stream.enter_pos});
    parts_.graph[from].exit = host.enter, parts_.graph[until].exit = of_stream.enter;
    parts_.edge(from, until, EdgeKind::device, true);
    parts_.point(from, PointKind::launch, 0, 0, {of_stream.location});
    parts_.point(until, PointKind::launch, 0, 0, {host.location});
  }

  std::map<LocationId, std::vector<Activity>> streams_;
  std::map<LocationId, std::vector<std::size_t>> kernels_;  ///< in order
  std::map<ProcessId, std::vector<std::size_t>> launches_;
  std::set<std::size_t> launched_;
};

}  // namespace

void add_devices(DependencyParts& parts) { DeviceStep(parts).run(); }

}  // namespace waitstate::report
