#include "record/user/regions.hpp"

#include <array>
#include <cstring>
#include <vector>

#include "record/core/adapter.hpp"
#include "record/core/settings.hpp"
#include "record/openmp/start.hpp"
#include "waitstate/record.h"

namespace waitstate::record {

namespace {

struct Regions {
  struct Known {
    const char* name = nullptr;
    std::uint32_t region = undefined;
  };
  std::vector<std::uint32_t> open;  // undefined: entered while recording was off
  std::array<Known, 64> known;      // by the address of the name
};

void leave_regions(Thread& t, std::uint64_t time);
constexpr Adapter regions_adapter = {AdapterId::regions, leave_regions};

Regions& regions_of(Thread& t) { return state_of<Regions>(t, regions_adapter); }

std::vector<std::uint32_t>& open_regions(Thread& t) { return regions_of(t).open; }

// Another name may have come to be at the same address.
std::uint32_t region_of(Thread& t, const char* name) {
  const auto at = reinterpret_cast<std::uintptr_t>(name);
  Regions& r = regions_of(t);
  Regions::Known& k = r.known[(at ^ at >> 6) % r.known.size()];
  if (k.name != name || std::strcmp(region_name(k.region), name) != 0)
    k = {name, define_region(name, OTF2_PARADIGM_USER, OTF2_REGION_ROLE_FUNCTION)};
  return k.region;
}

void leave_regions(Thread& t, std::uint64_t time) {
  Regions* const r = find_state<Regions>(t, regions_adapter);
  if (r == nullptr) return;
  for (; !r->open.empty(); r->open.pop_back())
    if (r->open.back() != undefined) t.record_anyway(OTF2_EvtWriter_Leave, time, r->open.back());
}

}  // namespace

void enter_user_region(const char* name) {
  begin_without_mpi();
  Thread* const t = current();
  if (t == nullptr || t->depth != 0 || name == nullptr) return;
  const std::uint32_t region = region_of(*t, name);
  if (!t->begin_writing()) return;
  follow_pause(*t);
  t->record(OTF2_EvtWriter_Enter, now(), region);
  open_regions(*t).push_back(t->muted ? undefined : region);
  t->end_writing();
}

void leave_user_region() {
  Thread* const t = current();
  if (t == nullptr || t->depth != 0 || open_regions(*t).empty() || !t->begin_writing()) return;
  follow_pause(*t);
  const std::uint32_t region = open_regions(*t).back();
  open_regions(*t).pop_back();
  if (region != undefined) t->record_anyway(OTF2_EvtWriter_Leave, now(), region);
  t->end_writing();
}

}  // namespace waitstate::record

extern "C" {
__attribute__((visibility("default"))) void waitstate_region_begin(const char* name) {
  if ((waitstate::record::settings().groups & waitstate::record::group::user) != 0)
    waitstate::record::enter_user_region(name);
}
__attribute__((visibility("default"))) void waitstate_region_end(void) {
  if ((waitstate::record::settings().groups & waitstate::record::group::user) != 0)
    waitstate::record::leave_user_region();
}
}
