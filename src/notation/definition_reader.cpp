// One generic path for all definition lines: find the table of the keyword, append a definition, and fill its fields by
// name. The cost is a linear search over the names of a table's fields for each field.
#include "notation/definition_reader.hpp"

#include <algorithm>
#include <iterator>
#include <string>

namespace waitstate::notation {
namespace {

// Fields that a comm line may have instead of a group.
constexpr std::string_view member_fields[] = {"members", "members_b", "paradigm"};

}  // namespace

std::vector<std::string_view> definition_keywords() {
  std::vector<std::string_view> result{"clock", "recorder"};
  const Definitions empty;
  Definitions::for_each_table(empty, [&](std::string_view keyword, const auto&) { result.push_back(keyword); });
  return result;
}

template <class T, class Extra>
void DefinitionReader::read_fields(Scanner& s, std::string_view keyword, T& definition, Extra&& extra) {
  std::vector<std::string_view> given;
  while (!s.at_end()) {
    const std::size_t column = s.column();
    const std::string_view field = s.identifier();
    if (field.empty()) s.fail(column, "expected a field such as name=…, found " + s.found());
    if (std::find(given.begin(), given.end(), field) != given.end())
      s.fail(column, std::string(field) + " is given twice");
    given.push_back(field);
    if constexpr (std::is_same_v<T, Location>)
      if (field == "process") implied_.process_given.insert(&definition - definitions_.locations.data());
    bool known = false;
    for_each_field(definition, [&](std::string_view name, auto& value) {
      if (name != field) return;
      known = true;
      s.expect('=', "behind " + std::string(field));
      values_.read(s, field, value);
    });
    if (known || extra(field)) continue;
    std::vector<std::string_view> names;
    for_each_field(definition, [&](std::string_view name, const auto&) { names.push_back(name); });
    if constexpr (std::is_same_v<T, Comm>)
      names.insert(names.end(), std::begin(member_fields), std::end(member_fields));
    s.fail(column, std::string(keyword) + " has no field " + notation::quoted(field) + advice(field, names));
  }
}

template <class T>
void DefinitionReader::read_definition(Scanner& s, std::string_view keyword, std::vector<T>& table) {
  s.skip_blanks();
  const std::size_t index = table.size(), column = s.column();
  const std::uint64_t number = s.number("the index of the " + std::string(keyword));
  if (number != index)
    s.fail(column, "found " + std::string(keyword) + " " + std::to_string(number) + ", expected " +
                       std::string(keyword) + " " + std::to_string(index) +
                       ": the lines of a table are numbered 0, 1, 2, … in this order");
  T& definition = table.emplace_back(default_definition<T>(index));
  read_fields(s, keyword, definition, [&](std::string_view field) {
    if constexpr (std::is_same_v<T, Comm>)
      return read_members(s, field, index);
    else
      return false;
  });
}

bool DefinitionReader::read_members(Scanner& s, std::string_view field, std::size_t comm) {
  if (std::find(std::begin(member_fields), std::end(member_fields), field) == std::end(member_fields)) return false;
  if (implied_.comms.empty() || implied_.comms.back().comm != comm) implied_.comms.emplace_back().comm = comm;
  ImpliedComm& implied = implied_.comms.back();
  implied.place = s.place(s.column() - field.size());
  s.expect('=', "behind " + std::string(field));
  if (field == "paradigm") {
    values_.read(s, field, implied.paradigm);
    return true;
  }
  Members& members = field == "members" ? implied.a : implied.b;
  members.given = true;
  if (s.accept_word("all")) {
    members.all = true;
  } else if (s.accept_word("self")) {
    members.self = true;
  } else {
    if (s.peek() != '(') {
      const std::size_t column = s.column();
      s.fail(column, "expected (locations), all or self for " + std::string(field) + ", found " + s.found());
    }
    values_.list(s, field, [&] {
      const TextPlace place = s.place(s.column());
      LocationId location;
      values_.read(s, field, location);
      if (!location.valid()) s.fail(place.column, "none cannot be a member: expected a location");
      members.locations.push_back({location, place});
    });
  }
  return true;
}

void DefinitionReader::read_line(Scanner& s) {
  s.skip_blanks();
  const std::size_t column = s.column();
  const std::string_view keyword = s.identifier();
  const auto no_extra = [](std::string_view) { return false; };
  const auto only_once = [&](bool& given) {
    if (given) s.fail(column, std::string(keyword) + " is given twice");
    given = true;
  };
  if (keyword == "clock") {
    only_once(clock_given_);
    read_fields(s, keyword, definitions_.clock, no_extra);
    if (definitions_.clock.resolution == 0) s.fail(column, "the clock's resolution is 0: expected ticks per second");
    return;
  }
  if (keyword == "recorder") {
    only_once(recorder_given_);
    return read_fields(s, keyword, definitions_.recorder, no_extra);
  }
  bool known = false;
  Definitions::for_each_table(definitions_, [&](std::string_view name, auto& table) {
    if (name != keyword) return;
    known = true;
    read_definition(s, keyword, table);
  });
  if (known) return;
  s.go_back(column);
  const std::vector<std::string_view> keywords = definition_keywords();
  s.fail(column, "unknown keyword " + s.found() +
                     advice(keyword, keywords, "an event (location, time, type) or a definition (region, comm, …)"));
}

}  // namespace waitstate::notation
