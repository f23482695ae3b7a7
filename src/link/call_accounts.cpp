#include "link/call_accounts.hpp"

#include <algorithm>

namespace waitstate::link {

void CallAccounts::settle(const Call& call, const Account& a) {
  MpiAccount& sum = sums_.find_or_insert({call.callpath.value, call.location.value});
  const auto charge = [](Ticks& to, Ticks ticks) { to = add_ticks(to, static_cast<std::uint64_t>(ticks)); };
  Ticks rest = a.exclusive;
  if (a.depends) {
    const Time begin = std::max(call.enter, from_), end = std::min({a.until, call.exit, to_});
    const Ticks wait = end > begin ? std::min(static_cast<Ticks>(end - begin), rest) : 0;
    charge(sum.wait, wait);
    rest -= wait;
  }
  if ((a.lacks & bit(Lack::partner)) != 0)
    charge(sum.without_partner, rest);
  else if ((a.lacks & bit(Lack::member)) != 0)
    charge(sum.without_member, rest);
  else if ((a.lacks & bit(Lack::start)) != 0)
    charge(sum.without_start, rest);
  else
    charge(a.depends ? sum.transfer : sum.local, rest);
}

std::vector<MpiAccount> CallAccounts::take() {
  std::vector<MpiAccount> all;
  sums_.for_each([&](const Key& key, MpiAccount& sum) {
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
