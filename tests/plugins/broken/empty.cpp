#include <waitstate/plugin.hpp>

WAITSTATE_PLUGIN()
