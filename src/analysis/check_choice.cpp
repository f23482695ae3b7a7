#include "analysis/check_choice.hpp"

#include <utility>
#include <vector>

#include "analysis/dispatch/pattern_set.hpp"
#include "analysis/engine.hpp"
#include "analysis/focus.hpp"
#include "analysis/metrics/phase_book.hpp"
#include "causes/engine.hpp"
#include "link/exchange/homes.hpp"
#include "pass/trace_input.hpp"

namespace waitstate::analysis {

void check_choice(const std::filesystem::path& trace, const AnalysisOptions& options) {
  const pass::TraceInput input(trace);
  const Definitions& definitions = input.definitions();
  if (!options.keep.phase.empty()) check_phase(options.keep.phase, definitions);
  const CallTree call_tree;
  FocusFilter focus(options.focus, definitions, call_tree);
  std::vector<PatternHandle> given;
  if (options.built_in) given = built_in_patterns();
  given.insert(given.end(), options.patterns.begin(), options.patterns.end());
  std::vector<const PatternHandle*> all;
  for (const PatternHandle& p : given) all.push_back(&p);
  std::vector<PatternHandle> patterns;
  for (const std::size_t i : run_order(all)) patterns.push_back(given[i]);
  MetricTree metrics = MetricTree::base();
  const link::Homes homes(definitions, 1);
  Engine engine(std::move(patterns), options.rma_model, definitions, {{call_tree, focus}}, homes, metrics,
                {.causes_in_memory = causes::Engine::default_memory(definitions.locations.size())});
  engine.init();
}

}  // namespace waitstate::analysis
