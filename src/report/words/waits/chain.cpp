#include "report/words/waits/chain.hpp"

#include <fmt/format.h>

#include "report/facts/waits/chains.hpp"
#include "report/format/names.hpp"

namespace waitstate::report {
namespace {

constexpr std::size_t most_names = 4;  ///< as many waiting locations are named in a sentence

}  // namespace

std::string share_text(double share) { return fmt::format("{:.{}f} %", 100 * share, share < 0.9995 ? 1 : 0); }

std::string end_clause(const WaitChain& chain, const PathText& path) {
  const std::string share = fmt::format(" ({} of the delay)", share_text(chain.root_share));
  switch (chain.end) {
    case WaitChain::End::work:
      return ", which was in " + path(chain.root) + share +
             (last_waited_too(chain) ? fmt::format(" and itself waited for {} of it", share_text(chain.waited_share))
                                     : "");
    case WaitChain::End::unexplained:
      return ", which was in " + path(chain.root) + share + "; the trace does not tell why it took so long there";
    case WaitChain::End::missing_record:
      return ", which was in " + path(chain.root) + share +
             ": the trace lacks the other half of a message, so the chain ends there";
    case WaitChain::End::missing_member:
      return ", which was in " + path(chain.root) + share +
             ": the trace lacks a member of the operation, so the chain ends there";
    case WaitChain::End::missing_start:
      return ", which was in " + path(chain.root) + share +
             ": the trace lacks the start of an operation that completes in it, so the chain ends there";
    case WaitChain::End::missing_part:
      return ", which was in " + path(chain.root) + share +
             ": the trace lacks a part of the epoch, or the previous owner of the lock, so the chain ends there";
    case WaitChain::End::no_record:
      return ", which was in " + path(chain.root) + share +
             ": the trace has no record of what it waited for, so the chain ends there";
    case WaitChain::End::not_followed:
      return ", which was in " + path(chain.root) + share +
             ": waits there are followed only with --set critical_path.all_waits=1";
    case WaitChain::End::no_culprit:
      return "; the trace does not say whom it waited for";
    case WaitChain::End::nothing:
      return ", which came late, but spent no more time in any call path than the location that waited for it";
    case WaitChain::End::circle:
      return ", and so on in a circle, as the clocks disagree";
    case WaitChain::End::left_out:
      return ", and so on: the rest of the chain was not followed";
  }
  return "";
}

std::string further_causes_clause(const AnalysisResult& result, const WaitChain& chain, const PathText& path) {
  std::string text;
  for (const ChainCause& c : further_causes(chain))
    text += fmt::format("{} {} was in {} ({})", text.empty() ? ";" : ",",
                        location_label(result.definitions, c.location), path(c.callpath), share_text(c.share));
  return text;
}

const char* awaited(Crossing crossing) {
  switch (crossing) {
    case Crossing::late_sender:
      return "a message";
    case Crossing::late_receiver:
      return "the receive of its message";
    case Crossing::barrier:
      return "the last process at a barrier";
    case Crossing::n_to_n:
      return "the last process of an N x N operation";
    case Crossing::one_to_n:
      return "the root of an operation";
    case Crossing::n_to_one:
      return "the last process that sends to it in an operation";
    case Crossing::finalize:
      return "the last process at MPI_Finalize";
    case Crossing::fork:
      return "its team";
    case Crossing::team_barrier:
      return "the last thread at a barrier";
    case Crossing::window:
      return "the last process at its window";
    case Crossing::epoch:
      return "its part of an epoch";
    case Crossing::passive_target:
      return "its lock, or its next MPI call";
    case Crossing::shmem_collective:
      return "the last process, or the root, of an operation";
    case Crossing::shmem_pair:
      return "its lock, or its write to memory";
    case Crossing::lock:
      return "its lock";
    case Crossing::task:
      return "the creation or the end of a task";
    case Crossing::device:
      return "its kernel";
    case Crossing::launch:
      return "the launch of its kernel";
    case Crossing::scan:
      return "a process of lower rank in a prefix reduction";
    case Crossing::late_root:
      return "the root of an operation, which receives";
    case Crossing::late_members:
      return "a process that receives in an operation";
    case Crossing::creation:
      return "the last process where a communicator is created";
    case Crossing::none:
      break;
  }
  return "something";
}

std::string chain_clause(const AnalysisResult& result, const WaitChain& chain, const PathText& path) {
  std::string text;
  const std::size_t hops = chain.steps.size() - 1;  // behind the first culprit
  const std::size_t shown = hops <= most_names ? hops : most_names - 1;
  for (std::size_t i = 1; i <= shown; ++i) {
    const LocationId next = chain.steps[i].culprit;
    text += ", itself waiting";
    if (next.valid()) text += " for " + location_label(result.definitions, next);
  }
  if (shown < hops) {
    const LocationId last = chain.steps.back().culprit;
    text += fmt::format(", and so on over {} more waits", hops - shown);
    if (last.valid()) text += " to " + location_label(result.definitions, last);
  }
  return text + end_clause(chain, path) + further_causes_clause(result, chain, path);
}

}  // namespace waitstate::report
