#include "analysis/metrics/wait_statistics.hpp"

#include <algorithm>
#include <bit>
#include <cmath>
#include <tuple>

#include "util/radix_sort.hpp"

namespace waitstate::analysis {

namespace {

// Whether a comes before b: the larger total; of equal ones the earlier.
bool more_severe(const SevereInstance& a, const SevereInstance& b) {
  if (a.total != b.total) return a.total > b.total;
  return std::tie(a.longest.begin, a.longest.location, a.longest.culprit, a.longest.ticks) <
         std::tie(b.longest.begin, b.longest.location, b.longest.culprit, b.longest.ticks);
}

bool longer(const Wait& a, const Wait& b) {
  if (a.ticks != b.ticks) return a.ticks > b.ticks;
  return std::tie(a.location, a.begin) < std::tie(b.location, b.begin);
}

}  // namespace

// --- statistics ------------------------------------------------------------------------------------------------------

// Values below 2^bits have a bucket each; above, the leading bits + 1 bits choose it.
std::size_t WaitStatisticsBook::bucket_of(std::uint64_t v) {
  if (v < (std::uint64_t{1} << bits)) return static_cast<std::size_t>(v);
  const unsigned shift = static_cast<unsigned>(std::bit_width(v)) - bits - 1;
  return (std::size_t{shift} << bits) + static_cast<std::size_t>(v >> shift);
}

double WaitStatisticsBook::middle_of(std::size_t bucket) {
  if (bucket < (std::size_t{1} << bits)) return static_cast<double>(bucket);
  const auto shift = static_cast<unsigned>((bucket >> bits) - 1);
  const std::uint64_t low = ((bucket & ((std::size_t{1} << bits) - 1)) | std::uint64_t{1} << bits) << shift;
  return static_cast<double>(low) + (static_cast<double>(std::uint64_t{1} << shift) - 1) / 2;
}

void WaitStatisticsBook::add(Ticks ticks) {
  const auto v = static_cast<std::uint64_t>(ticks);
  ++count_;
  sum_ += v;
  squares_ += static_cast<Wide>(v) * v;
  minimum_ = std::min(minimum_, v);
  maximum_ = std::max(maximum_, v);
  if (buckets_.empty()) {
    values_.push_back(v);
    if (values_.size() <= exact) return;
    buckets_.assign(bucket_of(~std::uint64_t{0}) + 1, 0);
    for (std::uint64_t each : values_) ++buckets_[bucket_of(each)];
    values_ = {};
    return;
  }
  ++buckets_[bucket_of(v)];
}

double WaitStatisticsBook::quantile(double q) const {
  const double position = q * static_cast<double>(count_ - 1);
  const auto below = static_cast<std::uint64_t>(std::floor(position));
  const double part = position - static_cast<double>(below);
  const std::uint64_t above = std::min(below + 1, count_ - 1);
  const auto nth = [&](std::uint64_t n) {
    std::uint64_t seen = 0;
    for (std::size_t b = 0; b < buckets_.size(); ++b)
      if ((seen += buckets_[b]) > n)
        return std::clamp(middle_of(b), static_cast<double>(minimum_), static_cast<double>(maximum_));
    return static_cast<double>(maximum_);
  };
  return nth(below) * (1 - part) + nth(above) * part;
}

WaitStatistics WaitStatisticsBook::result() const {
  WaitStatistics s;
  if (count_ == 0) return s;
  s.count = count_;
  s.sum = static_cast<Ticks>(static_cast<std::uint64_t>(sum_));
  s.minimum = static_cast<Ticks>(minimum_);
  s.maximum = static_cast<Ticks>(maximum_);
  const auto n = static_cast<long double>(count_);
  const auto sum = static_cast<long double>(sum_);
  s.mean = static_cast<double>(sum / n);
  if (count_ > 1) {
    const long double about_mean = static_cast<long double>(squares_) - sum * (sum / n);
    s.variance = static_cast<double>(std::max(about_mean, 0.0L) / (n - 1));
  }
  if (buckets_.empty()) {
    std::vector<std::uint64_t> sorted = values_;
    std::sort(sorted.begin(), sorted.end());
    const auto at = [&](double q) {
      const double position = q * static_cast<double>(sorted.size() - 1);
      const auto below = static_cast<std::size_t>(std::floor(position));
      const std::size_t above = std::min(below + 1, sorted.size() - 1);
      const double part = position - static_cast<double>(below);
      return static_cast<double>(sorted[below]) * (1 - part) + static_cast<double>(sorted[above]) * part;
    };
    s.quartile25 = at(0.25), s.median = at(0.5), s.quartile75 = at(0.75);
  } else {
    s.quartile25 = quantile(0.25), s.median = quantile(0.5), s.quartile75 = quantile(0.75);
    s.quantile_error = 1.0 / 128;
  }
  return s;
}

// --- instances -------------------------------------------------------------------------------------------------------

void WaitRecorder::add(Pairs& table, const Pair& key, const WaitPair& waits) {
  table.prefetch(key);
  Pending& oldest = pending_[next_pending_++ % pending_.size()];
  add_up(oldest);
  oldest = {&table, key, waits};
}

void WaitRecorder::add_up(Pending& p) {
  if (p.table == nullptr) return;
  WaitPair& pair = p.table->find_or_insert(p.key);
  pair.count += p.waits.count;
  pair.ticks = add_ticks(pair.ticks, static_cast<std::uint64_t>(p.waits.ticks));
  p.table = nullptr;
}

void WaitRecorder::add(MetricIndex metric, const Wait& w) {
  OfMetric& of_metric = metrics_[metric];
  of_metric.statistics.add(w.ticks);
  if (w.culprit.valid()) {
    const LocationId waiter = aggregated_ ? LocationId::none() : w.location;
    add(of_metric.pairs, {w.culprit.value, waiter.value}, {1, w.ticks});
    const Pair cause{w.culprit_callpath.value, w.culprit.value};
    if (cause_.table == &of_metric.causes && cause_.key == cause) {
      ++cause_.waits.count;
      cause_.waits.ticks = add_ticks(cause_.waits.ticks, static_cast<std::uint64_t>(w.ticks));
    } else {
      if (cause_.table != nullptr) add(*cause_.table, cause_.key, cause_.waits);
      cause_ = {&of_metric.causes, cause, {1, w.ticks}};
    }
  }
  if (!open_) {
    keep_severe(metric, {w, w.ticks, 1});
    return;
  }
  for (Gathered& g : gathered_)
    if (g.metric == metric && g.instance.longest.callpath == w.callpath) {
      g.instance.total = add_ticks(g.instance.total, static_cast<std::uint64_t>(w.ticks));
      if (g.latest != w.location) ++g.instance.waiters;  // of one waiter there may be several, one after the other
      g.latest = w.location;
      if (longer(w, g.instance.longest)) g.instance.longest = w;
      return;
    }
  gathered_.push_back({metric, {w, w.ticks, 1}, w.location});
}

void WaitRecorder::close() {
  open_ = aggregated_ = false;
  for (const Gathered& g : gathered_) keep_severe(g.metric, g.instance);
  gathered_.clear();
}

void WaitRecorder::keep_severe(MetricIndex metric, const SevereInstance& instance) {
  Severe& s = metrics_[metric].severe.find_or_insert({instance.longest.callpath.value, 0});
  if (s.count == s.worst.size()) {
    if (!more_severe(instance, s.worst.back())) return;
  } else {
    ++s.count;
  }
  s.worst[s.count - 1] = instance;
  for (std::size_t i = s.count - 1; i > 0 && more_severe(s.worst[i], s.worst[i - 1]); --i)
    std::swap(s.worst[i], s.worst[i - 1]);
}

// There may be hundreds of thousands: by digits of the numbers, which are small.
template <class Key>
WaitTable<Key> WaitRecorder::in_order(Pairs& table) {
  using Row = std::pair<Key, WaitPair>;
  std::vector<Row> rows, scratch;
  rows.reserve(table.size());
  table.for_each([&](const Pair& k, const WaitPair& v) {
    rows.emplace_back(Key{typename Key::first_type{k.first}, typename Key::second_type{k.second}}, v);
  });
  util::radix_sort<11>(rows, scratch, [](const Row& row) {
    return std::uint64_t{row.first.first.value} << 32 | row.first.second.value;
  });
  WaitTable<Key> result;
  result.adopt_sequence(boost::container::ordered_unique_range, std::move(rows));
  return result;
}

std::map<MetricIndex, WaitSummary> WaitRecorder::summaries() {
  for (Pending& p : pending_) add_up(p);
  add_up(cause_);
  std::map<MetricIndex, WaitSummary> result;
  for (MetricIndex m = 0; m < metrics_.size(); ++m) {
    OfMetric& of_metric = metrics_[m];
    const WaitStatistics statistics = of_metric.statistics.result();
    if (statistics.count == 0) continue;
    WaitSummary& s = result[m];
    s.statistics = statistics;
    s.pairs = in_order<std::pair<LocationId, LocationId>>(of_metric.pairs);
    s.causes = in_order<std::pair<CallPathId, LocationId>>(of_metric.causes);
    of_metric.severe.for_each([&](const Pair& k, const Severe& v) {
      s.severe[CallPathId{k.first}].assign(v.worst.begin(), v.worst.begin() + static_cast<std::ptrdiff_t>(v.count));
    });
  }
  look_up_culprits(result);
  return result;
}

void WaitRecorder::look_up_culprits(std::map<MetricIndex, WaitSummary>& summaries) const {
  std::vector<SevereInstance*> caused;
  std::vector<WaitLog::Window> windows;
  for (auto& [metric, summary] : summaries)
    for (auto& [callpath, instances] : summary.severe)
      for (SevereInstance& i : instances) {
        const Wait& w = i.longest;
        if (!w.culprit.valid() || w.ticks <= 0) continue;
        caused.push_back(&i);
        windows.push_back({w.culprit, w.begin, w.begin + static_cast<Time>(w.ticks)});
      }
  const std::vector<CulpritWait> waited = log_->waited_in(windows);
  for (std::size_t i = 0; i < caused.size(); ++i) caused[i]->culprit_wait = waited[i];
}

}  // namespace waitstate::analysis
