// The messages that probes have found, by their number, for receives on another thread of the process: the replay of a
// location knows only its own (replay/matched_receives.hpp). Cost: nothing in processes of one thread. Memory: what has
// been found and not received.
#pragma once

#include <cstdint>
#include <map>
#include <utility>

#include "link/processes.hpp"
#include "replay/chunk/records.hpp"
#include "waitstate/trace/diagnostics.hpp"

namespace waitstate::link {

class FoundMessages {
 public:
  FoundMessages(const Processes& processes, Diagnostics& diagnostics)
      : processes_(processes), diagnostics_(diagnostics) {}

  /// The record of a probe.
  void add(ProcessId process, const replay::CommRecord& probe) {
    if (processes_.threads(process).size() > 1) found_[{process.value, probe.received}] = probe;
  }
  /// The record of a receive, with sender, tag and communicator if its message was found on another thread; valid until
  /// the next call. A message that nobody has found is counted.
  const replay::CommRecord& with_partner(ProcessId process, LocationId l, const replay::CommRecord& receive) {
    return receive.matched ? matched(process, l, receive) : receive;
  }

 private:
  const replay::CommRecord& matched(ProcessId process, LocationId l, const replay::CommRecord& receive) {
    named_ = receive;
    const auto found = found_.find({process.value, receive.received});
    if (found != found_.end()) {
      named_.peer = found->second.peer;
      named_.tag = found->second.tag;
      named_.comm = found->second.comm;
      found_.erase(found);
    }
    if (!named_.peer.valid()) diagnostics_.add(DiagnosticId::peer_unknown, {l, receive.time, {}});
    return named_;
  }

  const Processes& processes_;
  Diagnostics& diagnostics_;
  std::map<std::pair<std::uint32_t, std::uint64_t>, replay::CommRecord> found_;
  replay::CommRecord named_;
};

}  // namespace waitstate::link
