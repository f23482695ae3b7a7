#include "causes/recorder/devices.hpp"

#include <algorithm>
#include <map>
#include <optional>
#include <utility>
#include <vector>

#include "causes/recorder/added_points.hpp"
#include "causes/recorder/pairs.hpp"

namespace waitstate::causes {

namespace {

/// The kernels of all streams and what launched them.
class Launches {
 public:
  struct Launch {
    Time time = 0;
    LocationId location{};
    CallPathId callpath{};
    std::uint16_t number = 0;  ///< Call::number
  };
  /// A kernel that waited for its launch.
  struct Launched {
    LocationId stream;
    CallPathId callpath;
    Time begin;
    Launch by;
  };

  Launches(const WorkLog& work, const Definitions& definitions) : definitions_(definitions) {
    work.each_mark([&](const replay::WorkMark& m) {
      if (m.kind == replay::WorkMark::Kind::launch)
        launches_[m.location].push_back({m.time, m.location, m.callpath, m.number});
      if (m.kind == replay::WorkMark::Kind::kernel) kernels_[m.location].push_back({m.time, m.time, m.callpath});
      if (m.kind == replay::WorkMark::Kind::kernel_end)
        if (std::vector<Kernel>& all = kernels_[m.location]; !all.empty()) all.back().end = m.time;
    });
  }
  bool any() const { return !launches_.empty(); }

  /// True if the path comes back to a host thread from the kernel that ends then, which one of that process waits for.
  bool lead_back(LocationId stream, Time end, ProcessId process, std::vector<Launched>& found) {
    std::vector<Kernel>& kernels = kernels_[stream];
    auto k = std::lower_bound(kernels.begin(), kernels.end(), end, [](const Kernel& x, Time t) { return x.end < t; });
    if (k == kernels.end()) return false;
    const auto of_wait = k;
    std::optional<bool> leads = k->leads;
    for (; !leads; leads = k->leads) {
      const std::optional<Launch> by = latest(process, k->begin);
      if (!by) {
        leads = false;
        break;
      }
      if (k == kernels.begin() || by->time >= std::prev(k)->end) {
        found.push_back({stream, k->callpath, k->begin, *by});
        leads = true;
        break;
      }
      --k;
    }
    for (auto of = k; of <= of_wait; ++of) of->leads = leads;
    return *leads;
  }

 private:
  struct Kernel {
    Time begin, end;
    CallPathId callpath;
    std::optional<bool> leads{};
  };
  std::optional<Launch> latest(ProcessId process, Time until) const {
    std::optional<Launch> last;
    if (!process.valid()) return last;
    for (const LocationId l : definitions_[process].locations) {
      const auto all = launches_.find(l);
      if (all == launches_.end()) continue;
      const auto after = std::upper_bound(all->second.begin(), all->second.end(), until,
                                          [](Time t, const Launch& x) { return t < x.time; });
      if (after == all->second.begin()) continue;
      if (!last || std::prev(after)->time > last->time) last = *std::prev(after);
    }
    return last;
  }

  const Definitions& definitions_;
  std::map<LocationId, std::vector<Kernel>> kernels_;
  std::map<LocationId, std::vector<Launch>> launches_;
};

}  // namespace

// It waits until the last kernel has ended that it waits for. Copies are no activities of a stream, and have no point.
void DevicePoints::add(const DeviceWait& w) {
  const auto last =
      std::find_if(w.parts.rbegin(), w.parts.rend(), [](const DeviceWait::ActivityWait& p) { return !p.copy; });
  if (last == w.parts.rend() || !last->callpath.valid()) return;
  Call kernel;
  kernel.location = last->stream, kernel.callpath = last->callpath, kernel.exit = last->end;
  has_points_ = to_.wanted.all_waits;
  add_release(to_, PointKind::device, w.call, w.call.exit, ticks_from(w.call.enter, last->end), kernel, last->end);
}

void DevicePoints::finish() {
  if (!has_points_) return;
  Launches launches(to_.work, to_.definitions);
  if (!launches.any()) return;
  std::vector<Launches::Launched> found;
  to_.points.chunks_back(0, to_.locations(), [&](PointId first, PointId end) {
    for (PointId id = end; id.number-- > first.number;) {
      const Point p = to_.points.at(id);
      if (p.kind != PointKind::device || p.wait <= 0 || p.culprit == no_point) continue;
      const Point kernel = to_.points.at(p.culprit);
      if (launches.lead_back(kernel.location, kernel.enter, to_.definitions[p.location].process, found))
        to_.points.change(id, [](Point& own) { own.leads_back = true; });
    }
  });
  AddedPoints added(to_);
  for (const Launches::Launched& k : found) {
    Call launch, of_kernel;
    launch.location = k.by.location, launch.callpath = k.by.callpath, launch.enter = launch.exit = k.by.time;
    launch.number = k.by.number;
    of_kernel.location = k.stream, of_kernel.callpath = k.callpath, of_kernel.enter = of_kernel.exit = k.begin;
    Point p = make_point(PointKind::launch, launch, launch.enter, 0, 0);
    p.met = k.stream;
    const PointId by = added.add(p);
    p = make_point(PointKind::launch, of_kernel, of_kernel.enter, 0, 0);
    p.met = k.by.location;
    p.culprit = by;
    added.add(p);
  }
  added.put_in_order();
}

}  // namespace waitstate::causes
