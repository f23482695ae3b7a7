// The objects that a Python pattern receives when it is asked what the trace cannot tell, and for a line at the top of
// the report. They are valid during that call only.
#include "bind/definitions/errors.hpp"
#include "bind/patterns/python_pattern.hpp"
#include "waitstate/pattern/report_facts.hpp"
#include "waitstate/pattern/undetermined.hpp"

namespace waitstate::python {

namespace {

struct EvidenceObject {
  const TraceEvidence* evidence;  ///< null after the call
  py::object regions;             ///< the regions of Pattern.trace

  const TraceEvidence& now() const {
    if (evidence == nullptr) throw UsageError("the evidence is available only during undetermined()");
    return *evidence;
  }
  TraceEvidence::Is is(const py::object& condition) const {
    const Region* const first = now().definitions().regions.data();
    return [this, condition, first](const Region& r) {
      return py::bool_(condition(regions[py::int_(&r - first)])).cast<bool>();
    };
  }
};

struct FactsObject {
  const ReportFacts* facts;  ///< null after the call

  const ReportFacts& now() const {
    if (facts == nullptr) throw UsageError("the facts are available only during headline()");
    return *facts;
  }
};

/// As Python code has it while it lives.
template <class Object, class What>
struct Lent {
  Object& object;
  const What* Object::*what;
  ~Lent() { object.*what = nullptr; }
};

EventType event_type(const std::string& name) {
  EventType type{};
  if (!event_type_from_name(name, type)) throw UsageError("there is no type of event called '" + name + "'");
  return type;
}

DiagnosticId diagnostic(const std::string& id) {
  for (int i = 0; i < diagnostic_count; ++i)
    if (name(static_cast<DiagnosticId>(i)) == id) return static_cast<DiagnosticId>(i);
  throw UsageError("there is no diagnostic called '" + id + "'");
}

}  // namespace

void ask_undetermined(const py::object& pattern, const Running& running, const TraceEvidence& evidence,
                      Undetermined& answers) {
  const py::module_ functions = py::module_::import("waitstate.pattern");
  if (!functions.attr("says")(pattern, "undetermined").cast<bool>()) return;
  const py::object object = py::cast(EvidenceObject{&evidence, pattern.attr("trace").attr("regions")});
  const Lent<EvidenceObject, TraceEvidence> lent{object.cast<EvidenceObject&>(), &EvidenceObject::evidence};
  for (const py::handle answer : functions.attr("undetermined_of")(pattern, object)) {
    const py::tuple both = py::reinterpret_borrow<py::tuple>(answer);
    answers.because({static_cast<std::uint32_t>(running.metric(both[0]))}, both[1].cast<std::string>());
  }
}

std::string ask_headline(const py::object& pattern, const ReportFacts& facts) {
  const py::module_ functions = py::module_::import("waitstate.pattern");
  if (!functions.attr("says")(pattern, "headline").cast<bool>()) return {};
  const py::object object = py::cast(FactsObject{&facts});
  const Lent<FactsObject, ReportFacts> lent{object.cast<FactsObject&>(), &FactsObject::facts};
  return functions.attr("headline_of")(pattern, object).cast<std::string>();
}

void bind_evidence(py::module_& module) {
  py::class_<EvidenceObject>(module, "TraceEvidence",
                             "Facts about the trace of a finished analysis: for Pattern.undetermined(), and during it "
                             "only.")
      .def(
          "events", [](const EvidenceObject& e, const std::string& type) { return e.now().events(event_type(type)); },
          py::arg("type"), "Number of events of a type, e.g. 'recv'.")
      .def(
          "warnings", [](const EvidenceObject& e, const std::string& id) { return e.now().warnings(diagnostic(id)); },
          py::arg("id"),
          "The number of times that something was found missing or odd, by the id of a Diagnostic, e.g. "
          "'recv_unmatched'.")
      .def(
          "open_receives", [](const EvidenceObject& e) { return e.now().open_receives(); },
          "Non-blocking receives that never complete in the trace and may not have been cancelled.")
      .def(
          "open_sends", [](const EvidenceObject& e) { return e.now().open_sends(); },
          "Non-blocking sends that never complete in the trace and may not have been cancelled.")
      .def(
          "open_collectives", [](const EvidenceObject& e) { return e.now().open_collectives(); },
          "Non-blocking collective operations that never complete in the trace and may not have been cancelled.")
      .def(
          "called", [](const EvidenceObject& e, const py::object& is) { return to_str(e.now().called(e.is(is))); },
          py::arg("condition"),
          "Name of the first region (as regions are defined) that was called and of which condition(region) is true, "
          "'' if there is none.")
      .def(
          "called_without",
          [](const EvidenceObject& e, const std::vector<std::string>& counts, const py::object& is) {
            return to_str(e.now().called_without({counts.begin(), counts.end()}, e.is(is)));
          },
          py::arg("counts"), py::arg("condition"),
          "Like called(), but only regions below no call to which any of the counts (ids of metrics) is charged; '' if "
          "one of "
          "the counts was not analysed. Functions that were called for MPI_PROC_NULL are left out.")
      .def(
          "for_nobody",
          [](const EvidenceObject& e, const std::string& function) { return e.now().for_nobody(function); },
          py::arg("function"),
          "True if the recorder says that calls of a function were for MPI_PROC_NULL: they have no record, and need "
          "none.")
      .def_static("of", &TraceEvidence::of, py::arg("part"), py::arg("whole"), py::arg("what"),
                  "'2 of 1,234 receives'.")
      .def_static(
          "count",
          [](std::int64_t number, const std::string& one, const std::string& many) {
            return TraceEvidence::count(number, one.c_str(), many.c_str());
          },
          py::arg("number"), py::arg("one"), py::arg("many"), "'1 receive', '1,234 receives'.")
      .def("__repr__", [](const EvidenceObject& e) {
        return e.evidence == nullptr ? "<TraceEvidence of an analysis that is over>" : "<TraceEvidence>";
      });
  py::class_<FactsObject>(module, "ReportFacts", "Facts about a result: for Pattern.headline(), and during it only.")
      .def(
          "total", [](const FactsObject& f, const std::string& metric) { return f.now().total(metric); },
          py::arg("metric"),
          "The inclusive total of a metric, by its id, over all call paths and locations. 0 if it was not analysed.")
      .def(
          "duration", [](const FactsObject& f, std::int64_t ticks) { return f.now().duration(ticks); },
          py::arg("ticks"), "Ticks as the report shows durations, e.g. \"152.3 ms\".")
      .def("__repr__", [](const FactsObject& f) {
        return f.facts == nullptr ? "<ReportFacts of a report that is done>" : "<ReportFacts>";
      });
}

}  // namespace waitstate::python
