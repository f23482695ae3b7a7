// A man page of the program or of one of its commands, in the macros of man(7), from what its --help is made of.
#pragma once

#include <CLI/App.hpp>
#include <string>

namespace waitstate::cli::pages {

/// "waitstate" or "waitstate-analyze"; its file is called so, with the section behind it: "waitstate-analyze.1".
std::string page_name(const CLI::App& command);

std::string man_page(const CLI::App& command);

}  // namespace waitstate::cli::pages
