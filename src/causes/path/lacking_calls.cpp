#include "causes/path/lacking_calls.hpp"

#include <algorithm>
#include <utility>

namespace waitstate::causes {

using replay::WorkMark;

LackingCalls::LackingCalls(const WorkLog& work, const std::function<bool(CallPathId)>& followed) {
  LackingCall* last = nullptr;
  work.each_mark([&](const WorkMark& m) {
    if (const Lack* const lack = lack_of(m.kind); lack != nullptr && lack->of_call && followed(m.callpath))
      last = &calls_[m.location].emplace_back(LackingCall{m.time, m.time, m.callpath, lack});
    else if (m.kind == WorkMark::Kind::end_of_call && last != nullptr)
      std::exchange(last, nullptr)->exit = m.time;
  });
  for (auto& [location, calls] : calls_)
    std::sort(calls.begin(), calls.end(), [](const LackingCall& a, const LackingCall& b) {
      return a.enter != b.enter ? a.enter < b.enter : a.exit < b.exit;
    });
}

const LackingCalls::LackingCall* LackingCalls::last_between(LocationId location, std::optional<Time> from,
                                                            Time to) const {
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

}  // namespace waitstate::causes
