// Calls of which the trace lacks what they depended on: there nobody can say whether they waited, and for whom.
//
// Memory, while the critical path is looked for: 32 bytes a call.
#pragma once

#include <functional>
#include <map>
#include <optional>
#include <vector>

#include "causes/path/lacks.hpp"
#include "causes/work_log.hpp"

namespace waitstate::causes {

class LackingCalls {
 public:
  struct LackingCall {
    Time enter, exit;
    CallPathId callpath;
    const Lack* lacks;
  };

  /// Finds those in call paths of which `followed(path)` is true.
  LackingCalls(const WorkLog& work, const std::function<bool(CallPathId)>& followed);

  /// The last one of the location that took time, and was entered after `from` (none: its begin) and before `to`; null
  /// if there is none.
  const LackingCall* last_between(LocationId location, std::optional<Time> from, Time to) const;

 private:
  std::map<LocationId, std::vector<LackingCall>> calls_;  ///< in the order of their enters
};

}  // namespace waitstate::causes
