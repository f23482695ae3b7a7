// The common parts of the notation's tests: collecting and printing the events of a document, and making up definitions
// and events of every kind.
//
// Made-up values are drawn from a Source, of which there are two: a fixed sequence, and RapidCheck, which then can
// shrink a failing document. Both reach the same values: ends of ranges, none, unknown enumerators, odd texts.
#pragma once

#include <algorithm>
#include <array>
#include <bit>
#include <cstdint>
#include <functional>
#include <limits>
#include <random>
#include <string>
#include <string_view>
#include <type_traits>
#include <utility>
#include <vector>

#include "notation/definition_writer.hpp"
#include "notation/document.hpp"
#include "notation/event_writer.hpp"
#include "notation/tables.hpp"
#include "waitstate/error.hpp"
#include "waitstate/trace/event.hpp"
#include "waitstate/trace/notation.hpp"

namespace waitstate::notation {

/// A sink that keeps every event.
struct Collector {
  LocationId location;
  std::vector<Event> events;
  std::vector<ListedAttribute> list;

  Event& add(EventType type, Time t) {
    Event& e = events.emplace_back();
    e.type = type;
    e.time = t;
    e.loc = location;
    e.list = std::exchange(list, {});
    return e;
  }
  void enter(Time t, RegionId r) { add(EventType::enter, t).attributes[0] = r.value; }
  void exit(Time t, RegionId r) { add(EventType::exit, t).attributes[0] = r.value; }
  void event(EventType type, Time t, const std::uint64_t* attributes, std::span<const Value> tail) {
    Event& e = add(type, t);
    std::copy_n(attributes, spec(type).attribute_count, e.attributes.begin());
    e.tail.assign(tail.begin(), tail.end());
  }
  void attribute_list(std::span<const ListedAttribute> l) { list.assign(l.begin(), l.end()); }
};

inline std::vector<Event> events(Document& document, LocationId location) {
  Collector collector{location, {}, {}};
  document.read(location, collector, std::numeric_limits<std::size_t>::max());
  return collector.events;
}

/// The event lines of a document, by location.
inline std::string event_lines(Document& document) {
  const EventWriter writer(document.definitions());
  std::string out;
  for (std::size_t i = 0; i < document.definitions().locations.size(); ++i)
    for (const Event& e : events(document, LocationId{i})) writer.append(out, e);
  document.rewind();
  return out;
}
inline std::string event_lines(std::string_view text) {
  Document document = Document::parse(text);
  return event_lines(document);
}

/// The message of the TraceError that parsing throws, "" if it throws none.
inline std::string error_of(std::string_view text, const std::string& path = "notation") {
  try {
    Document::parse(text, path);
  } catch (const TraceError& e) {
    return e.what();
  }
  return "";
}

// ---- equality that looks through the numbering of strings ----

inline bool same(const Definitions& a, const Value& x, const Definitions& b, const Value& y) {
  if (x.type != ValueType::string || y.type != ValueType::string) return x == y;
  const bool in_a = x.bits < a.strings.size(), in_b = y.bits < b.strings.size();
  return in_a && in_b ? a.strings[x.bits] == b.strings[y.bits] : in_a == in_b;
}
inline bool same(const Definitions& a, const Property& x, const Definitions& b, const Property& y) {
  return x.name == y.name && same(a, x.value, b, y.value);
}
bool same(const Definitions& a, const Event& x, const Definitions& b, const Event& y);
template <class T>
bool same(const Definitions&, const T& x, const Definitions&, const T& y) {
  return x == y;
}
template <class T>
bool same(const Definitions& a, const std::vector<T>& x, const Definitions& b, const std::vector<T>& y) {
  return std::equal(x.begin(), x.end(), y.begin(), y.end(), [&](const T& u, const T& v) { return same(a, u, b, v); });
}
inline bool same(const Definitions& a, const Event& x, const Definitions& b, const Event& y) {
  if (x.type != y.type || x.time != y.time || x.loc != y.loc || !same(a, x.tail, b, y.tail)) return false;
  for (std::size_t i = 0; i < spec(x.type).attribute_count; ++i) {
    const bool text = spec(x.type).attribute_table[i].kind == AttributeKind::string;
    const auto value = [&](const Event& e) {
      return Value{text ? ValueType::string : ValueType::none, e.attributes[i]};
    };
    if (!same(a, value(x), b, value(y))) return false;
  }
  return std::equal(x.list.begin(), x.list.end(), y.list.begin(), y.list.end(),
                    [&](const ListedAttribute& u, const ListedAttribute& v) {
                      return u.attribute == v.attribute && same(a, u.value, b, v.value);
                    });
}

/// The first field in which two sets of definitions differ, e.g. "region 3 name"; "" if they are the same.
inline std::string first_difference(const Definitions& a, const Definitions& b) {
  std::string result;
  const auto compare = [&]<class T>(const std::string& where, const T& x, const T& y) {
    for_each_field(x, [&](std::string_view name, const auto& value) {
      for_each_field(y, [&](std::string_view other, const auto& other_value) {
        if constexpr (std::is_same_v<decltype(value), decltype(other_value)>)
          if (name == other && result.empty() && !same(a, value, b, other_value))
            result = where + " " + std::string(name);
      });
    });
  };
  compare("clock", a.clock, b.clock);
  compare("recorder", a.recorder, b.recorder);
  Definitions::for_each_table(a, [&]<class T>(std::string_view keyword, const std::vector<T>& x) {
    Definitions::for_each_table(b, [&]<class U>(std::string_view other, const std::vector<U>& y) {
      if constexpr (std::is_same_v<T, U>) {
        if (keyword != other) return;
        if (x.size() != y.size() && result.empty()) result = std::string(keyword) + " count";
        for (std::size_t i = 0; i < std::min(x.size(), y.size()); ++i)
          compare(std::string(keyword) + " " + std::to_string(i), x[i], y[i]);
      }
    });
  });
  return result;
}

// ---- made-up documents ----

/// Gives a number in [0, n).
using Source = std::function<std::uint64_t(std::uint64_t n)>;

/// The same numbers in every run.
inline Source fixed_source() {
  return [engine = std::mt19937_64(1)](std::uint64_t n) mutable { return engine() % n; };
}

/// Makes up values for the definitions that it is given. Every table must have its final size before.
class Maker {
 public:
  Maker(Definitions& definitions, Source source) : definitions_(definitions), source_(std::move(source)) {}

