#include "serve/timeline/view.hpp"

#include <libdeflate.h>

#include <algorithm>
#include <cmath>
#include <limits>
#include <memory>
#include <new>
#include <nlohmann/json.hpp>

#include "util/text.hpp"

namespace waitstate::serve {
namespace {

using nlohmann::json;

std::uint64_t rounded(double count) { return static_cast<std::uint64_t>(std::llround(count)); }

template <class T>
void append(std::string& bytes, const std::vector<T>& values) {
  bytes.append(reinterpret_cast<const char*>(values.data()), values.size() * sizeof(T));
  bytes.resize((bytes.size() + 7) / 8 * 8);
}

/// Appends an array with one element of each.
template <class T, class All, class Get>
void append_each(std::string& bytes, const All& all, Get&& get) {
  std::vector<T> values;
  values.reserve(all.size());
  for (const auto& one : all) values.push_back(static_cast<T>(get(one)));
  append(bytes, values);
}

/// Class by class, so that those which a part does not have take no room once they are packed.
std::vector<std::uint8_t> shares_of(const TimelineView& view) {
  const std::size_t cells = view.rows.size() * view.bins;
  std::vector<std::uint8_t> shares(cells * (class_count + 1));
  for (std::size_t r = 0; r < view.rows.size(); ++r) {
    const double whole =
        static_cast<double>(view.width) * static_cast<double>(view.rows[r].end - view.rows[r].begin) / 255;
    const auto share = [&](std::uint64_t ticks) {
      return ticks == 0 ? std::uint8_t{0}
                        : static_cast<std::uint8_t>(std::min(255.0, static_cast<double>(ticks) / whole + 0.5));
    };
    for (std::size_t b = 0; b < view.bins; ++b) {
      const std::size_t cell = r * view.bins + b;
      for (std::size_t c = 0; c < class_count; ++c) shares[c * cells + cell] = share(view.sums[r][b][c]);
      if (!view.waiting.empty()) shares[class_count * cells + cell] = share(view.waiting[r][b]);
    }
  }
  return shares;
}

json counter_header(const TimelineView::ShownCounter& counter, const Pyramid& pyramid) {
  const Time resolution = counter.is_exact ? counter.width : std::max(counter.width, pyramid.counter_store().width());
  return {{"name", util::printable(counter.name)},
          {"unit", util::printable(pyramid.counters().unit(counter.counter))},
          {"bins", counter.bins},
          {"width", counter.width},
          {"resolution", resolution},
          {"is_known", counter.is_exact || pyramid.counter_store().bins() != 0}};
}

void append_counter(std::string& bytes, const TimelineView::ShownCounter& counter) {
  std::vector<float> values;
  constexpr float none = std::numeric_limits<float>::quiet_NaN();
  for (const std::vector<CounterValues>& row : counter.values)
    for (const CounterValues& v : row) {
      const bool has = v.ticks != 0;
      values.push_back(has ? static_cast<float>(v.least) : none);
      values.push_back(has ? static_cast<float>(v.greatest) : none);
      values.push_back(has ? static_cast<float>(v.product / static_cast<double>(v.ticks)) : none);
    }
  append(bytes, values);
}

json header_of(const TimelineView& view, const TimelineFrame& frame) {
  json names = json::object(), rows = json::array();
  for (const TimelineRow& row : view.rows)
    rows.push_back({{"name", row.name}, {"locations", {row.begin, row.end}}, {"folded", row.end - row.begin > 1}});
  for (const TimelineView::Call& call : view.calls)
    if (const std::string number = std::to_string(call.region.value); !names.contains(number))
      names[number] = call.region.valid() ? util::printable(frame.definitions[call.region].name) : "program";
  const Time finest = frame.pyramid.finest_width();
  const std::uint64_t sends = view.has_calls ? view.sends : rounded(view.about.sends);
  json header = {{"from", view.from - frame.pyramid.start()},
                 {"to", view.from - frame.pyramid.start() + view.bins * view.width},
                 {"bins", view.bins},
                 {"first", frame.first_row},
                 {"total_rows", frame.total_rows},
                 {"rows", std::move(rows)},
                 {"classes", timeline_classes},
                 {"exact", view.from_events || view.width >= finest},
                 {"resolution", view.from_events ? view.width : std::max(view.width, finest)},
                 {"events", rounded(view.about.events)},
                 {"regions", std::move(names)},
                 {"metrics", frame.metrics},
                 {"intervals", view.calls.size()},
                 {"waits", view.waits.size()},
                 {"messages", view.arrows.size()},
                 {"left_out",
                  {{"intervals", view.has_calls ? view.calls_left_out : rounded(view.about.calls)},
                   {"waits", view.waits_left_out},
                   {"messages", sends - std::min<std::uint64_t>(sends, view.arrows.size())}}}};
  header["messages_wait_for"] = frame.messages_wait_for;
  header["messages_note"] = frame.messages_note;
  header["counter"] = view.counter.empty() ? json() : counter_header(view.counter.front(), frame.pyramid);
  return header;
}

}  // namespace

std::size_t TimelineView::row_of(std::size_t location) const {  // rows are neighbours
  const auto row =
      std::partition_point(rows.begin(), rows.end(), [&](const TimelineRow& r) { return r.end <= location; });
  if (row == rows.end() || row->begin > location) return rows.size();
  return static_cast<std::size_t>(row - rows.begin());
}

std::string encoded(const TimelineView& view, const TimelineFrame& frame) {
  std::string text = util::printable_json(header_of(view, frame).dump(-1, ' ', false, json::error_handler_t::replace));
  text.resize((text.size() + 8 + 7) / 8 * 8 - 8, ' ');
  const auto size = static_cast<std::uint32_t>(text.size());
  std::string bytes = "WST1";
  bytes.append(reinterpret_cast<const char*>(&size), sizeof size);
  bytes += text;
  const auto since_start = [&](Time time) {  // a clock error may put one before the first event
    return static_cast<double>(static_cast<Ticks>(time - frame.pyramid.start()));
  };
  using Call = TimelineView::Call;
  using Arrow = TimelineView::Arrow;
  append(bytes, shares_of(view));
  append_each<double>(bytes, view.calls, [&](const Call& c) { return since_start(c.enter); });
  append_each<double>(bytes, view.calls, [&](const Call& c) { return since_start(c.exit); });
  append_each<std::uint32_t>(bytes, view.calls, [](const Call& c) { return c.row; });
  append_each<std::uint32_t>(bytes, view.calls, [](const Call& c) { return c.region.value; });
  append_each<std::uint8_t>(bytes, view.calls, [&](const Call& c) {
    return c.region.valid() ? frame.classes[c.region.index()] : std::uint8_t{0};
  });
  append_each<std::uint8_t>(bytes, view.calls, [](const Call& c) { return std::min<std::uint32_t>(c.depth, 255); });
  append_each<double>(bytes, view.waits, [&](const WaitRecord& w) { return since_start(w.begin); });
  append_each<double>(bytes, view.waits, [&](const WaitRecord& w) { return since_start(w.end); });
  append_each<std::uint32_t>(bytes, view.waits, [](const WaitRecord& w) { return w.location; });
  append_each<std::uint32_t>(bytes, view.waits, [](const WaitRecord& w) { return w.metric; });
  append_each<double>(bytes, view.arrows, [&](const Arrow& a) { return since_start(a.begin); });
  append_each<double>(bytes, view.arrows, [&](const Arrow& a) { return since_start(a.end); });
  append_each<std::uint32_t>(bytes, view.arrows, [](const Arrow& a) { return a.from; });
  append_each<std::uint32_t>(bytes, view.arrows, [](const Arrow& a) { return a.to; });
  append_each<std::uint32_t>(bytes, view.arrows, [](const Arrow& a) { return a.bytes; });
  append_each<std::uint8_t>(bytes, view.arrows, [](const Arrow& a) { return a.kind; });
  if (!view.counter.empty()) append_counter(bytes, view.counter.front());
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
