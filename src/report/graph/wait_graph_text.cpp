// The matrix says everything at a glance, so it is shown as long as it fits: up to 16 vertices, and in the width of the
// terminal; of more vertices than anybody looks through, of those with most waiting, the others added up. To fit, its
// columns are named by numbers ("2" for rank 2, "2.1" for its thread 1), and its durations are in the unit that makes
// the largest one a number below 1,000. Where it does not fit, the heaviest pairs stand in for it.
#include "report/graph/wait_graph_text.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <map>
#include <vector>

#include "report/facts/completeness.hpp"
#include "report/facts/undetermined.hpp"
#include "report/facts/waits/accounts.hpp"
#include "report/facts/waits/waiting.hpp"
#include "report/format/names.hpp"
#include "report/format/units.hpp"
#include "report/words/completeness.hpp"
#include "report/words/patterns_run.hpp"
#include "report/words/undetermined.hpp"
#include "report/words/waits/culprit.hpp"
#include "report/words/waits/open_calls.hpp"
#include "waitstate/result/wait_summary.hpp"

namespace waitstate::report {
namespace {

constexpr std::size_t largest_matrix = 16, most_pairs_shown = 10, most_culprits = 5, most_components = 5,
                      fewest_shown = 4, most_names = 8;

/// Durations in one unit, three digits of the largest.
class ShortDurations {
 public:
  ShortDurations(double ticks_per_second, Ticks largest) {
    double value = static_cast<double>(largest) / ticks_per_second;
    double factor = 1;
    for (const char* unit : {"s", "ms", "µs", "ns"}) {
      unit_ = unit;
      if (value * factor >= 1 || unit_ == "ns") break;
      factor *= 1000;
    }
    value *= factor;
    per_tick_ = factor / ticks_per_second;
    decimals_ = value < 10 ? 2 : value < 100 ? 1 : 0;
  }
  const std::string& unit() const { return unit_; }
  std::string text(Ticks ticks) const {
    const std::string text = fmt::format("{:.{}f}", static_cast<double>(ticks) * per_tick_, decimals_);
    const bool looks_like_zero = text.find_first_of("123456789") == text.npos;
    return ticks != 0 && looks_like_zero ? fmt::format("{:.1g}", static_cast<double>(ticks) * per_tick_) : text;
  }

 private:
  std::string unit_;
  double per_tick_ = 1;
  int decimals_ = 0;
};

/// "rank 2 thread 1" → "2.1"
std::string short_label(const std::string& label) {
  if (!label.starts_with("rank ")) return label;
  std::string text = label.substr(5);
  if (const auto at = text.find(" thread "); at != std::string::npos) text.replace(at, 8, ".");
  return text;
}

class WaitGraphText {
 public:
  WaitGraphText(const AnalysisResult& result, const WaitGraph& graph, const Style& style,
                const std::vector<MetricIndex>& chosen, std::optional<std::size_t> top)
      : result_(result),
        graph_(graph),
        top_(top),
        style_(style),
        seconds_(result.definitions.clock, graph.total().ticks),
        unknown_(wait_graph_unknown(result, chosen, style)),
        patterns_run_(chosen.empty() ? patterns_run_sentence(result) : ""),
        limits_(limits(Completeness(result), false)) {}

  std::string whole() const {
    if (Completeness(result_).times_mean_nothing())
      return paragraph("", "Who waited for whom is unknown.", style_.width) + '\n' + unknown_;
    std::string text =
        (graph_.never_ended().empty() ? "" : open_calls_text(result_, seconds_, most_components, style_)) + header();
    if (graph_.total().count != 0) {
      std::string middle = matrix();
      if (middle.empty()) middle = pairs();
      text += '\n' + middle + (middle.empty() ? "" : "\n") + culprits() + components();
    }
    return unknown_.empty() ? text : text + '\n' + unknown_;
  }

 private:
  std::string duration(Ticks ticks) const { return seconds_.duration(ticks); }
  std::string share(Ticks ticks) const { return percent(ticks, graph_.total().ticks) + " %"; }
  const char* level(std::size_t n) const {
    const bool processes = graph_.level() == WaitGraph::Level::process;
    return n == 1 ? (processes ? "process" : "location") : (processes ? "processes" : "locations");
  }
  static std::string number(std::size_t n, const char* one, const char* many) {
    return count(static_cast<std::int64_t>(n), one, many);
  }
  static std::string and_more(std::size_t all, std::size_t shown, const char* one, const char* many) {
    return all > shown ? fmt::format("  and {} more {}\n", grouped(static_cast<std::int64_t>(all - shown)),
                                     all - shown == 1 ? one : many)
                       : "";
  }

