// Places for the operations behind the requests of this process; see parts/pending_operation.hpp.
#pragma once

#include "record/parts/pending_operation.hpp"

namespace waitstate::record {

/// A place for an operation, for good; in any thread. Null if there is none: the file system maps no files, or is full.
PendingOperation* take_pending_operation();

}  // namespace waitstate::record
