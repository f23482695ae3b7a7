#include "cli/reservations.hpp"

#include <fmt/format.h>

namespace waitstate::cli {

std::string reservations(const Diagnostics& diagnostics) {
  std::string text;
  for (int i = 0; i < diagnostic_count; ++i) {
    const auto id = static_cast<DiagnosticId>(i);
    if (const std::uint64_t count = diagnostics[id].count; count != 0)
      text += fmt::format("# {}: {} {}\n", severity(id) == DiagnosticSeverity::loss ? "missing" : "odd", count,
                          sentence(id));
  }
  return text;
}

}  // namespace waitstate::cli
