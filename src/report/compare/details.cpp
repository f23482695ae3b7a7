#include "report/compare/details.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <nlohmann/json.hpp>
#include <set>

#include "report/facts/ideal_machine.hpp"
#include "report/facts/runs/side_by_side.hpp"
#include "report/facts/totals.hpp"
#include "report/format/csv.hpp"
#include "report/format/names.hpp"
#include "report/format/units.hpp"
#include "report/words/waits/problems.hpp"

namespace waitstate::report {
namespace {

using Json = nlohmann::ordered_json;

struct DetailedRun : ComparedRun {
  DetailedRun(const AnalysisResult& r, std::optional<double> Sides::*s) : ComparedRun{r, s} {}
  RunTotals totals{result};
  CsvPaths paths{result};
};

class Comparison {
 public:
  Comparison(const AnalysisResult& before, const AnalysisResult& after, const std::vector<std::string>& only)
      : a_{before, &Sides::before}, b_{after, &Sides::after}, only_(only) {}

  DetailChanges changes() {
    if (only_.empty()) efficiencies();
    problems();
    waits();
    phases();
    d_.flow = flow_changes(a_, b_, only_);
    return std::move(d_);
  }

 private:
  bool is_asked(const std::string& id) const {
    return only_.empty() || std::find(only_.begin(), only_.end(), id) != only_.end();
  }

  void efficiencies() {
    const AnalysisResult* const runs[] = {&a_.result, &b_.result};
    d_.scope = common_scope(runs);
    for (const SideBySideFactor& f : factors_side_by_side(runs, d_.scope))
      d_.efficiency.push_back({f.id, {f.values[0], f.values[1]}});
    what_if();
  }

  void what_if() {
    const IdealMachine of_a = ideal_machine(a_.result, a_.totals.of(d_.scope)),
                       of_b = ideal_machine(b_.result, b_.totals.of(d_.scope));
    if (!of_a.known() && !of_b.known()) return;
    DetailChanges::WhatIf& w = d_.what_if.emplace();
    const auto add = [&](const DetailedRun& run, const IdealMachine& m, std::string& unbalanced) {
      if (!m.known()) return;
      w.run_time.*(run.side) = run.seconds(m.run_time);
      w.ideal_run_time.*(run.side) = run.seconds(m.ideal_run_time);
      if (!m.unbalanced.valid()) return;
      w.balanced_run_time.*(run.side) = run.seconds(m.balanced_run_time);
      unbalanced = run.paths.path(m.unbalanced);
    };
    add(a_, of_a, w.unbalanced_before);
    add(b_, of_b, w.unbalanced_after);
  }

  void problems() {
    constexpr std::size_t most = 20;
    for (DetailedRun* run : {&a_, &b_}) {
      for (const ToldProblem& p : told_problems(run->result, run->totals, most).listed) {
        if (p.metric == no_metric) continue;
        const std::string& id = run->result.metrics[p.metric].id;
        if (!is_asked(id)) continue;
        auto known = std::find_if(d_.problems.begin(), d_.problems.end(),
                                  [&](const DetailChanges::Problem& other) { return other.metric == id; });
        if (known == d_.problems.end()) known = d_.problems.insert(known, {id, p.title, {}, ""});
        known->seconds.*(run->side) = run->seconds(static_cast<double>(p.ticks));
        if (p.callpath.valid()) known->callpath = run->paths.path(p.callpath);
      }
    }
    std::stable_sort(d_.problems.begin(), d_.problems.end(), [](const auto& x, const auto& y) {
      const auto worst = [](const Sides& s) { return std::max(s.before.value_or(0), s.after.value_or(0)); };
      return worst(x.seconds) > worst(y.seconds);
    });
  }

