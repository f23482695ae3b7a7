#include "access/dependencies/steps/locks.hpp"

#include <algorithm>
#include <map>
#include <tuple>
#include <vector>

namespace waitstate::access {

namespace {

class LockStep : public DependencyStep {
 public:
  using DependencyStep::DependencyStep;

  // A thread that acquires a lock waits for the release with the number before its own; where numbers begin anew, so
  // that there are several such releases, for the last one until then.
  void run() {
    std::map<std::tuple<ProcessId, std::uint64_t, std::uint64_t>, std::vector<const Record*>> releases;
    for (const EventType type : {EventType::thread_release_lock, EventType::thread_acquire_lock})
      for (const auto& [pos, r] : parts_.records) {
        const Event& e = r.event;  // attributes: paradigm, lock, order
        if (e.type != type) continue;
        const ProcessId process = parts_.process_of(e.loc);
        if (type == EventType::thread_release_lock) {
          releases[{process, e.attributes[1], e.attributes[2]}].push_back(&r);
          continue;
        }
        const auto before = releases.find({process, e.attributes[1], e.attributes[2] - 1});
        if (before == releases.end()) continue;
        const std::vector<const Record*>& all = before->second;  // in order
        const auto after =
            std::partition_point(all.begin(), all.end(), [&, at = pos](const Record* x) { return x->event.pos < at; });
        const Record& release = after == all.begin() ? *all.front() : **std::prev(after);
        if (release.event.loc != e.loc) add_lock(release, r);
      }
  }

 private:
  void add_lock(const Record& release, const Record& acquire) {
    const Call& asking = parts_.calls[acquire.call];
    const Time released = release.event.time, acquired = acquire.event.time;
    const Ticks wait = DependencyParts::ticks(asking.enter, std::min(released, acquired));
    if (wait <= 0) return;
    // A thread waits until it has the lock.
    parts_.add_released(PointKind::lock, wait, release,
                        {VertexKind::completion, acquire.call, acquired, acquire.event.pos}, acquired);
  }
};

}  // namespace

void add_locks(DependencyParts& parts) { LockStep(parts).run(); }

}  // namespace waitstate::access
