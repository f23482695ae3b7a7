// The fields of events, in one table for keys and attributes: made once from event_types, looked up by number.
#pragma once

#include <array>
#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "waitstate/trace/event.hpp"

namespace waitstate::python {

enum class FieldKind : std::uint8_t { pos, time, loc, type, callpath, link, attribute, counters, arguments, list };

struct EventField {
  std::string name;
  FieldKind kind;
  Position Event::*link = nullptr;  ///< the member, for a link
  std::string doc;
};

class Fields {
 public:
  Fields();

  std::size_t size() const { return fields_.size(); }
  const EventField& operator[](std::size_t i) const { return fields_[i]; }
  /// The fields of events of a type, in the order in which they are shown.
  const std::vector<std::size_t>& of(const Event& e) const { return of_[static_cast<std::size_t>(e.type)]; }
  bool has(const Event& e, std::size_t field) const;
  /// Index in Event::attributes of an attribute that the type has.
  std::uint8_t attribute_index(EventType type, std::size_t field) const {
    return index_[static_cast<std::size_t>(type)][field];
  }
  /// "events of type send have no 'src', but pos, time, …; did you mean 'dest'?"
  std::string what_it_has(const Event& e, std::string_view wanted) const;

 private:
  static constexpr std::uint8_t absent = 0xff;

  void add(std::string_view name, FieldKind kind, std::string doc, Position Event::*link = nullptr);
  std::size_t find(std::string_view name) const;

  std::vector<EventField> fields_;
  std::array<std::vector<std::uint8_t>, event_type_count> index_;
  std::array<std::vector<std::size_t>, event_type_count> of_;
};

}  // namespace waitstate::python