  void waits() {
    std::map<std::string, DetailChanges::Waits> all;
    for (DetailedRun* run : {&a_, &b_})
      for (const auto& [metric, summary] : run->result.waits) {
        const std::string& id = run->result.metrics[metric].id;
        if (!is_asked(id) || summary.statistics.count == 0) continue;
        DetailChanges::Waits& w = all[id];
        const WaitStatistics& s = summary.statistics;
        const auto set = [&](Sides& sides, double value) { sides.*(run->side) = value; };
        w.metric = id;
        set(w.count, static_cast<double>(s.count));
        set(w.sum, run->seconds(static_cast<double>(s.sum)));
        set(w.mean, run->seconds(s.mean));
        set(w.median, run->seconds(s.median));
        set(w.longest, run->seconds(static_cast<double>(s.maximum)));
      }
    for (auto& [id, w] : all) {
      const WaitSummary *before = summary_of(a_, id), *after = summary_of(b_, id);
      if (before != nullptr && after != nullptr) {
        if (!before->histogram.empty() && !after->histogram.empty()) histogram(w, *before, *after);
        by_callpath(w, *before, *after);
      }
      d_.waits.push_back(std::move(w));
    }
    std::stable_sort(d_.waits.begin(), d_.waits.end(),
                     [](const auto& x, const auto& y) { return x.sum.size() > y.sum.size(); });
  }
  static const WaitSummary* summary_of(const DetailedRun& run, const std::string& id) {
    const MetricIndex metric = run.result.metrics.find(id);
    const auto found = run.result.waits.find(metric);
    return metric == no_metric || found == run.result.waits.end() ? nullptr : &found->second;
  }

  // Clocks of two runs are hardly ever the same, so their classes differ: each class of B is added to the one that
  // contains its middle.
  void histogram(DetailChanges::Waits& w, const WaitSummary& before, const WaitSummary& after) const {
    std::map<int, DetailChanges::LengthClass> classes;
    const double tick = a_.seconds(1);
    const auto add = [&](const DetailedRun& run, const DurationClass& c,
                         std::uint64_t DetailChanges::LengthClass::*count) {
      const double middle = run.seconds(
          std::sqrt(std::max(1.0, static_cast<double>(c.from)) * std::max(1.0, static_cast<double>(c.to) - 0.5)));
      const int power = std::max(0, static_cast<int>(std::floor(std::log2(middle / tick))));
      DetailChanges::LengthClass& sum = classes[power];
      sum.from = std::ldexp(tick, power), sum.to = std::ldexp(tick, power + 1);
      sum.*count += c.count;
    };
    for (const DurationClass& c : before.histogram) add(a_, c, &DetailChanges::LengthClass::before);
    for (const DurationClass& c : after.histogram) add(b_, c, &DetailChanges::LengthClass::after);
    for (const auto& [power, c] : classes) w.histogram.push_back(c);
  }

  void by_callpath(DetailChanges::Waits& w, const WaitSummary& before, const WaitSummary& after) const {
    std::map<std::string, DetailChanges::PathWaits> all;
    const auto add = [&](const DetailedRun& run, const CallPathWaits& c) {
      DetailChanges::PathWaits& p = all[run.paths.path(c.callpath)];
      p.count.*(run.side) = static_cast<double>(c.statistics.count);
      p.sum.*(run.side) = run.seconds(static_cast<double>(c.statistics.sum));
      p.median.*(run.side) = run.seconds(c.statistics.median);
      p.longest.*(run.side) = run.seconds(static_cast<double>(c.statistics.maximum));
    };
    for (const CallPathWaits& c : before.by_callpath) add(a_, c);
    for (const CallPathWaits& c : after.by_callpath) add(b_, c);
    for (auto& [path, p] : all) {
      p.callpath = path;
      w.by_callpath.push_back(std::move(p));
    }
    std::stable_sort(w.by_callpath.begin(), w.by_callpath.end(),
                     [](const auto& x, const auto& y) { return x.sum.size() > y.sum.size(); });
  }

