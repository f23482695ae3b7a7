// The command `record` takes a program with arguments of its own, which are not to be read as options of ours.
#pragma once

#include <string>
#include <vector>

#include "cli/command.hpp"

namespace waitstate::cli {

/// `program`: filled before the command runs.
void add_record(CLI::App& app, Commands& commands, const std::vector<std::string>* program);
void add_recover(CLI::App& app, Commands& commands);

/// How many of the arguments are ours: those of `record` before "--" or the program.
int own_arguments(const CLI::App& app, int argc, const char* const* argv);

}  // namespace waitstate::cli
