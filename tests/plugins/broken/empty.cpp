#include <waitstate/pattern/plugin.hpp>

WAITSTATE_PLUGIN()
