#include "bind/definitions/diagnostics.hpp"

#include <string>

namespace waitstate::python {

namespace {

struct PlaceObject {
  py::object location, time;
  std::string text;
};

struct DiagnosticObject {
  DiagnosticId id;
  std::uint64_t count;
  Ticks largest;
  py::tuple places;
};

}  // namespace

py::tuple make_diagnostics(const Diagnostics& diagnostics, Tables& tables) {
  py::list result;
  for (int i = 0; i < diagnostic_count; ++i) {
    const DiagnosticEntry& entry = diagnostics[static_cast<DiagnosticId>(i)];
    if (entry.count == 0) continue;
    py::tuple places(entry.places.size());
    for (std::size_t p = 0; p < places.size(); ++p) {
      const DiagnosticPlace& place = entry.places[p];
      const py::object time = place.time == ~Time{0} ? py::object(py::none()) : py::object(py::int_(place.time));
      places[p] = PlaceObject{tables[place.location], time, place.text};
    }
    result.append(DiagnosticObject{static_cast<DiagnosticId>(i), entry.count, entry.largest, places});
  }
  return py::tuple(result);
}

void bind_diagnostics(py::module_& module) {
  using P = PlaceObject;
  py::class_<P>(module, "DiagnosticPlace", "A place where something odd was found.")
      .def_property_readonly(
          "location", [](const P& p) { return p.location; }, "Location, or None.")
      .def_property_readonly(
          "time", [](const P& p) { return p.time; }, "Time stamp in ticks: int, or None.")
      .def_property_readonly(
          "text", [](const P& p) { return to_str(p.text); }, "The object of the finding, such as a file's path.")
      .def("__repr__", [](const P& p) {
        return "DiagnosticPlace(" + py::repr(p.location).cast<std::string>() + ", " +
               py::str(p.time).cast<std::string>() + ", " + py::repr(to_str(p.text)).cast<std::string>() + ")";
      });
  using D = DiagnosticObject;
  py::class_<D>(module, "Diagnostic", "A kind of damage or anomaly that occurred in a trace.")
      .def_property_readonly(
          "id", [](const D& d) { return py::str(name(d.id)); }, "Its kind, such as \"send_unmatched\".")
      .def_property_readonly(
          "severity", [](const D& d) { return std::string(name(severity(d.id))); },
          "\"loss\": something of the run is missing from the results; \"odd\": an anomaly, everything was analysed; "
          "\"note\": nothing is wrong.")
      .def_property_readonly(
          "sentence", [](const D& d) { return py::str(sentence(d.id, d.count)); }, "The thing that was counted.")
      .def_readonly("count", &D::count, "The number of occurrences.")
      .def_readonly("largest_ticks", &D::largest, "Largest error in ticks, for kinds that have a size; else 0.")
      .def_readonly("places", &D::places, "The first places: tuple of DiagnosticPlace, at most 5.")
      .def("__repr__", [](const D& d) {
        return "Diagnostic(" + std::string(name(d.id)) + ", count=" + std::to_string(d.count) + ")";
      });
}

}  // namespace waitstate::python
