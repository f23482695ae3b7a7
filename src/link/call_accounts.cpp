#include "link/call_accounts.hpp"

#include <algorithm>

namespace waitstate::link {

void CallAccounts::settle(const Call& call, const Account& a) {
  Pending& next = pending_[next_pending_++ % pending_.size()];
  add_up(next);
  next.key = {call.callpath.value, call.location.value};
  next.wait = 0, next.rest = a.exclusive;
  if (a.depends) {
    const Time begin = std::max(call.enter, from_), end = std::min({a.until, call.exit, to_});
    next.wait = end > begin ? std::min(static_cast<Ticks>(end - begin), next.rest) : 0;
    next.rest -= next.wait;
  }
  next.rest_is = (a.lacks & bit(Lack::partner)) != 0   ? &MpiAccount::without_partner
                 : (a.lacks & bit(Lack::member)) != 0  ? &MpiAccount::without_member
                 : (a.lacks & bit(Lack::start)) != 0   ? &MpiAccount::without_start
                 : (a.lacks & bit(Lack::message)) != 0 ? &MpiAccount::without_message
                 : a.depends && !a.polls               ? &MpiAccount::transfer
                                                       : &MpiAccount::local;
  sums_.prefetch(next.key);
}

void CallAccounts::add_up(Pending& pending) {
  if (pending.rest_is == nullptr) return;
  MpiAccount& sum = sums_.find_or_insert(pending.key);
  const auto charge = [](Ticks& to, Ticks ticks) { to = add_ticks(to, static_cast<std::uint64_t>(ticks)); };
  charge(sum.wait, pending.wait);
  charge(sum.*pending.rest_is, pending.rest);
  pending.rest_is = nullptr;
}

void CallAccounts::join(CallAccounts& other) {
  for (const MpiAccount& theirs : other.take()) {
    MpiAccount& sum = sums_.find_or_insert({theirs.callpath.value, theirs.location.value});
    for (const auto part : {&MpiAccount::wait, &MpiAccount::transfer, &MpiAccount::local, &MpiAccount::without_partner,
                            &MpiAccount::without_member, &MpiAccount::without_start, &MpiAccount::without_message})
      sum.*part = add_ticks(sum.*part, static_cast<std::uint64_t>(theirs.*part));
  }
}

std::vector<MpiAccount> CallAccounts::take() {
  for (Pending& pending : pending_) add_up(pending);
  std::vector<MpiAccount> all;
  sums_.for_each([&](const AccountKey& key, MpiAccount& sum) {
    sum.callpath = CallPathId{key.callpath};
    sum.location = LocationId{key.location};
    all.push_back(sum);
  });
  std::sort(all.begin(), all.end(), [](const MpiAccount& a, const MpiAccount& b) {
    return a.callpath != b.callpath ? a.callpath < b.callpath : a.location < b.location;
  });
  return all;
}

}  // namespace waitstate::link
