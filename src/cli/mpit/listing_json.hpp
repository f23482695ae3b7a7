// The listing of `waitstate mpit --json`.
#pragma once

#include <string>

#include "cli/mpit/listing_choice.hpp"

namespace waitstate::cli {

/// One object with a list of each kind that was asked for; `mpi` is openmpi or mpich.
std::string listing_json(const record::ToolListing& listing, const ListingChoice& choice, const std::string& mpi);

}  // namespace waitstate::cli
