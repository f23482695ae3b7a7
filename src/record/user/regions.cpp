#include "record/user/regions.hpp"

#include <vector>

#include "record/core/settings.hpp"
#include "record/openmp/start.hpp"
#include "waitstate/record.h"

namespace waitstate::record {

namespace {

std::vector<std::uint32_t>& open_regions(Thread& t) {
  if (t.adapter[1] == nullptr) t.adapter[1] = new std::vector<std::uint32_t>;
  return *static_cast<std::vector<std::uint32_t>*>(t.adapter[1]);
}

}  // namespace

void enter_user_region(const char* name) {
  begin_without_mpi();
  Thread* const t = current();
  if (t == nullptr || t->depth != 0 || name == nullptr) return;
  const std::uint32_t region = define_region(name, OTF2_PARADIGM_USER, OTF2_REGION_ROLE_FUNCTION);
  if (!t->begin_writing()) return;
  t->last = now();
  if (t->first == 0) t->first = t->last;
  OTF2_EvtWriter_Enter(t->writer, nullptr, t->last, region);
  open_regions(*t).push_back(region);
  t->end_writing();
}

void leave_user_region() {
  Thread* const t = current();
  if (t == nullptr || t->depth != 0 || open_regions(*t).empty() || !t->begin_writing()) return;
  t->last = now();
  OTF2_EvtWriter_Leave(t->writer, nullptr, t->last, open_regions(*t).back());
  open_regions(*t).pop_back();
  t->end_writing();
}

void leave_user_regions(Thread& t, std::uint64_t time) {
  if (t.adapter[1] == nullptr) return;
  std::vector<std::uint32_t>& open = open_regions(t);
  for (; !open.empty(); open.pop_back()) OTF2_EvtWriter_Leave(t.writer, nullptr, time, open.back());
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
