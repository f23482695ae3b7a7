// Call path ids depend on which location was decoded first; here they are numbered depth first, which does not. Every
// value is formatted straight into the stream, so that writing needs no more memory than one metric's rows to sort; if
// several threads write, each formats one metric's severities, a few contexts, or some thousand rows in memory.
// The fields are declared in report/fields; this file decides how each type of value looks. It is long because there
// are many types.
#include "report/json/json_writer.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <concepts>
#include <cstdint>
#include <optional>
#include <ranges>
#include <sstream>
#include <string>
#include <string_view>
#include <type_traits>
#include <utility>
#include <vector>

#include "report/format/text_stream.hpp"
#include "report/json/document.hpp"
#include "report/json/json_text.hpp"
#include "util/in_order.hpp"

namespace waitstate::report {
namespace {

/// The layout of the members of an object.
enum class ObjectLayout : std::uint8_t {
  line,   ///< {"a":1,"b":2}
  lines,  ///< each on a line, with a space after its name
  spaced  ///< {"a": 1, "b": 2}
};
template <class S>
inline constexpr ObjectLayout layout_of = ObjectLayout::line;
template <>
inline constexpr ObjectLayout layout_of<ReportDocument> = ObjectLayout::lines;
template <>
inline constexpr ObjectLayout layout_of<WaitSummary> = ObjectLayout::lines;
template <>
inline constexpr ObjectLayout layout_of<MessageQueues> = ObjectLayout::spaced;

/// True if the name of a member begins a line wherever it occurs.
template <class T>
inline constexpr bool is_table = false;
template <class L>
inline constexpr bool is_table<Table<L>> = true;
template <class L, class N>
inline constexpr bool is_table<TableWithRest<L, N>> = true;

/// Elements of a list that one thread formats at a time.
template <class T>
inline constexpr std::size_t lines_at_a_time = 2048;
template <>
inline constexpr std::size_t lines_at_a_time<WaitContext> = 4;
template <>
inline constexpr std::size_t lines_at_a_time<GroupSeriesEntry> = 64;

template <class T>
concept WholeNumber = std::is_integral_v<T> && !std::same_as<T, bool>;

class JsonWriter {
 public:
  JsonWriter(const ReportDocument& document, std::ostream& out, bool exact, std::size_t threads)
      : out_(out), exact_(exact), threads_(threads), document_(document) {}

  void write() {
    value(document_);
    out_.put('\n');
    out_.flush();
  }

 private:
  // ---- objects ----

  template <ObjectLayout layout>
  struct Members {
    JsonWriter& writer;
    bool first = true;

    template <class T>
    void operator()(std::string_view name, const T& member, Measure, const char*) {
      constexpr bool begins_line = layout == ObjectLayout::lines || is_table<T>;
      write(name, member, begins_line);
    }
    template <class T>
    void operator()(std::string_view name, const OnlyIf<T>& member, Measure measure, const char* sentence) {
      if (member.present) (*this)(name, member.value, measure, sentence);
    }
    template <class T>
    void operator()(std::string_view name, const OnlyIf<T&>& member, Measure measure, const char* sentence) {
      if (member.present) (*this)(name, static_cast<const T&>(member.value), measure, sentence);
    }
    /// References to contexts that are left out are not written.
    template <class T>
    void operator()(std::string_view name, const OnlyIf<ContextReference<T>>& member, Measure, const char*) {
      if (member.present && member.value.number < writer.document_.parts().contexts) write(name, member.value, false);
    }
    template <class T>
    void operator()(std::string_view name, const std::optional<T>& member, Measure measure, const char* sentence) {
      if (member) (*this)(name, *member, measure, sentence);
    }
    template <class L>
    void operator()(std::string_view name, const Lines<L>& member, Measure, const char*) {
      write(name, member, member.begins_line);
    }

   private:
    template <class T>
    void write(std::string_view name, const T& member, bool begins_line) {
      if (!first) writer.out_.put(',');
      if (begins_line)
        writer.out_.put("\n\"", name, "\": ");
      else if constexpr (layout == ObjectLayout::spaced)
        writer.out_.put(first ? "\"" : " \"", name, "\": ");
      else
        writer.out_.put('"', name, "\":");
      first = false;
      writer.value(member);
    }
  };

  template <class S>
  void object(const S& s) {
    out_.put('{');
    fields(s, Members<layout_of<S>>{*this});
    out_.put(std::same_as<S, ReportDocument> ? "\n}" : "}");
  }

