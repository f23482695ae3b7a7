// The parameters of a run, as the page sends them and as the command line takes them. This file knows only how each is
// called and of which form its value is; whether a value is good, `waitstate analyze` says itself.
#pragma once

#include <nlohmann/json_fwd.hpp>

#include <string>
#include <vector>

namespace waitstate::serve {

/// Words of the command line for a JSON object of parameters; those that only reports know (phase, series, contexts)
/// are left out if `for_export`. Throws UsageError.
std::vector<std::string> options_of(const nlohmann::json& parameters, bool for_export = false);

/// The words as one line for a shell.
std::string shell_line(const std::vector<std::string>& words);

}  // namespace waitstate::serve
