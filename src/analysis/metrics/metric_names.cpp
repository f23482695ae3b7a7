#include "analysis/metrics/metric_names.hpp"

#include <algorithm>
#include <cctype>

#include "util/nearest.hpp"

namespace waitstate::analysis {
namespace {

char lower(char c) { return static_cast<char>(std::tolower(static_cast<unsigned char>(c))); }

bool same_title(std::string_view a, std::string_view b) {
  return std::equal(a.begin(), a.end(), b.begin(), b.end(), [](char x, char y) { return lower(x) == lower(y); });
}

/// The letters and digits of a text, in lower case.
std::string plain(std::string_view text) {
  std::string letters;
  for (const char c : text)
    if (std::isalnum(static_cast<unsigned char>(c)) != 0) letters += lower(c);
  return letters;
}

}  // namespace

MetricIndex find_metric(const MetricTree& metrics, std::string_view id_or_title) {
  if (const MetricIndex m = metrics.find(id_or_title); m != no_metric || id_or_title.empty()) return m;
  MetricIndex found = no_metric;
  for (MetricIndex m = 0; m < metrics.size(); ++m) {
    if (!same_title(metrics[m].title, id_or_title)) continue;
    if (found != no_metric) return no_metric;
    found = m;
  }
  return found;
}

std::string nearest_metric(std::string_view word, const std::vector<const MetricTree*>& trees) {
  std::vector<std::string_view> ids;
  std::vector<std::string> names;  // two for each id
  constexpr std::size_t longest_word = 100;
  if (word.size() > longest_word) return "";
  for (const MetricTree* tree : trees)
    for (MetricIndex m = 0; m < tree->size(); ++m) {
      ids.push_back((*tree)[m].id);
      names.push_back(plain((*tree)[m].id));
      names.push_back(plain((*tree)[m].title));
    }
  if (std::string near = util::nearest(word, ids); !near.empty()) return near;
  const std::string letters = plain(word);
  if (letters.empty()) return "";
  const std::string near = util::nearest(letters, std::vector<std::string_view>(names.begin(), names.end()));
  if (!near.empty())
    return std::string(ids[static_cast<std::size_t>(std::find(names.begin(), names.end(), near) - names.begin()) / 2]);
  constexpr std::size_t shortest_part = 4;
  if (letters.size() < shortest_part) return "";
  std::string_view within;
  for (std::size_t i = 0; i < ids.size(); ++i)
    if (names[2 * i].find(letters) != std::string::npos && (within.empty() || ids[i].size() < within.size()))
      within = ids[i];
  return std::string(within);
}

}  // namespace waitstate::analysis
