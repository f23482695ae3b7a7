#include "causes/engine.hpp"

#include <algorithm>
#include <cmath>

#include "causes/chains/chains.hpp"
#include "causes/path/path_costs.hpp"
#include "causes/sweep/sweep.hpp"

namespace waitstate::causes {

std::size_t Engine::default_memory(std::size_t locations) {
  constexpr std::size_t least = std::size_t{2} << 20, per_location = std::size_t{48} << 10,
                        most = std::size_t{256} << 20;
  return std::min(most, least + locations * per_location);
}

namespace {

std::vector<std::unique_ptr<Notes>> notes_of_workers(const Definitions& definitions,
                                                     const std::vector<const CallTree*>& call_trees,
                                                     const link::Homes& homes, link::OwnWorkers own,
                                                     const WantedCauses& wanted, std::size_t bytes_in_memory) {
  std::vector<std::unique_ptr<Notes>> all;
  for (link::WorkerId w = own.first; w < own.last; ++w)
    all.push_back(std::make_unique<Notes>(definitions, *call_trees[w - own.first], wanted,
                                          bytes_in_memory / (own.last - own.first),
                                          homes.workers() > 1 ? &homes : nullptr, w));
  return all;
}

}  // namespace

Engine::Engine(const Definitions& definitions, const std::vector<const CallTree*>& call_trees, const link::Homes& homes,
               link::OwnWorkers own, const MetricTree& metrics, const Severities& severities,
               const WantedCauses& wanted, const Resources& resources)
    : homes_(homes),
      metrics_(metrics),
      severities_(severities),
      threads_(resources.threads),
      always_divides_(resources.always_divides),
      own_(own),
      notes_(notes_of_workers(definitions, call_trees, homes, own, wanted, resources.bytes_in_memory)),
      history_(notes_.front()->recorded) {
  notes_.front()->recorded.stop = resources.stop;
}

void Engine::give(peers::ArchiveWriter& archive) {
  for (link::WorkerId w = own_.first; w < own_.last; ++w) notes_[w - own_.first]->travel(archive, homes_.locations(w));
}

void Engine::take(peers::ArchiveReader& archive, link::OwnWorkers of_peer) {
  const Recorded& first = recorded();
  for (link::WorkerId w = of_peer.first; w < of_peer.last; ++w) {
    notes_.push_back(
        std::make_unique<Notes>(first.definitions, first.call_tree, first.wanted, first.spill_beyond, &homes_, w));
    notes_.back()->travel(archive, homes_.locations(w));
  }
}

void Engine::join() {
  if (notes_.size() == 1) return;
  Notes& first = *notes_.front();
  std::vector<Recorded*> all;
  for (const auto& of_worker : notes_) {
    all.push_back(&of_worker->recorded);
    if (of_worker == notes_.front()) continue;
    if (first.recorder) first.recorder->join(*of_worker->recorder);
    if (!first.ideal) continue;
    first.ideal->steps.join(of_worker->ideal->steps, homes_.locations(static_cast<link::WorkerId>(all.size() - 1)));
    first.ideal->announcements.join(of_worker->ideal->announcements);
  }
  first.recorded.join(all, homes_, threads_);
  notes_.resize(1);
}

void Engine::finish() {
  Notes& notes = *notes_.front();
  if (notes.ideal) {
    replay_.emplace(notes.recorded.definitions, notes.ideal->steps, notes.ideal->announcements, *notes.recorded.stop);
    replay_->run(threads_, always_divides_);
  }
  if (!notes.recorder) return;
  notes.recorded.finish();
  notes.recorder->finish();
  left_out_ = notes.recorded.left_out();
  if (!left_out_) path_ = find_path(notes.recorded);
}

void Engine::each_path_cost(const std::function<void(const PathCost&)>& visit) const {
  if (tells_waits() && path_.exists) causes::each_path_cost(history_, path_, metrics_, severities_, threads_, visit);
}

std::optional<CriticalPath> Engine::critical_path() const {
  return tells_waits() ? std::optional(path_.segments) : std::nullopt;
}

std::vector<WaitChain> Engine::chains(const std::vector<Wait>& waits) const {
  return tells_waits() ? find_chains(history_, waits, metrics_, severities_, threads_) : std::vector<WaitChain>{};
}

namespace {

/// Costs of one place in whole ticks; direct and terminal waits are what is left of the whole wait, which is not known
/// unless all waits have been judged.
void tell_delay(const JudgedDelays& judged, const DelayPlace& place, FixedTicks sum,
                const std::function<void(const DelayCost&)>& visit) {
  const Ticks ticks = std::llround(sum.ticks());
  const auto tell = [&](DelayCost::Kind kind, Ticks t) {
    if (t > 0) visit({kind, place.type, place.callpath, place.location, t});
  };
  const auto tell_parts = [&](DelaySum part, DelayCost::Kind of_part, DelayCost::Kind of_rest) {
    const auto found = judged.sums.find({place.callpath, place.location, place.type, part});
    const Ticks t = found == judged.sums.end() ? 0 : std::llround(found->second.ticks());
    tell(of_part, t);
    if (judged.is_complete) tell(of_rest, ticks - t);
  };
  switch (place.sum) {
    case DelaySum::short_term:
      return tell(DelayCost::Kind::short_term, ticks);
    case DelaySum::long_term:
      return tell(DelayCost::Kind::long_term, ticks);
    case DelaySum::waited:
      tell_parts(DelaySum::indirect, DelayCost::Kind::indirect, DelayCost::Kind::direct);
      return tell_parts(DelaySum::propagating, DelayCost::Kind::propagating, DelayCost::Kind::terminal);
    case DelaySum::indirect:
    case DelaySum::propagating:
      return;  // with `waited`
  }
}

}  // namespace

void Engine::each_delay(std::size_t parts, const std::function<void(const DelayCost&)>& visit) const {
  if (!tells_waits()) return;
  const JudgedDelays judged = judge_all_waits(history_, parts, threads_);
  for (const auto& [place, sum] : judged.sums) tell_delay(judged, place, sum, visit);
}

void Engine::each_ideal_wait(const std::function<void(CallPathId, LocationId, Ticks)>& visit) const {
  if (replay_) replay_->each_wait(visit);
}

}  // namespace waitstate::causes
