// Messages, with what each side waits for.
#pragma once

#include "report/graph/dependencies/parts.hpp"

namespace waitstate::report {

void add_messages(DependencyParts& parts);

}  // namespace waitstate::report
