#include "serve/timeline/timeline.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <functional>
#include <tuple>

#include "util/nearest.hpp"
#include "waitstate/error.hpp"

namespace waitstate::serve {
namespace {

constexpr double most_events_for_calls = 16'000, most_events_for_bins = 400'000, most_events_for_counter = 200'000;
constexpr std::size_t most_waits = 2'500, most_waits_looked_at = 60'000;
constexpr std::size_t most_arrows = 2'000, most_transfers_looked_at = 40'000;
constexpr std::size_t most_counter_cells = 16'384;
constexpr std::size_t most_calls = 10'000, most_locations_read = 512, open_files = 64, events_at_a_time = 256;

void add(Pyramid::Counts& sum, const Pyramid::Counts& more) {
  sum.events += more.events, sum.calls += more.calls, sum.sends += more.sends;
}

/// Number of bins, and their width, so that there are no more than `most` in a time.
std::pair<std::size_t, Time> bins_of(Time length, std::size_t most) {
  const Time width = std::max<Time>(1, (length + most - 1) / most);
  return {static_cast<std::size_t>((length + width - 1) / width), width};
}

/// A message that several metrics waited for is one.
void drop_repeated(std::vector<TimelineView::Arrow>& arrows) {
  const auto key = [](const TimelineView::Arrow& a) { return std::tuple(a.begin, a.end, a.from, a.to); };
  std::sort(arrows.begin(), arrows.end(), [&](const auto& a, const auto& b) { return key(a) < key(b); });
  const auto last =
      std::unique(arrows.begin(), arrows.end(), [&](const auto& a, const auto& b) { return key(a) == key(b); });
  arrows.erase(last, arrows.end());
}

}  // namespace

Timeline::Timeline(pass::TraceInput& input, const Pyramid& pyramid)
    : input_(input),
      pyramid_(pyramid),
      rows_(input.definitions()),
      classes_(timeline_classes_of(input.definitions())) {}

/// Reads the events of the time, each location from its mark.
void Timeline::read_bins(TimelineView& view, bool classes, bool counter) {
  std::vector<LocationId> locations;
  for (const TimelineRow& row : view.rows)
    for (std::size_t l = row.begin; l < row.end; ++l) locations.emplace_back(l);
  const auto readers = input_.readers<ClassSink>(locations, false, open_files);
  std::vector<CounterBins> values;
  for (std::size_t r = 0; r < view.rows.size(); ++r)
    for (std::size_t n = view.rows[r].begin; n < view.rows[r].end; ++n) {
      const LocationId l{n};
      const pass::EventIndex::Mark* const mark = pyramid_.index().before(l, view.from);
      if (mark == nullptr) continue;
      ClassBins bins(view.from, view.width, classes ? view.bins : 0, false);
      values.clear();
      if (counter) {
        values.assign(pyramid_.counters().size(), CounterBins(view.from, 1, 0, false));
        const auto& shown = view.counter.front();
        values[shown.counter] = CounterBins(view.from, shown.width, shown.bins, false);
      }
      CounterRecorder recorder(pyramid_.counters(), values);
      ClassSink sink(classes_, bins, counter ? &recorder : nullptr);
      for (const pass::OpenRegion& open : mark->open) sink.enter(mark->time, open.region);
      readers->go_to(l, mark->place);
      // The value of a counter up to the end is told by its next record, which is usually near.
      std::size_t more = 16;
      const auto goes_on = [&] {
        if (sink.last_time() < view.to) return true;
        return counter && recorder.last_record() != 0 && recorder.last_record() < view.to && more-- > 0;
      };
      while (!readers->at_end(l) && goes_on())
        if (readers->read(l, sink, events_at_a_time) == 0) break;
      for (std::size_t b = 0; b < bins.bins().size(); ++b) join_ticks(view.sums[r][b], bins.bins()[b]);
      if (!counter) continue;
      recorder.finish(sink.last_time());
      auto& shown = view.counter.front();
      for (std::size_t b = 0; b < shown.bins; ++b) shown.values[r][b].add(values[shown.counter].bins()[b]);
    }
}

void Timeline::fill_bins(TimelineView& view) {
  view.sums.assign(view.rows.size(), std::vector<ClassTicks>(view.bins));
  const bool is_small = view.locations <= most_locations_read;
  view.from_events = is_small && view.width < pyramid_.finest_width() && view.about.events <= most_events_for_bins;
  bool counter_from_events = false;
  for (TimelineView::ShownCounter& shown : view.counter) {
    const CounterStore& store = pyramid_.counter_store();
    shown.values.assign(view.rows.size(), std::vector<CounterValues>(shown.bins));
    const bool is_fine = store.bins() != 0 && shown.width >= store.width();
    counter_from_events = is_small && !is_fine && view.about.events <= most_events_for_counter;
    shown.is_exact = is_fine || counter_from_events;
    if (counter_from_events) continue;
    for (std::size_t r = 0; r < view.rows.size(); ++r)
      store.add(shown.counter, view.rows[r].begin, view.rows[r].end, view.from, shown.width, shown.values[r]);
  }
  if (view.from_events || counter_from_events) read_bins(view, view.from_events, counter_from_events);
  if (view.from_events) return;
  for (std::size_t r = 0; r < view.rows.size(); ++r)
    pyramid_.add_shares(view.rows[r].begin, view.rows[r].end, view.from, view.width, view.sums[r]);
}

void Timeline::read_calls(TimelineView& view) {
  if (view.about.events > most_events_for_calls || view.locations > most_locations_read) return;
  std::vector<pass::Look> looks;
  for (const TimelineRow& row : view.rows)
    for (std::size_t l = row.begin; l < row.end; ++l)
      looks.push_back({.location = LocationId{l}, .from = view.from, .to = view.to});
  pass::look_again(input_, pyramid_.index(), looks);
  std::size_t next = 0;
  view.has_calls = true;
  for (std::size_t r = 0; r < view.rows.size(); ++r)
    for (std::size_t l = view.rows[r].begin; l < view.rows[r].end; ++l, ++next) {
      const pass::Look& look = looks[next];
      view.has_calls = view.has_calls && look.whole;
      view.sends += look.sends.size() + look.transfers.size();
      for (const pass::Look::Region& region : look.regions)
        view.calls.push_back({region.enter, region.exit, static_cast<std::uint32_t>(r), region.region, region.depth});
    }
  if (!view.has_calls) view.calls.clear();
  if (view.calls.size() <= most_calls) return;
  // The longest stay.
  std::vector<Time> lengths;
  for (const TimelineView::Call& call : view.calls) lengths.push_back(call.exit - call.enter);
  std::nth_element(lengths.begin(), lengths.begin() + most_calls, lengths.end(), std::greater<>());
  const Time shortest = lengths[most_calls];
  view.calls_left_out =
      std::erase_if(view.calls, [&](const TimelineView::Call& c) { return c.exit - c.enter <= shortest; });
}

/// The longest waits. Of very many locations there are shares only, and an estimate of how many waits are left out.
void Timeline::find_waits(TimelineView& view, const WaitFile& waits) const {
  view.waiting.assign(view.rows.size(), std::vector<std::uint64_t>(view.bins));
  const bool is_small = view.locations <= most_locations_read;
  std::uint64_t in_all = 0;
  for (const TimelineRow& row : view.rows)
    if (!is_small) {
      in_all += waits.count(row.begin, row.end);
    } else {
      for (std::size_t l = row.begin; l < row.end; ++l)
        in_all += waits.around(LocationId{l}, view.from, view.to).size();
    }
  const bool by_shares = !is_small || view.width >= pyramid_.finest_width() || in_all > most_waits_looked_at;
  for (std::size_t r = 0; r < view.rows.size(); ++r) {
    if (by_shares) {
      waits.add_shares(view.rows[r].begin, view.rows[r].end, view.from, view.width, view.waiting[r]);
      continue;
    }
    for (std::size_t l = view.rows[r].begin; l < view.rows[r].end; ++l)
      waits.add_waiting(LocationId{l}, view.from, view.width, view.waiting[r]);
  }
  if (!is_small) {
    const double part = static_cast<double>(view.to - view.from) /
                        static_cast<double>(std::max<Time>(1, pyramid_.last() - pyramid_.start()));
    view.waits_left_out = static_cast<std::uint64_t>(std::llround(static_cast<double>(in_all) * std::min(1.0, part)));
    return;
  }
  if (in_all > most_waits_looked_at) {
    view.waits_left_out = in_all;
    return;
  }
  for (std::size_t r = 0; r < view.rows.size(); ++r)
    for (std::size_t l = view.rows[r].begin; l < view.rows[r].end; ++l)
      for (WaitRecord wait : waits.around(LocationId{l}, view.from, view.to)) {
        if (wait.end <= view.from || wait.begin >= view.to) continue;
        wait.location = static_cast<std::uint32_t>(r);
        view.waits.push_back(wait);
      }
  if (view.waits.size() <= most_waits) return;
  const auto is_longer = [](const WaitRecord& a, const WaitRecord& b) { return a.end - a.begin > b.end - b.begin; };
  std::nth_element(view.waits.begin(), view.waits.begin() + most_waits, view.waits.end(), is_longer);
  view.waits_left_out = view.waits.size() - most_waits;
  view.waits.resize(most_waits);
}

/// All messages and one-sided transfers between the rows, where they are few; else the messages that waits waited for.
void Timeline::find_transfers(TimelineView& view, const TimelineFiles& files) const {
  const bool may_be_few = view.locations <= most_locations_read && view.about.sends <= 2 * most_arrows;
  std::size_t in_all = 0;
  if (files.transfers != nullptr && may_be_few)
    for (const TimelineRow& row : view.rows)
      for (std::size_t l = row.begin; l < row.end; ++l)
        in_all += files.transfers->around(LocationId{l}, view.from, view.to).size();
  view.wants_transfers = files.transfers == nullptr && may_be_few && view.about.sends > 0;
  if (files.transfers != nullptr && may_be_few && in_all <= most_transfers_looked_at) {
    for (std::size_t r = 0; r < view.rows.size(); ++r)
      for (std::size_t l = view.rows[r].begin; l < view.rows[r].end; ++l)
        for (const TransferRecord& t : files.transfers->around(LocationId{l}, view.from, view.to)) {
          const std::size_t from = view.row_of(t.from);
          if (from < view.rows.size() && std::max(t.begin, t.end) > view.from)
            view.arrows.push_back(
                {t.begin, t.end, static_cast<std::uint32_t>(from), static_cast<std::uint32_t>(r), t.bytes, t.kind});
        }
    if (view.arrows.size() <= most_arrows) return;
    view.arrows.clear();
  }
  for (const WaitRecord& wait : view.waits)
    if (wait.sent != WaitRecord::none && wait.received != WaitRecord::none)
      if (const std::size_t from = view.row_of(wait.sender); from < view.rows.size())
        view.arrows.push_back({wait.sent, wait.received, static_cast<std::uint32_t>(from), wait.location, wait.bytes,
                               TransferKind::message});
  drop_repeated(view.arrows);
}

void Timeline::choose_counter(TimelineView& view, const std::string& name) const {
  const std::optional<std::size_t> found = pyramid_.counters().find(name);
  if (!found) throw UsageError(fmt::format("counter: the trace has no counter '{}'", name));
  TimelineView::ShownCounter shown;
  shown.counter = *found, shown.name = name;
  const std::size_t most = std::max<std::size_t>(1, most_counter_cells / std::max<std::size_t>(1, view.rows.size()));
  std::tie(shown.bins, shown.width) = bins_of(view.to - view.from, std::min(view.bins, most));
  view.counter.push_back(std::move(shown));
}

TimelineView Timeline::view_of(const TimelineQuestion& q) const {
  const std::vector<TimelineRow>* const rows = rows_.of(q.level);
  if (rows == nullptr) throw UsageError("level: expected location, process or node");
  if (q.rows == 0 || q.rows > TimelineQuestion::most_rows)
    throw UsageError(fmt::format("rows: expected 1 to {}", TimelineQuestion::most_rows));
  if (q.bins == 0 || q.bins > TimelineQuestion::most_bins)
    throw UsageError(fmt::format("width: expected 1 to {}", TimelineQuestion::most_bins));
  const Time length = pyramid_.last() - pyramid_.start();
  const Time to = std::min(q.to, std::max<Time>(length, 1));
  if (q.from >= to) throw UsageError(fmt::format("from, to: expected 0 <= from < to, and less than {}", length));
  if (q.first >= std::max<std::size_t>(rows->size(), 1))
    throw UsageError(fmt::format("first: there are {} rows", rows->size()));

  TimelineView view{};
  view.rows = std::span(*rows).subspan(q.first, std::min(q.rows, rows->size() - q.first));
  const std::size_t most = TimelineQuestion::most_cells / std::max<std::size_t>(1, view.rows.size());
  view.from = pyramid_.start() + q.from;
  view.to = pyramid_.start() + to;
  std::tie(view.bins, view.width) = bins_of(to - q.from, std::min(q.bins, std::max<std::size_t>(1, most)));
  for (const TimelineRow& row : view.rows)
    for (std::size_t l = row.begin; l < row.end; ++l, ++view.locations)
      add(view.about, pyramid_.counts_in(LocationId{l}, view.from, view.to));
  return view;
}

std::string Timeline::answer(const TimelineQuestion& q, const TimelineFiles& files) {
  TimelineView view = view_of(q);
  if (!q.counter.empty()) choose_counter(view, q.counter);
  fill_bins(view);
  read_calls(view);
  if (files.waits != nullptr) find_waits(view, *files.waits);
  find_transfers(view, files);
  wants_transfers_ = view.wants_transfers;
  static const std::vector<std::string> no_metrics;
  return encoded(view, {q.first, rows_.of(q.level)->size(), pyramid_, input_.definitions(), classes_,
                        files.waits == nullptr ? no_metrics : files.waits->metrics(),
                        view.wants_transfers && q.messages_note.empty() ? q.messages_wait_for : "",
                        view.wants_transfers ? q.messages_note : ""});
}

}  // namespace waitstate::serve
