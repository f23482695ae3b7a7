// Links are there in all events, None where they lead nowhere; attributes only in the types that have them. A new link
// of Event is one line here.
#include "bind/events/event_fields.hpp"

#include <set>
#include <utility>

#include "bind/definitions/definitions.hpp"
#include "util/nearest.hpp"

namespace waitstate::python {

namespace {

/// In Python `type` is the event's; an attribute of that name has the name of its kind.
std::string_view python_name(const AttributeSpec& a) {
  if (a.name != "type") return a.name;
  return a.kind == AttributeKind::lock_type ? "lock_type" : "atomic_type";
}

/// The Python types of an attribute of this name, in all event types that have it.
std::string types_of(std::string_view name) {
  std::set<std::string> types;
  bool none = false;
  for (const EventTypeSpec& s : event_types) {
    for (const AttributeSpec& a : s.attributes()) {
      if (python_name(a) != name) continue;
      std::string type = type_in_words(a.kind);
      if (type.ends_with(" or None")) none = true, type.resize(type.size() - std::string_view(" or None").size());
      types.insert(std::move(type));
    }
  }
  std::string text;
  for (const std::string& type : types) text += (text.empty() ? "" : " or ") + type;
  return text + (none ? " or None" : "");
}

}  // namespace

Fields::Fields() {
  add("pos", FieldKind::pos, "Number in the stream of all events, from 0: int, or None.");
  add("time", FieldKind::time, "Time stamp in timer ticks: int; EventTrace.seconds() converts it.");
  add("loc", FieldKind::loc, "Location where it happened: a Location, equal to its number.");
  add("type", FieldKind::type, "Name of its type, such as \"enter\" or \"recv\": str.");
  add("callpath", FieldKind::callpath, "CallPath of the region instance in which it happened; None if there is none.");
  add("enterptr", FieldKind::link,
      "Position of the enter of the region instance in which it happened (for an exit: its own): int, or None outside "
      "of all regions.",
      &Event::enterptr);
  add("sendptr", FieldKind::link,
      "Position of the send of a receive's message: int, or None if that is not in the trace.", &Event::sendptr);
  add("requestptr", FieldKind::link,
      "Position of the event that started the request, for a completion, test or cancel: int, or None.",
      &Event::requestptr);
  add("beginptr", FieldKind::link, "Position of the collective_begin of a collective_end: int, or None.",
      &Event::beginptr);
  add("startptr", FieldKind::link,
      "Position of the event that started the transfer, for put_1te and get_1te: int, or None.", &Event::startptr);
  add("originptr", FieldKind::link, "Position of the get_1to at the origin, for a get_1ts: int, or None.",
      &Event::originptr);
  const std::size_t common = fields_.size();
  for (const EventTypeSpec& s : event_types) {
    for (const AttributeSpec& a : s.attributes())
      if (find(python_name(a)) == fields_.size())
        add(python_name(a), FieldKind::attribute,
            "Attribute of some event types, see keys(): " + types_of(python_name(a)) + ".");
  }
  add("counters", FieldKind::counters, "Values of the counters of a metric event: tuple of object.");
  add("arguments", FieldKind::arguments, "Arguments of the program, in program_begin: tuple of str or None.");
  add("attributes", FieldKind::list,
      "The attribute list by attribute name, empty unless it was kept on reading: dict of str or int to object.");

  for (std::size_t t = 0; t < event_type_count; ++t) {
    index_[t].assign(fields_.size(), absent);
    for (std::size_t i = 0; i < common; ++i) of_[t].push_back(i);
    const auto specs = event_types[t].attributes();
    for (std::size_t i = 0; i < specs.size(); ++i) {
      const std::size_t field = find(python_name(specs[i]));
      index_[t][field] = static_cast<std::uint8_t>(i);
      of_[t].push_back(field);
    }
    if (static_cast<EventType>(t) == EventType::metric) of_[t].push_back(find("counters"));
    if (static_cast<EventType>(t) == EventType::program_begin) of_[t].push_back(find("arguments"));
    of_[t].push_back(find("attributes"));
  }
}

bool Fields::has(const Event& e, std::size_t field) const {
  switch (fields_[field].kind) {
    case FieldKind::attribute:
      return attribute_index(e.type, field) != absent;
    case FieldKind::counters:
      return e.type == EventType::metric;
    case FieldKind::arguments:
      return e.type == EventType::program_begin;
    default:
      return true;
  }
}

std::string Fields::what_it_has(const Event& e, std::string_view wanted) const {
  std::string known;
  std::vector<std::string_view> names;
  for (const std::size_t i : of(e)) {
    names.push_back(fields_[i].name);
    known += (known.empty() ? "" : ", ") + fields_[i].name;
  }
  const std::string near = util::nearest(wanted, names);
  return "events of type " + std::string(name(e.type)) + " have no '" + std::string(wanted) + "', but " + known +
         (near.empty() ? "" : "; did you mean '" + near + "'?");
}

void Fields::add(std::string_view name, FieldKind kind, std::string doc, Position Event::*link) {
  fields_.push_back({std::string(name), kind, link, std::move(doc)});
}

std::size_t Fields::find(std::string_view name) const {
  std::size_t i = 0;
  while (i < fields_.size() && fields_[i].name != name) ++i;
  return i;
}

}  // namespace waitstate::python
