// The functions that a Python pattern calls while it runs: self.add(…), self.add_wait(…), self.publish(…), and their
// forms for arrays. All arguments from Python are checked here, since the engine trusts the calls that it is given.
// Long because each call has checks of its own.
#include <fmt/format.h>
#include <pybind11/numpy.h>

#include <cstring>
#include <optional>

#include "analysis/dispatch/batch_context.hpp"
#include "bind/patterns/python_pattern.hpp"
#include "bind/patterns/rows.hpp"

namespace waitstate::python {

namespace {

using Integers = py::array_t<std::int64_t, py::array::forcecast>;

constexpr const char* whole_numbers = "expected a whole number: round yourself, e.g. numpy.rint(x).astype('int64')";

/// "values", or "values[3]" where there are several.
std::string place_of(const char* name, py::ssize_t row, bool several) {
  return several ? fmt::format("{}[{}]", name, row) : name;
}

[[noreturn]] void overflow(const std::string& text) {
  PyErr_SetString(PyExc_OverflowError, text.c_str());
  throw py::error_already_set();
}

// One that fits into 64 bits, of any type that has __index__, as the forms for single values take it.
std::int64_t whole_number(const py::handle& given, const char* name, py::ssize_t row, bool several) {
  if (PyIndex_Check(given.ptr()) == 0) {
    const py::str text = PyFloat_Check(given.ptr()) ? py::str(given) : py::str(py::repr(given));
    throw py::type_error(
        fmt::format("{} is {}, {}", place_of(name, row, several), text.cast<std::string>(), whole_numbers));
  }
  const GivenNumber number(given);
  if (number.beyond != 0)
    overflow(fmt::format("{} is {}, expected -2**63 to 2**63 - 1", place_of(name, row, several), number.text()));
  return number.value;
}

// NumPy would cut off what is behind the point, and take large numbers for negative ones.
Integers integers(const py::object& given, const char* name) {
  py::array array(given);
  const char kind = array.dtype().kind();
  if (kind == 'i' || kind == 'b' || array.size() == 0) return Integers(array);
  if (kind == 'u') {
    Integers signed_ones(array);
    if (array.dtype().itemsize() < 8 || signed_ones.attr("min")().cast<std::int64_t>() >= 0) return signed_ones;
  }
  // Of a list NumPy makes reals where one number is real, or large: each is looked at as it was given.
  if (!py::isinstance<py::array>(given))
    array = py::module_::import("numpy").attr("array")(given, py::arg("dtype") = "object");
  Integers exact(std::vector<py::ssize_t>(array.shape(), array.shape() + array.ndim()));
  std::int64_t* const to = exact.mutable_data();
  py::ssize_t row = 0;
  for (const py::handle one : py::iter(array.attr("flat"))) {
    to[row] = whole_number(one, name, row, array.ndim() != 0);
    ++row;
  }
  return exact;
}

std::optional<Integers> integers_if_given(const py::object& given, const char* name) {
  if (given.is_none()) return std::nullopt;
  return integers(given, name);
}

class PatternContext {
 public:
  explicit PatternContext(std::shared_ptr<Running> running) : running_(std::move(running)) {}

  Running& running() const { return *running_; }
  Context& now() const { return running_->now(); }
  MetricHandle metric(const py::handle& number_or_id) const {
    return {static_cast<std::uint32_t>(running_->metric(number_or_id))};
  }

  void check(CallPathId callpath, LocationId location) const;
  void check(const Wait& wait) const;

 private:
  std::shared_ptr<Running> running_;
};

/// The numbers of call paths and locations that exist now, to which values may be added. Looked up once for all rows of
/// an array.
class Bounds {
 public:
  explicit Bounds(const Context& c) : callpaths_(c.call_tree().size()), locations_(c.definitions().locations.size()) {}

