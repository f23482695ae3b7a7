// Writes event lines. Printing a trace is limited by this: an attribute costs a switch and a std::to_chars, no
// allocation.
#include "notation/event_writer.hpp"

#include <string_view>
#include <unordered_map>

#include "notation/definition_writer.hpp"
#include "notation/format.hpp"
#include "notation/tables.hpp"
#include "waitstate/trace/notation.hpp"

namespace waitstate::notation {
namespace {

void append_region(std::string& out, const Definitions& d, std::uint64_t region, bool unique) {
  if (region == RegionId::none_value) {
    out += "none";
  } else if (!unique) {
    out += '#';
    append_number(out, region);
  } else if (d.regions[region].name == "none") {
    out += "\"none\"";  // without quotes it would mean no region
  } else {
    append_text(out, d.regions[region].name);
  }
}

void append_attribute(std::string& out, const AttributeSpec& attribute, std::uint64_t value, const Definitions& d) {
  out += ' ';
  out += attribute.name;
  out += '=';
  switch (attribute.kind) {
    case AttributeKind::u32:
    case AttributeKind::u64:
    case AttributeKind::time:
      return append_number(out, value);
    case AttributeKind::i64:
      return append_number(out, static_cast<std::int64_t>(value));
    case AttributeKind::hex32:
      return append_hex(out, value);
    case AttributeKind::string:
      return append_string(out, value, d);
    case AttributeKind::root:
      if (value == root_this_group)
        out += "this_group";
      else
        append_reference(out, value);
      return;
    default:
      if (!with_enumeration(attribute.kind,
                            [&]<class E>(std::type_identity<E>) { append_enumerator(out, static_cast<E>(value)); }))
        append_reference(out, value);
  }
}

// Appends the event's line; `write_region` appends the region of an enter or exit.
template <class F>
void append_event(std::string& out, const Event& event, const Definitions& d, F&& write_region) {
  const EventTypeSpec& type = spec(event.type);
  append_number(out, event.loc.value);
  out += ' ';
  append_number(out, event.time);
  out += ' ';
  out += type.name;
  if (event.type == EventType::enter || event.type == EventType::exit) {
    if (event.region().valid() || event.type == EventType::enter) {
      out += ' ';
      write_region(event.region());
    }
  } else {
    for (std::size_t i = 0; i < type.attribute_count; ++i)
      append_attribute(out, type.attribute_table[i], event.attributes[i], d);
  }
  if (!event.tail.empty()) {
    if (event.type == EventType::program_begin) {
      out += " args=(";
      for (const Value& argument : event.tail) {
        append_string(out, argument.bits, d);
        out += ',';
      }
      out.back() = ')';
    } else {
      out += " values=";
      append(out, event.tail, d);
    }
  }
  for (const ListedAttribute& a : event.list) {
    out += " @";
    append_reference(out, a.attribute.value);  // a damaged value becomes none
    out += '=';
    append_value(out, a.value, d);
  }
}

}  // namespace

EventWriter::EventWriter(const Definitions& definitions) : definitions_(definitions) {
  std::unordered_map<std::string_view, std::size_t> count;
  for (const Region& region : definitions.regions) ++count[region.name];
  for (std::size_t i = 0; i < definitions.regions.size(); ++i)
    append_region(regions_.emplace_back(), definitions, i, count[definitions.regions[i].name] == 1);
}

void EventWriter::append(std::string& out, const Event& event) const {
  append_event(out, event, definitions_, [&](RegionId region) {
    if (region.index() < regions_.size())
      out += regions_[region.index()];
    else
      append_region(out, definitions_, region.value, false);
  });
  out += '\n';
}

}  // namespace waitstate::notation

namespace waitstate {

std::string to_notation(const Definitions& definitions) {
  std::string out;
  notation::write_definitions(out, definitions);
  return out;
}

std::string literal(const Event& event, const Definitions& d) {
  std::string out;
  const auto position = [&](std::string_view name, Position p) {
    if (p == no_position) return;
    if (!out.empty()) out += ' ';
    out += name;
    out += '=';
    notation::append_number(out, p);
  };
  position("pos", event.pos);
  if (!out.empty()) out += ' ';
  notation::append_event(out, event, d, [&](RegionId region) {
    notation::append_region(out, d, region.value, region.index() < d.regions.size() && !d[region].shares_name);
  });
  position("enterptr", event.enterptr);
  position("sendptr", event.sendptr);
  position("requestptr", event.requestptr);
  position("beginptr", event.beginptr);
  position("startptr", event.startptr);
  position("originptr", event.originptr);
  return out;
}

}  // namespace waitstate
