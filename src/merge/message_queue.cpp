#include "merge/message_queue.hpp"

#include <algorithm>
#include <span>
#include <type_traits>

namespace waitstate::merge {

void MessageQueue::sent(Position send, LocationId source, LocationId target) {
  const std::size_t index = index_of(target);
  Target& t = targets_[index];
  if (t.sends++ == 0) {
    t.in_use = in_use_.size();
    in_use_.push_back(index);
  }
  if (t.runs.empty() || t.runs.back().in_file != 0 || t.runs.back().sends.size() == most_in_run) t.runs.emplace_back();
  Run& run = t.runs.back();
  run.sends.push_back({send, source});
  run.last = send;
  if (++in_memory_ >= next_at_) spill();
}

void MessageQueue::received(Position send, LocationId target) {
  Target& t = targets_[index_of(target)];
  const auto run = std::lower_bound(t.runs.begin(), t.runs.end(), send,
                                    [](const Run& r, Position position) { return r.last < position; });
  if (run->in_file != 0) bring_back(*run);
  run->sends.erase_in_order({send, {}});
  --in_memory_;
  if (--t.sends == 0) {
    in_use_[t.in_use] = in_use_.back();
    targets_[in_use_.back()].in_use = t.in_use;
    in_use_.pop_back();
  }
  tidy_up(t.runs, static_cast<std::size_t>(run - t.runs.begin()));
}

void MessageQueue::bring_back(Run& run) {
  scratch_.resize(run.in_file);
  file_.take(run.place, std::as_writable_bytes(std::span(scratch_)));
  run.sends.append(scratch_);
  in_memory_ += run.in_file;
  run.in_file = 0;
}

// Removes an empty run, unless it is the only one; joins a run with its neighbour if both are in memory and together at
// most half a run: so runs in memory are at least a quarter full on average.
void MessageQueue::tidy_up(std::vector<Run>& runs, std::size_t at) {
  if (runs.size() == 1 || runs[at].sends.size() > most_in_run / 2) return;
  const auto run = runs.begin() + static_cast<std::ptrdiff_t>(at);
  if (run->sends.empty()) {
    runs.erase(run);
    return;
  }
  const auto joined = [](Run& a, const Run& b) {
    if (a.in_file != 0 || b.in_file != 0 || a.sends.size() + b.sends.size() > most_in_run / 2) return false;
    a.sends.append(std::span(b.sends.begin(), b.sends.end()));
    a.last = b.last;
    return true;
  };
  if (run + 1 != runs.end() && joined(*run, *(run + 1)))
    runs.erase(run + 1);
  else if (at != 0 && joined(*(run - 1), *run))
    runs.erase(run);
}

// The first run of each target stays: it has the send that is received next.
void MessageQueue::spill() {
  static_assert(std::is_trivially_copyable_v<Send>);
  for (const std::size_t index : in_use_) {
    std::vector<Run>& runs = targets_[index].runs;
    for (std::size_t i = 1; i < runs.size(); ++i) {
      Run& run = runs[i];
      if (run.in_file != 0 || run.sends.size() < fewest_in_file) continue;
      const auto place = file_.put(std::as_bytes(std::span(run.sends.begin(), run.sends.end())));
      if (!place) break;
      run.place = *place;
      run.in_file = run.sends.size();
      in_memory_ -= run.in_file;
      run.sends = {};
    }
  }
  next_at_ = std::max(most_in_memory_, 2 * in_memory_);
}

std::vector<Position> MessageQueue::sends(std::optional<LocationId> source, std::optional<LocationId> target) const {
  std::vector<Position> result;
  if (target) {
    if (const std::size_t index = index_of(*target); index < targets_.size() - 1 || !target->valid())
      collect(targets_[index], source, result);
    return result;
  }
  for (const std::size_t index : in_use_) collect(targets_[index], source, result);
  if (in_use_.size() > 1) std::sort(result.begin(), result.end());
  return result;
}

void MessageQueue::collect(const Target& target, std::optional<LocationId> source,
                           std::vector<Position>& result) const {
  if (target.sends == 0) return;
  if (!source) result.reserve(result.size() + target.sends);
  const auto add = [&](std::span<const Send> sends) {
    for (const Send& s : sends)
      if (!source || s.source == *source) result.push_back(s.position);
  };
  for (const Run& run : target.runs) {
    if (run.in_file == 0) {
      add(std::span(run.sends.begin(), run.sends.end()));
    } else {
      scratch_.resize(run.in_file);
      file_.read(run.place, std::as_writable_bytes(std::span(scratch_)));
      add(scratch_);
    }
  }
}

}  // namespace waitstate::merge