  static std::string what_phases(const AnalysisResult& r) {
    if (!r.phases || r.phases->phases.empty()) return "";
    if (r.phases->region.valid())
      return fmt::format(
          "visits of {}{}", r.definitions[r.phases->region].name,
          r.phases->visits_per_phase == 1 ? "" : fmt::format(", {} in each", r.phases->visits_per_phase));
    return fmt::format("{} stretches of time", r.phases->visits);
  }
  void phases() {
    d_.phases_of = what_phases(a_.result);
    if (d_.phases_of != what_phases(b_.result)) d_.phases_of = "";
    if (d_.phases_of.empty()) return;
    d_.phases.resize(std::max(a_.result.phases->phases.size(), b_.result.phases->phases.size()));
    for (DetailedRun* run : {&a_, &b_})
      for (std::size_t i = 0; i < run->result.phases->phases.size(); ++i) {
        const Phases::Phase& from = run->result.phases->phases[i];
        DetailChanges::Phase& to = d_.phases[i];
        to.number = i;
        to.longest.*(run->side) = run->seconds(static_cast<double>(from.longest));
        if (from.has_efficiency()) {
          to.parallel_efficiency.*(run->side) = from.parallel_efficiency();
          to.load_balance.*(run->side) = from.load_balance();
          to.communication_efficiency.*(run->side) = from.communication_efficiency();
        }
        for (const auto& [metric, ticks] : from.waits)
          if (const std::string& id = run->result.metrics[metric].id; is_asked(id))
            to.waits[id].*(run->side) = run->seconds(static_cast<double>(ticks));
      }
    // A phase in which no location waited is listed too, unless the run lacks it.
    for (DetailChanges::Phase& p : d_.phases)
      for (auto& [id, sides] : p.waits) {
        if (p.longest.before && !sides.before) sides.before = 0;
        if (p.longest.after && !sides.after) sides.after = 0;
      }
    // Phases have nothing to say about named metrics that have no waits in them.
    if (!only_.empty() && std::all_of(d_.phases.begin(), d_.phases.end(),
                                      [](const DetailChanges::Phase& p) { return p.waits.empty(); })) {
      d_.phases.clear();
      d_.phases_of.clear();
    }
  }

