// Calls of which the trace lacks what they depended on: there nobody can say whether they waited, and for whom.
//
// Memory, while the critical path is looked for: 32 bytes a call.
#pragma once

#include <functional>
#include <map>
#include <optional>
#include <vector>

#include "causes/lacks.hpp"
#include "causes/work_log.hpp"
#include "waitstate/trace/call_tree.hpp"

namespace waitstate::causes {

class LackingCalls {
 public:
  struct LackingCall {
    Time enter, exit;
    CallPathId callpath;
    const Lack* lacks;
    Ticks until_exit = 0;  ///< the time of this one and of all before it
  };

  LackingCalls() = default;
  /// Finds those in call paths of which `followed(path)` is true.
  LackingCalls(const WorkLog& work, const std::function<bool(CallPathId)>& followed);

  /// A call that lacks something, beside those of the marks.
  void add(LocationId location, const LackingCall& call) { calls_[location].push_back(call); }
  /// After the last one.
  void finish(const CallTree& tree);

  bool empty() const { return calls_.empty(); }
  /// True if the call of the location that was entered then is one of them.
  bool has(LocationId location, Time enter) const;
  /// The time of those that last_between() looks at.
  Ticks time_between(LocationId location, std::optional<Time> from, Time to) const;
  /// The last one of the location that took time, and was entered after `from` (none: its begin) and before `to`; null
  /// if there is none.
  const LackingCall* last_between(LocationId location, std::optional<Time> from, Time to) const;
  /// Like last_between(), but the call may have taken no time.
  const LackingCall* any_between(LocationId location, std::optional<Time> from, Time to) const;

 private:
  std::map<LocationId, std::vector<LackingCall>> calls_;  ///< in the order of their enters
};

}  // namespace waitstate::causes