  void check(CallPathId callpath, LocationId location) const {
    if (callpath.index() >= callpaths_ || location.index() >= locations_) refuse(callpath, location);
  }
  void check(const Wait& w) const {
    check(w.callpath, w.location);
    if ((w.culprit.valid() && w.culprit.index() >= locations_) ||
        (w.culprit_callpath.valid() && w.culprit_callpath.index() >= callpaths_) || w.ticks <= 0)
      refuse(w);
  }

 private:
  [[noreturn]] void refuse(CallPathId callpath, LocationId location) const {
    if (callpath.index() >= callpaths_)
      throw UsageError(
          fmt::format("a severity needs a call path of the trace, not {}", static_cast<std::int32_t>(callpath.value)));
    throw UsageError(
        fmt::format("a severity needs a location of the trace, not {}", static_cast<std::int32_t>(location.value)));
  }
  [[noreturn]] void refuse(const Wait& w) const {
    if (w.culprit.valid() && w.culprit.index() >= locations_)
      throw UsageError(fmt::format("a wait has the culprit {}, which is not a location of the trace", w.culprit.value));
    if (w.culprit_callpath.valid() && w.culprit_callpath.index() >= callpaths_)
      throw UsageError(
          fmt::format("a culprit has the call path {}, which the trace does not have", w.culprit_callpath.value));
    throw UsageError(fmt::format("a wait lasts at least one tick, not {}", w.ticks));
  }

  const std::size_t callpaths_, locations_;  // an id that is none is larger than any number
};

void PatternContext::check(CallPathId callpath, LocationId location) const { Bounds(now()).check(callpath, location); }
void PatternContext::check(const Wait& wait) const { Bounds(now()).check(wait); }

// An index that Python gave: any number that is none of the trace becomes one that check() refuses.
template <class Id>
Id id_of(std::int64_t number) {
  return number >= 0 && number < Id::none_value ? Id{static_cast<std::size_t>(number)} : Id{};
}

/// One-dimensional numbers that go along with `rows` others: as many, or one for all.
class Column {
 public:
  Column(const Integers& numbers, const char* name, py::ssize_t rows) : numbers_(numbers) {
    if (numbers.ndim() == 0) return;
    if (numbers.ndim() != 1 || (numbers.size() != rows && numbers.size() != 1))
      throw UsageError(fmt::format("{} has {} values in {} dimensions, expected {}, or one for all", name,
                                   numbers.size(), numbers.ndim(), rows));
    if (numbers.size() == rows) stride_ = numbers.strides(0);
  }
  std::int64_t operator[](py::ssize_t i) const {
    return *reinterpret_cast<const std::int64_t*>(reinterpret_cast<const char*>(numbers_.data()) + i * stride_);
  }

 private:
  const Integers& numbers_;
  py::ssize_t stride_ = 0;
};

py::ssize_t row_count(const Integers& numbers) { return numbers.ndim() == 0 ? 1 : numbers.shape(0); }

/// Which rows count: all, those of a mask, or those of which the numbers are given.
class ChosenRows {
 public:
  using Where = py::object;  ///< None, or what NumPy makes an array of

  ChosenRows(const Where& where, py::ssize_t rows) : count_(rows), all_(where.is_none()) {
    if (all_) return;
    const auto given = py::array::ensure(where);  // clears the error if there is none
    if (!given || given.ndim() != 1) throw UsageError("where is not a one-dimensional array of truth values or rows");
    const char kind = given.dtype().kind();
    if (kind == 'b') {
      if (given.size() != rows)
        throw UsageError(fmt::format("where has {} values, expected {}, one for each row", given.size(), rows));
      mask_ = Mask::ensure(given);
    } else if (kind == 'i' || kind == 'u' || given.size() == 0) {
      numbers_ = Numbers::ensure(given);
      for (py::ssize_t k = 0; k < numbers_.size(); ++k)
        if (const std::int64_t i = numbers_.data()[k]; i < 0 || i >= rows)
          throw UsageError(fmt::format("where has row {}, expected rows from 0 to {}", i, rows - 1));
    } else {
      throw UsageError("where contains neither truth values nor row numbers");
    }
  }

