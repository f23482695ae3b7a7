#include "cli/output_format.hpp"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <cctype>
#include <filesystem>
#include <string_view>
#include <vector>

#include "cli/command.hpp"
#include "waitstate/error.hpp"

namespace waitstate::cli {
namespace {

std::string ending_of(const std::string& file) {
  std::string ending = std::filesystem::path(file).extension().string();
  std::transform(ending.begin(), ending.end(), ending.begin(), [](unsigned char c) { return std::tolower(c); });
  return ending;
}

/// Whether an output of that subject, or of the further one, may have the form.
bool is_possible(const report::Form& form, report::Subject subject, std::optional<report::Subject> further) {
  return form.is_of(subject) || (further && form.is_of(*further));
}

/// ".csv, .json or .cubex": without the endings of text.
std::string other_endings(report::Subject subject, std::optional<report::Subject> further) {
  std::vector<std::string_view> names;
  for (const report::Form& form : report::forms())
    if (form.name != "text" && is_possible(form, subject, further))
      names.insert(names.end(), form.endings.begin(), form.endings.end());
  const std::string_view last = names.back();
  names.pop_back();
  return fmt::format("{} or {}", fmt::join(names, ", "), last);
}

}  // namespace

std::string output_format(const std::string& given, const std::string& file, report::Subject subject,
                          std::optional<report::Subject> further) {
  if (!given.empty()) check_word("format", given, report::form_names(subject));
  const std::string ending = ending_of(file);
  if (ending.empty()) return given.empty() ? "text" : given;
  const report::Form* const form = report::form_of_ending(ending);
  if (!given.empty()) {
    // Only files of verdicts have a format of the ending .xml; other files may have it whatever they hold.
    const bool is_of_verdicts = form != nullptr && form->subjects == std::vector{report::Subject::verdicts};
    if (form != nullptr && !is_of_verdicts && form->name != "text" && form->name != given)
      throw UsageError(fmt::format(
          "--format {} contradicts -o {}: leave one of them out, or give the file another ending", given, file));
    return given;
  }
  if (form == nullptr || !is_possible(*form, subject, further))
    throw UsageError(
        fmt::format("-o {}: this command cannot write a {} file: expected {}, or .txt for text; or choose a format "
                    "with --format",
                    file, ending, other_endings(subject, further)));
  return std::string(form->name);
}

CLI::Option* add_format(CLI::App& options, std::string& value, report::Subject subject, const std::string& more) {
  return add_choice(options, "--format", value, report::form_names(subject),
                    "format of the output (default: text)" + (more.empty() ? "" : "; " + more));
}

std::string usual_endings(report::Subject subject, report::Subject further) {
  std::string text;
  for (const report::Form& form : report::forms())
    if (form.name != "text" && is_possible(form, subject, further)) text.append(form.endings.front()).append(", ");
  return text.substr(0, text.size() - 2) + " or " + std::string(report::form_of_name("text")->endings.front());
}

Output::Content content_of(const std::string& format) {
  const report::Form* const form = report::form_of_name(format);
  return form != nullptr && form->is_raw ? Output::Content::bytes : Output::Content::text;
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
