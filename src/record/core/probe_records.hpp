// The records of messages that were found before they were received, which OTF2 has since 3.2. With an older library
// nothing is written of a probe, and what was found is received as any other message.
#pragma once

#include <otf2/otf2.h>

#include <cstdint>

#include "record/core/recorder.hpp"

namespace waitstate::record {

#if OTF2_VERSION_MAJOR > 3 || (OTF2_VERSION_MAJOR == 3 && OTF2_VERSION_MINOR >= 2)
inline constexpr bool has_probe_records = true;
inline void write_probe(Thread& thread, std::uint64_t time, int sender, std::uint32_t comm, int tag, std::uint64_t id) {
  thread.record(OTF2_EvtWriter_MpiProbe, time, static_cast<std::uint32_t>(sender), comm,
                static_cast<std::uint32_t>(tag), id);
}
inline void write_mrecv(Thread& thread, std::uint64_t time, std::uint64_t message, std::uint64_t bytes) {
  thread.record(OTF2_EvtWriter_MpiMrecv, time, message, bytes);
}
inline void write_imrecv_request(Thread& thread, std::uint64_t time, std::uint64_t message, std::uint64_t request) {
  thread.record(OTF2_EvtWriter_MpiImrecvRequest, time, message, request);
}
inline void write_imrecv(Thread& thread, std::uint64_t time, std::uint64_t request, std::uint64_t bytes) {
  thread.record(OTF2_EvtWriter_MpiImrecv, time, request, bytes);
}
#else
inline constexpr bool has_probe_records = false;
inline void write_probe(Thread&, std::uint64_t, int, std::uint32_t, int, std::uint64_t) {}
inline void write_mrecv(Thread&, std::uint64_t, std::uint64_t, std::uint64_t) {}
inline void write_imrecv_request(Thread&, std::uint64_t, std::uint64_t, std::uint64_t) {}
inline void write_imrecv(Thread&, std::uint64_t, std::uint64_t, std::uint64_t) {}
#endif

}  // namespace waitstate::record
