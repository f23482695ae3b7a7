#include "analysis/metrics/wait_statistics.hpp"

#include <algorithm>
#include <tuple>
#include <utility>

#include "util/radix_sort.hpp"

namespace waitstate::analysis {

namespace {

constexpr std::size_t most_chains = 50;  ///< for one metric

bool longer(const Wait& a, const Wait& b) {
  if (a.ticks != b.ticks) return a.ticks > b.ticks;
  return std::tie(a.location, a.begin) < std::tie(b.location, b.begin);
}

}  // namespace

void WaitRecorder::add(Pairs& table, const Pair& key, const WaitPair& waits) {
  table.prefetch(key);
  Pending& oldest = pending_[next_pending_++ % pending_.size()];
  add_up(oldest);
  oldest = {&table, key, waits};
}

void WaitRecorder::add_up(Pairs& table, const Pair& key, const WaitPair& waits) {
  WaitPair& pair = table.find_or_insert(key);
  pair.count += waits.count;
  pair.ticks = add_ticks(pair.ticks, static_cast<std::uint64_t>(waits.ticks));
}

void WaitRecorder::add_up(Pending& p) {
  if (p.table == nullptr) return;
  add_up(*p.table, p.key, p.waits);
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
    keep_single(metric, w);
    if (sink_ != nullptr) tell(metric, w, 0, 1);
    return;
  }
  if (causes_ != nullptr || sink_ != nullptr) operation_.push_back({metric, w});
  for (Gathered& g : gathered_)
    if (g.metric == metric && g.instance.longest.callpath == w.callpath) {
      g.instance.total = add_ticks(g.instance.total, static_cast<std::uint64_t>(w.ticks));
      if (g.latest != w.location) ++g.instance.waiters;  // one waiter may have several, one after the other
      g.latest = w.location;
      if (longer(w, g.instance.longest)) g.instance.longest = w;
      return;
    }
  gathered_.push_back({metric, {w, w.ticks, 1}, w.location});
}

void WaitRecorder::close() {
  open_ = aggregated_ = false;
  for (const Gathered& g : gathered_) keep_operation(g);
  if (sink_ != nullptr && !operation_.empty()) tell_operation();
  gathered_.clear();
  operation_.clear();
}

void WaitRecorder::tell(MetricIndex metric, const Wait& w, std::uint64_t operation, std::uint32_t waiters) {
  WaitCause cause;
  const bool known = causes_ != nullptr && causes_->find(w, cause);
  sink_->add(metric, w, operation, waiters, known ? &cause : nullptr);
}

void WaitRecorder::tell_operation() {
  // The number follows from the waits themselves, so that it does not depend on how much was read at a time.
  const Wait* first = &operation_.front().wait;
  for (const OperationWait& o : operation_)
    if (std::tie(o.wait.begin, o.wait.location) < std::tie(first->begin, first->location)) first = &o.wait;
  const std::uint64_t number =
      operation_.size() == 1 ? 0 : util::mixed(first->begin ^ util::mixed(first->location.value)) >> 24 | 1;
  for (const OperationWait& o : operation_)
    for (const Gathered& g : gathered_)
      if (g.metric == o.metric && g.instance.longest.callpath == o.wait.callpath)
        tell(o.metric, o.wait, number, g.instance.waiters);
}

// Whether `a` comes before `b`: the one with the larger total, of equal ones the earlier.
bool WaitRecorder::more_severe(const Instance& a, const Instance& b) {
  if (a.total != b.total) return a.total > b.total;
  const auto earlier = [](const Wait& w) { return std::tie(w.begin, w.location, w.culprit, w.ticks, w.enter, w.exit); };
  return earlier(a.longest) < earlier(b.longest);
}

bool WaitRecorder::insert(Severe& s, const Instance& instance) {
  std::uint32_t details = no_details;
  if (s.count == s.worst.size()) {
    if (!more_severe(instance, s.worst.back())) return false;
    details = s.worst.back().details;  // the details of the instance that is dropped
  } else {
    ++s.count;
  }
  s.worst[s.count - 1] = instance;
  if (causes_ != nullptr) {
    if (details == no_details) {
      details = static_cast<std::uint32_t>(details_.size());
      details_.emplace_back();
    }
    s.worst[s.count - 1].details = newest_details_ = details;
  }
  for (std::size_t i = s.count - 1; i > 0 && more_severe(s.worst[i], s.worst[i - 1]); --i)
    std::swap(s.worst[i], s.worst[i - 1]);
  return true;
}

bool WaitRecorder::keep_severe(Severe& s, const Instance& instance) {
  if (!insert(s, instance)) return false;
  if (causes_ == nullptr) return true;
  Details& d = details_[newest_details_];
  d.members.clear();
  d.members_left_out = 0;
  WaitCause cause;
  d.cause = causes_->find(instance.longest, cause) ? std::optional(cause) : std::nullopt;
  return true;
}

WaitStatisticsByPath& WaitRecorder::book_of(Severe& s) {
  if (s.book == no_details) {
    s.book = static_cast<std::uint32_t>(callpath_books_.size());
    callpath_books_.emplace_back();
  }
  return callpath_books_[s.book];
}

void WaitRecorder::keep_single(MetricIndex metric, const Wait& w) {
  Severe& s = severe_of(metric, w.callpath);
  keep_severe(s, {w, w.ticks, 1, no_details});
  if (causes_ != nullptr) book_of(s).add(w.ticks);
}

