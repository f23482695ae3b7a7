#include "link/rma/progress_gaps.hpp"

#include <algorithm>
#include <utility>

namespace waitstate::link {

namespace {
// The first of the calls that was entered after `t`.
const Call* entered_after(const util::FrontQueue<Call>& calls, Time t) {
  return std::upper_bound(calls.begin(), calls.end(), t, [](Time time, const Call& c) { return time < c.enter; });
}
}  // namespace

void ProgressGaps::read(LocationId l, std::span<const Call> enters, std::span<const Time> exits) {
  if (enters.empty() && exits.empty()) return;
  auto& [calls, left, known] = library_[l.index()];
  if (!std::exchange(known, true)) known_.push_back(l);
  calls.append(enters);
  for (const Time t : exits)
    if (left < calls.size()) calls[left++].exit = t;
}

void ProgressGaps::forget_before(Time t, Time exit) {
  for (const LocationId l : known_) {
    LocationState& of = library_[l.index()];
    Library& calls = of.calls;
    const auto is_beyond_count = [&] {
      return calls.end() - calls.begin() > most_counted && (calls.begin() + most_counted)->enter < exit;
    };
    while (of.left != 0 && (calls.front().exit < t || is_beyond_count())) {
      calls.pop_front();
      --of.left;
    }
  }
}

ProgressGaps::During ProgressGaps::during(LocationId l) const {
  const Library& library = library_[l.index()].calls;
  const Call *const begin = entered_after(library, from_), *const end = entered_after(library, exit_);
  if (end - begin < most_counted) return {begin, std::max(begin, end), false};
  return {end - most_counted, end, true};
}

void ProgressGaps::begin(Time from, Time exit) {
  from_ = from;
  exit_ = exit;
  gaps_.clear();
}

// All of its gaps if the target was in MPI when the call was left, and so had to come for the last of them; else the
// first one, if it was outside at `from_`.
void ProgressGaps::add_target(ProcessId target) {
  // Time stamps of a damaged trace may run backwards: neither the call nor the library's calls need be in order.
  if (from_ >= exit_) return;
  bool in_mpi_at_end = false;
  const Call* next = nullptr;  // entered first behind `from_`
  bool outside = true;         // at `from_`
  for (const LocationId t : definitions_[target].locations) {
    const auto [after, end, cut] = during(t);
    const bool has_before = after != library_[t.index()].calls.begin();
    if (cut || (has_before && ((after - 1)->exit > from_ || (after - 1)->enter == from_))) outside = false;
    if (!(after < end)) continue;  // not entered in the call
    if (next == nullptr || after->enter < next->enter) next = after;
    in_mpi_at_end |= (end - 1)->exit >= exit_;
  }
  if (next == nullptr) return;
  if (in_mpi_at_end)
    add_all(target);
  else if (outside)
    gaps_.push_back({from_, next->enter, next});
}

void ProgressGaps::add_all(ProcessId target) {
  inside_.clear();
  Time covered = from_;
  for (const LocationId t : definitions_[target].locations) {
    auto [c, end, cut] = during(t);
    if (cut)
      covered = std::max(covered, c->enter);
    else if (c != library_[t.index()].calls.begin())
      --c;
    for (; c < end; ++c) inside_.push_back(c);
  }
  if (definitions_[target].locations.size() > 1)
    std::sort(inside_.begin(), inside_.end(), [](const Call* a, const Call* b) {
      if (a->enter != b->enter) return a->enter < b->enter;
      return a->location != b->location ? a->location < b->location : a < b;  // one that lasted no time comes first
    });
  for (const Call* c : inside_) {
    if (c->enter > covered) gaps_.push_back({covered, c->enter, c});
    covered = std::max(covered, c->exit);
  }
}

}  // namespace waitstate::link
