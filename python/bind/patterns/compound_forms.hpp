// The two forms of a compound event in Python: its object, for name_callback, and its rows in arrays, for name_batch.
//
// Both have a form that is made from the fields of the event (field_objects.hpp, field_rows.hpp): an object with an
// attribute for each field; in the first array a row for each event, and for each list an array with a row for each
// element, all with the `number` of the event. The events below have other forms, because users see the names: a row
// for each message, member or thread, and flags that say whether a call is there. So a new compound event needs nothing
// here.
//
// Invariant: all rows of one event are in one batch. Cost: a copy of what the engine hands over, no call into Python
// and no allocation until a batch is full.
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <type_traits>
#include <utility>

#include "bind/events/field_objects.hpp"
#include "bind/events/one_sided_objects.hpp"
#include "bind/patterns/batches.hpp"
#include "bind/patterns/field_rows.hpp"
#include "waitstate/pattern/compound_events.hpp"

namespace waitstate::python {

// ---- objects ----

template <class E>
struct ObjectOf {
  using type = FieldObject<E>;
};
#define WAITSTATE_OBJECT(Event, Object) \
  template <>                           \
  struct ObjectOf<Event> {              \
    using type = Object;                \
  };
WAITSTATE_OBJECT(CompletedReceives, ReceivesObject)
WAITSTATE_OBJECT(CompletedSends, SendsObject)
WAITSTATE_OBJECT(Overtaken, OvertakenObject)
WAITSTATE_OBJECT(Collective, CollectiveObject)
WAITSTATE_OBJECT(CompletedCollectives, CompletionsObject)
WAITSTATE_OBJECT(TeamBarrier, TeamBarrierObject)
WAITSTATE_OBJECT(TaskIdle, TaskIdleObject)
WAITSTATE_OBJECT(DeviceWait, DeviceWaitObject)
WAITSTATE_OBJECT(UnusedThreads, UnusedThreadsObject)
WAITSTATE_OBJECT(LockAcquired, LockObject)
WAITSTATE_OBJECT(RmaOperation, RmaOperationObject)
WAITSTATE_OBJECT(RmaCollective, RmaCollectiveObject)
WAITSTATE_OBJECT(RmaAccessEpoch, RmaAccessEpochObject)
WAITSTATE_OBJECT(RmaExposureEpoch, RmaExposureEpochObject)
WAITSTATE_OBJECT(RmaLockEpoch, RmaLockEpochObject)
WAITSTATE_OBJECT(RmaPassiveCall, RmaPassiveCallObject)
WAITSTATE_OBJECT(RmaWaitChange, RmaWaitChangeObject)
#undef WAITSTATE_OBJECT

// ---- rows ----

/// The batch of an event and of its lists: one after the other, the rows of the latter are collected.
template <class E, class Fields, class... Elements>
struct BatchOf;
template <class E, class... Elements>
struct BatchOf<E, Types<>, Elements...> {
  using type = Batch<FieldRow<E>, typename ElementRow<Elements>::type...>;
};
template <class E, class Field, class... Rest, class... Elements>
struct BatchOf<E, Types<Field, Rest...>, Elements...> : BatchOf<E, Types<Rest...>, Elements...> {};
template <class E, class Element, class... Rest, class... Elements>
struct BatchOf<E, Types<std::span<const Element>, Rest...>, Elements...>
    : BatchOf<E, Types<Rest...>, Elements..., Element> {};

/// How an event comes to Python. `Object` is made of an event and Names. rows() tells how many rows it has in each
/// array of `Rows`, and fill() puts them there, where there is room for them.
template <class E>
struct Form {
  using Object = typename ObjectOf<E>::type;
  using Rows = typename BatchOf<E, FieldTypes<E>>::type;

