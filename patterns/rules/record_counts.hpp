// The metrics that count what the trace has of MPI calls: a call that none of them has counted left no record.
#pragma once

namespace waitstate::patterns {

inline constexpr const char* record_counts[] = {"comms_send", "comms_recv", "syncs_send", "syncs_recv",
                                                "syncs_coll", "comms_cxch", "comms_csrc", "comms_cdst"};

}  // namespace waitstate::patterns
