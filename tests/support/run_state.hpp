// The state of open regions and messages in flight that a pattern sees in its event callbacks, compared with the state
// that EventTrace gives for the same event; and the wrong-order pattern of the EXPERT paper, which needs this state.
#pragma once

#include <cstdint>
#include <filesystem>
#include <map>
#include <string>
#include <vector>

#include "waitstate/analysis.hpp"
#include "waitstate/pattern/pattern.hpp"
#include "waitstate/trace/event_trace.hpp"

namespace waitstate::support {

/// Analyses the trace with a pattern that, at every `every`-th event, asks for the stacks of all locations and for the
/// queues of all sources and targets, and looks at the events that they refer to. Returns the first differences from
/// EventTrace, a line each; empty if there are none.
std::string state_differences(const std::filesystem::path& trace, AnalysisOptions options = {}, Position every = 1);

/// A trace in the notation without one event in sixteen: sends and receives lack their other half, and regions are not
/// left, or not entered.
std::string damaged(const std::string& text, std::uint64_t seed);

/// "Receiving messages in wrong order" of Wolf and Mohr (EuroPar 2001, section 4): at every receive, the message queue
/// is asked for older messages to the same target. Metrics: `queued_older`, the time of the receiving calls;
/// `queued_older_wait`, their Late Sender waits; its parts `queued_older_same` and `queued_older_different`, in which
/// all older messages come from the process of the received one, or none. Messages that the call itself receives count
/// as in order.
class QueuedOlder : public Pattern {
 public:
  PatternInfo info() const override;
  void init(Context&) override { found_.clear(); }
  void recv_callback(const Event& recv, Context& c) override;
  void exit_callback(const Event& exit, Context& c) override;

 private:
  struct Found {
    Position send;
    std::vector<Position> older;
  };
  std::map<Position, std::vector<Found>> found_;  ///< by the enter of the receiving call
};

struct WrongOrders {
  /// Differences between QueuedOlder and `wrong_order`, `mpi_latesender_wo`, `mpi_lswo_same` and `_different`, a line
  /// each. Waits are compared in calls that receive one message: with several, mpi_latesender takes only the longest
  /// wait.
  std::string differences;
  std::size_t calls = 0, waits = 0;  ///< call paths and locations with some, that were compared
};
WrongOrders wrong_orders(const std::filesystem::path& trace, AnalysisOptions options = {});

}  // namespace waitstate::support