  // ---- values ----

  template <class T>
  void value(const T& v) {
    if constexpr (std::is_enum_v<T>) {
      if (const std::string_view known = enum_text(v); !known.empty())
        value(known);
      else
        out_.put(static_cast<unsigned>(v));
    } else if constexpr (std::same_as<T, double>) {
      if (std::isfinite(v))
        out_.print("{}", v + 0.0);  // shortest text that reads back the same; no negative zero
      else
        out_.put("null");
    } else if constexpr (std::same_as<T, bool>) {
      out_.put(v ? "true" : "false");
    } else if constexpr (std::is_integral_v<T>) {
      out_.put(v);
    } else if constexpr (std::is_convertible_v<const T&, std::string_view>) {
      out_.put(quoted(v));
    } else {
      object(v);
    }
  }
  template <class T>
  void value(const std::vector<T>& elements) {
    const char* before = "[";
    for (const T& element : elements) {
      out_.put(before);
      value(element);
      before = ",";
    }
    out_.put(elements.empty() ? "[]" : "]");
  }
  template <class Tag, class T>
  void value(const std::pair<Id<Tag>, T>& two) {
    out_.put('[');
    value(two.first);
    out_.put(',');
    value(two.second);
    out_.put(']');
  }
  template <class T>
  void value(const std::optional<T>& v) {
    if (v)
      value(*v);
    else
      out_.put("null");
  }
  void value(const CulpritWait& wait) {
    if (wait.known)
      object(wait);
    else
      out_.put("null");
  }
  template <class T>
  void value(const OrNull<T>& v) {
    if (v.value == v.none)
      out_.put("null");
    else
      value(v.value);
  }
  template <class T>
  void value(const Needed<T>& v) {
    value(v.value);
  }
  template <class T>
  void value(const Derived<T>& v) {
    value(v.value);
  }
  template <class L>
  void value(const Sized<L>& v) {
    value(v.list);
  }
  void value(const OneOf& v) { value(v.value); }
  void value(const Matching& v) {
    if (v.or_null && v.value.empty())
      out_.put("null");
    else
      value(v.value);
  }
  void value(const Constant& v) { out_.put(v.value); }
  template <class T>
  void value(const Hexadecimal<T>& v) {
    out_.print("\"{:016x}\"", v.value);
  }

  // ---- references ----

  template <class Tag>
  void value(const Id<Tag>& id) {
    if (id.valid())
      out_.put(number(id));
    else
      out_.put("null");
  }
  template <class Tag>
  static std::uint32_t number(Id<Tag> id) {
    return id.value;
  }
  std::uint32_t number(CallPathId id) const { return document_.place_of(id); }
  std::uint32_t number(StringId id) const { return document_.place_of(id); }  // a program
  template <class T>
  void value(const MetricReference<T>& metric) {
    if (metric.index == no_metric)
      out_.put("null");
    else
      value(document_.result().metrics[metric.index].id);
  }
  template <class T>
  void value(const ContextReference<T>& context) {
    out_.put(context.number);
  }
  /// Its number among the instances of its metric that are written.
  void value(const InstanceReference& reference) {
    if (reference.instance == nullptr) return out_.put("null");
    std::size_t number = 0;
    for (const SevereInstance* instance : in_order(document_.result().waits.at(reference.metric).severe)) {
      if (instance == reference.instance) return out_.put(number);
      ++number;
    }
  }

  // ---- lists, tables, maps ----

