// A man page of the program or of one of its commands, in the macros of man(7), from the texts of its --help.
#pragma once

#include <CLI/App.hpp>
#include <string>

namespace waitstate::cli::pages {

/// "waitstate" or "waitstate-analyze", which is also the name of the file before the section: "waitstate-analyze.1".
std::string page_name(const CLI::App& command);

std::string man_page(const CLI::App& command);

}  // namespace waitstate::cli::pages
