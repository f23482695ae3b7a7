#include "model/device_calls.hpp"

#include <algorithm>
#include <string>

namespace waitstate::model {

bool waits_for_device(const Region& region) {
  const RegionClass c = region.region_class;
  if (c != RegionClass::cuda_time && c != RegionClass::hip_time && c != RegionClass::opencl_time &&
      c != RegionClass::openacc_time)
    return false;
  std::string name = region.name;
  std::transform(name.begin(), name.end(), name.begin(),
                 [](char ch) { return ch >= 'A' && ch <= 'Z' ? static_cast<char>(ch - 'A' + 'a') : ch; });
  const auto has = [&](const char* part) { return name.find(part) != std::string::npos; };
  if (c == RegionClass::openacc_time) return name.starts_with("acc_wait");
  if (c == RegionClass::opencl_time) return has("clfinish") || has("clwaitforevents");
  if (has("synchronize")) return true;
  return (has("memcpy") || has("free")) && !has("async") && !has("host");
}

}  // namespace waitstate::model