  template <class Body>
  void each(Body&& body) const {
    if (all_) {
      for (py::ssize_t i = 0; i < count_; ++i) body(i);
    } else if (mask_) {
      const bool* mask = mask_.data();
      for (py::ssize_t i = 0; i < count_; ++i)
        if (mask[i]) body(i);
    } else {
      const std::int64_t* numbers = numbers_.data();
      for (py::ssize_t k = 0, n = numbers_.size(); k < n; ++k) body(numbers[k]);
    }
  }

 private:
  using Mask = py::array_t<bool, py::array::c_style>;
  using Numbers = py::array_t<std::int64_t, py::array::c_style | py::array::forcecast>;
  py::ssize_t count_;
  bool all_;
  Mask mask_{py::reinterpret_steal<Mask>(py::handle())};
  Numbers numbers_{py::reinterpret_steal<Numbers>(py::handle())};
};

/// One-dimensional rows of a batch, in place: Calls or Waits.
template <class Row>
class RowsOf {
 public:
  static bool are(const py::array& rows) {
    const py::dtype dtype = row_dtype<Row>(), given = rows.dtype();
    return given.is(dtype) || given.equal(dtype);
  }

  RowsOf(const py::array& rows, const char* name, const char* expected) {
    if (!are(rows)) throw UsageError(fmt::format("{} is an array of another type, expected {}", name, expected));
    if (rows.ndim() > 1) throw UsageError(fmt::format("{} has {} dimensions, expected one", name, rows.ndim()));
    if (rows.ndim() == 1) stride_ = rows.strides(0), size_ = rows.shape(0);
    first_ = static_cast<const char*>(rows.data());
    aligned_ = reinterpret_cast<std::uintptr_t>(first_) % alignof(Row) == 0 &&
               stride_ % static_cast<py::ssize_t>(alignof(Row)) == 0;
  }
  py::ssize_t size() const { return size_; }
  /// The i-th row where it is; in `copy` if NumPy has it at an address where no such struct may be.
  const Row& at(py::ssize_t i, Row& copy) const {
    const char* const place = first_ + i * stride_;
    if (aligned_) return *reinterpret_cast<const Row*>(place);
    std::memcpy(&copy, place, sizeof copy);
    return copy;
  }

 private:
  const char* first_;
  py::ssize_t stride_ = 0, size_ = 1;
  bool aligned_;
};
using Calls = RowsOf<Call>;
using Waits = RowsOf<Wait>;
constexpr const char* calls_expected = "calls as batches have them, e.g. messages['recv']";
constexpr const char* waits_expected = "waits as batches have them, e.g. published['wait']";

// As most are; any other has to be one, or to be refused.
std::int64_t severity(const py::object& value, const char* name = "value") {
  return whole_number(value, name, 0, false);
}

void add_value(const PatternContext& c, std::int64_t callpath, std::int64_t location, const py::object& value,
               const py::object& metric) {
  const auto path = id_of<CallPathId>(callpath);
  const auto where = id_of<LocationId>(location);
  c.check(path, where);
  c.now().add({path, where}, severity(value), c.metric(metric));
}

/// Adds the one number that severity() returned: it has no place, so it is added to the first one.
void add_without_place(const PatternContext& c, const py::object& value) {
  add_value(c, 0, 0, value, py::int_(0));
  if (auto* const engine = dynamic_cast<analysis::BatchContext*>(&c.now())) engine->without_place(first_metric);
}

void add_call(const PatternContext& c, const CallObject& call, const py::object& value, const py::object& metric) {
  c.check(call.call.callpath, call.call.location);
  c.now().add(call.call, severity(value), c.metric(metric));
}

Wait wait_of(const Call& call, Time begin, Ticks ticks, const Call* culprit) {
  if (culprit != nullptr) return make_wait(call, begin, ticks, *culprit);
  return {call.location, call.callpath, call.enter, call.exit, begin, ticks, {}, {}};
}

/// Tells the engine which of the waits of a batch are one operation's.
class Operations {
 public:
  Operations(const PatternContext& c, const std::optional<Integers>& numbers, py::ssize_t rows)
      : running_(c.running()) {
    if (!numbers && running_.operation_sizes.empty()) return;  // each wait is an instance, as the engine has it anyway
    if (numbers) numbers_.emplace(*numbers, "operations", rows);
    engine_ = dynamic_cast<analysis::BatchContext*>(&c.now());
  }
  ~Operations() {
    if (engine_ != nullptr) engine_->one_instance_of(0);
  }
  Operations(const Operations&) = delete;
  Operations& operator=(const Operations&) = delete;

