// The classes of the objects of a result, and the list that makes them.
#include "bind/results/result_fields.hpp"

#include <fmt/format.h>

#include <regex>
#include <string>

namespace waitstate::python {

std::string field_doc(std::string sentence, report::Measure measure, const std::string& type) {
  // Members that JSON leaves out are empty, and null is None.
  const bool is_list = type.starts_with("Rows") || type.starts_with("list") || type.starts_with("array");
  sentence = std::regex_replace(sentence, std::regex("\\bnull\\b"), "None");
  sentence = std::regex_replace(sentence, std::regex("\\bmissing(:| where| without)"), is_list ? "empty$1" : "None$1");
  sentence = std::regex_replace(sentence, std::regex("\\bMissing:"), is_list ? "Empty:" : "None:");
  if (type.empty()) return sentence;
  const char* const of = measure == report::Measure::time    ? "A time stamp in ticks"
                         : measure == report::Measure::ticks ? "In ticks"
                         : measure == report::Measure::bytes ? "In bytes"
                         : measure == report::Measure::share ? "From 0 to 1"
                                                             : "Type";
  return fmt::format("{} {}: {}.", sentence, of, type);
}

std::string part_of_result(const char* class_name) {
  return fmt::format("{} is a part of its Result: pickle that", class_name);
}

std::string short_repr(const py::handle& value) {
  const std::string class_name = py::str(py::type::handle_of(value).attr("__name__"));
  if (py::isinstance<Rows>(value)) return py::repr(value);
  if (py::isinstance<py::list>(value) && py::len(value) > 8) return fmt::format("<list of {}>", py::len(value));
  if (py::isinstance<py::dict>(value)) return fmt::format("<dict of {}>", py::len(value));
  if (py::isinstance<py::array>(value)) return fmt::format("<array of {}>", py::len(value));
  const bool plain = value.is_none() || py::isinstance<py::int_>(value) || py::isinstance<py::float_>(value) ||
                     py::isinstance<py::str>(value) || py::isinstance<py::list>(value);
  if (plain || py::hasattr(value, "id")) return py::repr(value);  // a definition
  return fmt::format("<{}>", class_name);
}

namespace {

py::object element(const Rows& rows, std::ptrdiff_t index) {
  const auto size = static_cast<std::ptrdiff_t>(rows.size);
  if (index < -size || index >= size) throw py::index_error(fmt::format("there are {} {}", rows.size, rows.of));
  return rows.element(static_cast<std::size_t>(index < 0 ? index + size : index));
}

py::list elements(const Rows& rows, const py::slice& slice) {
  std::size_t start = 0, stop = 0, step = 0, length = 0;
  if (!slice.compute(rows.size, &start, &stop, &step, &length)) throw py::error_already_set();
  py::list all;
  for (std::size_t i = 0; i < length; ++i, start += step) all.append(rows.element(start));
  return all;
}

py::object equals(const Rows& rows, const py::object& other) {
  if (!py::isinstance<Rows>(other) && !py::isinstance<py::list>(other))
    return py::reinterpret_borrow<py::object>(Py_NotImplemented);
  if (py::len(other) != rows.size) return py::bool_(false);
  for (std::size_t i = 0; i < rows.size; ++i)
    if (!rows.element(i).equal(other[py::int_(i)])) return py::bool_(false);
  return py::bool_(true);
}

std::ptrdiff_t metric_index(const Bound<MetricInfo>& m) { return m.value.get() - &m.owner.result->metrics[0]; }

void bind_rows(py::module_& module) {
  py::class_<Rows> c(module, "Rows",
                     "A list that makes its elements when they are asked for, since there may be millions. It cannot "
                     "be changed; list(rows) is a list of all elements.");
  c.def("__len__", [](const Rows& rows) { return rows.size; });
  c.def("__getitem__", &element, py::arg("index"));
  c.def("__getitem__", &elements, py::arg("index"));
  c.def("__eq__", &equals);
  c.def("__repr__", [](const Rows& rows) { return fmt::format("<Rows of {} {}>", rows.size, rows.of); });
  c.def(
      "columns", [](const Rows& rows) { return rows.columns(); },
      "The numbers and names of the rows, by the names of the attributes: numbers as arrays, in which a definition is "
      "its number, -1 stands for None, and NaN for a real number that is None; names as lists. Other attributes are "
      "left "
      "out. pandas.DataFrame(…) takes it. A new dict of str to Any.");
  c.def("__reduce__", [](const Rows&) -> py::object { throw py::type_error(part_of_result("Rows")); });
  c.attr("__hash__") = py::none();
  const py::object sequence = py::module_::import("collections.abc").attr("Sequence");
  for (const char* const method : {"__contains__", "__iter__", "__reversed__", "count", "index"})
    c.attr(method) = sequence.attr(method);
  sequence.attr("register")(c);
}

}  // namespace

void bind_result_fields(py::module_& module) {
  bind_rows(module);
  bind_fields<PatternRun>(module);
  bind_fields<MetricInfo>(module)
      .def_property_readonly("index", &metric_index, "Its number in Result.metrics. Type: int.")
      .def("__index__", &metric_index)
      .def_property_readonly(
          "unit_name", [](const Bound<MetricInfo>& m) { return to_str(m.value->unit_name); },
          "The unit of a counter's values times scale, as its recorder wrote it. Type: str.")
      .def_property_readonly(
          "scale", [](const Bound<MetricInfo>& m) { return m.value->scale; },
          "The value that a counter's 1 stands for, above 0. Type: float.")
      .def_property_readonly(
          "overlapping", [](const Bound<MetricInfo>& m) { return m.value->siblings == Siblings::overlapping; },
          "True if it may have something in common with another share of the parent. Type: bool.");
  bind_fields<UndeterminedMetric>(module);

  bind_fields<CulpritWait>(module);
  bind_fields<WaitCause>(module);
  bind_fields<ChainStep>(module);
  bind_fields<ChainCause>(module);
  bind_fields<WaitChain>(module);
  bind_fields<CriticalSegment>(module);
  bind_fields<CriticalPath>(module);
  bind_fields<report::InstanceEntry<const SevereInstance>>(module);
  bind_fields<WaitStatistics>(module);
  bind_fields<report::WaitPairEntry>(module);
  bind_fields<report::CulpritCallPathEntry>(module);
  bind_fields<DurationClass>(module);
  bind_fields<CallPathWaits>(module);
  bind_fields<WaitSummary>(module);
  bind_fields<report::ProblemEntry>(module);
  bind_fields<OpenWait>(module);
  bind_fields<UnreceivedMessages>(module);
  bind_fields<OpenCall>(module);

  bind_fields<WaitSeries>(module);
  bind_fields<WaitSeries::OfMetric>(module);
  bind_fields<report::GroupSeriesEntry>(module);
  bind_fields<WaitContext::Interval>(module);
  bind_fields<WaitContext::Message>(module);
  bind_fields<WaitContext::Transfer>(module);
  bind_fields<WaitContext>(module);
  bind_fields<Phases::Places>(module);
  bind_fields<Phases::Phase>(module);
  bind_fields<Phases>(module);

  bind_fields<Communication::Pair>(module);
  bind_fields<Communication::Sizes>(module);
  bind_fields<Communication::Operations>(module);
  bind_fields<Communication>(module);
  bind_fields<QueueProfile>(module)
      .def_property_readonly(
          "average_ticks",
          [](const Bound<QueueProfile>& q) {
            return q.value->entered == 0 ? 0.0
                                         : static_cast<double>(q.value->total) / static_cast<double>(q.value->entered);
          },
          "Mean time of an entry in it; 0 if there was none. In ticks: float.")
      .def_property_readonly(
          "average_search",
          [](const Bound<QueueProfile>& q) {
            const std::uint64_t searches = q.value->searches();
            return searches == 0 ? 0.0 : static_cast<double>(q.value->search_total) / static_cast<double>(searches);
          },
          "Mean place in one list of the communicator; 0 if nothing was taken out. Type: float.");
  bind_fields<QueuePart>(module);
  bind_fields<QueueRow>(module);
  bind_fields<MessageQueues>(module).def_property_readonly(
      "processes",
      [](const Bound<MessageQueues>& queues) {
        py::list all;
        for (const QueueRow& row : queues.value->rows)
          if (!row.comm.valid())
            all.append(Bound<QueueRow>{queues.owner, std::shared_ptr<const QueueRow>(queues.value, &row)});
        return all;
      },
      "The queues of all communicators together, by process. Type: list of ProcessQueues.");
  bind_fields<report::CounterRowEntry<const CounterRow>>(module).def_property_readonly(
      "sum", [](const Bound<report::CounterRowEntry<const CounterRow>>& row) { return row.value->sum; },
      "The severity in the metric's unit_name. Type: float.");
  using BoundCounter = Bound<report::CounterEntry<const Counter, const CounterRow>>;
  bind_fields<report::CounterEntry<const Counter, const CounterRow>>(module).def_property_readonly(
      "metric",
      [](const BoundCounter& c) {
        const FieldConverter convert(c.owner, c.value);
        return convert(report::metric_reference(c.value->counter.metric));
      },
      "The metric whose severities are its sums. Type: Metric.");
  bind_fields<report::SoftwareCounter>(module);
  bind_fields<report::IdealMachineEntry>(module);
  bind_fields<report::EfficiencyEntry>(module);
}

}  // namespace waitstate::python
