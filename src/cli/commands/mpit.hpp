// The command `mpit`, and the names of its lists.
#pragma once

#include <string>
#include <vector>

#include "cli/command.hpp"

namespace waitstate::cli {

void add_mpit(CLI::App& app, Commands& commands);
const std::vector<std::string>& mpit_lists();

}  // namespace waitstate::cli
