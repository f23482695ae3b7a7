#include "causes/lacking_calls.hpp"

#include <algorithm>
#include <iterator>
#include <tuple>
#include <utility>

#include "model/call_path_order.hpp"

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
}

void LackingCalls::finish(const CallTree& tree) {
  if (calls_.empty()) return;
  const CallPathOrder order(tree);
  for (auto& [location, calls] : calls_) {
    // Which one of several at one time comes first depends on the order of reading, and so do the ids of call paths.
    std::sort(calls.begin(), calls.end(), [&](const LackingCall& a, const LackingCall& b) {
      return std::tuple(a.enter, a.exit, order.place(a.callpath), b.lacks) <
             std::tuple(b.enter, b.exit, order.place(b.callpath), a.lacks);
    });
    Ticks sum = 0;
    for (LackingCall& c : calls) c.until_exit = sum += static_cast<Ticks>(c.exit - c.enter);
  }
}

namespace {

/// The first call that was entered at t or later.
template <class Calls>
auto first_since(const Calls& calls, Time t) {
  return std::lower_bound(calls.begin(), calls.end(), t, [](const auto& c, Time x) { return c.enter < x; });
}

}  // namespace

bool LackingCalls::has(LocationId location, Time enter) const {
  const auto found = calls_.find(location);
  if (found == calls_.end()) return false;
  const auto c = first_since(found->second, enter);
  return c != found->second.end() && c->enter == enter;
}

Ticks LackingCalls::time_between(LocationId location, std::optional<Time> from, Time to) const {
  const auto found = calls_.find(location);
  if (found == calls_.end()) return 0;
  const std::vector<LackingCall>& calls = found->second;
  const auto before = [&](auto c) { return c == calls.begin() ? 0 : std::prev(c)->until_exit; };
  const auto end = first_since(calls, to), begin = from ? first_since(calls, *from + 1) : calls.begin();
  return begin < end ? before(end) - before(begin) : 0;
}

const LackingCalls::LackingCall* LackingCalls::any_between(LocationId location, std::optional<Time> from,
                                                           Time to) const {
  const auto found = calls_.find(location);
  if (found == calls_.end()) return nullptr;
  const auto c = first_since(found->second, to);
  return c == found->second.begin() || (from && std::prev(c)->enter <= *from) ? nullptr : &*std::prev(c);
}

const LackingCalls::LackingCall* LackingCalls::last_between(LocationId location, std::optional<Time> from,
                                                            Time to) const {
  const auto found = calls_.find(location);
  if (found == calls_.end()) return nullptr;
  const std::vector<LackingCall>& calls = found->second;
  auto c = first_since(calls, to);
  while (c != calls.begin()) {
    --c;
    if (from && c->enter <= *from) return nullptr;
    if (c->exit > c->enter) return &*c;
  }
  return nullptr;
}

}  // namespace waitstate::causes
