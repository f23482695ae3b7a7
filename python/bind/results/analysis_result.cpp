// A result as waitstate/result.py takes it: the tables of severities as arrays, all else as objects with fields.
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
#include "report/csv/csv_writer.hpp"
#include "report/facts/completeness.hpp"
#include "report/form.hpp"
#include "report/format/output_file.hpp"
#include "report/format/units.hpp"
#include "report/json/json_reader.hpp"
#include "report/json/json_writer.hpp"
#include "report/report_file.hpp"
#include "report/text/analysis_text.hpp"
#include "report/words/completeness.hpp"
#include "report/words/scope.hpp"

namespace waitstate::python {

namespace {

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

/// A list that belongs to the result, or was made for this object (`keeper`).
template <class L>
py::object rows(const ResultObject& self, const L& list, const std::shared_ptr<const void>& keeper) {
  const Owner owner = self.owner();
  return rows_of<std::remove_const_t<typename L::value_type>>(owner, keeper, list.size(),
                                                              [&list](std::size_t i) -> const typename L::value_type& {
                                                                return *(list.begin() + static_cast<std::ptrdiff_t>(i));
                                                              });
}
template <class L>
py::object rows(const ResultObject& self, const L& list) {
  return rows(self, list, self.result);
}
/// A struct of the result; None where there is none.
template <class S>
py::object struct_or_none(const ResultObject& self, const S* s) {
  return s == nullptr ? py::none() : py::cast(Bound<S>{self.owner(), std::shared_ptr<const S>(self.result, s)});
}
template <class S>
py::object struct_or_none(const ResultObject& self, const std::optional<S>& s) {
  return struct_or_none(self, s ? &*s : nullptr);
}

py::tuple metrics(const ResultObject& self) {
  const MetricTree& tree = self.result->metrics;
  py::tuple all(tree.size());
  for (MetricIndex i = 0; i < tree.size(); ++i) all[i] = struct_or_none(self, &tree[i]);
  return all;
}

py::dict waits(const ResultObject& self) {
  py::dict all;
  for (const auto& [metric, summary] : self.result->waits)
    all[to_str(self.result->metrics[metric].id)] = struct_or_none(self, &summary);
  return all;
}

struct FoundProblems {
  report::ToldProblems found;
  std::vector<report::ProblemEntry> entries = {};
};
py::object problems(const ResultObject& self) {
  const auto made = std::make_shared<FoundProblems>(
      FoundProblems{report::told_problems(*self.result, self.run(), report::most_problems)});
  for (const report::ToldProblem& p : made->found.listed)
    made->entries.push_back({p, report::callpath_source(*self.result, p.callpath)});
  return rows(self, made->entries, made);
}

py::dict counters(const ResultObject& self) {
  py::dict all;
  for (auto& [metric, entry] : report::counter_entries(*self.result))
    all[to_str(self.result->metrics[metric].id)] = own_object(self.owner(), std::move(entry));
  return all;
}

py::dict software_counters(const ResultObject& self) {
  py::dict all;
  for (report::SoftwareCounter& counter : report::software_counters(*self.result)) {
    const py::str name = to_str(counter.name);  // read before the counter is moved
    all[name] = own_object(self.owner(), std::move(counter));
  }
  return all;
}

py::list deadlock_circles(const ResultObject& self) {
  py::list all;
  for (const std::vector<LocationId>& circle : deadlocks(*self.result)) {
    py::list locations;
    for (const LocationId l : circle) locations.append((*self.tables)[l]);
    all.append(locations);
  }
  return all;
}

report::Scope scope(bool whole) { return whole ? report::Scope::whole : report::Scope::without_init_exit; }

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
  bind_result_fields(module);
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
    for (std::size_t i = 0; i < r.call_tree.size(); ++i) {
      const CallPathId parent = r.call_tree[CallPathId{i}].parent;
      parents.append(parent.valid() ? py::object(py::int_(parent.value)) : py::none());
    }
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
  c.def_property_readonly("metrics", &metrics);
  c.def_property_readonly("patterns", [](const ResultObject& self) { return rows(self, self.result->patterns); });
  c.def_property_readonly("open_calls", [](const ResultObject& self) { return rows(self, self.result->open_calls); });
  c.def_property_readonly("deadlocks", &deadlock_circles);
  c.def_property_readonly("queues", [](const ResultObject& self) {
    return struct_or_none(self, self.result->queues.known ? &self.result->queues : nullptr);
  });
  c.def_property_readonly("software_counters", &software_counters);
  c.def_property_readonly("counters", &counters);
  c.def_property_readonly("waits", &waits);
  c.def_property_readonly("problems", &problems);
  c.def_property_readonly("problems_note", [](const ResultObject& self) {
    return to_str(report::told_problems(*self.result, self.run(), report::most_problems).note);
  });
  c.def_property_readonly("series", [](const ResultObject& self) { return struct_or_none(self, self.result->series); });
  c.def_property_readonly("contexts", [](const ResultObject& self) { return rows(self, self.result->contexts); });
  c.def_property_readonly("critical_path",
                          [](const ResultObject& self) { return struct_or_none(self, self.result->critical_path); });
  c.def_property_readonly("phases", [](const ResultObject& self) { return struct_or_none(self, self.result->phases); });
  c.def_property_readonly("communication",
                          [](const ResultObject& self) { return struct_or_none(self, self.result->communication); });
  c.def_property_readonly("undetermined",
                          [](const ResultObject& self) { return rows(self, self.result->undetermined); });
  c.def("columns", &severity_columns, py::arg("inclusive"));
  c.def("diagnostics",
        [](const ResultObject& self) { return make_diagnostics(self.result->diagnostics, *self.tables); });
  c.def("text", &report_text, py::arg("full"), py::arg("top"), py::arg("width"));
  c.def("csv", [](const ResultObject& self) { return report_str(self, report::write_csv); });
  c.def("json", [](const ResultObject& self) {
    return report_str(self, [](const AnalysisResult& r, std::ostream& out) { report::write_json(r, out); });
  });
  c.def("state", &result_state);
  c.def(
      "efficiency",
      [](const ResultObject& self, bool whole) {
        return own_object(self.owner(), report::EfficiencyEntry(*self.result, self.run().of(scope(whole))));
      },
      py::arg("whole"));
  c.def(
      "share",
      [](const ResultObject& self, MetricIndex metric, bool whole) {
        return report::Completeness(*self.result).share(metric, self.run().of(scope(whole)));
      },
      py::arg("metric"), py::arg("whole"));
  c.def(
      "summary_value",
      [](const ResultObject& self, MetricIndex metric) {
        const std::int64_t value = self.run().counted().of(metric);
        return report::told_text(report::Completeness(*self.result), metric, value,
                                 report::duration_text(self.result->seconds(value)));
      },
      py::arg("metric"));
  c.def("left_out", [](const ResultObject& self) { return report::without_text(self.run()); });
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
    return make_wait_graph(self, metrics, level);
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
