// What has been charged to other metrics already, for patterns that are sums of such: read in wrapup.
#pragma once

#include <cstdint>
#include <string_view>
#include <vector>

#include "waitstate/pattern/pattern.hpp"

namespace waitstate::patterns {

/// Adds what is charged to the metrics `ids`, exclusively, to the pattern's first metric, for the call paths that
/// `chosen(path)` is true of; it is asked once a call path.
template <class Ids, class Chosen>
void add_charged(Context& c, const Ids& ids, Chosen&& chosen) {
  struct Row {
    CallPathId path;
    LocationId location;
    std::int64_t value;
  };
  std::vector<Row> rows;  // severities must not change while they are looked at
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
