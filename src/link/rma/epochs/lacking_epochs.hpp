// Reports access and exposure epochs that lack a part, and that nobody knows what their calls waited for.
#pragma once

#include "link/listener.hpp"
#include "waitstate/trace/diagnostics.hpp"

namespace waitstate::link {

inline constexpr const char* no_post = "an access epoch without all of its posts";
inline constexpr const char* no_origin = "an exposure epoch of which an origin's access epoch is missing";
inline constexpr const char* not_completed = "an access epoch that is never completed";
inline constexpr const char* not_waited_for = "an exposure epoch that is never waited for";

inline void report_epoch(Diagnostics& diagnostics, const Call& opened, const char* what) {
  diagnostics.add(DiagnosticId::rma_incomplete, {opened.location, opened.enter, what});
}
inline void tell_of_missing_part(Listener& listener, const Call& call) {
  tell_of_lack(&listener, replay::WorkMark::Kind::without_part, call);
}

}  // namespace waitstate::link
