// The members of a compound event, listed once beside the struct. Copying an event, showing it to Python and making
// rows of it all use this list, so none of them has to be changed for a new event.
//
//   struct LockAcquired {
//     const Call& call;
//     Time acquire_time = 0;
//     static auto fields(auto& e, auto&& f) { return f(Field{"call", e.call}, Field{"acquire_time", e.acquire_time}); }
//   };
//
// All fields are passed in one call, because a struct whose members are references cannot be changed once it exists,
// but can be constructed from all of them: E{keep(fields.value)...}. So the list has all members, in their order. Cost:
// none at run time.
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

/// A struct with such a list of fields.
template <class E>
concept Structured = requires(const E& e) {
  E::fields(e, [](const auto&...) { return 0; });
};

}  // namespace waitstate