  std::uint64_t below(std::uint64_t n) { return source_(n); }

  std::uint64_t number(std::uint64_t max) {
    const std::array<std::uint64_t, 6> choices{0,       1,           max,
                                               max - 1, max / 2 + 1, std::min<std::uint64_t>(max, below(1000))};
    return choices[below(choices.size())];
  }
  std::int64_t signed_number(int bits) {
    return static_cast<std::int64_t>(number(~std::uint64_t{0}) << (64 - bits)) >> (64 - bits);
  }
  std::string text() {
    static const std::string_view choices[] = {"main",
                                               "MPI_Send",
                                               "!$omp parallel @p2p.c:12",
                                               "none",
                                               "",
                                               "3",
                                               "#3",
                                               "a b",
                                               "\"",
                                               "\\",
                                               "\n\t\x01\x7f",
                                               "é ✓",
                                               "std::vector<int>::push_back(int&&)",
                                               "x=1",
                                               "(a,b)",
                                               "\\x41",
                                               "-",
                                               "true",
                                               "@3=uint64:1",
                                               "name\r",
                                               "\xff\xfe"};
    if (below(4) > 0) return std::string(choices[below(std::size(choices))]);
    std::string result;
    for (std::uint64_t n = below(6); n > 0; --n) result += static_cast<char>(below(256));
    return result;
  }
  std::uint32_t reference(Table table) {
    const std::size_t size = table_size(definitions_, table);
    const std::uint64_t i = below(size + 1);
    return i == size ? 0xffffffffu : static_cast<std::uint32_t>(i);
  }

