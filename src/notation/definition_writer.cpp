// Definition lines, field by field from the same lists that the reader uses.
#include "notation/definition_writer.hpp"

#include "notation/format.hpp"
#include "notation/tables.hpp"

namespace waitstate::notation {
namespace {

// Whether a field has to be written although it has its default value, because leaving it out means something else.
template <class T>
bool must_be_written(std::string_view field, const Definitions& d) {
  return std::is_same_v<T, Location> && field == "process" &&
         d.processes.empty();  // otherwise it is a process of its own
}

template <class T>
void append_fields(std::string& out, const T& definition, const T& defaults, const Definitions& d) {
  for_each_field(definition, [&](std::string_view name, const auto& value) {
    bool is_default = false;
    for_each_field(defaults, [&](std::string_view other, const auto& default_value) {
      if constexpr (std::is_same_v<decltype(value), decltype(default_value)>)
        if (name == other) is_default = value == default_value;
    });
    if (is_default && !must_be_written<T>(name, d)) return;
    out += ' ';
    out += name;
    out += '=';
    append(out, value, d);
  });
  out += '\n';
}

}  // namespace

void write_definitions(std::string& out, const Definitions& d) {
  Clock no_resolution;
  no_resolution.resolution = 0;  // always written: otherwise the unit of times is unknown
  out += "clock";
  append_fields(out, d.clock, no_resolution, d);
  const std::size_t before = out.size();
  out += "recorder";
  const std::size_t without_fields = out.size() + 1;
  append_fields(out, d.recorder, Recorder{}, d);
  if (out.size() == without_fields) out.resize(before);
  Definitions::for_each_table(d, [&]<class T>(std::string_view keyword, const std::vector<T>& table) {
    for (std::size_t i = 0; i < table.size(); ++i) {
      out += keyword;
      out += ' ';
      append_number(out, i);
      append_fields(out, table[i], default_definition<T>(i), d);
    }
  });
}

}  // namespace waitstate::notation
