// Completes the program's arguments in bash: a script that bash-completion finds by its name, or that is sourced.
#pragma once

#include <CLI/App.hpp>
#include <string>

namespace waitstate::cli::pages {

std::string bash_completion(const CLI::App& app);

}  // namespace waitstate::cli::pages
