// Columns of single events. The store keeps packed rows and records of different lengths, which no array can look into,
// so a column is a copy that is made once, on demand: who wants two numbers of ten million events pays for two columns.
// What is in the rows (time, loc, type, enterptr) is taken from there, some 10 ns an event; call paths, the other links
// and attributes take a whole event each, four times as long.
#include <algorithm>
#include <array>
#include <optional>
#include <utility>

#include "model/nearest.hpp"
#include "waitstate/columns.hpp"
#include "waitstate/error.hpp"

namespace waitstate {

namespace {

enum class Numbers : std::uint8_t { signed_64, unsigned_64, reference, unsigned_32, enumeration };

Numbers numbers_of(AttributeKind kind) {
  switch (kind) {
    case AttributeKind::u64:
      return Numbers::unsigned_64;
    case AttributeKind::i64:
    case AttributeKind::time:
      return Numbers::signed_64;
    case AttributeKind::u32:
    case AttributeKind::hex32:
      return Numbers::unsigned_32;
    default:
      return attribute_width(kind) == 1 ? Numbers::enumeration : Numbers::reference;
  }
}

/// The name of an attribute's column: `type` is the event's own.
std::string_view column_name(const AttributeSpec& a) {
  if (a.name != "type") return a.name;
  return a.kind == AttributeKind::lock_type ? "lock_type" : "atomic_type";
}

/// Where the numbers of an attribute are in each event type, and what they are: types that disagree (a `lock` of 32 and
/// one of 64 bits) meet in signed numbers of 64 bits.
struct AttributeColumn {
  static constexpr std::uint8_t absent = 0xff;
  std::array<std::uint8_t, event_type_count> index;
  std::optional<Numbers> numbers;
  std::int64_t missing = 0;

  AttributeColumn(std::string_view column, std::span<const EventType> types) {
    index.fill(absent);
    for (const EventType t : types) {
      const auto specs = spec(t).attributes();
      for (std::size_t i = 0; i < specs.size(); ++i) {
        if (column_name(specs[i]) != column) continue;
        index[static_cast<std::size_t>(t)] = static_cast<std::uint8_t>(i);
        const Numbers n = numbers_of(specs[i].kind);
        if (n == Numbers::reference || n == Numbers::enumeration) missing = -1;
        numbers = !numbers || *numbers == n ? n : Numbers::signed_64;
      }
    }
  }
  bool exists() const { return numbers.has_value(); }
};

class Reader {
 public:
  Reader(const EventTrace& trace, const std::vector<std::int64_t>& positions) : trace_(trace), positions_(positions) {}

  /// `value` of each position.
  template <class T, class F>
  Column look_up(F&& value) const {
    std::vector<T> result(positions_.size());
    for (std::size_t i = 0; i < result.size(); ++i)
      result[i] = static_cast<T>(value(static_cast<Position>(positions_[i])));
    return result;
  }
  /// `value` of each event.
  template <class T, class F>
  Column read(F&& value) const {
    return look_up<T>([&](Position p) { return value(trace_.event(p)); });
  }
  template <class T>
  Column attribute(const AttributeColumn& a) const {
    return read<T>([&](const Event& e) {
      const std::uint8_t i = a.index[static_cast<std::size_t>(e.type)];
      if (i == AttributeColumn::absent) return static_cast<T>(a.missing);
      if (numbers_of(spec(e.type).attribute_table[i].kind) == Numbers::reference)
        return static_cast<T>(static_cast<std::int32_t>(e.attributes[i]));  // none is -1
      return static_cast<T>(e.attributes[i]);
    });
  }

 private:
  const EventTrace& trace_;
  const std::vector<std::int64_t>& positions_;
};

constexpr std::pair<std::string_view, Position Event::*> link_columns[] = {{"enterptr", &Event::enterptr},
                                                                           {"sendptr", &Event::sendptr},
                                                                           {"requestptr", &Event::requestptr},
                                                                           {"beginptr", &Event::beginptr},
                                                                           {"startptr", &Event::startptr},
                                                                           {"originptr", &Event::originptr}};

}  // namespace

EventColumns::EventColumns(std::shared_ptr<const EventTrace> trace, std::span<const EventType> types)
    : trace_(std::move(trace)) {
  std::array<bool, event_type_count> wanted{}, found{};
  if (types.empty()) wanted.fill(true);
  for (const EventType t : types) wanted[static_cast<std::size_t>(t)] = true;
  std::vector<std::uint8_t> type_column;
  for (Position p = 0; p < trace_->size(); ++p) {
    const auto t = static_cast<std::uint8_t>(trace_->type(p));
    if (!wanted[t]) continue;
    found[t] = true;
    positions_.push_back(static_cast<std::int64_t>(p));
    type_column.push_back(t);
  }
  // What was asked for by name has its columns, even where no event has them.
  for (std::size_t t = 0; t < event_type_count; ++t)
    if (types.empty() ? found[t] : wanted[t]) types_.push_back(static_cast<EventType>(t));

  names_ = {"pos", "time", "loc", "type", "callpath"};
  for (const auto& [link, member] : link_columns) names_.emplace_back(link);
  names_.emplace_back("region");
  for (const EventType t : types_)
    for (const AttributeSpec& a : spec(t).attributes())
      if (std::find(names_.begin(), names_.end(), column_name(a)) == names_.end()) names_.emplace_back(column_name(a));
  made_.emplace("type", std::move(type_column));
}

const Column& EventColumns::column(std::string_view name) const {
  if (std::find(names_.begin(), names_.end(), name) == names_.end()) {
    std::string known;
    for (const std::string& n : names_) known += (known.empty() ? "" : ", ") + n;
    const std::vector<std::string_view> views(names_.begin(), names_.end());
    const std::string near = model::nearest(name, views);
    throw UsageError("there is no column '" + std::string(name) + "' of these events, but " + known +
                     (near.empty() ? "" : "; did you mean '" + near + "'?"));
  }
  const std::lock_guard lock(mutex_);
  if (const auto found = made_.find(name); found != made_.end()) return found->second;

  const Reader reader(*trace_, positions_);
  const auto make = [&]() -> Column {
    if (name == "pos") return positions_;
    if (name == "time") return reader.look_up<std::int64_t>([&](Position p) { return trace_->time(p); });
    if (name == "loc") return reader.look_up<std::int32_t>([&](Position p) { return trace_->location(p).value; });
    if (name == "enterptr") return reader.look_up<std::int64_t>([&](Position p) { return trace_->enterptr(p); });
    if (name == "callpath") return reader.read<std::int32_t>([](const Event& e) { return e.callpath.value; });
    for (const auto& [link, member] : link_columns)  // no_position is -1
      if (name == link) return reader.read<std::int64_t>([m = member](const Event& e) { return e.*m; });
    const AttributeColumn attribute(name, types_);
    if (!attribute.exists())
      return std::vector<std::int32_t>(positions_.size(), -1);  // `region` of none of these types
    switch (*attribute.numbers) {
      case Numbers::signed_64:
        return reader.attribute<std::int64_t>(attribute);
      case Numbers::unsigned_64:
        return reader.attribute<std::uint64_t>(attribute);
      case Numbers::reference:
        return reader.attribute<std::int32_t>(attribute);
      case Numbers::unsigned_32:
        return reader.attribute<std::uint32_t>(attribute);
      case Numbers::enumeration:
        return reader.attribute<std::uint8_t>(attribute);
    }
    return positions_;
  };
  return made_.emplace(std::string(name), make()).first->second;
}

}  // namespace waitstate
