#include "cli/output_format.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cctype>
#include <filesystem>
#include <string_view>

#include "cli/command.hpp"
#include "waitstate/error.hpp"

namespace waitstate::cli {
namespace {

struct Ending {
  std::string_view name, format;
};
constexpr std::array endings = {
    Ending{".cubex", "cubex"}, Ending{".json", "json"}, Ending{".csv", "csv"},  Ending{".html", "html"},
    Ending{".htm", "html"},    Ending{".dot", "dot"},   Ending{".gv", "dot"},   Ending{".graphml", "graphml"},
    Ending{".txt", "text"},    Ending{".text", "text"}, Ending{".log", "text"}, Ending{".out", "text"},
};

std::string ending_of(const std::string& file) {
  std::string ending = std::filesystem::path(file).extension().string();
  std::transform(ending.begin(), ending.end(), ending.begin(), [](unsigned char c) { return std::tolower(c); });
  return ending;
}

/// ".cubex, .json or .csv"
std::string endings_of(const std::vector<std::string>& formats) {
  std::vector<std::string> names;
  for (const Ending& e : endings)
    if (e.format != "text" && std::find(formats.begin(), formats.end(), e.format) != formats.end())
      names.emplace_back(e.name);
  const std::string last = names.back();
  names.pop_back();
  return fmt::format("{} or {}", fmt::join(names, ", "), last);
}

}  // namespace

std::string output_format(const std::string& given, const std::string& file, const std::vector<std::string>& formats,
                          const std::vector<std::string>& further) {
  if (!given.empty()) check_word("format", given, formats);
  const std::string ending = ending_of(file);
  if (ending.empty()) return given.empty() ? "text" : given;
  const auto* const known =
      std::find_if(endings.begin(), endings.end(), [&](const Ending& e) { return e.name == ending; });
  std::string format(known == endings.end() ? "" : known->format);
  if (!given.empty()) {
    if (!format.empty() && format != "text" && format != given)
      throw UsageError(fmt::format(
          "--format {} contradicts -o {}: leave one of them out, or give the file another ending", given, file));
    return given;
  }
  std::vector<std::string> all = further;
  all.insert(all.end(), formats.begin(), formats.end());
  if (std::find(all.begin(), all.end(), format) == all.end())
    throw UsageError(
        fmt::format("-o {}: this command cannot write a {} file: expected {}, or .txt for text; or choose a format "
                    "with --format",
                    file, ending, endings_of(all)));
  return format;
}

Output::Content content_of(const std::string& format) {
  return format == "html" ? Output::Content::bytes : Output::Content::text;
}

void HtmlSize::add_to(CLI::App& options) {
  option_ =
      options
          .add_option("--max-size", megabytes_,
                      "maximum size of an HTML page in megabytes; to fit, data is rounded, merged or left out, and the "
                      "page says so (default: 40)")
          ->type_name("N");
}

void HtmlSize::check(const std::string& format) const {
  if (option_ == nullptr || option_->count() == 0) return;
  if (format != "html") throw UsageError("--max-size applies only to html, not to " + format + ": leave it out");
  if (megabytes_ == 0 || megabytes_ > 100'000)
    throw UsageError(fmt::format("--max-size {}: expected 1 to 100000 megabytes", megabytes_));
}

}  // namespace waitstate::cli
