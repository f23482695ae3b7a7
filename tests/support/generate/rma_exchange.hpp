// Pattern rma: the operations of a rank on the window, in an iteration and around all of them.
#pragma once

#include "location_writer.hpp"
#include "rank_program.hpp"
#include "schedule.hpp"

namespace generate {

/// On average; an exchange has up to two puts more or less.
inline constexpr ExchangeSize rma_exchange_size{47, 23};

void create_window(LocationWriter& out);
void free_window(LocationWriter& out, std::uint64_t time);

/// General active target synchronisation with the neighbours, a lock that two ranks want, a lock whose target has to
/// make progress, and a fence.
void rma_exchange(LocationWriter& out, const Schedule& schedule, std::uint64_t rank, std::uint64_t ranks,
                  std::uint64_t k);

}  // namespace generate
