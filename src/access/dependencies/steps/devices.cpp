#include "access/dependencies/steps/devices.hpp"

#include <algorithm>
#include <cstdint>
#include <map>
#include <optional>
#include <set>
#include <tuple>
#include <utility>
#include <vector>

#include "waitstate/trace/region_class.hpp"

namespace waitstate::access {

namespace {

class DeviceStep : public DependencyStep {
 public:
  using DependencyStep::DependencyStep;

  void run() {
    find_kernels();
    find_copies();
    for (auto& [process, calls] : launches_)
      std::stable_sort(calls.begin(), calls.end(), [&](std::size_t a, std::size_t b) {
        const Call &x = parts_.calls[a], &y = parts_.calls[b];
        return x.enter != y.enter ? x.enter < y.enter : x.location > y.location;
      });
    for (auto& [stream, activities] : streams_)
      std::stable_sort(activities.begin(), activities.end(),
                       [](const Activity& a, const Activity& b) { return a.end < b.end; });
    // A call that another one is inside of waits by that one.
    std::map<LocationId, std::size_t> next;
    for (std::size_t call = parts_.calls.size(); call-- > 0;) {
      const Call& c = parts_.calls[call];
      if (!is_host(c.location) || !is_over(c) || !waits(c)) continue;
      const auto [later, is_last] = next.try_emplace(c.location, call);
      if (is_last || parts_.calls[later->second].enter >= c.exit) wait_in(call);
      later->second = call;
    }
  }

 private:
  /// Something that a stream does; a copy has no `kernel`.
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
  /// The process whose threads wait for a stream: an accelerator may have a group of its own.
  ProcessId process_of_stream(LocationId stream) const {
    const ProcessId p = parts_.process_of(stream);
    return p.valid() ? parts_.definitions[p].host : p;
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
    std::map<LocationId, std::size_t> left;  // activities that ended before the one that was looked at last
    for (const auto& [stream, activities] : streams_)
      if (process_of_stream(stream) == parts_.process_of(host.location)) left[stream] = activities.size();
    for (Time bound = host.exit; bound > host.enter;) {
      const Activity* last = nullptr;
      LocationId of_last;
      for (auto& [stream, n] : left) {
        const std::vector<Activity>& all = streams_[stream];
        const auto after = std::partition_point(all.begin(), all.begin() + static_cast<std::ptrdiff_t>(n),
                                                [&](const Activity& a) { return a.end <= bound; });
        n = static_cast<std::size_t>(after - all.begin());
        if (n != 0 && (last == nullptr || all[n - 1].end > last->end)) last = &all[n - 1], of_last = stream;
      }
      if (last == nullptr || last->end <= host.enter) return;
      if (last->kernel) return add_wait(call, *last->kernel);
      --left[of_last];
      bound = last->begin;
    }
  }

  void add_wait(std::size_t call, std::size_t kernel) {
    const Call &host = parts_.calls[call], &of_stream = parts_.calls[kernel];
    const Time end = of_stream.exit;
    const VertexIndex from = parts_.add(DependencyParts::instant(VertexKind::request, of_stream.location,
                                                                 of_stream.callpath, end, of_stream.exit_pos)),
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
    for (auto k = std::lower_bound(of.begin(), of.end(), kernel);; --k) {  // calls are in the order of their enters
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
    if (!process.valid() || of == launches_.end()) return std::nullopt;
    const auto after = std::partition_point(of->second.begin(), of->second.end(),
                                            [&](std::size_t l) { return parts_.calls[l].enter <= until; });
    return after == of->second.begin() ? std::nullopt : std::optional(*std::prev(after));
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
  std::map<ProcessId, std::vector<std::size_t>> launches_;  ///< the latest one last, of several the first location's
  std::set<std::size_t> launched_;
};

}  // namespace

void add_devices(DependencyParts& parts) { DeviceStep(parts).run(); }

}  // namespace waitstate::access
