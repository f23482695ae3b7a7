// Adds the command `record`, which takes a program with arguments of its own that must not be read as our options.
#pragma once

#include <string>
#include <vector>

#include "cli/command.hpp"

namespace waitstate::cli {

/// `program` is filled before the command runs.
void add_record(CLI::App& app, Commands& commands, const std::vector<std::string>* program);
void add_recover(CLI::App& app, Commands& commands);

/// Number of arguments that are ours: those of `record` before "--" or the program.
int own_arguments(const CLI::App& app, int argc, const char* const* argv);

}  // namespace waitstate::cli