  /// print(JsonWriter&, element) for each, by several threads if there are many.
  template <class Range, class Print>
  void each_on_a_line(const char* open, const char* close, const Range& range, Print&& print) {
    out_.put(open);
    const std::size_t size = std::size(range);
    if constexpr (std::ranges::random_access_range<const Range>) {
      constexpr std::size_t at_a_time = lines_at_a_time<std::remove_cvref_t<decltype(*std::begin(range))>>;
      if (threads_ > 1 && size >= 2 * at_a_time) {
        const auto formatted = [&](std::size_t piece) {
          std::ostringstream text;
          JsonWriter writer(document_, text, exact_, 1);
          const auto first = std::begin(range) + static_cast<std::ptrdiff_t>(piece * at_a_time);
          const std::size_t count = std::min(at_a_time, size - piece * at_a_time);
          writer.put_lines(first, first + static_cast<std::ptrdiff_t>(count), piece == 0, print);
          writer.out_.flush();
          return std::move(text).str();
        };
        util::make_and_use_in_order(threads_, (size + at_a_time - 1) / at_a_time, formatted,
                                    [&](const std::string& text) {
                                      out_.put(text);
                                      return true;
                                    });
        out_.put('\n', close);
        return;
      }
    }
    put_lines(std::begin(range), std::end(range), true, print);
    out_.put(size != 0 ? "\n" : "", close);
  }
  template <class Iterator, class Print>
  void put_lines(Iterator element, Iterator end, bool is_first, Print&& print) {
    for (; element != end; ++element) {
      out_.put(std::exchange(is_first, false) ? "\n  " : ",\n  ");
      print(*this, *element);
    }
  }
  template <class L>
  void value(const Lines<L>& v) {
    each_on_a_line("[", "]", list_in(v.list), [](JsonWriter& to, const auto& element) { to.value(element); });
  }
  template <class L>
  static const auto& list_in(const L& list) {
    return list;
  }
  template <class L>
  static const auto& list_in(const Sized<L>& sized) {
    return list_in(sized.list);
  }
  template <class L>
  static const auto& list_in(const Needed<L>& needed) {
    return needed.value;
  }
  template <class S>
  void value(const Lines<InstanceList<S>>& v) {
    std::vector<std::pair<CallPathId, const SevereInstance*>> all;
    for (const auto* entry : by_callpath(v.list.severe, [](CallPathId key) { return key; }))
      for (const SevereInstance& instance : entry->second) all.emplace_back(entry->first, &instance);
    each_on_a_line("[", "]", all, [](JsonWriter& to, const auto& entry) {
      to.value(InstanceEntry<const SevereInstance>{entry.first, *entry.second});
    });
  }

  template <class L>
  void value(const Table<L>& t) {
    rows(t);
    out_.put('}');
  }
  template <class L, class N>
  void value(const TableWithRest<L, N>& t) {
    rows(t.table);
    out_.put(",\"left_out\":", t.left_out, '}');
  }
  template <class L>
  void rows(const Table<L>& t) {
    using Element = typename std::remove_cvref_t<L>::value_type;
    columns<Element>();
    each_on_a_line("[", "]", t.list, [](JsonWriter& to, const Element& element) { to.row(element); });
  }
  void rows(const Table<const WaitTable<std::pair<CallPathId, LocationId>>&>& t) {
    columns<CulpritCallPathEntry>();
    each_on_a_line("[", "]", by_callpath(t.list, [](const auto& key) { return key.first; }),
                   [](JsonWriter& to, const CulpritCallPathEntry* entry) { to.row(*entry); });
  }
  template <class E>
  void columns() {
    const char* before = "{\"columns\":[\"";
    for (const std::string_view name : field_names<E>()) {
      out_.put(before, name);
      before = "\",\"";
    }
    out_.put("\"],\"rows\":");
  }

  /// The members of a row. Whole numbers are gathered: contexts have tens of thousands of them.
  struct RowMembers {
    JsonWriter& writer;
    char before = '[';
    std::array<TextStream::Cell, 12> cells{};
    std::size_t count = 0;

    template <class T>
    void operator()(std::string_view, const T& member, Measure, const char*) {
      if constexpr (requires { writer.cell(member); }) {
        cells[count++] = writer.cell(member);
      } else {
        put_cells();
        writer.out_.put(before);
        writer.value(member);
        before = ',';
      }
    }
    void put_cells() {
      if (count == 0) return;
      writer.out_.put(before);
      writer.out_.put_cells({cells.data(), count});
      count = 0;
      before = ',';
    }
  };
  template <class E>
  void row(const E& element) {
    RowMembers members{*this};
    fields(element, members);
    members.put_cells();
    out_.put(']');
  }
  template <WholeNumber T>
  static TextStream::Cell cell(const T& v) {
    return {static_cast<std::uint64_t>(v), false, v < T{}};
  }
  template <WholeNumber T>
  static TextStream::Cell cell(const OrNull<const T>& v) {
    return v.value == v.none ? TextStream::Cell{0, true, false} : cell(v.value);
  }
  template <class Tag>
  TextStream::Cell cell(const Id<Tag>& id) const {
    return {id.valid() ? number(id) : 0, !id.valid(), false};
  }
  template <class T>
  TextStream::Cell cell(const Needed<T>& id) const requires requires {
    id.value.valid();
  }
  { return cell(id.value); }

