// Messages, with what each side waits for.
#pragma once

#include "access/dependencies/parts.hpp"

namespace waitstate::access {

void add_messages(DependencyParts& parts);

}  // namespace waitstate::access