  bool may_have_waited() const {
    const TimeOfWaiting time = time_of_waiting(result_, Totals(result_));
    return time.waited > 0 || time.unknown > 0;
  }

  std::string header() const {
    std::string names;
    for (const MetricIndex metric : graph_.metrics()) names += (names.empty() ? "" : ", ") + result_.metrics[metric].id;
    const WaitPair& total = graph_.total();
    std::string text;
    if (total.count == 0) {
      const auto open = static_cast<std::int64_t>(result_.open_calls.size());
      text = !graph_.never_ended().empty() ? "No wait that ended was found"
             : open != 0                   ? "No wait that ended was found, but " +
                               count(open, "location still waits", "locations still wait") + " when the trace ends"
             : !unknown_.empty() || may_have_waited()
                 ? "Nobody is known to have waited for anybody, but not everything is known"
             : !patterns_run_.empty() ? "Nobody was found to have waited for anybody"
                                      : "Nobody waited for anybody";
      text += (names.empty() ? "" : ": " + names) + '.' + (patterns_run_.empty() ? "" : ' ' + patterns_run_);
      for (const std::string& limit : limits_) text += ' ' + limit;
      text = paragraph("", text, style_.width);
    } else {
      text = style_.bold("who waits for whom") + '\n' +
             paragraph("  ",
                       fmt::format("{}{} in {}: {}", unknown_.empty() ? "" : "at least ", duration(total.ticks),
                                   count(static_cast<std::int64_t>(total.count), "wait", "waits"), names),
                       style_.width);
      if (!patterns_run_.empty()) text += paragraph("  ", patterns_run_, style_.width);
      for (const std::string& limit : limits_) text += paragraph("  ", limit, style_.width);
    }
    if (const WaitPair& aggregated = graph_.aggregated(); aggregated.count != 0)
      text += paragraph(
          "  ",
          fmt::format("of these, {} in {} in operations of more than {} members, whose waiters are not told "
                      "apart",
                      duration(aggregated.ticks), count(static_cast<std::int64_t>(aggregated.count), "wait", "waits"),
                      WaitSummary::most_told_apart),
          style_.width);
    if (const WaitPair& lost = graph_.without_culprit(); lost.count != 0)
      text += paragraph("  ",
                        fmt::format("and {} in {} that nobody in particular caused", duration(lost.ticks),
                                    count(static_cast<std::int64_t>(lost.count), "wait", "waits")),
                        style_.width);
    return text;
  }

  /// "" if it does not fit.
  std::string matrix() const {
    if (top_ || graph_.size() <= most_vertices) return matrix_of(shown());
    std::string text;
    for (std::size_t n = largest_matrix - 1; n >= fewest_shown && text.empty(); --n) text = matrix_of(graph_.top(n));
    return text;
  }
  WaitGraph shown() const { return top_ ? graph_.top(*top_) : graph_; }

  std::string matrix_of(const WaitGraph& shown) const {
    const std::size_t n = shown.size();
    if (n > largest_matrix) return {};
    const std::vector<WaitGraph::Cell> cells = shown.matrix();
    Ticks largest = 0;
    for (const auto& cell : cells) largest = std::max(largest, cell.wait.ticks);
    const ShortDurations durations(static_cast<double>(result_.definitions.clock.resolution), largest);

    std::vector<std::vector<std::string>> table(n + 1, std::vector<std::string>(n + 1, "."));
    table[0][0] = "culprit";
    for (std::size_t i = 0; i < n; ++i) {
      table[i + 1][0] = shown[i].label;
      table[0][i + 1] = short_label(shown[i].label);
    }
    for (const auto& cell : cells) table[cell.culprit + 1][cell.victim + 1] = durations.text(cell.wait.ticks);

    std::vector<std::size_t> widths(n + 1, 0);
    std::size_t width = 2;
    for (std::size_t column = 0; column <= n; ++column) {
      for (const auto& row : table) widths[column] = std::max(widths[column], columns(row[column]));
      width += widths[column] + (column == 0 ? 0 : 2);
    }
    if (width > style_.width) return {};
    std::string text =
        fmt::format("  rows: culprits; columns: the {} that they made wait; in {}\n", level(2), durations.unit());
    for (const auto& row : table) {
      if (&row != &table.front() && std::all_of(row.begin() + 1, row.end(), [](const auto& c) { return c == "."; }))
        continue;  // made nobody wait
      std::string line = "  " + left(row[0], widths[0]);
      for (std::size_t column = 1; column <= n; ++column) line += "  " + right(row[column], widths[column]);
      text += (&row == &table.front() ? style_.bold(line) : line) + '\n';
    }
    if (shown.size() < graph_.size())
      text += paragraph("  ",
                        fmt::format("{} with the most waiting; the others are added up (--top N shows more or fewer)",
                                    number(shown.size() - 1, level(1), level(2))),
                        style_.width);
    return text;
  }

