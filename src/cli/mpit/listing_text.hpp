// The listing of `waitstate mpit` for people.
#pragma once

#include <ostream>

#include "cli/mpit/listing_choice.hpp"

namespace waitstate::cli {

void print_listing(const record::ToolListing& listing, const ListingChoice& choice, std::ostream& out);

}  // namespace waitstate::cli
