// The parts of the JSON report that not every report has (Keep::details and Keep::series), and the problems of the
// summary: how they are written and read. W is the writer of json_writer.cpp, R the reader of json_reader.cpp.
#pragma once

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <optional>
#include <span>
#include <string>
#include <utility>
#include <vector>

#include "report/facts/completeness.hpp"
#include "report/json/json_fields.hpp"
#include "report/json/json_node.hpp"
#include "report/words/waits/problems.hpp"
#include "waitstate/analysis.hpp"

namespace waitstate::report::json {

// ---- written ----

template <class T>
struct IsCell : std::bool_constant<std::is_integral_v<T> && !std::is_same_v<T, bool>> {};
template <class Tag>
struct IsCell<Id<Tag>> : std::true_type {};
template <class T>
struct IsCell<OrNull<T>> : IsCell<std::remove_cvref_t<T>> {};

/// A row of a table, or part of one. Of numbers alone all at once: those of contexts are tens of thousands.
template <class W, class... T>
void write_row(W& w, const T&... values) {
  if constexpr ((IsCell<T>::value && ...)) {
    w.out().put_row(w.cell(values)...);
    return;
  }
  const char* before = "[";
  const auto one = [&](const auto& value) {
    w.out().put(before);
    w.value(value);
    before = ",";
  };
  (one(values), ...);
  w.out().put("]");
}

template <class W>
void write_problems(W& w, const AnalysisResult& result, const RunTotals& run) {
  const Problems found = find_problems(result, run, most_problems);
  w.list("problems", found.listed, [&](const Problem& p) {
    w.object([&](auto& f) {
      const Wait longest = p.worst == nullptr ? Wait{} : p.worst->longest;
      const std::string metric = p.metric == no_metric ? "" : result.metrics[p.metric].id;
      f("metric", or_null(metric, ""));
      f("title", p.title), f("sentence", p.sentence), f("advice", p.advice), f("ticks", p.ticks);
      f("share", p.of > 0 ? static_cast<double>(p.ticks) / static_cast<double>(p.of) : std::nan(""));
      f("told", p.at_least ? "at least" : "exactly");
      f("callpath", p.callpath), f("callpath_ticks", p.callpath_ticks);
      f("location", longest.location), f("culprit", longest.culprit), f("culprit_callpath", longest.culprit_callpath);
      const std::size_t instance = p.worst == nullptr ? all_ones : w.number_of(result.waits.at(p.metric), *p.worst);
      f("instance", or_null(instance, all_ones));
    });
  });
  if (found.note.empty()) return;
  w.key("problems_note");
  w.value(found.note);
}

/// Members of an instance that come with details.
template <class Members>
void write_instance_details(Members& f, const SevereInstance& instance) {
  if (!instance.members.empty()) f("members", instance.members);
  if (instance.members_left_out != 0) f("members_left_out", instance.members_left_out);
  if (instance.cause) f("cause", *instance.cause);
  if (instance.chain) f("chain", *instance.chain);
  if (instance.context < f.writer.parts().contexts) f("context", instance.context);
}

template <class W>
void write_critical_path(W& w, const CriticalPath& path) {
  w.key("critical_segments");
  w.out().put("{\"ticks\":", path.ticks, ",\"left_out\":", path.left_out, ",\"ticks_left_out\":", path.ticks_left_out,
              ",\n\"segments\": ");
  w.table(segment_columns, path.segments, [&](const CriticalSegment& s) {
    write_row(w, s.location, s.from, s.to, s.ticks, s.callpath, s.callpath_ticks, s.crossing, s.waited_in);
  });
  w.out().put("}");
}

template <class W>
void write_durations(W& w, const WaitSummary& summary) {
  if (summary.histogram.empty()) return;
  w.key("histogram");
  w.table(histogram_columns, summary.histogram,
          [&](const DurationClass& c) { write_row(w, c.from, c.to, c.count, c.ticks); });
  w.key("by_callpath");
  w.table(
      by_callpath_columns, summary.by_callpath,
      [&](const CallPathWaits& c) {
        const WaitStatistics& s = c.statistics;
        write_row(w, c.callpath, s.count, s.sum, s.minimum, s.quartile25, s.median, s.quartile75, s.maximum, s.mean,
                  s.quantile_error);
      },
      fmt::format(",\"left_out\":{}", summary.callpaths_left_out));
}

template <class W>
void write_series(W& w, const MetricTree& metrics, const WaitSeries& series) {
  w.key("series");
  w.out().put("{\"start\":", series.start, ",\"bin_ticks\":", series.bin_ticks, ",\"bins\":", series.bins,
              ",\"bins_per_group_bin\":", series.bins_per_group_bin, ",\"groups\":[");
  const bool by_location = w.parts().series_by_location;
  const char* before = "";
  for (const auto& [first, last] : series.groups) {
    if (!by_location) break;
    w.out().put(before);
    write_row(w, first, last);
    before = ",";
  }
  w.out().put("],\"metrics\":");
  w.lines("{", "}}", series.metrics, [&](const auto& entry) {
    w.value(metrics[entry.first].id);
    w.out().put(": ");
    const WaitSeries::OfMetric& m = entry.second;
    w.out().put("{\"ticks\":");
    w.value(m.ticks);
    w.out().put(",\"without_time\":", m.without_time, ",\"groups\":");
    w.lines("[", "]}", std::span(m.groups).first(by_location ? m.groups.size() : 0),
            [&](const auto& group) { w.object([&](auto& f) { f("group", group.first), f("ticks", group.second); }); });
  });
}

template <class W>
void write_contexts(W& w, const std::vector<WaitContext>& contexts) {
  w.list(
      "contexts", std::span(contexts).first(std::min(contexts.size(), w.parts().contexts)), [&](const WaitContext& c) {
        w.out().put('{');
        typename W::Members f{w};
        fields(c, f);
        w.key("regions");
        w.table(interval_columns, c.regions,
                [&](const WaitContext::Interval& i) { write_row(w, i.location, i.region, i.enter, i.exit, i.depth); });
        w.key("messages");
        w.table(context_message_columns, c.messages, [&](const WaitContext::Message& m) {
          write_row(w, m.sender, m.receiver, m.sent, m.received, m.bytes, m.tag, m.comm);
        });
        if (!c.transfers.empty()) {
          w.key("transfers");
          w.table(
              transfer_columns, c.transfers,
              [&](const WaitContext::Transfer& t) {
                write_row(w, t.origin, t.target, t.kind, t.started,
                          or_null(t.completed, WaitContext::Transfer::unknown), t.bytes);
              },
              fmt::format(",\"left_out\":{}", c.transfers_left_out));
        }
        w.out().put('}');
      });
}

/// Pairs of a call path or location and its ticks.
template <class W, class Id>
void write_largest(W& w, const std::vector<std::pair<Id, Ticks>>& largest) {
  const char* before = "[";
  for (const auto& [place, ticks] : largest) {
    w.out().put(before);
    write_row(w, place, ticks);
    before = ",";
  }
  w.out().put(largest.empty() ? "[]" : "]");
}

template <class W>
void write_places(W& w, const MetricTree& metrics, const std::map<MetricIndex, Phases::Places>& all) {
  w.out().put(",\"places\":");
  const char* before = "{";
  for (const auto& [metric, places] : all) {
    w.out().put(before);
    w.value(metrics[metric].id);
    w.out().put(":{\"callpaths\":");
    write_largest(w, places.callpaths);
    w.out().put(",\"locations\":");
    write_largest(w, places.locations);
    w.out().put(",\"exact\":", places.exact ? "true" : "false", "}");
    before = ",";
  }
  w.out().put('}');
}

template <class W>
void write_phases(W& w, const MetricTree& metrics, const Phases& phases) {
  w.key("phases");
  w.out().put("{\"region\":");
  w.value(phases.region);
  w.out().put(",\"visits\":", phases.visits, ",\"visits_per_phase\":", phases.visits_per_phase, ",\"phases\":");
  w.lines("[", "]}", phases.phases, [&](const Phases::Phase& p) {
    const auto known = [&](double value) { return p.has_efficiency() ? value : std::nan(""); };
    w.out().put('{');
    typename W::Members f{w};
    fields(p, f);
    f("parallel_efficiency", known(p.parallel_efficiency()));
    f("load_balance", known(p.load_balance()));
    f("communication_efficiency", known(p.communication_efficiency()));
    w.out().put(",\"waits\":");
    const char* before = "{";
    for (const auto& [metric, ticks] : p.waits) {
      w.out().put(before);
      w.value(metrics[metric].id);
      w.out().put(':', ticks);
      before = ",";
    }
    w.out().put(p.waits.empty() ? "{}" : "}");
    if (!p.places.empty()) write_places(w, metrics, p.places);
    w.out().put('}');
  });
}

template <class W>
void write_communication(W& w, const Communication& c) {
  w.key("communication");
  w.out().put("{\"processes_per_block\":", c.processes_per_block, ",\n\"pairs\": ");
  w.table(communication_columns, c.pairs, [&](const Communication::Pair& p) {
    write_row(w, p.sender, p.receiver, p.messages, p.bytes, p.puts, p.bytes_put, p.gets, p.bytes_got);
  });
  w.key("sizes");
  w.table(message_size_columns, c.sizes,
          [&](const Communication::Sizes& s) { write_row(w, s.from, s.to, s.messages, s.bytes); });
  w.key("collectives");
  w.table(operation_columns, c.collectives, [&](const Communication::Operations& o) {
    write_row(w, o.comm, o.operation, o.operations, o.calls, o.bytes_sent, o.bytes_received, o.ticks, o.wait_ticks);
  });
  w.out().put("}");
}

// ---- read ----

/// Reads the cells of a row one after the other.
template <class R, class... T>
void read_row(R& r, const Node& row, T&... values) {
  std::size_t i = 0;
  const auto one = [&](auto& value) {
    const Node cell = row.at(i++);
    r.read(cell, value);
  };
  (one(values), ...);
}

template <class R>
void read_metric_texts(R& r, const Node& node, MetricTree& metrics, MetricIndex metric) {
  if (node.has("definition")) {
    MetricTexts texts;
    r.read(node, texts);
    metrics.set_texts(metric, std::move(texts));
  }
  if (!node.has("siblings")) return;
  Siblings siblings{};
  r.read(node.at("siblings"), siblings);
  metrics.set_siblings(metric, siblings);
}

template <class R>
void read_instance_details(R& r, const Node& node, SevereInstance& instance) {
  if (node.has("members")) {
    const Node members = node.at("members");
    if (members.size() > SevereInstance::max_members)
      members.fail(fmt::format("at most {}", SevereInstance::max_members));
    r.read(members, instance.members);
  }
  if (node.has("members_left_out")) r.read(node.at("members_left_out"), instance.members_left_out);
  if (node.has("context")) instance.context = r.context(node.at("context"));
  if (node.has("chain")) {
    const Node chain = node.at("chain"), steps = chain.at("steps");
    if (steps.size() == 0 || steps.size() > WaitChain::max_steps)
      steps.fail(fmt::format("1 to {}", WaitChain::max_steps));
    r.read(chain, instance.chain.emplace());
    for (std::size_t i = 0; i < steps.size(); ++i) {
      const Node step = steps.at(i), location = step.at("location"), callpath = step.at("callpath");
      r.index(location, LocationId{}), r.index(callpath, CallPathId{});
    }
  }
  if (node.has("cause")) {
    const Node cause = node.at("cause");
    r.read(cause, instance.cause.emplace());
  }
}

template <class R>
void read_durations(R& r, const Node& node, WaitSummary& summary) {
  if (node.has("histogram")) {
    const Node table = node.at("histogram");
    r.for_each_row(table, std::size(histogram_columns), [&](const Node& row) {
      DurationClass& c = summary.histogram.emplace_back();
      read_row(r, row, c.from, c.to, c.count, c.ticks);
    });
  }
  if (!node.has("by_callpath")) return;
  const Node table = node.at("by_callpath");
  r.for_each_row(table, std::size(by_callpath_columns), [&](const Node& row) {
    CallPathWaits& c = summary.by_callpath.emplace_back();
    WaitStatistics& s = c.statistics;
    read_row(r, row, c.callpath, s.count, s.sum, s.minimum, s.quartile25, s.median, s.quartile75, s.maximum, s.mean,
             s.quantile_error);
  });
  r.read(table.at("left_out"), summary.callpaths_left_out);
}

/// Ticks by bin, of which there have to be so many.
template <class R>
std::vector<Ticks> read_bins(R& r, const Node& node, std::size_t bins) {
  node.expect_size(bins);
  std::vector<Ticks> ticks;
  r.read(node, ticks);
  return ticks;
}

template <class R, class MetricOf>
WaitSeries read_series(R& r, const Node& node, MetricOf&& metric_of) {
  WaitSeries series;
  r.read(node.at("start"), series.start);
  r.read(node.at("bin_ticks"), series.bin_ticks);
  const Node bins = node.at("bins"), per_group_bin = node.at("bins_per_group_bin"), groups = node.at("groups");
  series.bins = bins.template integer<std::size_t>(0, WaitSeries::max_bins);
  series.bins_per_group_bin = per_group_bin.template integer<std::size_t>(1, WaitSeries::max_bins);
  for (std::size_t i = 0, n = groups.size(); i < n; ++i) {
    const Node row = groups.at(i);
    row.expect_size(2);
    auto& [first, last] = series.groups.emplace_back();
    first = r.index(row.at(0), LocationId{}), last = r.index(row.at(1), LocationId{});
  }
  node.at("metrics").for_each_member([&](const std::string& id, const Node& of_metric) {
    WaitSeries::OfMetric& m = series.metrics[metric_of(id, of_metric)];
    const Node ticks = of_metric.at("ticks"), rows = of_metric.at("groups");
    m.ticks = read_bins(r, ticks, series.bins);
    r.read(of_metric.at("without_time"), m.without_time);
    for (std::size_t i = 0, n = rows.size(); i < n; ++i) {
      const Node row = rows.at(i), group = row.at("group"), values = row.at("ticks");
      if (series.groups.empty()) group.fail("no group, since there are none");
      const auto number =
          group.template integer<std::uint32_t>(0, static_cast<std::uint32_t>(series.groups.size() - 1));
      m.groups.emplace_back(number, read_bins(r, values, series.group_bins()));
    }
  });
  return series;
}

template <class R>
std::vector<WaitContext> read_contexts(R& r, const Node& list) {
  std::vector<WaitContext> contexts;
  for (std::size_t i = 0, n = list.size(); i < n; ++i) {
    const Node node = list.at(i), locations = node.at("locations");
    WaitContext& c = contexts.emplace_back();
    r.read(node, c);
    for (std::size_t l = 0; l < c.locations.size(); ++l) c.locations[l] = r.index(locations.at(l), LocationId{});
    r.for_each_row(node.at("regions"), std::size(interval_columns), [&](const Node& row) {
      WaitContext::Interval& interval = c.regions.emplace_back();
      read_row(r, row, interval.location, interval.region, interval.enter, interval.exit, interval.depth);
      interval.location = r.index(row.at(0), LocationId{});
    });
    r.for_each_row(node.at("messages"), std::size(context_message_columns), [&](const Node& row) {
      WaitContext::Message& m = c.messages.emplace_back();
      read_row(r, row, m.sender, m.receiver, m.sent, m.received, m.bytes, m.tag, m.comm);
      m.sender = r.index(row.at(0), LocationId{}), m.receiver = r.index(row.at(1), LocationId{});
    });
    if (!node.has("transfers")) continue;
    const Node transfers = node.at("transfers");
    r.for_each_row(transfers, std::size(transfer_columns), [&](const Node& row) {
      WaitContext::Transfer& t = c.transfers.emplace_back();
      auto completed = or_null(t.completed, WaitContext::Transfer::unknown);
      read_row(r, row, t.origin, t.target, t.kind, t.started, completed, t.bytes);
      t.origin = r.index(row.at(0), LocationId{}), t.target = r.index(row.at(1), LocationId{});
    });
    r.read(transfers.at("left_out"), c.transfers_left_out);
  }
  return contexts;
}

template <class R>
CriticalPath read_critical_path(R& r, const Node& node) {
  CriticalPath path;
  r.read(node.at("ticks"), path.ticks);
  r.read(node.at("left_out"), path.left_out);
  r.read(node.at("ticks_left_out"), path.ticks_left_out);
  r.for_each_row(node.at("segments"), std::size(segment_columns), [&](const Node& row) {
    CriticalSegment& s = path.segments.emplace_back();
    read_row(r, row, s.location, s.from, s.to, s.ticks, s.callpath, s.callpath_ticks, s.crossing, s.waited_in);
    s.location = r.index(row.at(0), LocationId{});
  });
  return path;
}

template <class R, class Id>
void read_largest(R& r, const Node& node, std::vector<std::pair<Id, Ticks>>& largest) {
  if (node.size() > Phases::max_places) node.fail(fmt::format("at most {}", Phases::max_places));
  for (std::size_t i = 0, n = node.size(); i < n; ++i) {
    auto& [place, ticks] = largest.emplace_back();
    const Node row = node.at(i);
    read_row(r, row, place, ticks);
    place = r.index(row.at(0), Id{});
  }
}

template <class R, class MetricOf>
Phases read_phases(R& r, const Node& node, MetricOf&& metric_of) {
  Phases phases;
  r.read(node.at("region"), phases.region);
  r.read(node.at("visits"), phases.visits);
  r.read(node.at("visits_per_phase"), phases.visits_per_phase);
  const Node list = node.at("phases");
  if (list.size() > Phases::max_phases) list.fail(fmt::format("at most {}", Phases::max_phases));
  for (std::size_t i = 0, n = list.size(); i < n; ++i) {
    const Node one = list.at(i);
    Phases::Phase& phase = phases.phases.emplace_back();
    r.read(one, phase);
    one.at("waits").for_each_member(
        [&](const std::string& id, const Node& ticks) { r.read(ticks, phase.waits[metric_of(id, ticks)]); });
    if (!one.has("places")) continue;
    const Node all_places = one.at("places");
    all_places.for_each_member([&](const std::string& id, const Node& of_metric) {
      Phases::Places& places = phase.places[metric_of(id, of_metric)];
      const Node callpaths = of_metric.at("callpaths"), locations = of_metric.at("locations");
      read_largest(r, callpaths, places.callpaths);
      read_largest(r, locations, places.locations);
      r.read(of_metric.at("exact"), places.exact);
    });
  }
  return phases;
}

template <class R>
Communication read_communication(R& r, const Node& node) {
  Communication c;
  const Node per_block = node.at("processes_per_block");
  c.processes_per_block = per_block.template integer<std::uint64_t>(1);
  r.for_each_row(node.at("pairs"), std::size(communication_columns), [&](const Node& row) {
    Communication::Pair& p = c.pairs.emplace_back();
    read_row(r, row, p.sender, p.receiver, p.messages, p.bytes, p.puts, p.bytes_put, p.gets, p.bytes_got);
  });
  r.for_each_row(node.at("sizes"), std::size(message_size_columns), [&](const Node& row) {
    Communication::Sizes& s = c.sizes.emplace_back();
    read_row(r, row, s.from, s.to, s.messages, s.bytes);
  });
  r.for_each_row(node.at("collectives"), std::size(operation_columns), [&](const Node& row) {
    Communication::Operations& o = c.collectives.emplace_back();
    read_row(r, row, o.comm, o.operation, o.operations, o.calls, o.bytes_sent, o.bytes_received, o.ticks, o.wait_ticks);
  });
  return c;
}

}  // namespace waitstate::report::json
