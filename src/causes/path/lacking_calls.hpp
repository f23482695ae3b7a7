// Calls of which the trace lacks what they depended on: there nobody can say whether they waited, and for whom.
//
// Memory, while the critical path is looked for: 24 bytes a call.
#pragma once

#include <algorithm>
#include <map>
#include <optional>
#include <utility>
#include <vector>

#include "waitstate/pattern/work.hpp"

namespace waitstate::causes {

class LackingCalls {
 public:
  struct LackingCall {
    Time enter, exit;
    CallPathId callpath;
    WorkMark::Kind lacks;
  };

  /// Those in call paths of which `followed(path)` is true.
  template <class Followed>
  LackingCalls(const Work& work, Followed&& followed) {
    LackingCall* last = nullptr;
    work.each_mark([&](const WorkMark& m) {
      if (WorkMark::lacks(m.kind) && followed(m.callpath))
        last = &calls_[m.location].emplace_back(LackingCall{m.time, m.time, m.callpath, m.kind});
      else if (m.kind == WorkMark::Kind::end_of_call && last != nullptr)
        std::exchange(last, nullptr)->exit = m.time;
    });
    for (auto& [location, calls] : calls_)
      std::sort(calls.begin(), calls.end(), [](const LackingCall& a, const LackingCall& b) {
        return a.enter != b.enter ? a.enter < b.enter : a.exit < b.exit;
      });
  }

  /// The last one of the location that took time, and was entered after `from` (none: its begin) and before `to`; null
  /// if there is none.
  const LackingCall* last_between(LocationId location, std::optional<Time> from, Time to) const {
    const auto found = calls_.find(location);
    if (found == calls_.end()) return nullptr;
    const std::vector<LackingCall>& calls = found->second;
    auto c = std::lower_bound(calls.begin(), calls.end(), to, [](const LackingCall& x, Time t) { return x.enter < t; });
    while (c != calls.begin()) {
      --c;
      if (from && c->enter <= *from) return nullptr;
      if (c->exit > c->enter) return &*c;
    }
    return nullptr;
  }

  static const char* words(WorkMark::Kind lack) {
    switch (lack) {
      case WorkMark::Kind::without_partner:
        return "the other half of a message";
      case WorkMark::Kind::without_start:
        return "the start of what completes";
      case WorkMark::Kind::without_part:
        return "a part of the epoch, or the owner before of the lock,";
      default:
        return "a member of the operation";
    }
  }

 private:
  std::map<LocationId, std::vector<LackingCall>> calls_;  ///< in the order of their enters
};

}  // namespace waitstate::causes
