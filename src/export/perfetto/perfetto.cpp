#include "export/perfetto/perfetto.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <utility>

#include "export/perfetto/wait_writer.hpp"
#include "report/format/names.hpp"
#include "report/format/units.hpp"

namespace waitstate::exports {
namespace {

struct WorstInstance {
  MetricIndex metric;
  const SevereInstance* instance;
};

/// The worst instances of all wait states that are not a share of another one.
std::vector<WorstInstance> worst_instances(const AnalysisResult& result, std::size_t count) {
  std::vector<WorstInstance> all;
  for (const auto& [metric, summary] : result.waits)
    if (is_outermost_wait(result.metrics, metric))
      for (const auto& [callpath, instances] : summary.severe)
        for (const SevereInstance& i : instances) all.push_back({metric, &i});
  std::stable_sort(all.begin(), all.end(), [](const WorstInstance& a, const WorstInstance& b) {
    return a.instance->total > b.instance->total;
  });
  all.resize(std::min(all.size(), count));
  return all;
}

/// The time of each of these instances and a third of it before and behind, on the locations that take part.
SpansByLocation spans_around(const std::vector<WorstInstance>& instances) {
  SpansByLocation spans;
  for (const auto& [metric, instance] : instances) {
    const Wait& longest = instance->longest;
    const Time third = static_cast<Time>(longest.ticks) / 3, end = longest.begin + static_cast<Time>(longest.ticks);
    const TimeSpan span{longest.begin - std::min(longest.begin, third), end + std::min(~Time{0} - end, third)};
    const auto add = [&](LocationId l) {
      if (!l.valid()) return;
      std::vector<TimeSpan>& of = spans[l];
      if (of.empty() || of.back().from != span.from || of.back().to != span.to) of.push_back(span);
    };
    add(longest.location), add(longest.culprit);
    for (const Wait& w : instance->members) add(w.location), add(w.culprit);
  }
  return spans;
}

class PerfettoExport {
 public:
  PerfettoExport(const AnalysisResult& result, ShownWaits& waits, const PerfettoOptions& options)
      : result_(result),
        waits_(waits),
        options_(options),
        time_(result.definitions.clock, report::first_event(result)),
        stream_(result.path),
        reading_(options.reading) {
    reading_.sends_may_be_cancelled =
        result.events_by_type[static_cast<std::size_t>(EventType::request_cancelled)] != 0;
  }

  PerfettoSummary write(std::ostream& out);

 private:
  std::uint64_t count(EventType type) const { return result_.events_by_type[static_cast<std::size_t>(type)]; }
  std::string duration(Ticks ticks) const { return report::duration_text(result_.seconds(ticks)); }
  void choose_times(const Shown& shown);
  Shown choose();
  std::uint64_t most_bytes_of_all() const;
  void reduce(Shown& shown);
  void write_damage(TrackEvents& out, Tracks& tracks) const;
  bool is_shown(const CriticalSegment& segment) const;
  void write_critical_path(TrackEvents& out, Tracks& tracks) const;
  std::string description() const;
  void write_all(TrackEvents& out, const Shown& shown, EventWriter::Sizes* sizes, PerfettoSummary& summary);

