#include "serve/timeline/timeline.hpp"

#include <fmt/format.h>
#include <libdeflate.h>

#include <algorithm>
#include <cmath>
#include <cstring>
#include <memory>
#include <new>
#include <nlohmann/json.hpp>
#include <set>
#include <span>
#include <tuple>
#include <utility>

#include "util/text.hpp"
#include "waitstate/error.hpp"

namespace waitstate::serve {
namespace {

using nlohmann::json;

constexpr double most_events_for_calls = 16'000, most_events_for_bins = 400'000;
constexpr std::size_t most_waits = 2'500, most_waits_looked_at = 60'000;
constexpr std::size_t most_calls = 10'000, most_locations_read = 512, open_files = 64, events_at_a_time = 256;

void add(Pyramid::Counts& sum, const Pyramid::Counts& more) {
  sum.events += more.events, sum.calls += more.calls, sum.sends += more.sends;
}

std::uint64_t rounded(double count) { return static_cast<std::uint64_t>(std::llround(count)); }

template <class T>
void append(std::string& bytes, const std::vector<T>& values) {
  bytes.append(reinterpret_cast<const char*>(values.data()), values.size() * sizeof(T));
  bytes.resize((bytes.size() + 7) / 8 * 8);
}

}  // namespace

struct Timeline::View {
  Time from, to, width;  ///< absolute
  std::size_t bins;
  std::span<const TimelineRow> rows;
  std::vector<std::vector<ClassBins::Bin>> sums;  ///< by row and bin: ticks of all its locations
  Pyramid::Counts about;
  std::size_t locations = 0;
  bool from_events = false;  ///< bins are exact

  struct Call {
    Time enter, exit;
    std::uint32_t row;
    RegionId region;
    std::uint32_t depth;
  };
  std::vector<Call> calls;
  std::uint64_t calls_left_out = 0, sends = 0;

  struct Arrow {
    Time sent, received;
    std::uint32_t from, to, bytes;
  };
  std::vector<std::vector<std::uint64_t>> waiting;  ///< by row and bin: ticks; empty if no run is shown
  std::vector<WaitRecord> waits;                    ///< their location is a row
  std::vector<Arrow> arrows;
  std::uint64_t waits_left_out = 0;
  bool has_calls = false;
};

Timeline::Timeline(pass::TraceInput& input, const Pyramid& pyramid)
    : input_(input),
      pyramid_(pyramid),
      rows_(input.definitions()),
      classes_(timeline_classes_of(input.definitions())) {}

/// Reads the events of the time, each location from its mark.
void Timeline::read_bins(View& view) {
  std::vector<LocationId> locations;
  for (const TimelineRow& row : view.rows)
    for (std::size_t l = row.begin; l < row.end; ++l) locations.emplace_back(l);
  const auto readers = input_.readers<ClassSink>(locations, false, open_files);
  for (std::size_t r = 0; r < view.rows.size(); ++r)
    for (std::size_t n = view.rows[r].begin; n < view.rows[r].end; ++n) {
      const LocationId l{n};
      const pass::EventIndex::Mark* const mark = pyramid_.index().before(l, view.from);
      if (mark == nullptr) continue;
      ClassBins bins(view.from, view.width, view.bins, false);
      ClassSink sink(classes_, bins);
      for (const pass::OpenRegion& open : mark->open) sink.enter(mark->time, open.region);
      readers->go_to(l, mark->place);
      while (!readers->at_end(l) && sink.last_time() < view.to)
        if (readers->read(l, sink, events_at_a_time) == 0) break;
      for (std::size_t b = 0; b < view.bins; ++b)
        for (std::size_t c = 0; c < class_count; ++c) view.sums[r][b][c] += bins.bins()[b][c];
    }
  view.from_events = true;
}

void Timeline::fill_bins(View& view) {
  view.sums.assign(view.rows.size(), std::vector<ClassBins::Bin>(view.bins));
  if (view.width < pyramid_.finest_width() && view.about.events <= most_events_for_bins &&
      view.locations <= most_locations_read)
    return read_bins(view);
  for (std::size_t r = 0; r < view.rows.size(); ++r)
    pyramid_.add_shares(view.rows[r].begin, view.rows[r].end, view.from, view.width, view.sums[r]);
}

void Timeline::read_calls(View& view) {
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
      view.sends += look.sends.size();
      for (const pass::Look::Region& region : look.regions)
        view.calls.push_back({region.enter, region.exit, static_cast<std::uint32_t>(r), region.region, region.depth});
    }
  if (!view.has_calls) view.calls.clear();
  if (view.calls.size() <= most_calls) return;
  // The longest stay.
  std::vector<Time> lengths;
  for (const View::Call& call : view.calls) lengths.push_back(call.exit - call.enter);
  std::nth_element(lengths.begin(), lengths.begin() + most_calls, lengths.end(), std::greater<>());
  const Time shortest = lengths[most_calls];
  view.calls_left_out = std::erase_if(view.calls, [&](const View::Call& c) { return c.exit - c.enter <= shortest; });
}

