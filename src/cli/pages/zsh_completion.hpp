// Completes the program's arguments in zsh: a function that is found as _waitstate in a folder of $fpath.
#pragma once

#include <CLI/App.hpp>
#include <string>

namespace waitstate::cli::pages {

std::string zsh_completion(const CLI::App& app);

}  // namespace waitstate::cli::pages
