#include "access/event_stream.hpp"

#include <optional>

#include "merge/event_store.hpp"
#include "merge/merge.hpp"
#include "pass/pass.hpp"
#include "pass/trace_input.hpp"

namespace waitstate::access {

namespace {

/// The first reading of a trace with cancelled sends finds these, and shows nobody its events.
class Nobody final : public merge::EventConsumer {
 public:
  void event(Position, EventType) override {}
};

}  // namespace

struct EventStream::State {
  explicit State(const std::filesystem::path& path) : input(path) {}

  void read(merge::EventConsumer& consumer, const EventStreamOptions& options, link::CancelledSends& cancelled);

  pass::TraceInput input;
  CallTree call_tree;
  Diagnostics diagnostics;
  std::optional<merge::EventStore> store;
  bool read_before = false;
};

EventStream::EventStream(const std::filesystem::path& path) : state_(std::make_unique<State>(path)) {}
EventStream::~EventStream() = default;

const Definitions& EventStream::definitions() const { return state_->input.definitions(); }
const CallTree& EventStream::call_tree() const { return state_->call_tree; }
Event EventStream::event(Position pos) const { return state_->store->event(pos); }

void EventStream::read(merge::EventConsumer& consumer, const EventStreamOptions& options) {
  link::CancelledSends cancelled;
  if (options.sends_may_be_cancelled) {
    Nobody nobody;
    do state_->read(nobody, options, cancelled);
    while (cancelled.read_again());
  }
  state_->read(consumer, options, cancelled);
}

void EventStream::State::read(merge::EventConsumer& consumer, const EventStreamOptions& options,
                              link::CancelledSends& cancelled) {
  const Definitions& definitions = input.definitions();
  const pass::PassOptions pass_options{options.threads, options.chunk_events, options.attribute_lists,
                                       options.progress};
  call_tree = CallTree();
  diagnostics = Diagnostics();
  store.emplace(call_tree, definitions.locations.size(), false);
  link::MergeFeed feed;
  link::Linker linker(definitions, call_tree, diagnostics, nullptr, &feed, cancelled);
  merge::Merge merge(definitions, feed, *store, &consumer, true);
  merge.derive_transfers(call_tree, options.rma_model);
  if (read_before && pass::is_notation(input.path())) {  // its document goes on where it was
    const auto readers = input.reader_group({}, false, 1);
    for (std::size_t l = 0; l < definitions.locations.size(); ++l) readers->go_to(LocationId{l}, {});
  }
  read_before = true;
  pass::Pass(input, linker, &merge, pass_options).run();
  cancelled = linker.cancelled();
}

}  // namespace waitstate::access
