// Decides what a region is from what a recorder says of it: paradigm, role and name.
#pragma once

#include "waitstate/definitions.hpp"

namespace waitstate::model {

/// Class of a region by its name, role and paradigm; the derived fields of `region` are not looked at.
RegionClass classify(const Region& region);

}  // namespace waitstate::model
