// Types of records that OTF2 3.2 has added: the library that writes archives for tests may be an older one.
#pragma once

#include "waitstate/trace/event_type.hpp"

namespace waitstate::support {

constexpr bool is_of_otf2_3_2(EventType type) {
  return type == EventType::probe || type == EventType::mrecv || type == EventType::imrecv_request ||
         type == EventType::imrecv;
}

}  // namespace waitstate::support
