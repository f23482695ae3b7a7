// Optimal string alignment distance (Damerau's four slips, no substring edited twice) by dynamic programming over three
// rows. A candidate is near enough with one slip, and with one more for every four letters: `tga` is `tag`, but `foo`
// is not `for_each`.
#include "util/nearest.hpp"

#include <algorithm>
#include <cstddef>
#include <cstdlib>
#include <utility>
#include <vector>

namespace waitstate::util {
namespace {

std::size_t distance(std::string_view a, std::string_view b) {
  std::vector<std::size_t> before(b.size() + 1), last(b.size() + 1), row(b.size() + 1);
  for (std::size_t j = 0; j <= b.size(); ++j) last[j] = j;
  for (std::size_t i = 1; i <= a.size(); ++i) {
    row[0] = i;
    for (std::size_t j = 1; j <= b.size(); ++j) {
      row[j] = std::min({last[j] + 1, row[j - 1] + 1, last[j - 1] + (a[i - 1] != b[j - 1])});
      if (i > 1 && j > 1 && a[i - 1] == b[j - 2] && a[i - 2] == b[j - 1]) row[j] = std::min(row[j], before[j - 2] + 1);
    }
    std::swap(before, last);
    std::swap(last, row);
  }
  return last[b.size()];
}

}  // namespace

std::string nearest(std::string_view word, std::span<const std::string_view> known) {
  const std::size_t allowed = 1 + word.size() / 4;
  std::size_t least = allowed + 1;
  std::string_view found;
  for (const std::string_view candidate : known) {
    const std::size_t longer = std::max(word.size(), candidate.size()),
                      shorter = std::min(word.size(), candidate.size());
    if (longer - shorter >= least) continue;  // also keeps hostile words of any length cheap
    // A word with nothing in common is not a slip: `x` is not `y`.
    if (const std::size_t d = distance(word, candidate); d < least && d < longer) least = d, found = candidate;
  }
  return std::string(found);
}

}  // namespace waitstate::util