  DetailedRun a_, b_;
  const std::vector<std::string>& only_;
  DetailChanges d_;
};

// ---- text ----

using Row = std::vector<std::string>;

std::string percents(const std::optional<double>& share) { return share ? fmt::format("{:.1f} %", 100 * *share) : "-"; }
std::string points(const Sides& s) { return s.change() ? fmt::format("{:+.1f} points", 100 * *s.change()) : ""; }
std::string number_text(const std::optional<double>& number) { return number ? grouped(std::llround(*number)) : "-"; }

std::string efficiency_rows(const DetailChanges& d, const Style& style) {
  if (d.efficiency.empty()) return "";
  std::vector<Row> rows = {{"efficiency", "A", "B", "change"}};
  for (const DetailChanges::Efficiency& e : d.efficiency) {
    std::string id(e.id);
    std::replace(id.begin(), id.end(), '_', ' ');
    rows.push_back({id, percents(e.value.before), percents(e.value.after), points(e.value)});
  }
  std::string text = '\n' + aligned_table(rows, style);
  if (!d.what_if) return text;
  rows = {{"run time", "A", "B", "change"}};
  const auto row = [&](std::string name, const Sides& s) {
    if (s.before || s.after)
      rows.push_back({std::move(name), seconds_text(s.before), seconds_text(s.after), seconds_change(s)});
  };
  row("as it is", d.what_if->run_time);
  row("if messages took no time", d.what_if->ideal_run_time);
  const std::string &before = d.what_if->unbalanced_before, &after = d.what_if->unbalanced_after;
  const auto balanced = [](const std::string& path) {
    constexpr std::size_t width = 44;
    return "with " + shorten_path(printable(path), width) + " balanced";
  };
  if (before == after || before.empty() || after.empty()) {
    row(balanced(before.empty() ? after : before), d.what_if->balanced_run_time);
  } else {
    rows.push_back({balanced(before), seconds_text(d.what_if->balanced_run_time.before), "-", ""});
    rows.push_back({balanced(after), "-", seconds_text(d.what_if->balanced_run_time.after), ""});
  }
  return text + '\n' + aligned_table(rows, style);
}

std::string problem_rows(const DetailChanges& d, std::size_t top, const Style& style) {
  if (d.problems.empty()) return "";
  std::vector<Row> rows = {{"problem", "A", "B", "change"}};
  for (std::size_t i = 0; i < std::min(top, d.problems.size()); ++i) {
    const DetailChanges::Problem& p = d.problems[i];
    rows.push_back(
        {printable(p.title), seconds_text(p.seconds.before), seconds_text(p.seconds.after), seconds_change(p.seconds)});
  }
  return '\n' + aligned_table(rows, style);
}

std::string wait_rows(const DetailChanges& d, std::size_t top, const Style& style) {
  if (d.waits.empty()) return "";
  constexpr std::size_t most_metrics = 3, paths = 3, name_width = 44;
  const std::size_t shown = std::min({top, most_metrics, d.waits.size()});
  std::vector<Row> rows = {
      {shown < d.waits.size() ? fmt::format("single waits ({} of {})", shown, d.waits.size()) : "single waits",
       "number A", "B", "median A", "B", "longest A", "B"}};
  const auto row = [&](std::string name, const auto& w) {
    rows.push_back({std::move(name), number_text(w.count.before), number_text(w.count.after),
                    seconds_text(w.median.before), seconds_text(w.median.after), seconds_text(w.longest.before),
                    seconds_text(w.longest.after)});
  };
  for (std::size_t i = 0; i < shown; ++i) {
    row(d.waits[i].metric, d.waits[i]);
    for (std::size_t p = 0; p < std::min(paths, d.waits[i].by_callpath.size()); ++p)
      row("  " + shorten_path(printable(d.waits[i].by_callpath[p].callpath), name_width), d.waits[i].by_callpath[p]);
  }
  std::string text = '\n' + aligned_table(rows, style);
  const DetailChanges::Waits& first = d.waits.front();
  if (shown == 0 || first.histogram.empty()) return shown == 0 ? "" : text;
  rows = {{"waits of " + first.metric + " by length", "A", "B"}};
  for (const DetailChanges::LengthClass& c : first.histogram)
    rows.push_back({fmt::format("{} to {}", brief_seconds(c.from), brief_seconds(c.to)),
                    grouped(static_cast<std::int64_t>(c.before)), grouped(static_cast<std::int64_t>(c.after))});
  return text + '\n' + aligned_table(rows, style);
}

std::string phase_rows(const DetailChanges& d, std::size_t top, const Style& style) {
  if (d.phases.empty()) return "";
  std::vector<const DetailChanges::Phase*> shown;
  for (const DetailChanges::Phase& p : d.phases) shown.push_back(&p);
  std::stable_sort(shown.begin(), shown.end(),
                   [](const auto* x, const auto* y) { return x->longest.size() > y->longest.size(); });
  shown.resize(std::min(top, shown.size()));
  std::sort(shown.begin(), shown.end(), [](const auto* x, const auto* y) { return x->number < y->number; });
  std::vector<Row> rows = {{"phase", "longest A", "B", "change", "parallel A", "B", "waited most differently"}};
  for (const DetailChanges::Phase* p : shown) {
    const auto most = std::max_element(p->waits.begin(), p->waits.end(),
                                       [](const auto& x, const auto& y) { return x.second.size() < y.second.size(); });
    rows.push_back(
        {std::to_string(p->number), seconds_text(p->longest.before), seconds_text(p->longest.after),
         seconds_change(p->longest), percents(p->parallel_efficiency.before), percents(p->parallel_efficiency.after),
         most == p->waits.end() || most->second.size() == 0 ? "" : most->first + ' ' + seconds_change(most->second)});
  }
  return fmt::format("\nPhases are {}{}\n{}", printable(d.phases_of),
                     shown.size() < d.phases.size()
                         ? fmt::format("; those that changed most, {} of {}:", shown.size(), d.phases.size())
                         : ":",
                     aligned_table(rows, style));
}

// ---- json ----

Json waits_json(const DetailChanges::Waits& w) {
  Json json{{"metric", w.metric},         {"count", sides_json(w.count)},   {"sum", sides_json(w.sum)},
            {"mean", sides_json(w.mean)}, {"median", sides_json(w.median)}, {"longest", sides_json(w.longest)},
            {"histogram", Json::array()}, {"by_callpath", Json::array()}};
  for (const DetailChanges::LengthClass& c : w.histogram)
    json["histogram"].push_back({{"from", c.from}, {"to", c.to}, {"before", c.before}, {"after", c.after}});
  for (const DetailChanges::PathWaits& p : w.by_callpath)
    json["by_callpath"].push_back({{"callpath", p.callpath},
                                   {"count", sides_json(p.count)},
                                   {"sum", sides_json(p.sum)},
                                   {"median", sides_json(p.median)},
                                   {"longest", sides_json(p.longest)}});
  return json;
}

Json phase_json(const DetailChanges::Phase& p) {
  Json json{{"phase", p.number},
            {"longest", sides_json(p.longest)},
            {"parallel_efficiency", sides_json(p.parallel_efficiency)},
            {"load_balance", sides_json(p.load_balance)},
            {"communication_efficiency", sides_json(p.communication_efficiency)},
            {"waits", Json::object()}};
  for (const auto& [id, sides] : p.waits) json["waits"][id] = sides_json(sides);
  return json;
}

}  // namespace

DetailChanges detail_changes(const AnalysisResult& before, const AnalysisResult& after,
                             const std::vector<std::string>& only) {
  return Comparison(before, after, only).changes();
}

std::string details_text(const DetailChanges& d, std::size_t top, const Style& style) {
  return efficiency_rows(d, style) + problem_rows(d, top, style) + wait_rows(d, top, style) +
         phase_rows(d, top, style) + flow_text(d.flow, top, style);
}

void add_details(const DetailChanges& d, Json& json) {
  if (!d.efficiency.empty()) {
    json["efficiency"] = {{"scope", name(d.scope)}};
    for (const DetailChanges::Efficiency& e : d.efficiency) json["efficiency"][std::string(e.id)] = sides_json(e.value);
  }
  if (d.what_if) {
    const auto or_null = [](const std::string& path) { return path.empty() ? Json() : Json(path); };
    json["what_if"] = {{"run_time", sides_json(d.what_if->run_time)},
                       {"ideal_run_time", sides_json(d.what_if->ideal_run_time)},
                       {"balanced_run_time", sides_json(d.what_if->balanced_run_time)},
                       {"unbalanced_before", or_null(d.what_if->unbalanced_before)},
                       {"unbalanced_after", or_null(d.what_if->unbalanced_after)}};
  }
  json["problems"] = Json::array();
  for (const DetailChanges::Problem& p : d.problems)
    json["problems"].push_back(
        {{"metric", p.metric}, {"title", p.title}, {"seconds", sides_json(p.seconds)}, {"callpath", p.callpath}});
  json["waits"] = Json::array();
  for (const DetailChanges::Waits& w : d.waits) json["waits"].push_back(waits_json(w));
  add_flow(d.flow, json);
  if (d.phases.empty()) return;
  json["phases"] = {{"of", d.phases_of}, {"phases", Json::array()}};
  for (const DetailChanges::Phase& p : d.phases) json["phases"]["phases"].push_back(phase_json(p));
}

}  // namespace waitstate::report
