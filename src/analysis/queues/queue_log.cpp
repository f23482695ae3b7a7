#include "analysis/queues/queue_log.hpp"

#include <algorithm>
#include <queue>
#include <span>
#include <tuple>

#include "analysis/queues/queue_sweep.hpp"

namespace waitstate::analysis {
namespace {

bool comes_before(const QueueEntry& a, const QueueEntry& b) {
  const auto order = [](const QueueEntry& e) {
    const std::uint32_t posted_in_order = e.posted < e.sent ? e.order : 0;
    return std::tuple(e.process, e.entered(), posted_in_order, e.left(), e.posted, e.comm, e.sender, e.path,
                      e.location);
  };
  return order(a) < order(b);
}

}  // namespace

void QueueLog::set_aside() {
  std::sort(entries_.begin(), entries_.end(), comes_before);
  if (const auto place = file_.put(std::as_bytes(std::span(entries_)))) {
    runs_.push_back({*place, entries_.size()});
    entries_.clear();
  } else {
    in_memory_ = entries_.size() * 2;  // no room in the file: the entries stay
  }
}

// Merges the runs: returns the smallest of their first entries, again and again.
class QueueLog::Merge {
 public:
  explicit Merge(const QueueLog& log) : log_(log) {
    for (const SortedRun& run : log.runs_) sources_.push_back({run.place, run.count, {}, 0});
    sources_.push_back({0, 0, log.entries_, 0});
    for (std::size_t i = 0; i < sources_.size(); ++i) offer(i);
  }
  /// The next entry, valid until the next call; null at the end.
  const QueueEntry* next() {
    if (taken_ != none) offer(taken_);
    taken_ = none;
    if (heads_.empty()) return nullptr;
    entry_ = heads_.top().entry;
    taken_ = heads_.top().source;
    heads_.pop();
    return &entry_;
  }

 private:
  static constexpr std::size_t none = ~std::size_t{0}, block_size = 4096;
  struct Source {
    std::uint64_t place;
    std::size_t left;  ///< entries left in the file
    std::vector<QueueEntry> block;
    std::size_t at;
  };
  struct Head {
    QueueEntry entry;
    std::size_t source;
    bool operator<(const Head& other) const {  // the first one is at the top of the heap
      if (comes_before(other.entry, entry)) return true;
      return !comes_before(entry, other.entry) && other.source < source;
    }
  };

  void offer(std::size_t i) {
    Source& s = sources_[i];
    if (s.at == s.block.size() && s.left != 0) {
      s.block.resize(std::min(s.left, block_size));
      const std::span<std::byte> bytes = std::as_writable_bytes(std::span(s.block));
      log_.file_.read(s.place, bytes);
      s.place += bytes.size();
      s.left -= s.block.size();
      s.at = 0;
    }
    if (s.at < s.block.size()) heads_.push({s.block[s.at++], i});
  }

  const QueueLog& log_;
  std::vector<Source> sources_;
  std::priority_queue<Head> heads_;
  QueueEntry entry_;
  std::size_t taken_ = none;
};

void QueueLog::each(const std::function<void(const QueueEntry&)>& visit) const {
  Merge all(*this);
  while (const QueueEntry* const entry = all.next()) visit(*entry);
}

void QueueLog::merge(const QueueLog& other) {
  other.each([&](const QueueEntry& entry) { add(entry); });
}

MessageQueues QueueLog::profile(Time from, Time to, QueuePlaces* places) {
  std::sort(entries_.begin(), entries_.end(), comes_before);
  QueueSweep sweep(from, to, places);
  Merge merge(*this);
  while (const QueueEntry* const entry = merge.next()) sweep.add(*entry);
  return sweep.finish();
}

}  // namespace waitstate::analysis
