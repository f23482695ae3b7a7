// The table of compound events, and the lists of their fields: a field that a list lacks, or has in another order,
// would be lost or swapped in every copy without a message.
#include "waitstate/pattern/compound_events.hpp"

#include <gtest/gtest.h>

#include <set>
#include <string>
#include <type_traits>
#include <utility>
#include <vector>

#include "waitstate/pattern/pattern.hpp"

namespace waitstate {
namespace {

// ---- every list has all members ----

/// Whatever a member may be made of.
struct Anything {
  std::size_t number;
  template <class T>
  operator T&() const;
};
template <class E, std::size_t... i>
constexpr bool is_made_of(std::index_sequence<i...>) {
  return requires { E{Anything{i}...}; };
}
constexpr std::size_t most_members = 16;
template <class E, std::size_t n = most_members>
constexpr std::size_t member_count() {
  if constexpr (n == 0 || is_made_of<E>(std::make_index_sequence<n>{}))
    return n;
  else
    return member_count<E, n - 1>();
}
template <class E>
constexpr std::size_t field_count() {
  constexpr auto count = [](const auto&... f) { return std::integral_constant<std::size_t, sizeof...(f)>{}; };
  return decltype(E::fields(std::declval<const E&>(), count))::value;
}
template <class... E>
constexpr bool lists_are_complete = ((member_count<E>() == field_count<E>() && field_count<E>() < most_members) && ...);

#define X(name, Type) static_assert(lists_are_complete<Type>);
WAITSTATE_COMPOUND_EVENTS(X)
#undef X
static_assert(lists_are_complete<Overtaken, Message, SearchingCall, CollectiveMember, CollectiveCompletion, OtherMember,
                                 TaskIdle::IdleStretch, DeviceWait::ActivityWait, RmaAccess, RmaAccessTarget,
                                 RmaEpochOperation, RmaExposureOrigin, RmaProgressGap>);

// ---- in the order of the members ----

template <class T>
constexpr bool is_referred_to = std::is_same_v<T, const Call> || std::is_same_v<T, const Collective>;

template <class E>
void expect_order(const E& e) {
  std::vector<const void*> places;
  std::set<std::string> names;
  const auto look = [&](const auto& field) {
    EXPECT_TRUE(names.insert(field.name).second) << field.name;
    if constexpr (!is_referred_to<std::remove_reference_t<decltype(field.value)>>)
      places.push_back(static_cast<const void*>(&field.value));
  };
  E::fields(e, [&](const auto&... field) { return (look(field), ..., 0); });
  for (std::size_t i = 1; i < places.size(); ++i) EXPECT_LT(places[i - 1], places[i]) << *names.begin();
}

TEST(CompoundEvents, FieldsAreInTheOrderOfTheMembers) {
  const Call call;
  const Collective collective;
  expect_order(CompletedReceives{call, {}});
  expect_order(CompletedSends{call, {}});
  expect_order(Message{});
  expect_order(SearchingCall{});
  expect_order(MessageSearch{});
  expect_order(collective);
  expect_order(CollectiveMember{});
  expect_order(CollectiveCompletion{});
  expect_order(CompletedCollectives{call, {}});
  expect_order(OtherMember{});
  expect_order(OtherCollective{});
  expect_order(HandleCreation{});
  expect_order(TeamBarrier{});
  expect_order(TaskIdle{call, {}});
  expect_order(TaskIdle::IdleStretch{});
  expect_order(DeviceWait{call, {}});
  expect_order(DeviceWait::ActivityWait{});
  expect_order(UnusedThreads{});
  expect_order(LockAcquired{call, 0, call, 0});
  expect_order(RmaOperation{{}, {}, {}, {}, 0, 0, call, 0, call, 0});
  expect_order(RmaAccess{});
  expect_order(RmaCollective{{}, {}, {}, collective, {}});
  expect_order(RmaAccessTarget{{}, call, {}});
  expect_order(RmaEpochOperation{call, 0});
  expect_order(RmaAccessEpoch{{}, call, call, {}, {}});
  expect_order(RmaExposureOrigin{{}, call, call, {}});
  expect_order(RmaExposureEpoch{{}, call, call, {}});
  expect_order(RmaLockEpoch{{}, {}, 0, {}, call, call, 0, {}});
  expect_order(RmaProgressGap{0, 0, call});
  expect_order(RmaPassiveCall{call, {}, {}, nullptr, 0, true, {}});
  expect_order(RmaWaitChange{call, {}, nullptr});
  expect_order(Overtaken{{}, {}, 0, {}, {}});
}

// ---- numbers, names, interests ----

TEST(CompoundEvents, EachCallbackHasABitAndAName) {
  EXPECT_EQ(std::string(name(Callback::lock_acquired)), "lock_acquired_callback");
  EXPECT_EQ(interest_lock_acquired, interest(Callback::lock_acquired));
  EXPECT_EQ(interest_any_event,
            interest_enter | interest_exit | interest_send | interest_recv | interest_metric | interest_event);
  Interests all = 0;
  for (std::size_t c = 0; c < callback_count; ++c) all |= interest(static_cast<Callback>(c));
  EXPECT_EQ(all, (Interests{1} << callback_count) - 1);
}

TEST(CompoundEvents, AnOverriddenCallbackIsAnInterest) {
  struct Locks : Pattern {
    PatternInfo info() const override { return {}; }
    void lock_acquired_callback(const LockAcquired&, Context&) override {}
    void exit_callback(const Event&, Context&) override {}
  };
  EXPECT_EQ(make_pattern<Locks>().interests, interest_lock_acquired | interest_exit);
}

}  // namespace
}  // namespace waitstate
