// A pattern written in Python as one of the engine's: looks its methods up once, asks the engine for what they want to
// see and nothing else, and hands on what comes.
//
// The pattern's own object is plain Python (waitstate/pattern.py); there is no C++ base class whose constructor it
// could forget to call. What the engine offers during a callback reaches it through a PatternContext, which knows
// whether there is one and says so if there is none.
//
// The interpreter's lock is held during a callback, and for the moment in which a batch needs more room; never between
// two. Callbacks come from one thread at a time.
#pragma once

#include <memory>
#include <string>
#include <vector>

#include "bind/bind.hpp"
#include "bind/events/point_to_point_objects.hpp"
#include "waitstate/error.hpp"
#include "waitstate/pattern/pattern.hpp"

namespace waitstate::python {

/// A Python exception that left a callback: its text, with the traceback in the lines below.
class PythonFailure : public PatternError {
 public:
  using PatternError::PatternError;
};

/// The state of the current run that a Python pattern and its PatternContext share.
struct Running {
  Context* context = nullptr;        ///< during a callback, else null
  std::unique_ptr<RunNames> copies;  ///< copies of the definitions of this or the last run; null before the first
  const Names& names() const { return copies->names(); }
  std::vector<std::string> metric_ids;         ///< the metrics of the pattern
  std::int64_t first_operation = 0;            ///< number of the first operation of the batch that is being delivered
  std::vector<std::uint32_t> operation_sizes;  ///< members of the operations of that batch; empty: there are none
  bool needs_stack = false, needs_queue = false;  ///< declared by the pattern
  bool receives = false;                          ///< while completed receives, or what was published, are handed over
  bool wrapup = false;                            ///< during wrapup() and severity()
  std::exception_ptr nested;  ///< a failure of another pattern that received what this one published

  /// Throws UsageError outside of a callback.
  Context& now() const;
  /// Like now(), but only while completed receives are handed over; `method` is the caller.
  Context& during_receives(const char* method) const;
  /// Like now(), but only in wrapup.
  Context& during_wrapup(const char* method) const;
  /// Index of a metric given as a number or an id. Throws UsageError for one that the pattern has not.
  std::size_t metric(const py::handle& number_or_id) const;
};

/// A handle for the engine. `pattern` is an instance of waitstate.Pattern. Throws UsageError if what it says about
/// itself does not fit together. Needs the interpreter's lock.
PatternHandle make_python_pattern(const py::object& pattern);

/// While there, the Python patterns among these take part in an analysis. Throws UsageError if one of their Python
/// objects takes part in another one: what it remembers would be of both. Needs the interpreter's lock.
class TakingPart {
 public:
  explicit TakingPart(const std::vector<PatternHandle>& patterns);
  ~TakingPart();
  TakingPart(const TakingPart&) = delete;
  TakingPart& operator=(const TakingPart&) = delete;

 private:
  std::vector<py::object> objects_;
};

// evidence.cpp, for the pattern's methods of these names. Need the interpreter's lock.
void ask_undetermined(const py::object& pattern, const Running& running, const TraceEvidence& evidence,
                      Undetermined& answers);
std::string ask_headline(const py::object& pattern, const ReportFacts& facts);

bool is_python_pattern(const Pattern& pattern);

/// The Python exception that made this pattern fail last, which is the caller's from now on; null if it is no Python
/// pattern or has not failed. The frames of its traceback may refer to who holds the pattern.
py::object take_python_failure(Pattern& pattern);

/// Visits the objects that a Python pattern holds, for a type's tp_traverse; none of other patterns.
int visit_python_pattern(const Pattern& pattern, visitproc visit, void* arg);

/// One handle for each pattern that a Python file defines. Throws UsageError that names file and reason. Needs the
/// interpreter's lock.
std::vector<PatternHandle> python_plugin(const std::string& file);

// pattern_info.cpp
PatternInfo pattern_info(const py::object& pattern);
py::object parameter_object(const ParameterValue& value);

// pattern_context.cpp
py::object make_pattern_context(const std::shared_ptr<Running>& running);

// run_trace.cpp: what a pattern knows as self.trace.
py::object make_run_trace(const std::shared_ptr<Running>& running, const std::shared_ptr<Tables>& tables);

}  // namespace waitstate::python
