// Which format an output has: what --format says, else what the ending of the file's name asks for, else text.
//
// An ending that stands for no format of the command is an error: a file run.xml that holds text would be found out
// only by whoever opens it. Text itself may have no ending, or one of those that people give to text.
#pragma once

#include <string>
#include <vector>

namespace waitstate::cli {

/// `given`: of --format, empty if it was not; `file`: of -o, empty for standard output; `formats`: those of the
/// command, "text" among them; `further`: those that only the ending of a file can ask for. Throws UsageError if
/// `given` is not one of `formats`, if it and the ending disagree, and if the ending is not known.
std::string output_format(const std::string& given, const std::string& file, const std::vector<std::string>& formats,
                          const std::vector<std::string>& further = {});

}  // namespace waitstate::cli
