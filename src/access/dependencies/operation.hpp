// One collective operation: its vertices, who needs whose data, and who waits for whom.
#pragma once

#include <cstdint>
#include <optional>
#include <vector>

#include "access/dependencies/parts.hpp"
#include "waitstate/pattern/collective.hpp"

namespace waitstate::access {

/// A member's part.
struct OperationPart {
  std::size_t call;
  Time begin = 0, end = 0;
  Position begin_pos = 0, end_pos = 0;
  std::uint64_t sent = 0, received = 0, root = 0;
  CollectiveOp op{};
};

/// Of the record of its end or completion, which is its begin as well until that is known.
OperationPart operation_part(std::size_t call, const Event& end);

/// Adds an operation. `all`: its members by rank; `group_a`: with an inter-communicator the size of the first group,
/// else 0.
void add_operation(DependencyParts& parts, const std::vector<OperationPart>& all, std::size_t group_a,
                   std::optional<std::size_t> root, std::optional<causes::PointKind> kind);

}  // namespace waitstate::access