void WaitRecorder::keep_operation(const Gathered& g) {
  Severe& s = severe_of(g.metric, g.instance.longest.callpath);
  const bool kept = keep_severe(s, g.instance);
  if (causes_ == nullptr) return;
  WaitStatisticsByPath& book = book_of(s);
  std::vector<Wait>* members = kept ? &details_[newest_details_].members : nullptr;
  for (const OperationWait& o : operation_) {
    if (o.metric != g.metric || o.wait.callpath != g.instance.longest.callpath) continue;
    book.add(o.wait.ticks);
    if (members != nullptr) members->push_back(o.wait);
  }
  if (members == nullptr) return;
  if (members->size() < 2) return members->clear();
  std::sort(members->begin(), members->end(), longer);
  if (members->size() > SevereInstance::max_members) {
    details_[newest_details_].members_left_out = members->size() - SevereInstance::max_members;
    members->resize(SevereInstance::max_members);
  }
}

void WaitRecorder::end_adding() {
  for (Pending& p : pending_) add_up(p);
  add_up(cause_);
}

void WaitRecorder::merge(WaitRecorder& other) {
  other.end_adding();
  for (MetricIndex m = 0; m < metrics_.size(); ++m) merge_pairs(other, m);
  merge_severe(other), merge_log(other);
}

void WaitRecorder::merge_pairs(WaitRecorder& other, MetricIndex metric) {
  OfMetric &mine = metrics_[metric], &theirs = other.metrics_[metric];
  theirs.pairs.for_each([&](const Pair& key, const WaitPair& w) { add_up(mine.pairs, key, w); });
  theirs.causes.for_each([&](const Pair& key, const WaitPair& w) { add_up(mine.causes, key, w); });
}

void WaitRecorder::merge_severe(WaitRecorder& other) {
  for (MetricIndex m = 0; m < metrics_.size(); ++m) {
    metrics_[m].statistics.merge(other.metrics_[m].statistics);
    other.metrics_[m].severe.for_each(
        [&](const Pair& key, const Severe& v) { merge(severe_of(m, CallPathId{key.first}), v, other); });
  }
}

void WaitRecorder::merge(Severe& mine, const Severe& theirs, WaitRecorder& other) {
  for (std::uint32_t i = 0; i < theirs.count; ++i) {
    Instance instance = theirs.worst[i];
    const std::uint32_t details = std::exchange(instance.details, no_details);
    if (insert(mine, instance) && details != no_details) details_[newest_details_] = std::move(other.details_[details]);
  }
  if (theirs.book != no_details) book_of(mine).merge(other.callpath_books_[theirs.book]);
}

void WaitRecorder::find_chains(const causes::Engine& engine) {
  std::vector<Wait> waits;
  std::vector<ChainKey> keys;
  for (MetricIndex m = 0; m < metrics_.size(); ++m) {
    std::vector<Instance> worst;
    metrics_[m].severe.for_each([&](const Pair&, const Severe& v) {
      for (std::size_t i = 0; i < v.count; ++i)
        if (v.worst[i].longest.ticks > 0) worst.push_back(v.worst[i]);
    });
    const std::size_t n = std::min(worst.size(), most_chains);
    std::partial_sort(worst.begin(), worst.begin() + static_cast<std::ptrdiff_t>(n), worst.end(), more_severe);
    for (std::size_t i = 0; i < n; ++i) {
      waits.push_back(worst[i].longest);
      keys.push_back(chain_key(m, worst[i].longest));
    }
  }
  std::vector<WaitChain> found = engine.chains(waits);
  for (std::size_t i = 0; i < found.size(); ++i)
    if (!found[i].steps.empty()) chains_.insert_or_assign(keys[i], std::move(found[i]));
}

SevereInstance WaitRecorder::finished(MetricIndex metric, const Instance& instance) {
  SevereInstance made{.longest = instance.longest, .total = instance.total, .waiters = instance.waiters};
  if (const auto chain = chains_.find(chain_key(metric, instance.longest)); chain != chains_.end())
    made.chain = chain->second;
  if (instance.details == no_details) return made;
  Details& d = details_[instance.details];
  made.members = std::move(d.members);
  made.members_left_out = d.members_left_out;
  made.cause = d.cause;
  return made;
}

void WaitRecorder::finish_callpaths(OfMetric& of_metric, WaitSummary& summary) const {
  std::vector<CallPathWaits>& all = summary.by_callpath;
  of_metric.severe.for_each([&](const Pair& k, const Severe& v) {
    if (v.book != no_details) all.push_back({CallPathId{k.first}, callpath_books_[v.book].result()});
  });
}

// Sorts by digits of the numbers, which are small: there may be hundreds of thousands.
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

std::map<MetricIndex, WaitSummary> WaitRecorder::summaries(const CallPathOrder& order, std::size_t threads) {
  end_adding();
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
      std::vector<SevereInstance>& severe = s.severe[CallPathId{k.first}];
      for (std::size_t i = 0; i < v.count; ++i) severe.push_back(finished(m, v.worst[i]));
    });
    if (causes_ == nullptr) continue;
    s.histogram = of_metric.statistics.classes();
    finish_callpaths(of_metric, s);
  }
  look_up_culprits(result, order, threads);
  if (sink_ != nullptr) sink_->end(std::move(log_), order);
  return result;
}

void WaitRecorder::look_up_culprits(std::map<MetricIndex, WaitSummary>& summaries, const CallPathOrder& order,
                                    std::size_t threads) const {
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
  const std::vector<CulpritWait> waited = log_->waited_in(windows, order, threads);
  for (std::size_t i = 0; i < caused.size(); ++i) caused[i]->culprit_wait = waited[i];
}

}  // namespace waitstate::analysis