/// The longest waits, and the messages of these.
void Timeline::find_waits(View& view, const WaitFile& waits) const {
  view.waiting.assign(view.rows.size(), std::vector<std::uint64_t>(view.bins));
  std::uint64_t in_all = 0;
  for (const TimelineRow& row : view.rows)
    for (std::size_t l = row.begin; l < row.end; ++l) in_all += waits.around(LocationId{l}, view.from, view.to).size();
  const bool by_shares = view.width >= pyramid_.finest_width() || in_all > most_waits_looked_at;
  for (std::size_t r = 0; r < view.rows.size(); ++r) {
    if (by_shares) {
      waits.add_shares(view.rows[r].begin, view.rows[r].end, view.from, view.width, view.waiting[r]);
      continue;
    }
    for (std::size_t l = view.rows[r].begin; l < view.rows[r].end; ++l)
      waits.add_waiting(LocationId{l}, view.from, view.width, view.waiting[r]);
  }
  if (in_all > most_waits_looked_at) {
    view.waits_left_out = in_all;
    return;
  }
  const auto row_of = [&](std::size_t location) {  // rows are neighbours
    const auto row = std::partition_point(view.rows.begin(), view.rows.end(),
                                          [&](const TimelineRow& r) { return r.end <= location; });
    return row == view.rows.end() || row->begin > location ? view.rows.size()
                                                           : static_cast<std::size_t>(row - view.rows.begin());
  };
  for (std::size_t r = 0; r < view.rows.size(); ++r)
    for (std::size_t l = view.rows[r].begin; l < view.rows[r].end; ++l)
      for (WaitRecord wait : waits.around(LocationId{l}, view.from, view.to)) {
        if (wait.end <= view.from || wait.begin >= view.to) continue;
        wait.location = static_cast<std::uint32_t>(r);
        view.waits.push_back(wait);
      }
  if (view.waits.size() > most_waits) {
    const auto is_longer = [](const WaitRecord& a, const WaitRecord& b) { return a.end - a.begin > b.end - b.begin; };
    std::nth_element(view.waits.begin(), view.waits.begin() + most_waits, view.waits.end(), is_longer);
    view.waits_left_out = view.waits.size() - most_waits;
    view.waits.resize(most_waits);
  }
  for (const WaitRecord& wait : view.waits)
    if (wait.sent != WaitRecord::none && wait.received != WaitRecord::none)
      if (const std::size_t from = row_of(wait.sender); from < view.rows.size())
        view.arrows.push_back({wait.sent, wait.received, static_cast<std::uint32_t>(from), wait.location, wait.bytes});
  // A message that several metrics waited for is one.
  const auto key = [](const View::Arrow& a) { return std::tuple(a.sent, a.received, a.from, a.to); };
  std::sort(view.arrows.begin(), view.arrows.end(), [&](const auto& a, const auto& b) { return key(a) < key(b); });
  const auto last = std::unique(view.arrows.begin(), view.arrows.end(),
                                [&](const auto& a, const auto& b) { return key(a) == key(b); });
  view.arrows.erase(last, view.arrows.end());
}

