// Analyses from Python: a registry of patterns as the command line has it, and one function that runs what was chosen.
//
// The interpreter's lock is released while the trace is read; patterns in Python take it for their callbacks. From time
// to time the pass looks whether the user pressed Ctrl-C. waitstate/analysis.py is what users call.
#include <fmt/ranges.h>

#include <algorithm>
#include <chrono>
#include <filesystem>
#include <limits>
#include <optional>
#include <set>
#include <utility>

#include "analysis/dispatch/pattern_set.hpp"
#include "bind/events/one_sided_objects.hpp"
#include "bind/patterns/python_pattern.hpp"
#include "bind/results/analysis_result.hpp"
#include "report/text/pattern_text.hpp"
#include "waitstate/analysis.hpp"
#include "waitstate/pattern/registry.hpp"

namespace waitstate::python {

namespace {

constexpr auto between_looks = std::chrono::milliseconds(100);

struct Registry {
  PatternRegistry patterns;
  std::vector<PatternRegistry::Entry> pending;  ///< to be added together, since they may build on each other
  std::vector<PatternHandle> instead;           ///< each runs in place of the pattern of its id

  void complete() { patterns.add(std::exchange(pending, {})); }

  void replace(const py::object& pattern) {
    PatternHandle handle = make_python_pattern(pattern);
    analysis::set_origin(handle, "class " + handle.class_name);
    complete();
    const PatternHandle& before = patterns.at(handle.id()).handle;
    if (before.id() != handle.id())
      throw UsageError("'" + handle.id() + "' is a metric of pattern '" + before.id() + "': replace that");
    if (const std::string was = metric_ids(before), is = metric_ids(handle); was != is)
      throw UsageError("what replaces pattern '" + before.id() + "' has the metrics " + is +
                       ", expected those that it has: " + was);
    instead.push_back(std::move(handle));
  }

  /// Sets a parameter of the pattern that runs.
  void set(const std::string& name, const py::str& text) {
    const std::string value = to_bytes(text);
    complete();
    const std::size_t dot = std::min(name.find('.'), name.size());
    const auto replaced = std::find_if(instead.begin(), instead.end(), [&](const PatternHandle& h) {
      return dot != name.size() && patterns.at(name.substr(0, dot)).handle.id() == h.id();
    });
    if (replaced == instead.end()) return patterns.set(name, value);
    try {
      replaced->parameters.set(name.substr(dot + 1), value);
    } catch (const UsageError& e) {
      throw UsageError("pattern '" + replaced->id() + "': " + e.what());
    }
  }

  std::vector<PatternHandle> chosen(const std::vector<std::string>& only, std::vector<std::string> without) {
    complete();
    // Patterns in C++ publish events of C++ types, which a pattern in Python that replaces one does not. A listener
    // would hear nothing and find nothing, so it does not run.
    for (const PatternRegistry::Entry& e : patterns.entries()) {
      const PatternHandle& handle = e.handle;
      if ((handle.interests & interest_published) == 0 || is_python_pattern(*handle.pattern) ||
          is_replaced(handle.id()))
        continue;
      const std::vector<std::string> needs = handle.pattern->info().needs;
      if (std::any_of(needs.begin(), needs.end(), [&](const std::string& id) { return is_replaced(id); }))
        without.push_back(handle.id());
    }
    std::vector<PatternHandle> handles = patterns.chosen(only, without);
    for (PatternHandle& h : handles)
      for (const PatternHandle& other : instead)
        if (other.id() == h.id()) h = other;
    return handles;
  }

  /// Gives the pattern's id.
  std::string add(const py::object& pattern, const std::string& origin) {
    pending.push_back({make_python_pattern(pattern), origin});
    return pending.back().handle.id();
  }

  void load(const py::object& given) {
    const std::filesystem::path path = path_of(given);
    if (!path.native().ends_with(".py")) return patterns.open_plugin(path, pending);
    for (PatternHandle& p : python_plugin(path)) pending.push_back({std::move(p), path});
  }