  std::string pairs() const {
    const WaitGraph graph = shown();
    const std::vector<WaitGraph::Cell> cells = graph.heaviest();
    if (cells.empty()) return {};
    std::string text = style_.bold(cells.size() > most_pairs_shown ? "heaviest pairs" : "pairs") + '\n';
    for (std::size_t i = 0; i < std::min(cells.size(), most_pairs_shown); ++i)
      text += paragraph("  ",
                        fmt::format("{} waited {} for {} ({})", graph[cells[i].victim].label,
                                    duration(cells[i].wait.ticks), graph[cells[i].culprit].label,
                                    count(static_cast<std::int64_t>(cells[i].wait.count), "time", "times")) +
                            also_waited(graph[cells[i].culprit].waited.ticks, cells[i].wait.ticks, seconds_),
                        style_.width);
    return text + and_more(cells.size(), most_pairs_shown, "pair", "pairs");
  }

  /// Where the culprits of this graph were while others waited for them: by culprit, by call path.
  std::map<std::uint32_t, std::map<CallPathId, Ticks>> whereabouts() const {
    std::map<std::uint32_t, std::map<CallPathId, Ticks>> found;
    for (const MetricIndex metric : graph_.metrics())
      for (const auto& [where, wait] : result_.waits.at(metric).causes) {
        const auto& [callpath, culprit] = where;
        if (culprit.index() >= result_.definitions.locations.size()) continue;
        const std::uint32_t id =
            graph_.level() == WaitGraph::Level::location ? culprit.value : result_.definitions[culprit].process.value;
        Ticks& ticks = found[id][callpath];
        ticks = add_ticks(ticks, static_cast<std::uint64_t>(wait.ticks));
      }
    return found;
  }

  /// A location that waited there itself is not the reason.
  std::string waits_there(const WaitGraph::Vertex& culprit, CallPathId callpath) const {
    OwnWaiting all;
    for (std::size_t i = 0; i < result_.definitions.locations.size(); ++i) {
      const LocationId l{i};
      const std::uint32_t id =
          graph_.level() == WaitGraph::Level::location ? l.value : result_.definitions[l].process.value;
      if (id != culprit.id) continue;
      const OwnWaiting own = own_waiting(result_, callpath, l);
      all.time = add_ticks(all.time, static_cast<std::uint64_t>(own.time));
      all.waited = add_ticks(all.waited, static_cast<std::uint64_t>(own.waited));
    }
    return all.is_some() ? fmt::format(", itself waiting for {} % of its time there", percent(all.waited, all.time))
                         : "";
  }

  std::string culprits() const {
    const std::vector<WaitGraph::VertexIndex> worst = graph_.culprits();
    const std::vector<WaitGraph::Cell> cells = graph_.heaviest();
    const auto where = whereabouts();
    const std::vector<CallPathId> order = result_.call_tree.depth_first();
    std::string text = style_.bold("culprits") + '\n';
    for (std::size_t i = 0; i < std::min(worst.size(), most_culprits); ++i) {
      const WaitGraph::Vertex& culprit = graph_[worst[i]];
      std::size_t victims = 0;
      const WaitGraph::Cell* most = nullptr;
      for (const auto& cell : cells)
        if (cell.culprit == worst[i]) {
          ++victims;
          if (most == nullptr) most = &cell;
        }
      std::string sentence =
          graph_.aggregated().count != 0
              ? fmt::format("{} made others wait {}", culprit.label, duration(culprit.caused.ticks))
          : victims == 1 ? fmt::format("{} made {} wait {}", culprit.label, graph_[most->victim].label,
                                       duration(culprit.caused.ticks))
                         : fmt::format("{} made {} wait {}", culprit.label,
                                       number(victims, "one",
                                              graph_.level() == WaitGraph::Level::process ? "processes" : "locations"),
                                       duration(culprit.caused.ticks));
      sentence += fmt::format(" ({} of all)", share(culprit.caused.ticks));
      if (victims > 1)
        sentence += fmt::format(", most of all {}: {}", graph_[most->victim].label, duration(most->wait.ticks));
      if (const auto places = where.find(culprit.id); places != where.end()) {
        const CallPathId* main_place = nullptr;  // the first of the largest, depth first
        Ticks largest = 0;
        for (const CallPathId& callpath : order)
          if (const auto at = places->second.find(callpath); at != places->second.end() && at->second > largest) {
            main_place = &callpath;
            largest = at->second;
          }
        if (main_place != nullptr)
          sentence += fmt::format("; meanwhile it was in {} ({} of it){}", path(*main_place),
                                  percent(largest, culprit.caused.ticks) + " %", waits_there(culprit, *main_place));
      }
      if (const Ticks own = culprit.waited.ticks; worth_saying(own, culprit.caused.ticks))
        sentence += fmt::format("; it itself waited {} in all", duration(own));
      text += paragraph("  ", sentence, style_.width);
    }
    return text + and_more(worst.size(), most_culprits, "culprit", "culprits");
  }

