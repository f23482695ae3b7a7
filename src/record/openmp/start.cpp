#include "record/openmp/start.hpp"

#include <mutex>

#include "record/core/recorder.hpp"
#include "record/core/run_folder.hpp"
#include "record/user/functions.hpp"

namespace waitstate::record {

#ifdef WAITSTATE_RECORD_THREADS
namespace {

const std::uint64_t loaded = now();

}  // namespace

void begin_without_mpi() {
  static std::once_flag once;
  if (recording.load(std::memory_order_relaxed)) return;
  std::call_once(once, [] {
    if (settings().folder.empty()) return;
    std::string folder = settings().folder;
    if (const std::string problem = make_folder(folder); !problem.empty()) return say(problem);
    if (!begin(folder, {0, 1, "threads", true}, loaded)) return;
    watch_end();
    enter_open_functions(loaded);
  });
}
#else
void begin_without_mpi() {}
#endif

std::uint32_t lock_number(std::uint64_t own) { return static_cast<std::uint32_t>(process_rank() << 16 ^ own); }

}  // namespace waitstate::record
