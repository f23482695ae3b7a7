// Long because registering, the callbacks and the streams that they write share one state.
#include "record/mpi/events/library_events.hpp"

#include <algorithm>
#include <array>
#include <atomic>
#include <deque>
#include <map>
#include <memory>
#include <mutex>
#include <string>
#include <utility>
#include <vector>

#include "record/archive/merge.hpp"
#include "record/core/recorder.hpp"
#include "record/mpi/events/event_elements.hpp"
#include "record/parts/line_kinds.hpp"

namespace waitstate::record::mpi {

namespace {

using Instance = EventFunctions::Instance;
using Registration = EventFunctions::Registration;
constexpr int thread_safe = 2;  // MPI_T_CB_REQUIRE_THREAD_SAFE, behind NONE and MPI_RESTRICTED

const EventFunctions& event_functions() {
  static const EventFunctions* const i = new EventFunctions;
  return *i;
}

constexpr int most_sources = 64;
constexpr std::size_t sorted_at_a_time = 8192;  // events of a source without an order

struct Pair {
  std::uint32_t region = undefined;
  std::string name;
};

struct Event;

// An event becomes one metric for each source that reports it.
struct Counted {
  const Event* event = nullptr;
  ObjectKind object_kind = ObjectKind::none;
  std::uint32_t object = undefined;
};

struct Event {
  int index = 0, bind = 0;
  std::string name, about;
  std::vector<EventElement> elements;
  Pair* pair = nullptr;  // pair that it begins or ends
  bool begins = false;
  unsigned objects = 0;
  Counted dropped;                         // its dropped ones
  std::atomic<std::uint64_t> not_told{0};  // their number
};

// A registration for an event, or for an event and an object. It is never destroyed: the library may still call it.
struct Registered {
  Event* event = nullptr;
  const Counted* counted = nullptr;
  std::uint32_t object = undefined;
  std::atomic<Registration> handle{nullptr};
  std::atomic<std::uint64_t> dropped{0};  // number of dropped events that have not been written yet
  Registered* next = nullptr;             // older ones
};
std::atomic<Registered*> registrations{nullptr};

struct Told {
  std::uint64_t time = 0;
  Registered* from = nullptr;
  ElementValues says;
};

// Of a pair of events, in one source.
struct Stream {
  Thread* thread = nullptr;
  std::uint64_t open = 0, since = 0;  // regions, and when the first of them began
  std::uint32_t metric = undefined;   // metric of its time
};

struct Moment {
  std::uint64_t source = 0, own = 0, deviation = 0;
  bool known = false;
};

struct Source {
  SpinLock lock;
  int index = 0;
  Moment begin;
  std::string name;
  bool ordered = true, ended = false;
  std::uint64_t ticks_a_second = 1'000'000'000;
  Thread* stream = nullptr;
  struct Metric {
    std::uint32_t number = undefined;
    std::uint64_t count = 0;
  };
  std::map<const Counted*, Metric> counts;
  std::map<const Counted*, std::vector<std::uint32_t>> elements;  // their metrics
  std::map<const Pair*, Stream> pairs;
  std::vector<Told> waiting;  // to be sorted
  std::uint64_t late = 0, unmatched = 0;
};
std::array<std::atomic<Source*>, most_sources> sources{};

struct EventState {
  SpinLock lock;  // protects what follows; no callback takes it
  bool follows = false;
  std::deque<Event> events;
  std::deque<Pair> pairs;
  std::map<const Event*, const Counted*> further;
};
EventState& event_state() {
  static EventState* const s = new EventState;
  return *s;
}

// --- time of a source -----------------------------------------------------------------------------------------------

std::uint64_t nanoseconds(const Source& s, MPI_Count ticks) {
  __extension__ using Wide = unsigned __int128;
  if (ticks <= 0) return 0;
  return static_cast<std::uint64_t>(static_cast<Wide>(ticks) * 1'000'000'000 / s.ticks_a_second);
}

// Reads both clocks at one time: of a few tries, the one that took the least counts.
Moment moment(const Source& s) {
  Moment best;
  for (int i = 0; i < 16; ++i) {
    MPI_Count ticks = 0;
    const std::uint64_t before = now();
    if (event_functions().source_get_timestamp(s.index, &ticks) != MPI_SUCCESS) break;
    const std::uint64_t taken = now() - before;
    if (best.known && taken / 2 >= best.deviation) continue;
    best = {nanoseconds(s, ticks), before + taken / 2, taken / 2, true};
  }
  return best;
}

void define_clock(const Thread& stream, const Moment& m) {
  if (m.known)
    define(ClockOfLine{.location = stream.number,
                       .time = m.source,
                       .offset = static_cast<std::int64_t>(m.own - m.source),
                       .deviation = m.deviation});
}

// Null: there are too many.
Source* source_of(int index) {
  if (index < 0 || index >= most_sources) return nullptr;
  std::atomic<Source*>& place = sources[static_cast<std::size_t>(index)];
  if (Source* const known = place.load()) return known;
  auto made = std::make_unique<Source>();
  ToolText name, about;
  int unordered = 0;  // MPI_T_SOURCE_ORDERED is the first of the two
  MPI_Count ticks = 0, last = 0;
  made->index = index;
  if (event_functions().source_get_info(index, name.bytes, &name.length, about.bytes, &about.length, &unordered, &ticks,
                                        &last, nullptr) == MPI_SUCCESS) {
    made->name = name.bytes;
    made->ordered = unordered == 0;
    if (ticks > 0) made->ticks_a_second = static_cast<std::uint64_t>(ticks);
  }
  if (made->name.empty()) made->name = "source " + std::to_string(index);
  made->begin = moment(*made);
  Source* none = nullptr;
  return place.compare_exchange_strong(none, made.get()) ? made.release() : none;
}

// With the source's lock.
Thread* stream_of(Thread*& stream, const Source& s, const std::string& name) {
  if (stream == nullptr && (stream = attach_stream(name)) != nullptr) define_clock(*stream, s.begin);
  return stream;
}

// --- writing, with the source's lock --------------------------------------------------------------------------------

// Writes the event, and returns the time at which that was possible.
std::uint64_t written_at(Source& s, Thread& stream, std::uint64_t time) {
  if (time < stream.last) ++s.late;
  stream.last = std::max(stream.last, time);
  return stream.last;
}

void write_count(Thread& stream, std::uint64_t time, std::uint32_t metric, std::uint64_t count) {
  constexpr OTF2_Type type = OTF2_TYPE_UINT64;
  OTF2_MetricValue value;
  value.unsigned_int = count;
  stream.record(OTF2_EvtWriter_Metric, time, metric, 1, &type, &value);
}

// The first value is only the start of the count.
void write_total(Source& s, Thread& stream, const Counted& counted, std::uint64_t time, std::uint64_t add,
                 std::string_view what, std::string_view about) {
  Source::Metric& m = s.counts[&counted];
  const bool is_new = m.number == undefined;
  if (is_new)
    m.number = define_metric({counted.event->name + std::string(what), "#",
                              counted.event->about + (counted.event->about.empty() ? "" : "; ") + std::string(about),
                              OTF2_METRIC_ACCUMULATED_START, OTF2_TYPE_UINT64, counted.object_kind, counted.object},
                             &stream);
  if (!stream.begin_writing()) return;
  const std::uint64_t at = written_at(s, stream, time);
  if (is_new) write_count(stream, at, m.number, 0);
  m.count += add;
  write_count(stream, at, m.number, m.count);
  stream.end_writing();
}

// In the stream in which the event itself is.
void write_elements(Source& s, Thread& stream, const Told& told, std::uint64_t at) {
  const Event& event = *told.from->event;
  if (event.elements.empty()) return;
  const Counted& counted = *told.from->counted;
  std::vector<std::uint32_t>& numbers = s.elements[&counted];
  for (std::size_t i = numbers.size(); i < event.elements.size(); ++i) {
    const EventElement& e = event.elements[i];
    numbers.push_back(
        e.type.bytes == 0
            ? undefined
            : define_metric({event.name + ' ' + e.name, "#", "what the events " + event.name + " say",
                             OTF2_METRIC_ABSOLUTE_POINT, e.type.recorded(), counted.object_kind, counted.object},
                            &stream));
  }
  if (!stream.begin_writing()) return;
  for (std::size_t i = 0; i < numbers.size(); ++i)
    if (told.says.has(i)) {
      const OTF2_Type type = event.elements[i].type.recorded();
      stream.record(OTF2_EvtWriter_Metric, at, numbers[i], 1, &type, &told.says.values[i]);
    }
  stream.end_writing();
}

// The number of events that the library has dropped since the last call.
void write_dropped(Source& s, Registered& from, std::uint64_t time) {
  const std::uint64_t number = from.dropped.exchange(0);
  if (number == 0) return;
  from.event->not_told += number;
  if (Thread* const stream = stream_of(s.stream, s, "MPI_T " + s.name))
    write_total(s, *stream, from.event->dropped, time, number, " dropped",
                "events of which the library reported only the number");
}

// With its time in seconds, if it is the last that was open.
void leave(Stream& of, const Pair& pair, std::uint64_t at) {
  constexpr OTF2_Type type = OTF2_TYPE_DOUBLE;
  OTF2_MetricValue value;
  value.floating_point = static_cast<double>(at - of.since) * 1e-9;
  if (--of.open == 0) of.thread->record(OTF2_EvtWriter_Metric, at, of.metric, 1, &type, &value);
  of.thread->record(OTF2_EvtWriter_Leave, at, pair.region);
}

void write_region(Source& s, const Pair& pair, const Told& told) {
  Stream& of = s.pairs[&pair];
  const bool begins = told.from->event->begins;
  if (!begins && of.open == 0) {
    ++s.unmatched;
    return;
  }
  Thread* const stream = stream_of(of.thread, s, "MPI_T " + pair.name + " (" + s.name + ")");
  if (stream == nullptr) return;
  if (of.metric == undefined)
    of.metric = define_metric({pair.name + " time", "s", "time in which there was at least one of these",
                               OTF2_METRIC_RELATIVE_LAST, OTF2_TYPE_DOUBLE, ObjectKind::none, undefined},
                              stream);
  if (!stream->begin_writing()) return;
  const std::uint64_t at = written_at(s, *stream, told.time);
  if (begins) {
    if (of.open++ == 0) of.since = at;
    stream->record(OTF2_EvtWriter_Enter, at, pair.region);
  }
  stream->end_writing();
  write_elements(s, *stream, told, at);  // in the region
  if (begins || !stream->begin_writing()) return;
  leave(of, pair, at);
  stream->end_writing();
}

void write(Source& s, const Told& told) {
  const Event& event = *told.from->event;
  write_dropped(s, *told.from, told.time);
  if (event.pair != nullptr) return write_region(s, *event.pair, told);
  Thread* const stream = stream_of(s.stream, s, "MPI_T " + s.name);
  if (stream == nullptr) return;
  write_total(s, *stream, *told.from->counted, told.time, 1, "", "events of the MPI library");
  write_elements(s, *stream, told, stream->last);
}

// The oldest ones, so that `rest` of them stay.
void write_sorted(Source& s, std::size_t rest) {
  std::stable_sort(s.waiting.begin(), s.waiting.end(), [](const Told& a, const Told& b) { return a.time < b.time; });
  const auto end = s.waiting.end() - static_cast<std::ptrdiff_t>(rest);
  for (auto at = s.waiting.begin(); at != end; ++at) write(s, *at);
  s.waiting.erase(s.waiting.begin(), end);
}

// --- what the library calls -----------------------------------------------------------------------------------------

void on_event(Instance instance, Registration, int, void* data) {
  const EventFunctions& i = event_functions();
  int index = 0;
  MPI_Count ticks = 0;
  if (!recording.load() || i.get_source(instance, &index) != MPI_SUCCESS ||
      i.get_timestamp(instance, &ticks) != MPI_SUCCESS)
    return;
  Source* const s = source_of(index);
  if (s == nullptr) return;
  Told told{nanoseconds(*s, ticks), static_cast<Registered*>(data), {}};
  told.says = element_values(i, instance, told.from->event->elements);
  const std::lock_guard guard(s->lock);
  if (s->ended) return;
  if (s->ordered) return write(*s, told);
  s->waiting.push_back(told);
  if (s->waiting.size() >= sorted_at_a_time) write_sorted(*s, sorted_at_a_time / 2);
}

// Possibly in a signal handler.
void on_dropped(MPI_Count count, Registration handle, int, int, void*) {
  for (Registered* r = registrations.load(); r != nullptr; r = r->next)
    if (r->handle.load() == handle) {
      if (count > 0) r->dropped += static_cast<std::uint64_t>(count);
      return;
    }
}

void on_freed(Registration, int, void*) {}

MPI_Info no_info() {
#ifdef OPEN_MPI
  return static_cast<MPI_Info>(predefined.info_null);
#else
  return MPI_INFO_NULL;
#endif
}

// --- which are registered -------------------------------------------------------------------------------------------

// With the lock. `handle`: of the object, or null.
void add(Event& event, void* handle, std::uint32_t object) {
  EventState& s = event_state();
  const EventFunctions& i = event_functions();
  Registration registration{};
  if (i.handle_alloc(event.index, handle, no_info(), &registration) != MPI_SUCCESS) return;
  const Counted*& shared = s.further[&event];
  const bool further = handle != nullptr && event.objects++ >= most_objects;
  const bool of_comm = event.bind == MPI_T_BIND_MPI_COMM;
  const Counted* counted = further ? shared : nullptr;
  if (counted == nullptr) {
    counted = handle == nullptr ? new Counted{&event, ObjectKind::none, undefined}
              : further         ? new Counted{&event, of_comm ? ObjectKind::comms : ObjectKind::wins, undefined}
                                : new Counted{&event, of_comm ? ObjectKind::comm : ObjectKind::win, object};
    if (further) shared = counted;
  }
  auto* const r = new Registered;
  r->event = &event;
  r->counted = counted;
  r->object = object;
  r->handle = registration;
  r->next = registrations.load();
  registrations = r;  // before it can be told of anything
  i.set_dropped_handler(registration, on_dropped);
  if (i.register_callback(registration, thread_safe, no_info(), r, on_event) == MPI_SUCCESS) return;
  r->handle = nullptr;
  i.handle_free(registration, nullptr, on_freed);
}

void release(Registered& r) {
  if (const Registration handle = r.handle.exchange(nullptr)) event_functions().handle_free(handle, nullptr, on_freed);
}

// The common prefix of the names of two events, one of which begins what the other ends; else empty.
std::string_view stem(const std::string& name, std::string_view end) {
  return name.ends_with(end) ? std::string_view(name).substr(0, name.size() - end.size()) : std::string_view();
}

void find_pairs() {
  EventState& s = event_state();
  for (Event& begin : s.events) {
    const std::string_view name = stem(begin.name, "_begin");
    if (name.empty()) continue;
    for (Event& end : s.events)
      if (stem(end.name, "_end") == name) {
        s.pairs.push_back(
            {define_region(name, OTF2_PARADIGM_MEASUREMENT_SYSTEM, OTF2_REGION_ROLE_ARTIFICIAL), std::string(name)});
        begin.pair = end.pair = &s.pairs.back();
        begin.begins = true;
      }
  }
}

// Writes the rest of a source, at its end. `first`: dropped events as well, whichever source they would belong to.
void end(Source& s, bool first) {
  const Moment last = moment(s);
  const std::lock_guard guard(s.lock);
  write_sorted(s, 0);
  s.ended = true;
  if (first)
    for (Registered* r = registrations.load(); r != nullptr; r = r->next)
      write_dropped(s, *r, std::max(s.stream == nullptr ? 0 : s.stream->last, last.source));
  for (auto& [pair, of] : s.pairs) {
    if (of.thread == nullptr) continue;
    of.thread->last = std::max(of.thread->last, last.source);
    while (of.open != 0 && of.thread->begin_writing()) {
      leave(of, *pair, of.thread->last);
      of.thread->end_writing();
    }
    define_clock(*of.thread, last);
  }
  if (s.stream != nullptr) define_clock(*s.stream, last);
  const auto note = [&](std::string_view what, std::uint64_t number) {
    if (number != 0) define(PropertyLine{.name = std::string(what) + s.name, .text = std::to_string(number)});
  };
  note(late_prefix, s.late);
  note("WAITSTATE::EVENTS_UNMATCHED::", s.unmatched);
}

}  // namespace

void find_events(bool first) {
  if (settings().events.empty()) return;
  EventState& s = event_state();
  const EventFunctions& i = event_functions();
  int number = 0;
  if (!has_tool_interface() || !i.whole || i.get_num(&number) != MPI_SUCCESS || number <= 0) {
    if (first) say("this MPI has no events for tools: --event has no effect");
    return;
  }
  AskedFor asked(settings().events);
  const std::lock_guard guard(s.lock);
  for (int index = 0; index < number; ++index) {
    ToolText name, about;
    int verbosity = 0, elements = most_event_elements, bind = 0;
    MPI_T_enum items{};
    MPI_Datatype types[most_event_elements];
    MPI_Aint places[most_event_elements];
    std::fill(std::begin(types), std::end(types), no_datatype());
    if (i.get_info(index, name.bytes, &name.length, &verbosity, types, places, &elements, &items, nullptr, about.bytes,
                   &about.length, &bind) != MPI_SUCCESS)
      continue;
    bool alone = false;
    if (!asked.means(name.bytes, &alone)) continue;
    if (bind != MPI_T_BIND_NO_OBJECT && bind != MPI_T_BIND_MPI_COMM && bind != MPI_T_BIND_MPI_WIN) {
      if (first && alone)
        say(std::string("the event ") + name.bytes +
            " belongs to objects that are not followed; only communicators and windows are");
      continue;
    }
    Event& e = s.events.emplace_back();
    e.index = index;
    e.bind = bind;
    e.name = name.bytes;
    e.about = about.bytes;
    e.elements = event_elements(i, elements, types, items);
    if (elements > most_event_elements) {
      const std::string recorded = "the first " + std::to_string(most_event_elements) + " of its " +
                                   std::to_string(elements) + " elements are recorded";
      e.about += (e.about.empty() ? "" : "; ") + recorded;
      if (first) say("the event " + e.name + ": " + recorded);
    }
    e.dropped.event = &e;
  }
  find_pairs();
  int sources_there = 0;
  i.source_get_num(&sources_there);
  for (int index = 0; index < std::min(sources_there, most_sources); ++index) source_of(index);
  for (Event& e : s.events)
    if (e.bind == MPI_T_BIND_NO_OBJECT) add(e, nullptr, undefined);
  s.follows = !s.events.empty();
  if (!first) return;
  for (const std::string& pattern : asked.not_there())
    say("this MPI has no event '" + pattern + "': 'waitstate mpit events' lists those that it has");
}

void end_events() {
  EventState& s = event_state();
  const std::lock_guard guard(s.lock);
  if (!s.follows) return;
  s.follows = false;
  for (Registered* r = registrations.load(); r != nullptr; r = r->next) release(*r);
  bool first = true;
  for (std::atomic<Source*>& source : sources)
    if (Source* const known = source.load()) end(*known, std::exchange(first, false));
  for (Registered* r = registrations.load(); r != nullptr; r = r->next)  // a library without sources
    r->event->not_told += r->dropped.exchange(0);
  for (const Event& e : s.events)
    if (const std::uint64_t number = e.not_told.load(); number != 0)
      define(PropertyLine{.name = std::string(dropped_prefix) + e.name, .text = std::to_string(number)});
}

void follow_events(void* handle, std::uint32_t number, int bind) {
  EventState& s = event_state();
  const std::lock_guard guard(s.lock);
  if (!s.follows) return;
  for (Event& e : s.events)
    if (e.bind == bind) add(e, handle, number);
}

void forget_events(std::uint32_t number, int bind) {
  EventState& s = event_state();
  const std::lock_guard guard(s.lock);
  if (!s.follows) return;
  for (Registered* r = registrations.load(); r != nullptr; r = r->next)
    if (r->object == number && r->event->bind == bind) release(*r);
}

}  // namespace waitstate::record::mpi
