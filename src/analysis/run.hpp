// The state that all of one part of an analysis share: the trace, where results go, and the event of the current
// callback. Only results that lie in the focus are added (focus.hpp). Used by one thread at a time.
#pragma once

#include <algorithm>
#include <memory>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "analysis/dispatch/overtaking.hpp"
#include "analysis/dispatch/receive_waits.hpp"
#include "analysis/dispatch/wait_causes.hpp"
#include "analysis/focus.hpp"
#include "analysis/metrics/communication_book.hpp"
#include "analysis/metrics/message_book.hpp"
#include "analysis/metrics/phase_book.hpp"
#include "analysis/metrics/series_book.hpp"
#include "analysis/metrics/wait_statistics.hpp"
#include "analysis/queues/queue_log.hpp"
#include "causes/engine.hpp"
#include "merge/event_store.hpp"
#include "merge/merge.hpp"
#include "waitstate/result/metrics.hpp"
#include "waitstate/result/severities.hpp"
#include "waitstate/trace/call_tree.hpp"
#include "waitstate/trace/definitions.hpp"

namespace waitstate::analysis {

struct Run {
  Run(const Definitions& d, const CallTree& c, MetricTree& m, FocusFilter& f)
      : definitions(d), call_tree(c), metrics(m), focus(f), overtaking(d) {}

  const Definitions& definitions;
  const CallTree& call_tree;
  MetricTree& metrics;
  FocusFilter& focus;
  Severities severities{0};  ///< both are made anew once all metrics of patterns are in the tree
  WaitRecorder waits{0};
  std::vector<bool> without_place;  ///< by metric: its values have no call path and location of their own
  Overtaking overtaking;
  ReceiveWaits receive_waits;
  // Null if not asked for:
  std::unique_ptr<WaitCauses> causes;
  std::unique_ptr<CommunicationBook> communication;
  std::unique_ptr<MessageBook> messages;
  std::unique_ptr<SeriesBook> series;
  std::unique_ptr<PhaseBook> phases;
  std::optional<CriticalPath> critical_path;
  QueueLog queue_log;  ///< empty if no pattern asks for message queues
  std::vector<std::pair<QueueValue, MetricIndex>> queue_metrics;
  const merge::EventStore* events = nullptr;   ///< null if no pattern has event callbacks
  causes::Notes* notes_of_causes = nullptr;    ///< null if no pattern asks for causes
  causes::Engine* engine_of_causes = nullptr;  ///< null as well then; only the first part has it
  const merge::Merge* merge = nullptr;         ///< null if no pattern has event callbacks; its state is that after the
                                               ///< event being delivered

  Time event_time = 0;  ///< time of the event that event callbacks receive
  bool in_event = false, in_wrapup = false;
  Ticks operation_wait = 0;           ///< sum of all waits that were added about the event being delivered
  bool in_batch = false;              ///< true if values that are added are not about the event being delivered
  std::size_t operation_members = 0;  ///< members of the operation being delivered, 0 outside of one

  /// Adds the results of other parts, which have none afterwards. Threads divide the kinds of results.
  void join(const std::vector<Run*>& others, std::size_t threads);
  /// Brings what join() takes to the same part's of another process, which has nothing.
  template <class Archive>
  void travel(Archive& archive) {
    archive(severities, waits, without_place, queue_log);
    if (communication != nullptr) archive(*communication);
    if (messages != nullptr) archive(*messages);
    if (series != nullptr) archive(*series);
    if (phases != nullptr) archive(*phases);
  }
  void add(MetricIndex metric, CallPathId callpath, LocationId location, std::int64_t value) {
    if (focus.has_callpath(callpath)) severities.add(metric, callpath, location, value);
  }
  /// Notes what is known about the queues of the message's receiver.
  void note_queued(const Message& m) {
    const ProcessId receiver = definitions[m.receiver].process;
    if (!receiver.valid() || !focus.has_location(m.receiver)) return;
    const bool counts = !queue_metrics.empty() && focus.has(m.recv_post->enter);
    const Time posted = m.recv_post->enter, sent = std::min(m.send->enter, m.recv_time);
    queue_log.add({posted, sent, receiver.value, m.comm, definitions[m.sender].process.value,
                   counts ? m.recv_post->callpath : CallPathId::none(), m.recv_post->location, m.post_order});
  }
  /// Adds a wait; its ticks begin with it.
  void add(MetricIndex metric, const Wait& wait) {
    add(metric, wait.callpath, wait.location, wait.ticks);
    if ((series == nullptr && phases == nullptr) || !focus.has(wait.callpath, wait.location)) return;
    if (!is_waiting(metrics[metric].kind) && !metrics[metric].from_plugin) return;
    if (series != nullptr) series->add(metric, wait.location, wait.begin, wait.ticks);
    if (phases != nullptr) phases->add(metric, wait);
  }
  /// From now on, values that are added are one instance of each metric and call path, until the operation is closed.
  void open_operation(std::size_t members) {
    operation_members = members;
    waits.open(members);
  }
  void close_operation() {
    operation_members = 0;
    waits.close();
  }
  /// Describes the place of a failure for messages.
  std::string text(const SourceLocation& at) const {
    return " on location " + std::to_string(at.location.value) + " (" + definitions[at.location].name + ") at time " +
           std::to_string(at.time);
  }
};

}  // namespace waitstate::analysis
