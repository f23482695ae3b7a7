#include "analysis/queues/queue_sweep.hpp"

#include <algorithm>
#include <limits>
#include <utility>

namespace waitstate::analysis {

// --- positions -------------------------------------------------------------------------------------------------------

void PositionList::push_back(std::uint64_t number) {
  if (size_ == 0) numbers_.clear(), counts_.clear(), there_.clear();
  if (numbers_.size() >= 64 && numbers_.size() >= 2 * size_) rebuild();
  numbers_.push_back(number);
  there_.push_back(true);
  ++size_;
  // The sum of a place in the tree: its own count and those of the places below it.
  const std::size_t place = numbers_.size();
  std::uint32_t sum = 1;
  for (std::size_t below = place - 1, end = place - (place & (~place + 1)); below > end; below -= below & (~below + 1))
    sum += counts_[below - 1];
  counts_.push_back(sum);
}

std::uint64_t PositionList::remove(std::uint64_t number) {
  const auto found = std::lower_bound(numbers_.begin(), numbers_.end(), number);
  const auto place = static_cast<std::size_t>(found - numbers_.begin()) + 1;
  std::uint64_t position = 0;
  for (std::size_t i = place; i != 0; i -= i & (~i + 1)) position += counts_[i - 1];
  for (std::size_t i = place; i <= counts_.size(); i += i & (~i + 1)) --counts_[i - 1];
  there_[place - 1] = false;
  --size_;
  return position;
}

void PositionList::rebuild() {
  std::vector<std::uint64_t> kept;
  for (std::size_t i = 0; i < numbers_.size(); ++i)
    if (there_[i]) kept.push_back(numbers_[i]);
  numbers_.swap(kept);
  there_.assign(numbers_.size(), true);
  counts_.resize(numbers_.size());
  for (std::size_t i = 1; i <= counts_.size(); ++i) counts_[i - 1] = static_cast<std::uint32_t>(i & (~i + 1));
}

// --- a queue ---------------------------------------------------------------------------------------------------------

namespace {

constexpr Ticks most_ticks = std::numeric_limits<Ticks>::max();

/// Damaged time stamps may lie further apart than Ticks can express: then the result is the largest value.
Ticks ticks_of(std::uint64_t number) {
  return number > static_cast<std::uint64_t>(most_ticks) ? most_ticks : static_cast<Ticks>(number);
}
/// Adds numbers that are not negative.
Ticks sum_of(Ticks a, Ticks b) { return a > most_ticks - b ? most_ticks : a + b; }

}  // namespace

void QueueModel::Count::enter(Time t) {
  if (length++ == 0) since = t;
  ++profile.entered;
  profile.greatest_length = std::max(profile.greatest_length, length);
}

void QueueModel::Count::leave(Time entered, Time t) {
  const Ticks ticks = ticks_of(t - entered);
  profile.least = profile.greatest == 0 ? ticks : std::min(profile.least, ticks);
  profile.greatest = std::max(profile.greatest, ticks);
  profile.total = sum_of(profile.total, ticks);
  if (--length == 0) profile.populated = sum_of(profile.populated, ticks_of(t - since));
}

void QueueModel::add(const QueueEntry& entry, Time entered, Time left, bool remains) {
  leave_until(entered);
  length_was(all_, entered);
  std::uint32_t comm = none, source = none;
  if (entry.comm.valid()) {
    std::uint32_t& known = comm_index_.find_or_insert({entry.comm.value, 0});
    if (known == 0) {
      comms_.push_back({entry.comm, {}, {}});
      known = static_cast<std::uint32_t>(comms_.size());
    }
    comm = known - 1;
    std::uint32_t& known_source = source_index_.find_or_insert({entry.comm.value, entry.sender});
    if (known_source == 0) {
      sources_.emplace_back();
      known_source = static_cast<std::uint32_t>(sources_.size());
    }
    source = known_source - 1;
    length_was(comms_[comm].count, entered);
    comms_[comm].count.enter(entered);
    comms_[comm].list.push_back(number_);
    sources_[source].push_back(number_);
  }
  all_.enter(entered);
  const std::uint32_t order = entry.posted > entry.sent ? entry.order : 0;
  const Inside inside{entered, left, order, number_++, comm, source, entry.path, entry.location, remains};
  if (first_ == QueueValue::posted_length) charge_length(inside);
  inside_.push(inside);
}

void QueueModel::charge_length(const Inside& i) {
  if (places_ == nullptr || !i.path.valid() || i.remains) return;
  std::int64_t& length = charged(i, 0);
  length = std::max(length, static_cast<std::int64_t>(all_.length));
}

// Charges an entry that leaves while it is still in the queue.
void QueueModel::charge(const Inside& i, std::uint64_t place, std::uint64_t of_source) {
  if (places_ == nullptr || !i.path.valid()) return;
  if (first_ == QueueValue::unexpected_length) charge_length(i);
  const Ticks stay = ticks_of(i.left - i.entered);
  std::int64_t& longest = charged(i, 1);
  longest = std::max(longest, stay);
  std::int64_t& shortest = charged(i, 5);
  shortest = shortest == 0 ? stay : std::min(shortest, stay);
  const auto add = [&](std::size_t value, std::uint64_t more) {
    charged(i, value) = sum_of(charged(i, value), ticks_of(more));
  };
  if (all_.length == 1) add(2, i.left - all_.since);
  add(3, place);
  add(4, of_source);
}

void QueueModel::leave_until(Time t) {
  while (!inside_.empty() && inside_.top().left <= t) {
    leave(inside_.top());
    inside_.pop();
  }
}

void QueueModel::leave(const Inside& i) {
  length_was(all_, i.left);
  std::uint64_t place = 0, of_source = 0;
  if (i.comm != none) place = comms_[i.comm].list.remove(i.number), of_source = sources_[i.source].remove(i.number);
  if (!i.remains) charge(i, place, of_source);
  all_.leave(i.entered, i.left);
  all_.profile.remaining += i.remains;
  if (i.comm == none) return;
  Comm& comm = comms_[i.comm];
  length_was(comm.count, i.left);
  comm.count.leave(i.entered, i.left);
  comm.count.profile.remaining += i.remains;
  if (i.remains) return;
  for (QueueProfile* const p : {&all_.profile, &comm.count.profile}) {
    p->search_total += place;
    p->search_greatest = std::max(p->search_greatest, place);
    p->source_total += of_source;
    p->source_greatest = std::max(p->source_greatest, of_source);
  }
}

void QueueModel::length_was(Count& count, Time until) {
  if (count.parts.empty()) count.parts.resize(MessageQueues::part_count);
  if (count.length != 0)
    parts_.during(count.changed, until, [&](std::size_t part, Time ticks) {
      const auto add = [&](QueueInPart& sum) {
        sum.greatest = std::max(sum.greatest, count.length);
        sum.ticks += static_cast<decltype(sum.ticks)>(ticks) * count.length;
      };
      add(count.parts[part]);
      if (&count == &all_) add(sums_[part]);
    });
  count.changed = until;
}

void QueueModel::take(QueueRow& row, QueueProfile QueueRow::*member, const Count& count) const {
  row.*member = count.profile;
  if (count.profile.entered == 0) return;
  row.parts.resize(MessageQueues::part_count);
  for (std::size_t i = 0; i < row.parts.size(); ++i) {
    row.parts[i].*greatest_ = count.parts[i].greatest;
    row.parts[i].*mean_ = count.parts[i].mean(parts_.duration(i));
  }
}

void QueueModel::add_sums(std::vector<QueuePart>& parts) const {
  for (std::size_t i = 0; i < parts.size(); ++i) {
    parts[i].*greatest_ = sums_[i].greatest;
    parts[i].*mean_ = sums_[i].mean(parts_.duration(i));
  }
}

void QueueModel::finish(std::vector<QueueRow>& rows, QueueProfile QueueRow::*member) {
  leave_until(~Time{0});
  take(rows.front(), member, all_);
  for (const Comm& comm : comms_) {
    auto row = std::find_if(rows.begin(), rows.end(), [&](const QueueRow& r) { return r.comm == comm.id; });
    if (row == rows.end()) row = rows.insert(row, QueueRow{rows.front().process, comm.id, {}, {}});
    take(*row, member, comm.count);
  }
  all_ = {};
  number_ = 0;
  comm_index_ = {};
  source_index_ = {};
  comms_.clear();
  sources_.clear();
}

// --- all of them -----------------------------------------------------------------------------------------------------

QueueSweep::QueueSweep(Time from, Time to, QueuePlaces* places)
    : from_(from),
      to_(to),
      parts_(from, to),
      posted_(parts_, &QueuePart::posted_greatest, &QueuePart::posted_mean, QueueValue::posted_length, places),
      unexpected_(parts_, &QueuePart::unexpected_greatest, &QueuePart::unexpected_mean, QueueValue::unexpected_length,
                  places) {}

void QueueSweep::add(const QueueEntry& entry) {
  const ProcessId process{entry.process};
  if (process != process_) finish_process();
  process_ = process;
  const bool remains = entry.left() == QueueEntry::never;
  const Time entered = entry.entered(), left = remains ? std::max(to_, entered) : entry.left();
  (entry.posted < entry.sent ? posted_ : unexpected_).add(entry, entered, left, remains);
}

void QueueSweep::finish_process() {
  if (!process_.valid()) return;
  std::vector<QueueRow> rows{{process_, CommId::none(), {}, {}}};
  posted_.finish(rows, &QueueRow::posted);
  unexpected_.finish(rows, &QueueRow::unexpected);
  std::sort(rows.begin() + 1, rows.end(), [](const QueueRow& a, const QueueRow& b) { return a.comm < b.comm; });
  for (QueueRow& row : rows) {
    if (from_ >= to_) row.parts.clear();
    if (!row.parts.empty()) with_parts_.push_back(result_.rows.size());
    result_.rows.push_back(std::move(row));
  }
  if (with_parts_.size() > 4 * MessageQueues::most_with_parts) drop_parts_of_short_ones();
}

void QueueSweep::drop_parts_of_short_ones() {
  if (with_parts_.size() <= MessageQueues::most_with_parts) return;
  const auto longest = [&](std::size_t row) {
    return std::max(result_.rows[row].posted.greatest_length, result_.rows[row].unexpected.greatest_length);
  };
  const auto end = with_parts_.begin() + MessageQueues::most_with_parts;
  std::nth_element(with_parts_.begin(), end, with_parts_.end(), [&](std::size_t a, std::size_t b) {
    return longest(a) != longest(b) ? longest(a) > longest(b) : a < b;
  });
  for (auto row = end; row != with_parts_.end(); ++row) result_.rows[*row].parts = {};
  with_parts_.erase(end, with_parts_.end());
}

MessageQueues QueueSweep::finish() {
  finish_process();
  drop_parts_of_short_ones();
  result_.known = true;
  result_.from = from_, result_.to = to_;
  if (from_ < to_) {
    result_.parts.resize(MessageQueues::part_count);
    posted_.add_sums(result_.parts);
    unexpected_.add_sums(result_.parts);
  }
  return std::move(result_);
}

}  // namespace waitstate::analysis