  template <class T>
  requires std::is_unsigned_v<T>
  void fill(T& v) { v = static_cast<T>(number(std::numeric_limits<T>::max())); }
  void fill(bool& v) { v = below(2) == 1; }
  void fill(std::int64_t& v) { v = signed_number(64); }
  void fill(std::string& v) { v = text(); }
  template <class E>
  requires std::is_enum_v<E>
  void fill(E& v) {
    const std::uint64_t named = std::size(detail::EnumNames<E>::names) + detail::EnumNames<E>::first;
    v = static_cast<E>(below(8) == 0 ? 200 + below(56) : below(named));
  }
  template <class Tag>
  void fill(Id<Tag>& v) {
    v.value = reference(TableOf<Tag>::value);
  }
  void fill(Property& v) { fill(v.name), fill(v.value); }
  void fill(std::pair<std::string, std::string>& v) { fill(v.first), fill(v.second); }
  template <class T>
  void fill(std::vector<T>& v) {
    v.resize(below(4));
    for (T& element : v) fill(element);
  }
  void fill(Value& v) {
    fill(v.type);
    v.bits = 0;
    switch (v.type) {
      case ValueType::none:
        v.bits = below(2);
        break;
      case ValueType::uint8:
        v.bits = number(0xff);
        break;
      case ValueType::uint16:
        v.bits = number(0xffff);
        break;
      case ValueType::uint32:
        v.bits = number(0xffffffff);
        break;
      case ValueType::int8:
        v.bits = static_cast<std::uint64_t>(signed_number(8));
        break;
      case ValueType::int16:
        v.bits = static_cast<std::uint64_t>(signed_number(16));
        break;
      case ValueType::int32:
        v.bits = static_cast<std::uint64_t>(signed_number(32));
        break;
      case ValueType::float_:
      case ValueType::double_: {
        const double some[] = {0.0,
                               -0.0,
                               1.5,
                               -1e300,
                               5e-324,
                               0.1,
                               1e22,
                               std::numeric_limits<double>::infinity(),
                               -std::numeric_limits<double>::infinity(),
                               std::numeric_limits<double>::quiet_NaN()};
        const std::uint64_t i = below(std::size(some) + 3);
        v.bits =
            i < std::size(some) ? std::bit_cast<std::uint64_t>(some[i]) : number(~std::uint64_t{0}) - below(1u << 20);
        break;
      }
      case ValueType::string:
        v.bits = below(5) == 0 ? StringId::none_value : definitions_.intern(text()).value;
        break;
      default:
        if (const auto table = table_of(v.type))
          v.bits = reference(*table);
        else
          v.bits = number(~std::uint64_t{0});
    }
  }

  /// Fills every field; with `all`, so that none keeps its default.
  template <class T>
  void fill_fields(T& definition, const T& defaults, bool all) {
    for_each_field(definition, [&](std::string_view name, auto& value) {
      for_each_field(defaults, [&](std::string_view other, const auto& default_value) {
        if constexpr (std::is_same_v<std::decay_t<decltype(value)>, std::decay_t<decltype(default_value)>>)
          if (name == other && (all || below(2) == 1)) do
              fill(value);
            while (all && value == default_value);
      });
    });
  }
  void fill_definitions(bool all) {
    fill_fields(definitions_.clock, Clock{}, all);
    definitions_.clock.resolution = std::max<std::uint64_t>(definitions_.clock.resolution, 1);
    fill_fields(definitions_.recorder, Recorder{}, all);
    Definitions::for_each_table(definitions_, [&]<class T>(std::string_view, std::vector<T>& table) {
      for (std::size_t i = 0; i < table.size(); ++i) {
        table[i] = default_definition<T>(i);
        fill_fields(table[i], default_definition<T>(i), all);
      }
    });
  }

  /// An event of that type at a made-up time.
  Event event(EventType type, LocationId location) {
    Event e;
    e.type = type;
    e.loc = location;
    e.time = number(~std::uint64_t{0});
    for (std::size_t i = 0; i < spec(type).attribute_count; ++i)
      e.attributes[i] = attribute(spec(type).attribute_table[i].kind);
    if (type == EventType::metric) fill(e.tail);
    if (type == EventType::program_begin)
      for (std::uint64_t n = below(4); n > 0; --n)
        e.tail.push_back({ValueType::string, attribute(AttributeKind::string)});
    if (!definitions_.attributes.empty() && below(2) == 1)
      for (std::uint64_t n = below(3); n > 0; --n)
        fill(e.list.emplace_back(ListedAttribute{AttributeId{below(definitions_.attributes.size())}, {}}).value);
    return e;
  }

  std::uint64_t attribute(AttributeKind kind) {
    if (const auto table = table_of(kind)) return reference(*table);
    std::uint64_t result = 0;
    if (with_enumeration(kind, [&]<class E>(std::type_identity<E>) {
          E value{};
          fill(value);
          result = static_cast<std::uint64_t>(value);
        }))
      return result;
    switch (kind) {
      case AttributeKind::u32:
      case AttributeKind::hex32:
        return number(0xffffffff);
      case AttributeKind::i64:
        return static_cast<std::uint64_t>(signed_number(64));
      case AttributeKind::string:
        return below(5) == 0 ? StringId::none_value : definitions_.intern(text()).value;
      case AttributeKind::root:
        return below(4) == 0 ? root_this_group : reference(Table::location);
      default:
        return number(~std::uint64_t{0});
    }
  }

 private:
  Definitions& definitions_;
  Source source_;
};

/// Definitions with `sizes()` entries in each table, all of them made up.
template <class Sizes>
Definitions made_up_definitions(const Source& source, Sizes&& sizes, bool all_fields) {
  Definitions d;
  Definitions::for_each_table(d, [&](std::string_view, auto& table) { table.resize(sizes()); });
  Maker(d, source).fill_definitions(all_fields);
  d.finish();
  return d;
}

}  // namespace waitstate::notation
