// The formats of `waitstate export`, for commands that offer the same.
#pragma once

#include <span>
#include <string_view>

namespace waitstate::cli {

/// A format, and how the names of its files end.
struct ExportFormat {
  std::string_view name, ending;
  bool is_profile;  ///< one metric by call path
  bool is_folder;   ///< an archive
};
std::span<const ExportFormat> export_formats();

}  // namespace waitstate::cli