std::string Timeline::answer(const TimelineQuestion& q, const WaitFile* waits) {
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

  View view{};
  view.rows = std::span(*rows).subspan(q.first, std::min(q.rows, rows->size() - q.first));
  view.bins = std::min<std::size_t>(
      q.bins, std::max<std::size_t>(1, TimelineQuestion::most_cells / std::max<std::size_t>(1, view.rows.size())));
  view.from = pyramid_.start() + q.from;
  view.to = pyramid_.start() + to;
  view.width = std::max<Time>(1, (to - q.from + view.bins - 1) / view.bins);
  view.bins = static_cast<std::size_t>((to - q.from + view.width - 1) / view.width);
  for (const TimelineRow& row : view.rows)
    for (std::size_t l = row.begin; l < row.end; ++l, ++view.locations)
      add(view.about, pyramid_.counts_in(LocationId{l}, view.from, view.to));
  fill_bins(view);
  read_calls(view);
  if (waits != nullptr) find_waits(view, *waits);

  json names = json::object(), shown = json::array();
  for (const TimelineRow& row : view.rows)
    shown.push_back({{"name", row.name}, {"locations", {row.begin, row.end}}, {"folded", row.end - row.begin > 1}});
  std::vector<double> enter, exit;
  std::vector<std::uint32_t> row_of, region;
  std::vector<std::uint8_t> kind, depth, shares;
  for (const View::Call& call : view.calls) {
    enter.push_back(static_cast<double>(call.enter - pyramid_.start()));
    exit.push_back(static_cast<double>(call.exit - pyramid_.start()));
    row_of.push_back(call.row);
    region.push_back(call.region.value);
    kind.push_back(call.region.valid() ? classes_[call.region.index()] : std::uint8_t{0});
    depth.push_back(static_cast<std::uint8_t>(std::min<std::uint32_t>(call.depth, 255)));
    if (call.region.valid())
      names[std::to_string(call.region.value)] = util::printable(input_.definitions()[call.region].name);
    else
      names[std::to_string(call.region.value)] = "program";
  }
  shares.reserve(view.rows.size() * view.bins * (class_count + 1));
  for (std::size_t r = 0; r < view.rows.size(); ++r) {
    const double whole =
        static_cast<double>(view.width) * static_cast<double>(view.rows[r].end - view.rows[r].begin) / 255;
    const auto share = [&](std::uint64_t ticks) {
      return static_cast<std::uint8_t>(std::min(255.0, static_cast<double>(ticks) / whole + 0.5));
    };
    for (std::size_t b = 0; b < view.bins; ++b) {
      for (const std::uint64_t ticks : view.sums[r][b]) shares.push_back(share(ticks));
      shares.push_back(view.waiting.empty() ? std::uint8_t{0} : share(view.waiting[r][b]));
    }
  }
  const auto since_start = [&](Time time) {  // a clock error may put one before the first event
    return static_cast<double>(static_cast<Ticks>(time - pyramid_.start()));
  };
  std::vector<double> wait_begin, wait_end, sent, received;
  std::vector<std::uint32_t> wait_row, wait_metric, sender, receiver, bytes_sent;
  for (const WaitRecord& wait : view.waits) {
    wait_begin.push_back(since_start(wait.begin));
    wait_end.push_back(since_start(wait.end));
    wait_row.push_back(wait.location);
    wait_metric.push_back(wait.metric);
  }
  for (const View::Arrow& arrow : view.arrows) {
    sent.push_back(since_start(arrow.sent));
    received.push_back(since_start(arrow.received));
    sender.push_back(arrow.from);
    receiver.push_back(arrow.to);
    bytes_sent.push_back(arrow.bytes);
  }
  const std::uint64_t sends = view.has_calls ? view.sends : rounded(view.about.sends);
  json header = {{"from", q.from},
                 {"to", q.from + view.bins * view.width},
                 {"bins", view.bins},
                 {"first", q.first},
                 {"total_rows", rows->size()},
                 {"rows", std::move(shown)},
                 {"classes", timeline_classes},
                 {"exact", view.from_events || view.width >= pyramid_.finest_width()},
                 {"resolution", view.from_events ? view.width : std::max(view.width, pyramid_.finest_width())},
                 {"events", rounded(view.about.events)},
                 {"regions", std::move(names)},
                 {"metrics", waits == nullptr ? std::vector<std::string>() : waits->metrics()},
                 {"intervals", view.calls.size()},
                 {"waits", view.waits.size()},
                 {"messages", view.arrows.size()},
                 {"left_out",
                  {{"intervals", view.has_calls ? view.calls_left_out : rounded(view.about.calls)},
                   {"waits", view.waits_left_out},
                   {"messages", sends - std::min<std::uint64_t>(sends, view.arrows.size())}}}};
  std::string text = util::printable_json(header.dump(-1, ' ', false, json::error_handler_t::replace));
  text.resize((text.size() + 8 + 7) / 8 * 8 - 8, ' ');
  const auto size = static_cast<std::uint32_t>(text.size());
  std::string bytes = "WST1";
  bytes.append(reinterpret_cast<const char*>(&size), sizeof size);
  bytes += text;
  append(bytes, shares);
  append(bytes, enter);
  append(bytes, exit);
  append(bytes, row_of);
  append(bytes, region);
  append(bytes, kind);
  append(bytes, depth);
  append(bytes, wait_begin);
  append(bytes, wait_end);
  append(bytes, wait_row);
  append(bytes, wait_metric);
  append(bytes, sent);
  append(bytes, received);
  append(bytes, sender);
  append(bytes, receiver);
  append(bytes, bytes_sent);
  return bytes;
}

std::string deflated(const std::string& bytes) {
  struct Free {
    void operator()(libdeflate_compressor* c) const { libdeflate_free_compressor(c); }
  };
  static const std::unique_ptr<libdeflate_compressor, Free> compressor(libdeflate_alloc_compressor(1));
  if (!compressor) throw std::bad_alloc();
  std::string packed(libdeflate_zlib_compress_bound(compressor.get(), bytes.size()), '\0');
  packed.resize(libdeflate_zlib_compress(compressor.get(), bytes.data(), bytes.size(), packed.data(), packed.size()));
  return packed;
}

}  // namespace waitstate::serve