  const AnalysisResult& result_;
  ShownWaits& waits_;
  const PerfettoOptions& options_;
  TimeScale time_;
  access::EventStream stream_;
  access::EventStreamOptions reading_;
  std::optional<KeptTimes> kept_;
  SpansByLocation around_;
  std::vector<std::string> left_out_;
};

// --- what is shown ---------------------------------------------------------------------------------------------------

/// An upper bound of the size of all packets, by the sizes of their fields.
std::uint64_t PerfettoExport::most_bytes_of_all() const {
  constexpr std::uint64_t slice = 2 * 40, message = 2 * 160, value = 40, name = 60;
  std::vector<std::size_t> paths(result_.call_tree.size());
  std::size_t longest = 0;
  for (std::size_t i = 0; i < paths.size(); ++i) {
    const CallPathId id{i}, parent = result_.call_tree[id].parent;
    paths[i] =
        result_.call_tree.name(id, result_.definitions).size() + 1 + (parent.valid() ? paths[parent.index()] : 0);
    longest = std::max(longest, paths[i]);
  }
  constexpr std::size_t longest_text = 2003;
  const std::uint64_t wait = 400 + 2 * std::min(longest, longest_text);
  const std::uint64_t enters =
      count(EventType::enter) + count(EventType::program_begin) + count(EventType::calling_context_enter);
  const std::uint64_t transfers =
      count(EventType::rma_put) + count(EventType::rma_get) + 2 * count(EventType::rma_atomic);
  const std::uint64_t interned =
      std::min<std::uint64_t>(enters, result_.definitions.locations.size() * result_.definitions.regions.size()) * name;
  return interned + enters * slice + (result_.messages + transfers) * message + waits_.size() * wait +
         count(EventType::metric) * value * 8;
}

void PerfettoExport::choose_times(const Shown& shown) {
  kept_.reset();
  if (shown.only_around) {
    kept_.emplace(result_.definitions.locations.size());
    for (const auto& [location, spans] : around_)
      for (const TimeSpan& s : spans) kept_->add({s.from, s.to, location, {}});
    return;
  }
  if (shown.shortest == 0 && shown.messages != Shown::Messages::awaited) return;
  kept_.emplace(result_.definitions.locations.size());
  waits_.each([&](const ShownWait& w) {
    kept_->add({w.wait.begin, w.wait.begin, w.wait.location, {}});
    if (w.wait.culprit.valid()) kept_->add({w.end(), w.end(), w.wait.culprit, {}});
    if (!w.cause_known || w.cause.received == WaitCause::none || !w.wait.culprit.valid()) return;
    // Late Sender: the waiting location receives from the culprit; Late Receiver: the other way round.
    kept_->add({w.cause.received, w.cause.received, w.wait.location, w.wait.culprit});
    kept_->add({w.cause.received, w.cause.received, w.wait.culprit, w.wait.location});
  });
}

Shown PerfettoExport::choose() {
  Shown shown{.messages = options_.messages, .counters = options_.counters};
  if (options_.around != 0) {
    const std::vector<WorstInstance> worst = worst_instances(result_, options_.around);
    around_ = spans_around(worst);
    shown.shortest = Shown::only_kept;
    shown.only_around = true;
    left_out_.push_back(fmt::format("everything but the {} and what surrounds them",
                                    report::count(static_cast<std::int64_t>(worst.size()), "worst instance of waiting",
                                                  "worst instances of waiting")));
    return shown;
  }
  if (options_.shortest_seconds > 0) {
    const double ticks =
        std::ceil(options_.shortest_seconds * static_cast<double>(result_.definitions.clock.resolution));
    shown.shortest = ticks < 9e18 ? static_cast<Ticks>(ticks) : Shown::only_kept - 1;
    left_out_.push_back(
        fmt::format("regions shorter than {}, except around waits", report::duration_text(options_.shortest_seconds)));
  }
  if (options_.messages == Shown::Messages::awaited) left_out_.emplace_back("messages that no wait waited for");
  if (options_.messages == Shown::Messages::none) left_out_.emplace_back("all messages");
  if (most_bytes_of_all() > options_.most_bytes) reduce(shown);
  return shown;
}

// Reads the trace once to count what it contains.
void PerfettoExport::reduce(Shown& shown) {
  Shown least = shown;
  least.shortest = Shown::only_kept;
  if (least.messages == Shown::Messages::all) least.messages = Shown::Messages::awaited;
  choose_times(least);
  TrackEvents nowhere(nullptr);
  EventWriter::Sizes sizes;
  PerfettoSummary unused;
  write_all(nowhere, least, &sizes, unused);
  const std::uint64_t all = nowhere.bytes();  // with what would be left out
  std::uint64_t rest = all;
  for (const std::uint64_t bytes : sizes.by_length) rest -= bytes;
  rest -= sizes.messages;
  const auto with_regions = [&](Ticks shortest) {
    std::uint64_t bytes = rest;
    for (std::size_t bits = 0; bits < 65; ++bits)
      if (bits == 64 || (std::uint64_t{1} << bits) > static_cast<std::uint64_t>(shortest))
        bytes += sizes.by_length[bits];
    return bytes;
  };
  if (shown.messages == Shown::Messages::all) {
    if (with_regions(shown.shortest) + sizes.messages <= options_.most_bytes) return;
    shown.messages = Shown::Messages::awaited;
    left_out_.emplace_back("messages that no wait waited for, to keep the file small");
  }
  if (with_regions(shown.shortest) <= options_.most_bytes || shown.shortest >= Ticks{1} << 61) return;
  Ticks shortest = 1;
  while (shortest < Ticks{1} << 61 && (shortest <= shown.shortest ||
                                       (with_regions(shortest) > options_.most_bytes && with_regions(shortest) > rest)))
    shortest *= 2;
  const bool fits = with_regions(shortest) <= options_.most_bytes;
  shown.shortest = fits ? shortest : Shown::only_kept;
  left_out_.push_back(
      fits ? fmt::format("regions shorter than {}, except around waits, to keep the file small", duration(shortest))
           : "all regions except around waits, to keep the file small");
}

// --- writing ---------------------------------------------------------------------------------------------------------

std::string PerfettoExport::description() const {
  std::string text = fmt::format("Written by waitstate from {}.", result_.path);
  if (!result_.command.empty()) text += fmt::format(" Program: {}.", result_.command);
  if (!left_out_.empty()) text += fmt::format(" Left out: {}.", fmt::join(left_out_, "; "));
  return text;
}

void PerfettoExport::write_damage(TrackEvents& out, Tracks& tracks) const {
  const std::uint32_t category = out.categories().number("damage"), location = out.keys().number("location"),
                      details = out.keys().number("details");
  for (int i = 0; i < diagnostic_count; ++i) {
    const auto id = static_cast<DiagnosticId>(i);
    const DiagnosticEntry& entry = result_.diagnostics[id];
    if (entry.count == 0 || severity(id) == DiagnosticSeverity::note) continue;
    const std::uint32_t name = out.names().number(fmt::format("{} {}", entry.count, sentence(id, entry.count)));
    const auto write = [&](const DiagnosticPlace& place) {
      const std::string label = place.location.valid() ? tracks.label(place.location) : std::string();
      out.start(Tracks::trace_sequence, place.time == ~Time{0} ? 0 : time_.nanoseconds(place.time),
                TrackEvents::Type::instant, tracks.root());
      out.category(category);
      out.name(name);
      if (!label.empty()) out.annotation_text(location, out.texts().number(label));
      if (!place.text.empty()) out.annotation_text(details, out.texts().number(place.text));
      out.finish();
    };
    if (entry.places.empty()) write({});
    for (const DiagnosticPlace& place : entry.places) write(place);
  }
}

bool PerfettoExport::is_shown(const CriticalSegment& s) const {
  const Focus& focus = result_.focus;
  if (s.to <= focus.from || s.from >= focus.to) return false;
  if (!focus.locations.empty() &&
      std::find(focus.locations.begin(), focus.locations.end(), s.location) == focus.locations.end())
    return false;
  if (options_.around == 0) return true;
  const auto spans = around_.find(s.location);
  return spans != around_.end() && std::any_of(spans->second.begin(), spans->second.end(), [&](const TimeSpan& span) {
           return s.from <= span.to && s.to >= span.from;
         });
}

void PerfettoExport::write_critical_path(TrackEvents& out, Tracks& tracks) const {
  if (!result_.critical_path) return;
  const std::uint32_t category = out.categories().number("critical path"), location = out.keys().number("location"),
                      callpath = out.keys().number("call path"), came = out.keys().number("came by"),
                      waited_in = out.keys().number("waited in");
  std::uint64_t now = 0;  // clocks that disagree make segments overlap
  for (const CriticalSegment& s : result_.critical_path->segments) {
    if (!is_shown(s)) continue;
    const std::uint64_t from = std::max(now, time_.nanoseconds(std::max(s.from, result_.focus.from))),
                        to = time_.nanoseconds(std::min(s.to, result_.focus.to));
    if (to < from) continue;
    now = to;
    const std::string label = tracks.label(s.location);
    const TrackEvents::Uuid track = tracks.critical_path();
    out.start(Tracks::trace_sequence, from, TrackEvents::Type::begin, track);
    out.category(category);
    out.name(out.names().number(fmt::format(
        "{}: {}", label,
        s.callpath.valid() ? result_.call_tree.name(s.callpath, result_.definitions) : "outside any region")));
    out.annotation_text(location, out.texts().number(label));
    if (s.callpath.valid())
      out.annotation_text(callpath, out.texts().number(result_.call_tree.path(s.callpath, result_.definitions)));
    if (s.crossing != Crossing::none) out.annotation_text(came, out.texts().number(enum_name(s.crossing)));
    if (s.waited_in.valid())
      out.annotation_text(waited_in, out.texts().number(result_.call_tree.path(s.waited_in, result_.definitions)));
    out.finish();
    out.start(Tracks::trace_sequence, to, TrackEvents::Type::end, track);
    out.finish();
  }
}

void PerfettoExport::write_all(TrackEvents& out, const Shown& shown, EventWriter::Sizes* sizes,
                               PerfettoSummary& summary) {
  Tracks tracks(result_.definitions, out, description());
  tracks.root();
  write_damage(out, tracks);
  write_critical_path(out, tracks);
  analysis::FocusFilter focus(result_.focus, stream_.definitions(), stream_.call_tree());
  EventWriter events(stream_, focus, time_, out, tracks, kept_ ? &*kept_ : nullptr, shown, sizes);
  stream_.read(events, reading_);
  events.finish();
  summary.events = events.counts();
  WaitWriter waits(result_, time_, out, tracks, shown.only_around ? &around_ : nullptr, events.next_flow());
  waits.write(waits_);
  summary.waits = waits.written();
}

PerfettoSummary PerfettoExport::write(std::ostream& to) {
  const Shown shown = choose();
  choose_times(shown);
  PerfettoSummary summary;
  TrackEvents out(&to);
  write_all(out, shown, nullptr, summary);
  out.flush();
  summary.packets = out.packets();
  summary.bytes = out.bytes();
  summary.left_out = left_out_;
  const std::uint64_t messages = summary.events.messages + summary.events.messages_left_out;
  if (result_.focus.all() && result_.messages > messages) summary.messages_without_order = result_.messages - messages;
  summary.too_large = out.bytes() > options_.most_bytes;
  return summary;
}

}  // namespace

PerfettoSummary write_perfetto(const AnalysisResult& result, ShownWaits& waits, const PerfettoOptions& options,
                               std::ostream& out) {
  return PerfettoExport(result, waits, options).write(out);
}

}  // namespace waitstate::exports
