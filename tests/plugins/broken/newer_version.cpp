// A plug-in of a waitstate that does not exist yet: only the first two members are as we know them.
#include <cstdint>

namespace {
struct Description {
  std::uint32_t interface_version;
  const char* built_with;
  int unknown[8];
};
}  // namespace

extern "C" {
extern const Description waitstate_plugin;
const Description waitstate_plugin = {99, "g++ 42.0", {}};
}
