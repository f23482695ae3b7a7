// Batches of rows, and how they are filled with those compound events and events whose rows are not just their fields
// (compound_forms.hpp has all).
//
// One overload of rows_of() and of fill() each. A batch of several tables has a row of the first one for each compound
// event, and rows of the others for what these have lists of; all rows of a compound event go into one batch.
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <tuple>
#include <utility>
#include <vector>

#include "bind/patterns/field_rows.hpp"
#include "bind/patterns/rows.hpp"
#include "bind/patterns/rows_one_sided.hpp"
#include "waitstate/pattern/late_sender.hpp"
#include "waitstate/pattern/pattern.hpp"

namespace waitstate::python {

/// Rows of one or several tables on their way to one batch method. `next` is the number of the next compound event;
/// `members` the numbers of members of those in the batch, of operations whose waits are one instance (else empty).
template <class... Rows>
class Batch {
 public:
  using Counts = std::array<std::size_t, sizeof...(Rows)>;

  bool empty() const { return std::get<0>(tables_).empty(); }
  bool full() const {
    return std::apply([](const auto&... table) { return (table.full() || ...); }, tables_);
  }
  std::size_t size() const { return std::get<0>(tables_).size(); }
  bool fits(const Counts& more) const { return fits(more, std::index_sequence_for<Rows...>{}); }
  /// Needs the interpreter's lock.
  void reserve(const Counts& more) { reserve(more, std::index_sequence_for<Rows...>{}); }
  template <std::size_t table = 0>
  auto& add() {
    return std::get<table>(tables_).add();
  }
  /// The arrays, and empty tables. Needs the interpreter's lock; call recycle() when the callback has returned.
  py::tuple take() {
    return std::apply([](auto&... table) { return py::make_tuple(table.take()...); }, tables_);
  }
  void recycle() {
    std::apply([](auto&... table) { (table.recycle(), ...); }, tables_);
  }

  std::int64_t next = 0;
  std::vector<std::uint32_t> members;

 private:
  template <std::size_t... i>
  bool fits(const Counts& more, std::index_sequence<i...>) const {
    return (std::get<i>(tables_).fits(more[i]) && ...);
  }
  template <std::size_t... i>
  void reserve(const Counts& more, std::index_sequence<i...>) {
    ((std::get<i>(tables_).fits(more[i]) ? void() : std::get<i>(tables_).reserve(more[i])), ...);
  }
  std::tuple<RowBuffer<Rows>...> tables_;
};

/// A wait that another pattern published, its message, and whether the receiver waited.
struct PublishedWait {
  const Message& message;
  const Wait& wait;
  bool late_receiver;
};

/// An event that is a counter record: its values are rows, too.
struct MetricRecord {
  const Event& event;
};

inline std::array<std::size_t, 1> rows_of(const CompletedReceives& r) { return {r.messages.size()}; }
inline std::array<std::size_t, 1> rows_of(const CompletedSends& s) { return {s.messages.size()}; }
inline std::array<std::size_t, 1> rows_of(const Collective& c) { return {c.members.size()}; }
inline std::array<std::size_t, 1> rows_of(const CompletedCollectives& c) { return {c.completions.size()}; }
inline std::array<std::size_t, 1> rows_of(const TeamBarrier& b) { return {b.members.size()}; }
inline std::array<std::size_t, 2> rows_of(const RmaCollective& r) {
  return {r.collective.members.size(), r.accesses.size()};
}
inline std::array<std::size_t, 3> rows_of(const RmaAccessEpoch& e) {
  return {1, e.targets.size(), e.operations.size()};
}
inline std::array<std::size_t, 2> rows_of(const RmaPassiveCall& c) { return {1, c.gaps.size()}; }
inline std::array<std::size_t, 1> rows_of(const RmaWaitChange&) { return {1}; }
inline std::array<std::size_t, 1> rows_of(const PublishedWait&) { return {1}; }
inline std::array<std::size_t, 1> rows_of(const Event&) { return {1}; }
inline std::array<std::size_t, 2> rows_of(const MetricRecord& r) { return {1, r.event.tail.size()}; }

// Each puts the rows of one compound event into its batch, which has room for them.
void fill(Batch<ReceiveRow>& batch, const CompletedReceives& receives);
void fill(Batch<SendRow>& batch, const CompletedSends& sends);
void fill(Batch<MemberRow>& batch, const Collective& collective);
void fill(Batch<CompletionRow>& batch, const CompletedCollectives& completed);
void fill(Batch<ThreadRow>& batch, const TeamBarrier& barrier);
void fill(Batch<RmaMemberRow, AccessRow>& batch, const RmaCollective& collective);
void fill(Batch<FieldRow<RmaAccessEpoch>, FieldRow<RmaAccessTarget>, EpochOperationRow>& batch,
          const RmaAccessEpoch& epoch);
void fill(Batch<PassiveCallRow, FieldRow<RmaProgressGap>>& batch, const RmaPassiveCall& passive);
void fill(Batch<WaitChangeRow>& batch, const RmaWaitChange& change);
void fill(Batch<PublishedRow>& batch, const PublishedWait& published);
void fill(Batch<EventRow>& batch, const Event& event);
void fill(Batch<EventRow, MetricValueRow>& batch, const MetricRecord& record);

}  // namespace waitstate::python
