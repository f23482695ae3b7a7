// The description of a Python pattern as PatternInfo: waitstate/pattern.py makes a plain table of it, which gets its
// types here.

#include <optional>

#include "bind/patterns/python_pattern.hpp"

namespace waitstate::python {

namespace {

Unit unit_of(const std::string& text, const std::string& metric) {
  for (const Unit u : {Unit::seconds, Unit::occurrences, Unit::bytes})
    if (text == name(u)) return u;
  throw UsageError("metric '" + metric + "' has the unit '" + text + "', expected 'sec', 'occ' or 'bytes'");
}

MetricKind kind_of(const std::string& text, const std::string& metric) {
  for (const MetricKind k : {MetricKind::other, MetricKind::wait, MetricKind::completion, MetricKind::idleness})
    if (text == name(k)) return k;
  throw UsageError("metric '" + metric + "' has the kind '" + text +
                   "', expected 'other', 'wait', 'completion' or 'idleness'");
}

ParameterValue value_of(const py::handle& value, const std::string& parameter) {
  if (py::isinstance<py::bool_>(value)) return ParameterValue(std::int64_t{value.cast<bool>() ? 1 : 0});
  if (py::isinstance<py::int_>(value)) return ParameterValue(value.cast<std::int64_t>());
  if (py::isinstance<py::float_>(value)) return ParameterValue(value.cast<double>());
  if (py::isinstance<py::str>(value)) return ParameterValue(value.cast<std::string>());
  throw UsageError("parameter '" + parameter + "' is of type " +
                   py::str(py::type::of(value).attr("__name__")).cast<std::string>() +
                   ", expected a whole number, a real one, or a text");
}

}  // namespace

py::object parameter_object(const ParameterValue& value) {
  if (const auto* text = std::get_if<std::string>(&value)) return to_str(*text);
  if (const auto* number = std::get_if<double>(&value)) return py::float_(*number);
  return py::int_(std::get<std::int64_t>(value));
}

PatternInfo pattern_info(const py::object& pattern) {
  const py::dict table = py::module_::import("waitstate.pattern").attr("describe")(pattern);
  PatternInfo info;
  for (const py::handle row : table["metrics"]) {
    const auto [id, parent, unit, within_parent, title, summary, kind] =
        row.cast<std::tuple<std::string, std::string, std::string, bool, std::string, std::string, std::string>>();
    info.metrics.push_back({.id = id,
                            .parent = parent,
                            .unit = unit_of(unit, id),
                            .within_parent = within_parent,
                            .title = title,
                            .summary = summary,
                            .kind = kind_of(kind, id)});
  }
  for (const py::handle row : table["parameters"]) {
    const auto [name, fallback, unit, summary, minimum, maximum] = row.cast<
        std::tuple<std::string, py::object, std::string, std::string, std::optional<double>, std::optional<double>>>();
    info.parameters.push_back({name, value_of(fallback, name), unit, summary, minimum, maximum});
  }
  const auto text = [&](const char* key) { return table[key].cast<std::string>(); };
  info.severity = text("severity");
  info.charged_to = text("charged to");
  info.state = text("state");
  info.source = text("source");
  info.differs = text("differs");
  info.diagnosis = text("diagnosis");
  info.needs = table["needs"].cast<std::vector<std::string>>();
  info.needs_stack = table["needs_stack"].cast<bool>();
  info.needs_queue = table["needs_queue"].cast<bool>();
  info.message_queues = table["message_queues"].cast<bool>();
  return info;
}

}  // namespace waitstate::python
