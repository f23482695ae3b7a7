#include "report/compare/comparison.hpp"

#include <algorithm>
#include <utility>

#include "report/compare/declared_json.hpp"
#include "report/compare/details.hpp"
#include "report/facts/completeness.hpp"
#include "report/format/names.hpp"
#include "report/words/completeness.hpp"
#include "report/words/focus.hpp"
#include "waitstate/trace/otf2_enums.hpp"

namespace waitstate::report {

ComparedRun::ComparedRun(const AnalysisResult& result)
    : path(result.path),
      focus(focus_text(result)),
      missing(missing_text(Completeness(result))),
      processes(static_cast<std::uint64_t>(process_count(result.definitions))),
      locations(result.definitions.locations.size()),
      duration(result.seconds(result.duration())) {}

WaitChanges::WaitChanges(const WaitsByRun& waits, const PathNames& names)
    : metric(waits.metric),
      count(waits.lengths.count),
      sum(waits.lengths.sum),
      mean(waits.lengths.mean),
      median(waits.lengths.median),
      longest(waits.lengths.longest),
      histogram(waits.histogram) {
  for (const PathWaitsByRun& p : waits.by_callpath)
    by_callpath.push_back({names(p.callpath), ValuePair(p.lengths.count), ValuePair(p.lengths.sum),
                           ValuePair(p.lengths.median), ValuePair(p.lengths.longest)});
}

PhaseChange::PhaseChange(const PhaseByRun& phase)
    : number(phase.number),
      longest(phase.longest),
      parallel_efficiency(phase.parallel_efficiency),
      load_balance(phase.load_balance),
      communication_efficiency(phase.communication_efficiency) {
  for (const auto& [id, seconds] : phase.waits) waits.emplace(id, ValuePair(seconds));
}

CommunicationChange::CommunicationChange(const CommunicationByRun& c)
    : has_pairs(c.has_pairs), processes_per_block(c.processes_per_block) {
  for (const CommunicationByRun::Sum& s : c.sums) sums.emplace(s.id, ValuePair(s.value));
  const std::size_t shown = std::min(most_pairs, c.pairs.size());
  for (std::size_t i = 0; i < shown; ++i) {
    const CommunicationByRun::Pair& p = c.pairs[i];
    pairs.push_back({p.sender, p.receiver, ValuePair(p.messages), ValuePair(p.bytes)});
  }
  pairs_left_out = c.pairs.size() - shown;
  for (const CommunicationByRun::Sizes& s : c.sizes) sizes.push_back({s.from, s.to, ValuePair(s.messages)});
  for (const CommunicationByRun::Operations& o : c.collectives)
    collectives.push_back({o.communicator, std::string(enum_name(o.operation)), ValuePair(o.operations),
                           ValuePair(o.bytes_sent), ValuePair(o.seconds), ValuePair(o.wait_seconds)});
}

Comparison::Comparison(const Difference& d, const std::vector<Verdict>& verdicts)
    : before(d.before), after(d.after), comparable(d.not_comparable().empty()), gates(verdicts) {
  for (const Change& c : d.metrics) metrics.push_back({c});
  for (const Change& c : d.callpaths) callpaths.push_back({c});
  if (d.details) add(*d.details);
}

void Comparison::add(const DetailsByRun& d) {
  const PathNames names(*d.runs[run_a], *d.runs[run_b]);
  if (!d.efficiency.factors.empty()) efficiency = d.efficiency;
  if (d.efficiency.ideal_machine) ideal_machine.emplace(*d.efficiency.ideal_machine, names);
  for (const ProblemByRun& p : d.problems)
    problems.push_back({p.metric, problem_title(d, p), names(p.callpath), ValuePair(p.seconds)});
  for (const WaitsByRun& w : d.waits) waits.emplace_back(w, names);
  if (!d.series.empty()) series.emplace();
  for (const SeriesByRun& s : d.series) {
    SeriesChange& change = series->emplace_back(SeriesChange{s.metric, {}});
    for (const ByRun& part : s.parts) change.parts.emplace_back(part);
  }
  if (d.communication) communication.emplace(*d.communication);
  if (d.phases.phases.empty()) return;
  phases.emplace(PhaseChanges{kind_of_phases(d.phases.kind), {}});
  for (const PhaseByRun& p : d.phases.phases) phases->phases.emplace_back(p);
}

void diff_json(const Difference& d, const std::vector<Verdict>& verdicts, std::ostream& out) {
  write_declared_json(Comparison(d, verdicts), out);
}

}  // namespace waitstate::report
