// One path for the lines of all event types. Regions are found by name, which costs a hash look-up; a name that no line
// defines becomes a new region at its first use, so that short traces need no definitions.
#include "notation/event_line_reader.hpp"

#include <iterator>

#include "notation/scanner.hpp"
#include "notation/tables.hpp"

namespace waitstate::notation {
namespace {

constexpr std::uint64_t u32_max = 0xffffffff;

std::string_view tail_name(const EventTypeSpec& type) {
  return type.name == name(EventType::metric) ? "values" : "args";
}

std::vector<std::string_view> attribute_names(const EventTypeSpec& type) {
  std::vector<std::string_view> result;
  for (const AttributeSpec& a : type.attributes()) result.push_back(a.name);
  if (type.has_tail) result.push_back(tail_name(type));
  return result;
}

}  // namespace

EventLineReader::EventLineReader(Definitions& definitions, References& references)
    : definitions_(definitions), references_(references), values_(definitions, references) {
  for (std::size_t i = 0; i < definitions.regions.size(); ++i) {
    Named& named = regions_[definitions.regions[i].name];
    if (named.count++ == 0) named.region = RegionId{i};
  }
}

RegionId EventLineReader::region(Scanner& s) {
  const TextPlace place = s.place(s.column());
  if (s.accept('#')) {
    const std::uint64_t index = s.number("the index of the region", u32_max - 1);
    references_.use(Table::region, index, place);
    return RegionId{index};
  }
  if (s.accept_word("none")) return RegionId::none();
  const std::string text = s.text("the name of the region");
  Named& named = regions_[text];
  if (named.count == 0) {
    named = {RegionId{definitions_.regions.size()}, 1};
    Region region = default_definition<Region>(definitions_.regions.size());
    region.name = text;
    definitions_.regions.push_back(std::move(region));
  } else if (named.count > 1) {
    s.fail(place.column, std::to_string(named.count) + " regions are called " + notation::quoted(text) +
                             ": name one by # and its index, such as #" + std::to_string(named.region.value));
  }
  return named.region;
}

std::uint64_t EventLineReader::attribute(Scanner& s, const AttributeSpec& attribute) {
  const std::string_view what = attribute.name;
  if (const auto table = table_of(attribute.kind)) return values_.reference(s, what, *table);
  switch (attribute.kind) {
    case AttributeKind::u64:
    case AttributeKind::time:
      return s.number(what);
    case AttributeKind::u32:
    case AttributeKind::hex32:
      return s.number(what, u32_max);
    case AttributeKind::i64:
      return static_cast<std::uint64_t>(s.signed_number(what));
    case AttributeKind::string:
      return values_.interned(s, what).value;
    case AttributeKind::root:
      if (s.accept_word("this_group")) return root_this_group;
      return values_.reference(s, what, Table::location);
    default:
      break;
  }
  std::uint64_t result = 0;
  with_enumeration(attribute.kind, [&]<class E>(std::type_identity<E>) {
    E value{};
    values_.read(s, what, value);
    result = static_cast<std::uint64_t>(value);
  });
  return result;
}

void EventLineReader::read_named(Scanner& s, const EventTypeSpec& type, std::size_t column) {
  const std::string_view name = s.identifier();
  if (name.empty()) s.fail(column, "expected an attribute such as tag=7, found " + s.found());
  const std::size_t count = type.attribute_count;
  std::size_t i = 0;
  while (i < count && type.attribute_table[i].name != name) ++i;
  if (i == count && !(type.has_tail && name == tail_name(type))) {
    const std::vector<std::string_view> names = attribute_names(type);
    const bool region_only = type.name == "enter" || type.name == "exit";
    s.fail(column, std::string(type.name) + " has no attribute " + notation::quoted(name) +
                       (names.empty() ? std::string(": it has none")
                        : region_only ? std::string(": it has a region, by its name alone")
                                      : advice(name, names)));
  }
  if ((given_ >> i & 1) != 0) s.fail(column, std::string(name) + " is given twice");
  given_ |= 1u << i;
  s.expect('=', "behind " + std::string(name));
  if (i < count) {
    attributes_[i] = attribute(s, type.attribute_table[i]);
  } else if (type.name == waitstate::name(EventType::metric)) {
    values_.read(s, name, tail_);
  } else {
    values_.list(s, name, [&] { tail_.push_back({ValueType::string, values_.interned(s, name).value}); });
  }
}

void EventLineReader::read_listed(Scanner& s) {
  const AttributeId id{std::size_t{values_.reference(s, "the index of an attribute", Table::attribute)}};
  s.expect('=', "after the index of an attribute");
  values_.read(s, "a listed attribute", list_.emplace_back(ListedAttribute{id, {}}).value);
}

void EventLineReader::read_attributes(Scanner& s, const EventTypeSpec& type) {
  const bool has_region = type.name == "enter" || type.name == "exit", is_program = type.name == "program_begin";
  while (!s.at_end()) {
    const std::size_t column = s.column();
    if (s.accept('@')) {
      read_listed(s);
    } else if (has_region && given_ == 0) {
      const bool named = s.identifier() == "region" && s.accept('=');
      if (!named) s.go_back(column);
      attributes_[0] = region(s).value;
      given_ = 1;
    } else if (is_program && given_ == 0 && (s.identifier(), s.peek() != '=')) {
      s.go_back(column);
      attributes_[0] = values_.interned(s, "the program").value;
      given_ = 1;
    } else {
      s.go_back(column);
      read_named(s, type, column);
    }
  }
}

void EventLineReader::add_missing(Scanner& s, const EventTypeSpec& type) {
  for (std::size_t i = 0; i < type.attribute_count; ++i) {
    if ((given_ >> i & 1) != 0) continue;
    const AttributeSpec& a = type.attribute_table[i];
    switch (a.kind) {
      case AttributeKind::u32:
      case AttributeKind::u64:
      case AttributeKind::i64:
      case AttributeKind::time:
      case AttributeKind::hex32:
        attributes_[i] = 0;
        break;
      case AttributeKind::root:
        attributes_[i] = root_none;
        break;
      default:
        if (type.name == "exit") {
          attributes_[i] = RegionId::none_value;
        } else if (a.name == "com") {
          references_.use(Table::comm, 0, s.place(s.column()));
          attributes_[i] = 0;
        } else if (type.name == "enter") {
          s.fail(s.column(), "enter needs a region: its name, or # and its index");
        } else {
          s.fail(s.column(), std::string(type.name) + " needs " + std::string(a.name) + "=…");
        }
    }
  }
}

void EventLineReader::read_line(Scanner& s, std::vector<EventStream>& streams) {
  s.skip_blanks();
  const TextPlace place = s.place(s.column());
  const std::uint64_t location = s.number("the location", u32_max - 1);
  references_.use(Table::location, location, place);
  s.expect_blank("the location");
  const Time time = s.number("the time");
  s.skip_blanks();
  const std::size_t column = s.column();
  const std::string_view type_name = s.identifier();
  EventType type{};
  if (!event_type_from_name(type_name, type)) {
    s.go_back(column);
    if (s.at_end()) s.fail(column, "expected an event type such as enter or send, found the end of the line");
    std::array<std::string_view, event_type_count> names;
    for (std::size_t i = 0; i < names.size(); ++i) names[i] = event_types[i].name;
    s.fail(column, "unknown event type " + s.found() + advice(type_name, names, "a type such as enter or send"));
  }
  s.expect_blank("the event type");
  attributes_ = {};
  given_ = 0;
  tail_.clear();
  list_.clear();
  read_attributes(s, spec(type));
  add_missing(s, spec(type));
  if (streams.size() <= location) streams.resize(location + 1);
  streams[location].append(type, time, {attributes_.data(), spec(type).attribute_count}, tail_, list_);
}

}  // namespace waitstate::notation