  template <class M>
  void value(const ByMetric<M>& m) {
    const bool sections = m.layout == MapLayout::sections, inline_ = m.layout == MapLayout::inline_;
    const std::string_view begin = inline_ ? "" : sections ? "\n" : "\n  ";
    bool first = true;
    out_.put('{');
    for (const auto& [metric, entry] : m.map) {
      out_.put(first ? "" : ",", begin, quoted(document_.result().metrics[metric].id), inline_ ? ":" : ": ");
      value(entry);
      first = false;
    }
    out_.put(sections || (!inline_ && !first) ? "\n}" : "}");
  }
  void value(const SeverityTables& tables) {
    constexpr std::size_t large = 100'000;  // values, at most; fewer are written sooner by one thread
    const AnalysisResult& r = tables.result;
    std::vector<MetricIndex> metrics;
    for (MetricIndex metric = 0; metric < r.metrics.size(); ++metric)
      if (r.severities.has_values(metric)) metrics.push_back(metric);
    const char* before = "{\n";
    const auto put = [&](MetricIndex metric, auto&& put_table) {
      out_.put(before, quoted(r.metrics[metric].id), ": ");
      put_table();
      before = ",\n";
    };
    if (threads_ == 1 || r.call_tree.size() * r.locations.size() * metrics.size() < large) {
      for (const MetricIndex metric : metrics)
        if (const auto found = entries(r.severities, metric); !found.empty()) put(metric, [&] { value(table(found)); });
    } else {
      const auto formatted = [&](std::size_t i) {
        std::ostringstream text;
        const auto found = entries(r.severities, metrics[i]);
        if (!found.empty()) JsonWriter(document_, text, exact_, 1).write_table(found);
        return std::move(text).str();
      };
      auto next = metrics.begin();
      util::make_and_use_in_order(threads_, metrics.size(), formatted, [&](const std::string& text) {
        const MetricIndex metric = *next++;
        if (!text.empty()) put(metric, [&] { out_.put(text); });
        return true;
      });
    }
    out_.put(before[0] == '{' ? "{\n}" : "\n}");
  }
  std::vector<SeverityEntry> entries(const Severities& severities, MetricIndex metric) const {
    std::vector<SeverityEntry> found;
    severities.for_each(metric, document_.callpath_places(),
                        [&](CallPathId callpath, LocationId location, std::int64_t number) {
                          found.push_back({callpath, location, number});
                        });
    return found;
  }
  void write_table(const std::vector<SeverityEntry>& found) {
    value(table(found));
    out_.flush();
  }
  template <class C>
  void value(const EventCounts<C>& events) {
    out_.put('{');
    const char* before = "\"";
    for (std::size_t i = 0; i < events.counts.size(); ++i) {
      if (events.counts[i] == 0) continue;
      out_.put(before, event_types[i].name, "\":", events.counts[i]);
      before = ",\"";
    }
    out_.put('}');
  }

  /// The entries of a map by call path, in the order in which call paths are written; entries without a call path come
  /// last.
  template <class Map, class Callpath>
  std::vector<const typename Map::value_type*> by_callpath(const Map& map, Callpath&& callpath) const {
    std::vector<const typename Map::value_type*> entries;
    for (const auto& entry : map) entries.push_back(&entry);
    const auto place = [&](const auto* entry) {
      const CallPathId id = callpath(entry->first);
      return id.valid() ? number(id) : CallPathId::none_value;
    };
    std::stable_sort(entries.begin(), entries.end(), [&](const auto* a, const auto* b) { return place(a) < place(b); });
    return entries;
  }
  template <class Map>
  std::vector<const SevereInstance*> in_order(const Map& severe) const {
    std::vector<const SevereInstance*> all;
    for (const auto* entry : by_callpath(severe, [](CallPathId key) { return key; }))
      for (const SevereInstance& instance : entry->second) all.push_back(&instance);
    return all;
  }

  std::string quoted(std::string_view text) const { return exact_ ? exact_json_string(text) : json_string(text); }

  TextStream out_;
  bool exact_;  // a copy, in which no text may change
  const std::size_t threads_;
  const ReportDocument& document_;
};

}  // namespace

void write_json(const AnalysisResult& result, std::ostream& out, CallPathNumbers numbers, const JsonParts& parts,
                std::size_t threads) {
  const bool exact = numbers == CallPathNumbers::own;
  const ReportDocument document(result, exact, parts, threads);
  JsonWriter(document, out, exact, threads).write();
}

}  // namespace waitstate::report
