// Reads in wrapup the values that have been charged to other metrics, for patterns that are sums of them.
#pragma once

#include <cstdint>
#include <string_view>
#include <vector>

#include "waitstate/pattern/pattern.hpp"

namespace waitstate::patterns {

/// Adds the exclusive values of the metrics `ids` to the pattern's first metric, for the call paths for which
/// `chosen(path)` is true; it is asked once a call path.
template <class Ids, class Chosen>
void add_charged(Context& c, const Ids& ids, Chosen&& chosen) {
  struct Row {
    CallPathId path;
    LocationId location;
    std::int64_t value;
  };
  std::vector<Row> rows;  // severities must not change while they are read
  enum class Answer : char { none, no, yes };
  std::vector<Answer> answers(c.call_tree().size());
  for (const std::string_view id : ids)
    c.severities().for_each(c.metrics().at(id), [&](CallPathId path, LocationId location, std::int64_t value) {
      Answer& answer = answers[path.index()];
      if (answer == Answer::none) answer = chosen(path) ? Answer::yes : Answer::no;
      if (answer == Answer::yes && value != 0) rows.push_back({path, location, value});
    });
  for (const Row& r : rows) c.add({r.path, r.location}, r.value);
}

}  // namespace waitstate::patterns