  void row(py::ssize_t i) {
    if (engine_ == nullptr) return;
    if (!numbers_) return engine_->one_instance_of(1);
    const std::int64_t number = (*numbers_)[i];
    if (number == last_) return;
    const auto& sizes = running_.operation_sizes;
    const std::int64_t index = number - running_.first_operation;
    if (index < 0 || static_cast<std::size_t>(index) >= sizes.size())
      throw UsageError(fmt::format("operations has the number {}, which is not in this batch", number));
    engine_->one_instance_of(sizes[static_cast<std::size_t>(index)]);
    last_ = number;
  }

 private:
  const Running& running_;
  std::optional<Column> numbers_;
  analysis::BatchContext* engine_ = nullptr;
  std::int64_t last_ = -1;
};

WaitObject add_wait(const PatternContext& c, const py::object& what, const py::object& ticks, const CallObject* culprit,
                    std::optional<Time> begin, const py::object& metric) {
  Wait w;
  if (py::isinstance<WaitObject>(what)) {
    w = what.cast<const WaitObject&>().wait;
  } else {
    if (!py::isinstance<CallObject>(what)) throw py::type_error("add_wait takes a Call or a Wait");
    const Call& call = what.cast<const CallObject&>().call;
    w = wait_of(call, begin.value_or(call.enter), severity(ticks, "ticks"),
                culprit == nullptr ? nullptr : &culprit->call);
  }
  c.check(w);
  Operations instances(c, std::nullopt, 1);
  instances.row(0);
  c.now().add_wait(w, c.metric(metric));
  return {w, c.running().names()};
}

void add_instance(const PatternContext& c, const WaitObject& wait, const py::object& metric) {
  c.check(wait.wait);
  Operations instances(c, std::nullopt, 1);
  instances.row(0);
  c.now().add_instance(wait.wait, c.metric(metric));
}

void add_many(const PatternContext& c, const py::object& of_callpaths, const py::object& of_locations,
              const py::object& of_values, const py::object& metric) {
  const Integers callpaths = integers(of_callpaths, "callpaths"), locations = integers(of_locations, "locations"),
                 values = integers(of_values, "values");
  const py::ssize_t n = std::max({row_count(callpaths), row_count(locations), row_count(values)});
  if (callpaths.size() == 0 || locations.size() == 0 || values.size() == 0) return;
  const Column paths(callpaths, "callpaths", n), where(locations, "locations", n), what(values, "values", n);
  const MetricHandle m = c.metric(metric);
  Context& now = c.now();
  const Bounds bounds(now);
  for (py::ssize_t i = 0; i < n; ++i) {
    const auto path = id_of<CallPathId>(paths[i]);
    const auto location = id_of<LocationId>(where[i]);
    bounds.check(path, location);
    now.add({path, location}, what[i], m);
  }
}

void add_calls(const PatternContext& c, const py::array& array, const py::object& of_values, const py::object& metric,
               const ChosenRows::Where& where) {
  const Calls calls(array, "calls", calls_expected);
  const Integers values = integers(of_values, "values");
  const Column what(values, "values", calls.size());
  const ChosenRows rows(where, calls.size());
  const MetricHandle m = c.metric(metric);
  Context& now = c.now();
  const Bounds bounds(now);
  Call copy;
  rows.each([&](py::ssize_t i) {
    const Call& call = calls.at(i, copy);
    bounds.check(call.callpath, call.location);
    now.add(call, what[i], m);
  });
}

/// Waits that are there already, with `charge` for each that counts.
template <class Charge>
void each_wait(const PatternContext& c, const py::array& array, const py::object& operations,
               const ChosenRows::Where& where, Charge&& charge) {
  const Waits waits(array, "waits", waits_expected);
  const ChosenRows rows(where, waits.size());
  const std::optional<Integers> numbers = integers_if_given(operations, "operations");
  Operations instances(c, numbers, waits.size());
  const Bounds bounds(c.now());
  Wait copy;
  rows.each([&](py::ssize_t i) {
    const Wait& w = waits.at(i, copy);
    bounds.check(w);
    instances.row(i);
    charge(w);
  });
}

void add_instances(const PatternContext& c, const py::array& waits, const py::object& metric,
                   const py::object& operations, const ChosenRows::Where& where) {
  const MetricHandle m = c.metric(metric);
  Context& now = c.now();
  each_wait(c, waits, operations, where, [&](const Wait& w) { now.add_instance(w, m); });
}

void add_waits(const PatternContext& c, const py::array& array, const py::object& of_ticks,
               const std::optional<py::array>& culprits, const py::object& of_begins, const py::object& metric,
               const py::object& operations, const ChosenRows::Where& where) {
  const MetricHandle m = c.metric(metric);
  Context& now = c.now();
  const std::optional<Integers> ticks = integers_if_given(of_ticks, "ticks");
  const std::optional<Integers> begins = integers_if_given(of_begins, "begin");
  if (Waits::are(array)) {
    if (ticks || culprits || begins)
      throw UsageError("waits contain ticks, culprits and begin themselves: leave these out");
    return each_wait(c, array, operations, where, [&](const Wait& w) { now.add_wait(w, m); });
  }
  const Calls calls(array, "calls", calls_expected);
  if (!ticks) throw UsageError("ticks is missing: how long does each of the calls wait?");
  const py::ssize_t n = calls.size();
  std::optional<Calls> causes;
  if (culprits) causes.emplace(*culprits, "culprits", calls_expected);
  if (causes && causes->size() != n)
    throw UsageError(fmt::format("culprits has {} calls, expected {}, one for each that waits", causes->size(), n));
  std::optional<Column> from;
  if (begins) from.emplace(*begins, "begin", n);
  const Column how_long(*ticks, "ticks", n);
  const ChosenRows rows(where, n);
  const std::optional<Integers> numbers = integers_if_given(operations, "operations");
  Operations instances(c, numbers, n);
  const Bounds bounds(now);
  Call copy, copy_of_culprit;
  rows.each([&](py::ssize_t i) {
    const Call& call = calls.at(i, copy);
    const Call* culprit = causes ? &causes->at(i, copy_of_culprit) : nullptr;
    const Time begin = from ? static_cast<Time>((*from)[i]) : call.enter;
    if (from && (*from)[i] < 0 && begin > call.exit)  // arrays have times from 2**63 on as negative numbers, too
      overflow(fmt::format("{} is {}, expected a time during the call", place_of("begin", i, true), (*from)[i]));
    const Wait w = wait_of(call, begin, how_long[i], culprit);
    bounds.check(w);
    instances.row(i);
    now.add_wait(w, m);
  });
}

void publish_object(const PatternContext& c, const py::object& compound_event) {
  const PublishedByPython published{compound_event};
  try {
    c.now().publish(published);
  } catch (const PatternError&) {
    c.running().nested = std::current_exception();  // names the pattern that failed; this one did not
    throw;
  }
}

void watch_overtaking(const PatternContext& c, const MessageObject& m, const WaitObject& wait) {
  c.check(wait.wait);
  if (m.message.receiver.index() >= c.now().definitions().locations.size())
    throw UsageError("the message belongs to another trace");
  Message message = m.message;
  message.send = &m.send.call, message.recv_post = &m.recv_post.call, message.recv = &m.recv.call;
  c.running().during_receives("watch_overtaking").publish(WatchOvertaking{message, wait.wait});
}

}  // namespace

py::object make_pattern_context(const std::shared_ptr<Running>& running) { return py::cast(PatternContext(running)); }

void bind_pattern_context(py::module_& module) {
  module.def(
      "_wait_dtype", [] { return row_dtype<Wait>(); }, "The dtype of a Wait in batches.");
  module.def(
      "_integers", [](const py::object& numbers, const std::string& name) { return integers(numbers, name.c_str()); },
      py::arg("numbers"), py::arg("name"),
      "The numbers as an array of int64. Raises TypeError for values that are not whole numbers, and OverflowError for "
      "numbers that do not fit, with the argument's name.");
  const py::object first = py::int_(0);
  py::class_<PatternContext>(module, "_PatternContext",
                             "The functions that the engine offers to a pattern; see waitstate.Pattern.")
      .def("add", &add_value, py::arg("callpath"), py::arg("location"), py::arg("value"), py::arg("metric") = first)
      .def("add_without_place", &add_without_place, py::arg("value"))
      .def("add_call", &add_call, py::arg("call"), py::arg("value"), py::arg("metric") = first)
      .def("add_wait", &add_wait, py::arg("call"), py::arg("ticks") = first, py::arg("culprit") = py::none(),
           py::arg("begin") = py::none(), py::arg("metric") = first)
      .def("add_instance", &add_instance, py::arg("wait"), py::arg("metric") = first)
      .def("add_many", &add_many, py::arg("callpaths"), py::arg("locations"), py::arg("values"),
           py::arg("metric") = first)
      .def("add_calls", &add_calls, py::arg("calls"), py::arg("values"), py::arg("metric") = first,
           py::arg("where") = py::none())
      .def("add_instances", &add_instances, py::arg("waits"), py::arg("metric") = first,
           py::arg("operations") = py::none(), py::arg("where") = py::none())
      .def("add_waits", &add_waits, py::arg("calls"), py::arg("ticks") = py::none(), py::arg("culprits") = py::none(),
           py::arg("begin") = py::none(), py::arg("metric") = first, py::arg("operations") = py::none(),
           py::arg("where") = py::none())
      .def("publish", &publish_object, py::arg("compound_event"))
      .def("watch_overtaking", &watch_overtaking, py::arg("message"), py::arg("wait"))
      .def(
          "set_receive_wait",
          [](const PatternContext& c, Ticks ticks) {
            c.running().during_receives("set_receive_wait").publish(ReceiveWait{ticks});
          },
          py::arg("ticks"))
      .def(
          "callpath_name",
          [](const PatternContext& c, std::int64_t callpath) {
            const auto id = id_of<CallPathId>(callpath);
            c.check(id, LocationId{std::size_t{0}});
            return c.now().call_tree().path(id, c.now().definitions());
          },
          py::arg("callpath"))
      .def(
          "value",
          [](const PatternContext& c, const std::string& metric, std::int64_t callpath, std::int64_t location) {
            const Context& now = c.running().during_wrapup("value");
            const auto id = id_of<CallPathId>(callpath);
            const auto where = id_of<LocationId>(location);
            c.check(id, where);
            const MetricTree& metrics = now.metrics();
            return now.severities().inclusive(metrics, metrics.at(metric), id, where);
          },
          py::arg("metric"), py::arg("callpath"), py::arg("location"));
}

}  // namespace waitstate::python