  /// "main/exchange at halo.c:12", so that the path fits into a line.
  std::string path(CallPathId callpath) const {
    const std::string source = callpath_source(result_, callpath);
    return shorten_path(callpath_label(result_, callpath), style_.width > 10 ? style_.width - 8 : 2) +
           (source.empty() ? "" : " at " + source);
  }

  /// "ranks 2, 5 and 7"
  std::string names(const std::vector<WaitGraph::VertexIndex>& members) const {
    const bool ranks = std::all_of(members.begin(), members.end(), [&](auto v) {
      return graph_[v].label.starts_with("rank ") && graph_[v].label.find(' ', 5) == std::string::npos;
    });
    std::string text = ranks ? "ranks " : "";
    const std::size_t shown = members.size() > most_names ? most_names - 1 : members.size();
    for (std::size_t i = 0; i < shown; ++i) {
      if (i > 0) text += i + 1 == members.size() ? " and " : ", ";
      text += ranks ? graph_[members[i]].label.substr(5) : graph_[members[i]].label;
    }
    if (shown < members.size())
      text += fmt::format(" and {} more", grouped(static_cast<std::int64_t>(members.size() - shown)));
    return text;
  }

  std::string components() const {
    const std::vector<WaitGraph::Component> all = graph_.components();
    if (all.empty()) return {};
    std::string text = '\n' + style_.bold("waiting for each other") + '\n';
    for (std::size_t i = 0; i < std::min(all.size(), most_components); ++i) {
      const WaitGraph::Component& c = all[i];
      std::string sentence = fmt::format("{} wait for each other: {}", names(c.members), duration(c.inside.ticks));
      if (c.members.size() > 2) {
        sentence += "; the tightest circle is ";
        for (const auto v : c.circle) sentence += graph_[v].label + " → ";
        sentence += fmt::format("{}, each of which waited at least {} for the next", graph_[c.circle.front()].label,
                                duration(c.circle_least));
      }
      text += paragraph("  ", sentence, style_.width);
    }
    return text + and_more(all.size(), most_components, "group", "groups");
  }

  const AnalysisResult& result_;
  const WaitGraph& graph_;
  std::optional<std::size_t> top_;
  const Style& style_;
  Seconds seconds_;
  std::string unknown_, patterns_run_;
  std::vector<std::string> limits_;
};

}  // namespace

std::string wait_graph_unknown(const AnalysisResult& result, const std::vector<MetricIndex>& chosen,
                               const Style& style) {
  const std::vector<UndeterminedMetric> all = result.undetermined;
  const std::string heading = not_told_heading(Completeness(result));
  if (chosen.empty()) return undetermined_text(result, all, style, heading);
  std::vector<UndeterminedMetric> open;
  for (const MetricIndex metric : chosen)
    for (const UndeterminedMetric& u : undetermined_of(all, result.metrics, metric, true)) {
      const auto same = [&](const UndeterminedMetric& o) { return o.metric == u.metric && o.sentence == u.sentence; };
      if (std::none_of(open.begin(), open.end(), same)) open.push_back(u);
    }
  return undetermined_text(result, open, style, heading);
}

std::string wait_graph_text(const AnalysisResult& result, const WaitGraph& graph, const Style& style,
                            const std::vector<MetricIndex>& chosen, std::optional<std::size_t> top) {
  return WaitGraphText(result, graph, style, chosen, top).whole();
}

}  // namespace waitstate::report
