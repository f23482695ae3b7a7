#include "analysis/conclusions/canonical_numbers.hpp"

#include <algorithm>
#include <utility>

namespace waitstate::analysis {

namespace {

class Numbers {
 public:
  explicit Numbers(const std::vector<CallPathId>& order) : new_(order.size()) {
    for (std::size_t i = 0; i < order.size(); ++i) new_[order[i].index()] = CallPathId{i};
  }

  void renumber(CallPathId& id) const {
    if (id.valid()) id = new_[id.index()];
  }
  void renumber(Wait& w) const { renumber(w.callpath), renumber(w.culprit_callpath); }
  void renumber(WaitChain& chain) const {
    for (ChainStep& s : chain.steps) renumber(s.callpath);
    for (ChainCause& c : chain.causes) renumber(c.callpath);
    renumber(chain.root);
  }
  void renumber(SevereInstance& i) const {
    renumber(i.longest);
    renumber(i.culprit_wait.callpath);
    for (Wait& w : i.members) renumber(w);
    if (i.chain) renumber(*i.chain);
  }
  void renumber(WaitSummary& summary) const {
    auto causes = summary.causes.extract_sequence();
    for (auto& [place, pair] : causes) renumber(place.first);
    std::sort(causes.begin(), causes.end(), [](const auto& a, const auto& b) { return a.first < b.first; });
    summary.causes.adopt_sequence(boost::container::ordered_unique_range, std::move(causes));
    std::map<CallPathId, std::vector<SevereInstance>> severe;
    for (auto& [callpath, instances] : summary.severe) {
      CallPathId id = callpath;
      renumber(id);
      for (SevereInstance& i : instances) renumber(i);
      severe[id] = std::move(instances);
    }
    summary.severe = std::move(severe);
    for (CallPathWaits& w : summary.by_callpath) renumber(w.callpath);
  }
  void renumber(CriticalPath& path) const {
    for (CriticalSegment& s : path.segments) renumber(s.callpath), renumber(s.waited_in);
  }
  void renumber(Phases& phases) const {
    for (Phases::Phase& phase : phases.phases)
      for (auto& [metric, places] : phase.places)
        for (auto& [callpath, ticks] : places.callpaths) renumber(callpath);
  }
  void renumber(Counter& counter) const {
    for (CounterRow& row : counter.rows) renumber(row.callpath);
    std::sort(counter.rows.begin(), counter.rows.end(), [](const CounterRow& a, const CounterRow& b) {
      return std::pair{a.callpath, a.location} < std::pair{b.callpath, b.location};
    });
  }
  void renumber(Severities& severities) const { severities.renumber(new_); }

 private:
  std::vector<CallPathId> new_;  ///< by number so far
};

}  // namespace

void number_depth_first(AnalysisResult& r) {
  const std::vector<CallPathId> order = r.call_tree.depth_first();
  if (std::is_sorted(order.begin(), order.end())) return;
  const Numbers numbers(order);
  r.call_tree = r.call_tree.in_order(order);
  numbers.renumber(r.severities);
  for (auto& [metric, summary] : r.waits) numbers.renumber(summary);
  for (LocationSummary& l : r.locations) numbers.renumber(l.last_callpath);
  for (OpenCall& c : r.open_calls) numbers.renumber(c.callpath);
  for (Counter& c : r.counters) numbers.renumber(c);
  if (r.phases) numbers.renumber(*r.phases);
  if (r.critical_path) numbers.renumber(*r.critical_path);
}

}  // namespace waitstate::analysis
