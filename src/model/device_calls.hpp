// Which calls of a host thread wait for an accelerator: no recorder says so, names do.
#pragma once

#include "waitstate/definitions.hpp"

namespace waitstate::model {

/// Calls of CUDA, HIP, OpenCL and OpenACC that synchronise (cudaStreamSynchronize, clFinish, acc_wait, …), copy without
/// "Async" in their name, or release memory of the device, which waits for whatever may still use it.
bool waits_for_device(const Region& region);

}  // namespace waitstate::model
