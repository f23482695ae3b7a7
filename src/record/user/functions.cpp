// The program's own functions, where it was compiled with -finstrument-functions: the compiler's calls at their begin
// and end come here.
//
// A function's region is looked up by its address, in a table of the thread. Its name is found when it is called for
// the first time. What has no name, such as the body of a parallel construct, is no region. Cost: a look-up and two
// reads of the clock a call.
#include <string>
#include <unordered_map>
#include <vector>

#include "record/core/adapter.hpp"
#include "record/user/functions.hpp"
#include "record/user/symbols.hpp"

namespace waitstate::record {

namespace {

// Empty if it has none.
std::string name_of(void* function) {
  const FoundSymbol found = symbol_at(reinterpret_cast<std::uintptr_t>(function));
  return found.offset == 0 ? found.name : std::string();
}

struct Functions {
  std::unordered_map<void*, std::uint32_t> regions;
  std::vector<std::uint32_t> open;  // undefined: none, or entered while recording was off
};

void leave_all(Thread& t, std::uint64_t time);
constexpr Adapter functions_adapter = {AdapterId::functions, leave_all};

Functions& functions(Thread& t) { return state_of<Functions>(t, functions_adapter); }

void leave_all(Thread& t, std::uint64_t time) {
  Functions* const f = find_state<Functions>(t, functions_adapter);
  if (f == nullptr) return;
  for (; !f->open.empty(); f->open.pop_back())
    if (f->open.back() != undefined) t.record_anyway(OTF2_EvtWriter_Leave, time, f->open.back());
}

std::uint32_t region_of(Functions& f, void* function) {
  const auto at = f.regions.find(function);
  if (at != f.regions.end()) return at->second;
  const std::string name = name_of(function);
  const bool construct = name.empty() || is_construct(name);
  const std::uint32_t region =
      construct ? undefined : define_region(name, OTF2_PARADIGM_COMPILER, OTF2_REGION_ROLE_FUNCTION);
  f.regions.emplace(function, region);
  return region;
}

bool recorded() {
  static const bool user = (settings().groups & group::user) != 0;
  return user && recording.load(std::memory_order_relaxed);
}

// Functions that are open when recording begins: main, as a rule.
thread_local std::vector<void*> early __attribute__((tls_model("initial-exec")));

}  // namespace

void enter_open_functions(std::uint64_t start) {
  Thread* const t = this_thread;
  if (t == nullptr || !recorded()) return;
  Functions& f = functions(*t);
  for (void* const function : early) {
    const std::uint32_t region = region_of(f, function);
    f.open.push_back(region);
    if (region == undefined || !t->begin_writing()) continue;
    t->record(OTF2_EvtWriter_Enter, start, region);
    t->end_writing();
  }
}

}  // namespace waitstate::record

extern "C" {

__attribute__((visibility("default"))) void __cyg_profile_func_enter(void* function, void*) {
  using namespace waitstate::record;
  if (!recorded()) {
    if (!recording.load(std::memory_order_relaxed)) early.push_back(function);
    return;
  }
  Thread* const t = current();
  if (t == nullptr || t->depth != 0) return;
  Functions& f = functions(*t);
  const std::uint32_t region = region_of(f, function);
  f.open.push_back(region);
  if (region == undefined || !t->begin_writing()) return;
  follow_pause(*t);
  t->record(OTF2_EvtWriter_Enter, now(), region);
  if (t->muted) f.open.back() = undefined;
  t->end_writing();
}

__attribute__((visibility("default"))) void __cyg_profile_func_exit(void*, void*) {
  using namespace waitstate::record;
  if (!recorded()) {
    if (!early.empty()) early.pop_back();
    return;
  }
  Thread* const t = current();
  if (t == nullptr || t->depth != 0) return;
  Functions& f = functions(*t);
  if (f.open.empty()) return;
  const std::uint32_t region = f.open.back();
  f.open.pop_back();
  if (region == undefined || !t->begin_writing()) return;
  follow_pause(*t);
  t->record_anyway(OTF2_EvtWriter_Leave, now(), region);
  t->end_writing();
}

}  // extern "C"
