// The lines of one process's part, read once. Parts may come from killed processes and from anywhere else, so nothing
// in them is trusted.
#pragma once

#include <concepts>
#include <cstdint>
#include <optional>
#include <string_view>
#include <variant>
#include <vector>

#include "record/parts/line_kinds.hpp"

namespace waitstate::record {

struct PartLines {
  ProcessLine process;
  std::vector<AnyLine> lines;  ///< lines of a known kind, in the order in which the process wrote them
  std::uint64_t count = 0;     ///< number of lines, also of those that say nothing; no local number is as large
};

/// Nothing if the text is not a part of this version of the format. A line that is cut off, that has an unknown word
/// and nothing else, or whose fields are not those of its kind, is counted in `left_out`; any other line with an
/// unknown word is ignored.
std::optional<PartLines> read_part(std::string_view text, std::uint64_t& left_out);

template <class... Functions>
struct LineVisitor : Functions... {
  using Functions::operator()...;
};

/// Gives each line, in their order, to the function that takes its kind, if there is one.
template <class... Functions>
void for_each_line(const PartLines& part, Functions... functions) {
  LineVisitor<Functions...> visitor{functions...};
  const auto visit = [&](const auto& line) {
    if constexpr (std::invocable<LineVisitor<Functions...>&, decltype(line)>) visitor(line);
  };
  for (const AnyLine& line : part.lines) std::visit(visit, line);
}

}  // namespace waitstate::record
