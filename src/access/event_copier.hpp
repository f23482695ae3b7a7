// Copies compound events with all that they refer to: calls, lists, and lists of what refers to calls again.
//
// A view is good during the callback only; who wants to keep it needs the same struct again, whose references lead to
// copies. Fields (fields.hpp) tell what there is to copy, so no event is named here. Where copies lie, and what a
// copied call costs, the Store decides: it has allocate(bytes), aligned for anything here, and keep(const Call&).
//
// Invariant: a copy is made of the original's fields in their order, the event's own call first. Cost: the bytes of the
// copies, and two comparisons for each reference to a call: most refer to the event's own call, or to the one before.
#pragma once

#include <cstddef>
#include <memory>
#include <span>
#include <type_traits>

#include "waitstate/pattern/collective.hpp"
#include "waitstate/pattern/fields.hpp"
#include "waitstate/pattern/message.hpp"

namespace waitstate::access {

/// For one event.
template <class Store>
class EventCopier {
 public:
  explicit EventCopier(Store& store) : store_(store) {}

  template <Structured E>
  E copy(const E& e) {
    return E::fields(e, [&](const auto&... field) { return E{keep(field.value)...}; });
  }

 private:
  const Call& keep(const Call& call) {
    if (&call == first_from_) return *first_;
    if (&call == last_from_) return *last_;
    last_from_ = &call;
    last_ = &store_.keep(call);
    if (first_ == nullptr) first_from_ = last_from_, first_ = last_;
    return *last_;
  }
  const Call* keep(const Call* call) { return call == nullptr ? nullptr : &keep(*call); }
  const Collective& keep(const Collective& c) {
    return *std::construct_at(static_cast<Collective*>(store_.allocate(sizeof c)), copy(c));
  }
  template <class T>
  std::span<const T> keep(const std::span<const T>& values) {
    static_assert(std::is_trivially_destructible_v<T> && alignof(T) <= 8);
    if (values.empty()) return {};
    T* const all = static_cast<T*>(store_.allocate(values.size_bytes()));
    T* next = all;
    for (const T& value : values) std::construct_at(next++, keep(value));
    return {all, values.size()};
  }
  template <Structured T>
  T keep(const T& value) {
    return copy(value);
  }
  template <class T>
  requires(!Structured<T>) T keep(const T& value) {
    static_assert(!std::is_pointer_v<T>);
    return value;
  }

  Store& store_;
  const Call *first_from_ = nullptr, *first_ = nullptr;  ///< the first call, and its copy
  const Call *last_from_ = nullptr, *last_ = nullptr;    ///< the latest one
};

}  // namespace waitstate::access