  py::list entries() {
    complete();
    py::list list;
    for (const PatternRegistry::Entry& e : patterns.entries()) {
      const PatternInfo info = e.handle.pattern->info();
      const MetricSpec& first = info.metrics.front();
      py::dict entry;
      entry["id"] = first.id, entry["title"] = first.title, entry["summary"] = first.summary;
      entry["parent"] = first.parent, entry["unit"] = std::string(name(first.unit)), entry["origin"] = to_str(e.origin);
      py::list metrics;
      for (const MetricSpec& m : info.metrics) metrics.append(m.id);
      entry["metrics"] = metrics;
      entry["severity"] = info.severity, entry["charged_to"] = info.charged_to, entry["state"] = info.state;
      entry["source"] = info.source, entry["differs"] = info.differs, entry["diagnosis"] = info.diagnosis;
      entry["needs"] = info.needs, entry["on_request"] = e.on_request;
      py::dict parameters;
      for (std::size_t i = 0; i < e.handle.parameters.specs().size(); ++i)
        parameters[py::str(e.handle.parameters.specs()[i].name)] = parameter_object(e.handle.parameters.value(i));
      entry["parameters"] = parameters;
      list.append(entry);
    }
    return list;
  }

 private:
  bool is_replaced(const std::string& id) const {
    return std::any_of(instead.begin(), instead.end(), [&](const PatternHandle& h) { return h.id() == id; });
  }
  /// In alphabetical order.
  static std::string metric_ids(const PatternHandle& handle) {
    std::set<std::string> ids;
    for (const MetricSpec& m : handle.pattern->info().metrics) ids.insert(m.id);
    return fmt::format("{}", fmt::join(ids, ", "));
  }
};

// The objects that a pattern keeps may lead back to its registry, such as the frames of an exception. Python can only
// free such a circle if it can follow it through here.
const Registry* registry_in(PyObject* self) {
  const auto* instance = reinterpret_cast<const py::detail::instance*>(self);
  return instance->simple_layout ? static_cast<const Registry*>(instance->simple_value_holder[0]) : nullptr;
}
int traverse_registry(PyObject* self, visitproc visit, void* arg) {
  Py_VISIT(Py_TYPE(self));
  const Registry* registry = registry_in(self);
  if (registry == nullptr) return 0;
  const auto handle = [&](const PatternHandle& h) {  // a pattern that an analysis holds too is in use
    return h.pattern.use_count() == 1 ? visit_python_pattern(*h.pattern, visit, arg) : 0;
  };
  for (const PatternRegistry::Entry& e : registry->patterns.entries())
    if (const int found = handle(e.handle); found != 0) return found;
  for (const PatternRegistry::Entry& e : registry->pending)
    if (const int found = handle(e.handle); found != 0) return found;
  for (const PatternHandle& h : registry->instead)
    if (const int found = handle(h); found != 0) return found;
  return 0;
}
int clear_registry(PyObject* self) {
  auto* const registry = const_cast<Registry*>(registry_in(self));
  if (registry == nullptr) return 0;
  const PatternRegistry patterns = std::move(registry->patterns);  // go when it has none any more
  const std::vector<PatternRegistry::Entry> pending = std::move(registry->pending);
  const std::vector<PatternHandle> instead = std::move(registry->instead);
  return 0;
}
void dealloc_registry(PyObject* self) {
  PyObject_GC_UnTrack(self);  // nobody is to look into it while its patterns go, which may run code of theirs
  Py_TYPE(self)->tp_base->tp_dealloc(self);
}
void take_part_in_garbage_collection(PyHeapTypeObject* heap_type) {
  PyTypeObject& type = heap_type->ht_type;
  type.tp_flags |= Py_TPFLAGS_HAVE_GC;
  type.tp_traverse = &traverse_registry;
  type.tp_clear = &clear_registry;
  type.tp_dealloc = &dealloc_registry;
}

Focus focus_of(const std::string& region, const std::optional<std::vector<std::size_t>>& locations,
               const std::optional<std::pair<Time, Time>>& time) {
  Focus focus;
  focus.region = region;
  if (locations)
    for (const std::size_t l : *locations) focus.locations.emplace_back(l);
  if (time) {
    constexpr Time last = std::numeric_limits<Time>::max();
    focus.from = time->first;
    focus.to = time->second == last ? last : time->second + 1;  // ours is included, that of the analysis is not
  }
  return focus;
}

// A failure of a Python pattern goes on as what Python raised, with our sentence around it.
[[noreturn]] void rethrow_as_python(const PatternError& error, const std::vector<PatternHandle>& patterns) {
  py::object cause;
  for (const PatternHandle& p : patterns)  // none of them keeps one
    if (py::object taken = take_python_failure(*p.pattern); taken && !cause) cause = std::move(taken);
  if (cause) {
    if (PyObject_IsInstance(cause.ptr(), PyExc_Exception) != 1) {  // Ctrl-C, sys.exit()
      PyErr_SetObject(reinterpret_cast<PyObject*>(Py_TYPE(cause.ptr())), cause.ptr());
      throw py::error_already_set();
    }
    const std::string text = error.what();  // the traceback follows from the cause
    const py::object type = py::module_::import("waitstate._core").attr("PatternError");
    const py::object raised = type(to_str(text.substr(0, text.find("\nTraceback (most recent call last):"))));
    PyException_SetCause(raised.ptr(), py::object(cause).release().ptr());
    PyErr_SetObject(type.ptr(), raised.ptr());
    throw py::error_already_set();
  }
  throw error;
}

ResultPtr run_analysis(const std::filesystem::path& path, const std::vector<PatternHandle>& patterns, Focus focus,
                       unsigned threads, std::size_t chunk_events, const py::object& progress, bool counters,
                       RmaModel rma_model, bool details, bool series, bool contexts, const std::string& phase) {
  AnalysisOptions options;
  options.keep.details = details;
  options.keep.series = series;
  options.keep.contexts = contexts;
  options.keep.phase = phase;
  options.counters = counters;
  options.rma_model = rma_model;
  options.threads = threads;
  options.chunk_events = chunk_events;
  options.built_in = false;
  options.patterns = patterns;
  options.focus = std::move(focus);
  auto last = std::chrono::steady_clock::now();
  options.progress = [&](std::uint64_t done, std::uint64_t announced) {
    const auto now = std::chrono::steady_clock::now();
    if (now - last < between_looks) return;
    last = now;
    const py::gil_scoped_acquire held;
    if (PyErr_CheckSignals() != 0) throw py::error_already_set();
    if (!progress.is_none()) progress(done, announced);
  };
  const TakingPart taking_part(patterns);
  try {
    const py::gil_scoped_release released;
    return std::make_shared<const AnalysisResult>(analyze(path, options));
  } catch (const PatternError& e) {
    rethrow_as_python(e, patterns);
  }
}

}  // namespace

void bind_analysis(py::module_& module) {
  py::class_<Registry>(module, "_Registry", py::custom_type_setup(&take_part_in_garbage_collection),
                       "The patterns that an analysis may use: the built-in ones and those of plug-ins.")
      .def(py::init<>())
      .def("add", &Registry::add, py::arg("pattern"), py::arg("origin"))
      .def("replace", &Registry::replace, py::arg("pattern"))
      .def("load", &Registry::load, py::arg("path"))
      .def("set", &Registry::set, py::arg("parameter"), py::arg("value"))
      .def("entries", &Registry::entries)
      .def(
          "explain",
          [](Registry& r, const std::string& id) {
            r.complete();
            return to_str(report::explain_text(r.patterns, id, report::Style{}));
          },
          py::arg("id"))
      .def("listing",
           [](Registry& r) {
             r.complete();
             return to_str(report::patterns_text(r.patterns, report::Style{}));
           })
      .def(
          "analyze",
          [](Registry& r, const py::object& path, bool nothing, const std::vector<std::string>& only,
             const std::vector<std::string>& without, const py::str& region,
             const std::optional<std::vector<std::size_t>>& locations, const std::optional<std::pair<Time, Time>>& time,
             unsigned threads, std::size_t chunk_events, const py::object& progress, bool counters,
             const std::string& rma_model, bool details, bool series, bool contexts, const py::str& phase) {
            r.complete();
            const auto chosen = nothing ? std::vector<PatternHandle>{} : r.chosen(only, without);
            return ResultObject(
                run_analysis(path_of(path), chosen, focus_of(to_bytes(region), locations, time), threads, chunk_events,
                             progress, counters, rma_model_of(rma_model), details, series, contexts, to_bytes(phase)),
                r.patterns.chosen({}, {}));
          },
          py::arg("path"), py::arg("nothing"), py::arg("only"), py::arg("without"), py::arg("region"),
          py::arg("locations"), py::arg("time"), py::arg("threads"), py::arg("chunk_events"), py::arg("progress"),
          py::arg("counters"), py::arg("rma_model"), py::arg("details"), py::arg("series"), py::arg("contexts"),
          py::arg("phase"));
}

}  // namespace waitstate::python