  static typename Rows::Counts rows(const E& e) {
    typename Rows::Counts counts{1};
    std::size_t n = 1;
    const auto count = [&](const auto& value) {
      if constexpr (is_list<std::remove_cvref_t<decltype(value)>>) counts[n++] = value.size();
    };
    E::fields(e, [&](const auto&... field) { return (count(field.value), ..., 0); });
    return counts;
  }
  static void fill(Rows& batch, const E& e) {
    const std::int64_t number = batch.next++;
    if constexpr (requires { e.operation_size(); })
      batch.members.push_back(static_cast<std::uint32_t>(e.operation_size()));
    batch.add().set(number, e);
    E::fields(e, [&](const auto&... field) { return fill_lists<1>(batch, number, field...); });
  }

 private:
  template <std::size_t table>
  static int fill_lists(Rows&, std::int64_t) {
    return 0;
  }
  template <std::size_t table, class T, class... Rest>
  static int fill_lists(Rows& batch, std::int64_t number, const Field<T>& field, const Rest&... rest) {
    if constexpr (is_list<std::remove_cv_t<T>>) {
      for (const auto& element : field.value) batch.template add<table>().set(number, element);
      return fill_lists<table + 1>(batch, number, rest...);
    } else {
      return fill_lists<table>(batch, number, rest...);
    }
  }
};

/// The batch of events with rows of their own, which batches.hpp counts and fills.
template <class E, class... Row>
struct OwnRows {
  using Rows = Batch<Row...>;
  static typename Rows::Counts rows(const E& e) { return rows_of(e); }
  static void fill(Rows& batch, const E& e) { python::fill(batch, e); }
};
template <class E, class... Row>
struct OwnForm : OwnRows<E, Row...> {
  using Object = typename ObjectOf<E>::type;
};
template <>
struct Form<CompletedReceives> : OwnForm<CompletedReceives, ReceiveRow> {};
template <>
struct Form<CompletedSends> : OwnForm<CompletedSends, SendRow> {};
template <>
struct Form<Collective> : OwnForm<Collective, MemberRow> {};
template <>
struct Form<CompletedCollectives> : OwnForm<CompletedCollectives, CompletionRow> {};
template <>
struct Form<TeamBarrier> : OwnForm<TeamBarrier, ThreadRow> {};
template <>
struct Form<RmaCollective> : OwnForm<RmaCollective, RmaMemberRow, AccessRow> {};
template <>
struct Form<RmaAccessEpoch>
    : OwnForm<RmaAccessEpoch, FieldRow<RmaAccessEpoch>, FieldRow<RmaAccessTarget>, EpochOperationRow> {};
template <>
struct Form<RmaPassiveCall> : OwnForm<RmaPassiveCall, PassiveCallRow, FieldRow<RmaProgressGap>> {};
template <>
struct Form<RmaWaitChange> : OwnForm<RmaWaitChange, WaitChangeRow> {};

// Events that are not compound events themselves have only rows.
template <>
struct Form<PublishedWait> : OwnRows<PublishedWait, PublishedRow> {};
template <>
struct Form<Event> : OwnRows<Event, EventRow> {};
template <>
struct Form<MetricRecord> : OwnRows<MetricRecord, EventRow, MetricValueRow> {};

/// Makes classes of the objects that are made from fields.
inline void bind_field_objects(py::module_& module) {
  const auto bind = [&]<class E>(const char* name, const E*) {
    if constexpr (std::is_same_v<typename ObjectOf<E>::type, FieldObject<E>>) FieldObject<E>::bind(module, name);
  };
#define X(name, Type) bind(#Type, static_cast<const Type*>(nullptr));
  WAITSTATE_COMPOUND_EVENTS(X)
#undef X
}

/// All batches of one pattern, named as the callbacks.
struct Batches {
#define X(name, Type) Form<Type>::Rows name;
  WAITSTATE_COMPOUND_EVENTS(X)
#undef X
  Form<Overtaken>::Rows overtaken;
  Form<PublishedWait>::Rows published;
  Form<Event>::Rows enter, exit, event;
  Form<MetricRecord>::Rows metric;
};

}  // namespace waitstate::python
