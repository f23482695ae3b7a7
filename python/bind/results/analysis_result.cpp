// Long because each attribute of a result has its own form here.
#include "bind/results/analysis_result.hpp"

#include <fmt/format.h>
#include <pybind11/numpy.h>

#include <algorithm>
#include <filesystem>
#include <numeric>
#include <optional>
#include <sstream>

#include "analysis/metrics/metric_names.hpp"
#include "bind/definitions/diagnostics.hpp"
#include "bind/events/point_to_point_objects.hpp"
#include "report/csv/csv_writer.hpp"
#include "report/facts/completeness.hpp"
#include "report/facts/efficiency.hpp"
#include "report/facts/ideal_machine.hpp"
#include "report/form.hpp"
#include "report/format/output_file.hpp"
#include "report/json/json_reader.hpp"
#include "report/json/json_writer.hpp"
#include "report/report_file.hpp"
#include "report/text/analysis_text.hpp"
#include "report/words/efficiency.hpp"
#include "report/words/software_counters.hpp"

namespace waitstate::python {

namespace {

py::list metric_table(const ResultObject& self) {
  const MetricTree& metrics = self.result->metrics;
  py::list list;
  for (MetricIndex i = 0; i < metrics.size(); ++i) {
    const MetricInfo& m = metrics[i];
    list.append(py::make_tuple(to_str(m.id), to_str(m.title), to_str(m.summary), std::string(name(m.unit)),
                               m.parent == no_metric ? py::object(py::none()) : py::object(py::int_(m.parent)),
                               m.within_parent, to_str(m.unit_name), m.scale, std::string(name(m.kind)), m.from_plugin,
                               std::string(enum_name(m.aggregation)), to_str(m.texts.definition),
                               to_str(m.texts.charged_to), to_str(m.texts.source), to_str(m.texts.diagnosis),
                               std::string(enum_name(m.siblings))));
  }
  return list;
}

/// The table of severities as four columns: metric, call path, location, value.
py::tuple severity_columns(const ResultObject& self, bool inclusive) {
  std::vector<SeverityRow> rows;
  {
    const py::gil_scoped_release released;
    const AnalysisResult& r = *self.result;
    if (inclusive) {
      rows = r.table();
    } else {
      std::vector<std::uint32_t> numbers(r.call_tree.size());
      std::iota(numbers.begin(), numbers.end(), 0u);
      for (MetricIndex m = 0; m < r.metrics.size(); ++m)
        r.severities.for_each(m, numbers, [&](CallPathId c, LocationId l, std::int64_t value) {
          rows.push_back({m, c, l, value});
        });
    }
  }
  const auto n = static_cast<py::ssize_t>(rows.size());
  py::array_t<std::int32_t> metric(n), callpath(n), location(n);
  py::array_t<std::int64_t> value(n);
  for (py::ssize_t i = 0; i < n; ++i) {
    const SeverityRow& row = rows[static_cast<std::size_t>(i)];
    metric.mutable_at(i) = static_cast<std::int32_t>(row.metric);
    callpath.mutable_at(i) = static_cast<std::int32_t>(row.callpath.value);
    location.mutable_at(i) = static_cast<std::int32_t>(row.location.value);
    value.mutable_at(i) = row.value;
  }
  return py::make_tuple(metric, callpath, location, value);
}

/// In the order of waitstate.result_types.Statistics.
py::tuple statistics_tuple(const WaitStatistics& s) {
  return py::make_tuple(s.count, s.sum, s.minimum, s.maximum, s.mean, s.variance, s.quartile25, s.median, s.quartile75,
                        s.quantile_error);
}

/// In the order of waitstate.result_types.CulpritWait; None if it is not known.
py::object culprit_wait(const CulpritWait& w) {
  if (!w.known) return py::none();
  return py::make_tuple(w.ticks, w.most, id_or_none(w.culprit), id_or_none(w.callpath));
}

py::list members_of(const SevereInstance& instance, const Names& names) {
  py::list all;
  for (const Wait& w : instance.members) all.append(WaitObject{w, names});
  return all;
}

/// In the order of waitstate.result_types.WaitCause; None if it is not known.
py::object wait_cause(const SevereInstance& instance) {
  if (!instance.cause) return py::none();
  const WaitCause& c = *instance.cause;
  const auto known = [](std::uint64_t value) {
    return value == WaitCause::none ? py::object(py::none()) : py::object(py::int_(value));
  };
  const bool of_operation = c.operation != WaitCause::no_operation;
  return py::make_tuple(std::string(enum_name(c.kind)), known(c.sent), known(c.received), known(c.bytes),
                        c.tag < 0 ? py::object(py::none()) : py::object(py::int_(c.tag)), id_or_none(c.comm),
                        of_operation ? py::object(py::str(std::string(enum_name(c.operation)))) : py::none(),
                        known(c.culprit_enter), known(c.culprit_exit));
}

/// In the order of waitstate.result_types.WaitChain; None if it was not looked for, or is not known.
py::object wait_chain(const SevereInstance& instance) {
  if (!instance.chain) return py::none();
  const WaitChain& chain = *instance.chain;
  py::list steps;
  for (const ChainStep& s : chain.steps)
    steps.append(py::make_tuple(id_or_none(s.location), id_or_none(s.callpath), s.enter, s.ticks,
                                std::string(enum_name(s.crossing)), id_or_none(s.culprit), s.share));
  return py::make_tuple(steps, std::string(enum_name(chain.end)), id_or_none(chain.root), chain.root_ticks,
                        chain.root_share, chain.waited_share);
}

py::dict wait_summaries(const ResultObject& self) {
  py::dict all;
  for (const auto& [metric, summary] : self.result->waits) {
    py::list pairs, causes, instances;
    for (const auto& [who, pair] : summary.pairs)
      pairs.append(py::make_tuple(id_or_none(who.first), id_or_none(who.second), pair.count, pair.ticks));
    for (const auto& [who, pair] : summary.causes)
      causes.append(py::make_tuple(id_or_none(who.first), id_or_none(who.second), pair.count, pair.ticks));
    for (const auto& [callpath, severe] : summary.severe)
      for (const SevereInstance& one : severe)
        instances.append(py::make_tuple(
            id_or_none(callpath), one.total, one.waiters, WaitObject{one.longest, self.tables},
            culprit_wait(one.culprit_wait), members_of(one, self.tables), one.members_left_out, wait_cause(one),
            one.context == WaitContext::none ? py::object(py::none()) : py::object(py::int_(one.context)),
            wait_chain(one)));
    py::dict d;
    d["statistics"] = statistics_tuple(summary.statistics);
    d["pairs"] = pairs, d["causes"] = causes, d["instances"] = instances;
    py::list histogram, by_callpath;
    for (const DurationClass& c : summary.histogram) histogram.append(py::make_tuple(c.from, c.to, c.count, c.ticks));
    for (const CallPathWaits& c : summary.by_callpath)
      by_callpath.append(py::make_tuple(id_or_none(c.callpath), statistics_tuple(c.statistics)));
    d["histogram"] = histogram, d["by_callpath"] = by_callpath, d["callpaths_left_out"] = summary.callpaths_left_out;
    all[py::str(self.result->metrics[metric].id)] = d;
  }
  return all;
}

report::Scope scope(bool whole) { return whole ? report::Scope::whole : report::Scope::without_init_exit; }

/// In the order of waitstate.result_types.Efficiency.
py::tuple efficiency_tuple(const ResultObject& self, bool whole) {
  const report::Totals& totals = self.run().of(scope(whole));
  const report::Efficiency e = report::efficiency(*self.result, totals);
  const auto known = [&](auto value) { return e.known() ? py::cast(value) : py::object(py::none()); };
  return py::make_tuple(known(e.parallel), known(e.load_balance), known(e.communication),
                        to_str(report::why_unknown(*self.result, e.unknown)), totals.time(), known(e.run_time),
                        e.threads ? "threads" : "processes", e.units, e.left_out);
}

/// In the order of waitstate.result_types.IdealMachine; None if mpi_ideal_wait was not run.
py::object ideal_tuple(const ResultObject& self, bool whole) {
  const report::IdealMachine m = report::ideal_machine(*self.result, self.run().of(scope(whole)));
  if (!m.was_asked) return py::none();
  const auto known = [&](auto value) { return m.known() ? py::cast(value) : py::object(py::none()); };
  return py::make_tuple(known(m.serialisation), known(m.transfer), known(m.mpi_communication),
                        known(m.mpi_load_balance), known(m.mpi_parallel), known(m.openmp), known(m.ideal_run_time),
                        id_or_none(m.unbalanced), known(m.balanced_run_time), to_str(m.bound),
                        to_str(report::why_unknown(*self.result, m)));
}

/// All that makes the same result again, numbers of call paths included; see result_of_state().
py::tuple result_state(const ResultObject& self) {
  std::ostringstream out;
  std::vector<std::uint32_t> order;
  {
    const py::gil_scoped_release released;
    report::write_json(*self.result, out, report::CallPathNumbers::own);
    for (const CallPathId id : self.result->call_tree.depth_first()) order.push_back(id.value);
  }
  py::dict diagnoses;
  for (const auto& [metric, text] : self.diagnoses) diagnoses[to_str(metric)] = py::bytes(text);
  py::list headlines;
  for (const std::string& line : self.headlines) headlines.append(py::bytes(line));
  return py::make_tuple(py::bytes(out.str()), order, diagnoses, headlines);
}

ResultObject result_of_state(const py::bytes& json, const std::vector<std::uint32_t>& order, const py::dict& diagnoses,
                             const std::vector<std::string>& headlines) {
  report::Diagnoses all;
  for (const auto& [metric, text] : diagnoses)
    all.emplace(to_bytes(py::reinterpret_borrow<py::str>(metric)), text.cast<std::string>());
  const std::string text = json;
  std::vector<CallPathId> depth_first;
  for (const std::uint32_t id : order) depth_first.emplace_back(id);
  std::shared_ptr<const AnalysisResult> result;
  {
    const py::gil_scoped_release released;
    result = std::make_shared<const AnalysisResult>(report::read_json_copy(text, depth_first));
  }
  return ResultObject(std::move(result), std::move(all), headlines);
}

py::str report_text(const ResultObject& self, bool full, std::optional<std::size_t> top, unsigned width) {
  std::string text;
  {
    const py::gil_scoped_release released;
    text =
        report::analysis_text(*self.result, report::Style{width, false}, {full, top, self.diagnoses, self.headlines});
  }
  return to_str(text);
}

void write_report(const ResultObject& self, const py::object& given, const std::string& format, bool full,
                  std::size_t megabytes) {
  const std::filesystem::path path = path_of(given);
  const py::gil_scoped_release released;
  report::OutputFile file(path, self.result->path);
  const report::Form& form = *report::form_of_name(format);
  form.write(*self.result, {report::Style{}, {full, {}, self.diagnoses, self.headlines}, megabytes * 1'000'000},
             file.stream());
  file.commit();
}

template <class Write>
py::str report_str(const ResultObject& self, Write&& writer) {
  std::ostringstream out;
  {
    const py::gil_scoped_release released;
    writer(*self.result, out);
  }
  return to_str(out.str());
}

}  // namespace

void bind_analysis_result(py::module_& module) {
  py::class_<ResultObject> c(module, "_AnalysisResult", "The compiled part of waitstate.Result.");
  const auto number = [&](const char* name, auto get) {
    c.def_property_readonly(name, [get](const ResultObject& self) { return get(*self.result); });
  };
  c.def_property_readonly("command", [](const ResultObject& self) { return to_str(self.result->command); });
  c.def_property_readonly("path", [](const ResultObject& self) { return to_str(self.result->path); });
  number("events", [](const AnalysisResult& r) { return r.events(); });
  number("messages", [](const AnalysisResult& r) { return r.messages; });
  number("collectives", [](const AnalysisResult& r) { return r.collectives; });
  number("duration", [](const AnalysisResult& r) { return r.duration(); });
  number("first_time", [](const AnalysisResult& r) {
    Time first = ~Time{0};
    for (const LocationSummary& l : r.locations)
      if (l.events != 0) first = std::min(first, l.first_time);
    return first == ~Time{0} ? Time{0} : first;
  });
  number("resolution", [](const AnalysisResult& r) { return r.definitions.clock.resolution; });
  number("depth_first", [](const AnalysisResult& r) {
    std::vector<std::uint32_t> order;
    for (const CallPathId id : r.call_tree.depth_first()) order.push_back(id.value);
    return order;
  });
  number("call_path_parents", [](const AnalysisResult& r) {
    py::list parents;
    for (std::size_t i = 0; i < r.call_tree.size(); ++i) parents.append(id_or_none(r.call_tree[CallPathId{i}].parent));
    return parents;
  });
  number("call_path_count", [](const AnalysisResult& r) { return r.call_tree.size(); });
  number("location_count", [](const AnalysisResult& r) { return r.definitions.locations.size(); });
  number("events_by_type", [](const AnalysisResult& r) {
    py::dict counts;
    for (std::size_t i = 0; i < event_type_count; ++i)
      if (r.events_by_type[i] != 0) counts[py::str(std::string(event_types[i].name))] = r.events_by_type[i];
    return counts;
  });
  number("location_summaries", [](const AnalysisResult& r) {
    py::list list;
    for (const LocationSummary& l : r.locations) list.append(py::make_tuple(l.events, l.first_time, l.last_time));
    return list;
  });
  number("patterns", [](const AnalysisResult& r) {
    py::list list;
    for (const PatternRun& p : r.patterns) {
      py::dict parameters;
      for (const auto& [key, value] : p.parameters) parameters[py::str(key)] = to_str(value);
      list.append(py::make_tuple(p.id, parameters));
    }
    return list;
  });
  number("open_calls", [](const AnalysisResult& r) {
    py::list list;
    for (const OpenCall& call : r.open_calls) {
      py::list waits;
      for (const OpenWait& wait : call.waits) {
        py::list whom;
        for (const LocationId l : wait.whom) whom.append(l.value);
        waits.append(py::make_tuple(std::string(enum_name(wait.kind)), id_or_none(wait.comm), id_or_none(wait.target),
                                    wait.tag < 0 ? py::object(py::none()) : py::int_(wait.tag), whom, wait.any));
      }
      list.append(py::make_tuple(call.location.value, id_or_none(call.callpath), call.region.value, call.enter, waits));
    }
    return list;
  });
  number("deadlocks", [](const AnalysisResult& r) {
    py::list list;
    for (const std::vector<LocationId>& circle : deadlocks(r)) {
      py::list locations;
      for (const LocationId l : circle) locations.append(l.value);
      list.append(locations);
    }
    return list;
  });
  number("queues", [](const AnalysisResult& r) -> py::object {
    if (!r.queues.known) return py::none();
    const auto profile = [](const QueueProfile& q) {
      return py::make_tuple(q.entered, q.remaining, q.greatest_length, q.populated, q.total, q.least, q.greatest,
                            q.search_total, q.search_greatest, q.source_total, q.source_greatest);
    };
    const auto course = [](const std::vector<QueuePart>& parts) {
      py::list all;
      for (const QueuePart& p : parts)
        all.append(py::make_tuple(p.posted_greatest, p.unexpected_greatest, p.posted_mean, p.unexpected_mean));
      return all;
    };
    py::list rows;
    for (const QueueRow& row : r.queues.rows)
      rows.append(py::make_tuple(row.process.value, id_or_none(row.comm), profile(row.posted), profile(row.unexpected),
                                 course(row.parts)));
    return py::make_tuple(r.queues.from, r.queues.to, rows, course(r.queues.parts));
  });
  number("software_counters", [](const AnalysisResult& r) {
    py::list list;
    for (const report::SoftwareCounter& s : report::software_counters(r))
      list.append(py::make_tuple(std::string(s.name), report::meaning(s), std::string(report::name(s.bound)),
                                 s.of_paper, s.values));
    return list;
  });
  number("counters", [](const AnalysisResult& r) {
    py::list list;
    for (const Counter& counter : r.counters) {
      py::list rows;
      for (const CounterRow& row : counter.rows)
        rows.append(py::make_tuple(id_or_none(row.callpath), id_or_none(row.location), row.samples, row.weight,
                                   row.least, row.greatest));
      list.append(py::make_tuple(counter.metric, std::string(enum_name(counter.kind)),
                                 std::string(enum_name(counter.timing)), to_str(counter.unit), counter.weighted(),
                                 rows));
    }
    return list;
  });
  c.def("metric_table", &metric_table);
  c.def("columns", &severity_columns, py::arg("inclusive"));
  c.def("waits", &wait_summaries);
  bind_details(c);
  c.def("undetermined", [](const ResultObject& self) {
    py::list answers;
    for (const UndeterminedMetric& u : self.result->undetermined)
      answers.append(py::make_tuple(to_str(self.result->metrics[u.metric].id), to_str(u.sentence)));
    return answers;
  });
  c.def("diagnostics",
        [](const ResultObject& self) { return make_diagnostics(self.result->diagnostics, *self.tables); });
  c.def("text", &report_text, py::arg("full"), py::arg("top"), py::arg("width"));
  c.def("csv", [](const ResultObject& self) { return report_str(self, report::write_csv); });
  c.def("json", [](const ResultObject& self) {
    return report_str(self, [](const AnalysisResult& r, std::ostream& out) { report::write_json(r, out); });
  });
  c.def("state", &result_state);
  c.def("efficiency", &efficiency_tuple, py::arg("whole"));
  c.def("ideal_machine", &ideal_tuple, py::arg("whole"));
  c.def(
      "share",
      [](const ResultObject& self, MetricIndex metric, bool whole) {
        return report::Completeness(*self.result).share(metric, self.run().of(scope(whole)));
      },
      py::arg("metric"), py::arg("whole"));
  c.def(
      "find_metric",
      [](const ResultObject& self, const py::str& name) {
        const MetricIndex found = analysis::find_metric(self.result->metrics, to_bytes(name));
        return found == no_metric ? std::nullopt : std::optional<MetricIndex>(found);
      },
      py::arg("name"));
  c.def(
      "nearest_metric",
      [](const ResultObject& self, const py::str& name) {
        return analysis::nearest_metric(to_bytes(name), {&self.result->metrics});
      },
      py::arg("name"));
  c.def("write", &write_report, py::arg("path"), py::arg("format"), py::arg("full"), py::arg("megabytes"));
  c.def("wait_graph", [](const ResultObject& self, const std::vector<std::string>& metrics, const std::string& level) {
    return make_wait_graph(self.result, metrics, level);
  });
  define_tables(c, [](ResultObject& self) { return self.tables; });
  module.def(
      "_report_forms",
      [] {
        std::vector<std::pair<std::string, std::vector<std::string>>> all;
        for (const report::Form& form : report::forms())
          if (form.write != nullptr)
            all.emplace_back(form.name, std::vector<std::string>(form.endings.begin(), form.endings.end()));
        return all;
      },
      "Names and endings of the formats of Result.write().");
  module.def("_result_of_state", &result_of_state, py::arg("json"), py::arg("order"), py::arg("diagnoses"),
             py::arg("headlines"));
  module.def(
      "_open_report",
      [](const py::object& given) {
        const std::filesystem::path path = path_of(given);
        const py::gil_scoped_release released;
        const auto result = std::make_shared<const AnalysisResult>(report::read_report(path));
        const py::gil_scoped_acquire held;
        return ResultObject(result, built_in_patterns());
      },
      py::arg("path"));
}

}  // namespace waitstate::python
