// The members of a compound event, spelt out once beside the struct. Whoever copies one, shows it to Python or makes
// rows of it goes over this list, so none of them has to be touched for a new event.
//
//   struct LockAcquired {
//     const Call& call;
//     Time acquire_time = 0;
//     static auto fields(auto& e, auto&& f) { return f(Field{"call", e.call}, Field{"acquire_time", e.acquire_time}); }
//   };
//
// All fields are handed over in one call, because a struct with members that are references cannot be changed once it
// is there, but can be made of all of them: E{keep(fields.value)...}. So the list has all members, in their order.
// Cost: none, it is gone when compiled.
#pragma once

namespace waitstate {

/// A member of a struct: its name as Python shows it, and the member.
template <class T>
struct Field {
  const char* name;
  T& value;
};
template <class T>
Field(const char*, T&) -> Field<T>;

/// A struct with such a list.
template <class E>
concept Structured = requires(const E& e) {
  E::fields(e, [](const auto&...) { return 0; });
};

}  // namespace waitstate
