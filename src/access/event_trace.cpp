// EventTrace: the same pass as analyze(), with the store that lets nothing go and no patterns.
#include "waitstate/trace/event_trace.hpp"

#include <optional>
#include <stdexcept>

#include "access/epoch_store.hpp"
#include "merge/event_store.hpp"
#include "merge/merge.hpp"
#include "pass/pass.hpp"
#include "pass/trace_input.hpp"
#include "waitstate/error.hpp"
#include "waitstate/trace/notation.hpp"

namespace waitstate {

struct EventTrace::State {
  explicit State(const std::filesystem::path& path)
      : input(path), store(call_tree, input.definitions().locations.size(), true) {}

  void read(const EventTraceOptions& options, link::CancelledSends& cancelled);

  pass::TraceInput input;
  CallTree call_tree;
  Diagnostics diagnostics;
  merge::EventStore store;
  std::unique_ptr<access::EpochStore> epochs;  ///< null if nobody asked for them
};

EventTrace::EventTrace(const std::filesystem::path& path, const EventTraceOptions& options) {
  link::CancelledSends cancelled;
  do {
    state_.reset();
    state_ = std::make_unique<State>(path);
    state_->read(options, cancelled);
  } while (cancelled.read_again());
}

void EventTrace::State::read(const EventTraceOptions& options, link::CancelledSends& cancelled) {
  const Definitions& definitions = input.definitions();
  if (options.epochs) epochs = std::make_unique<access::EpochStore>(options.rma_model);
  const pass::PassOptions pass_options{options.threads, options.chunk_events, options.attribute_lists,
                                       options.progress};
  link::MergeFeed feed;
  link::Linker linker(definitions, call_tree, diagnostics, epochs.get(), &feed, cancelled);
  merge::Merge merge(definitions, feed, store, nullptr, false);
  if (options.transfers) merge.derive_transfers(call_tree, options.rma_model);
  std::vector<std::unique_ptr<pass::Pass>> passes;
  passes.push_back(std::make_unique<pass::Pass>(input, linker, &merge, pass_options));
  if (pass::Pass::threads(definitions, pass_options) > 1) store.prepare_memory_ahead();
  passes.front()->run();
  store.all_events_are_in();
  diagnostics.merge(merge.diagnostics());
  pass::Damage damage;
  for (const auto& pass : passes) pass->collect(damage);
  damage.finish(input.definitions().clock, input.diagnostics(), diagnostics);
  if (epochs) epochs->finish();
  cancelled = linker.cancelled();
}

EventTrace::~EventTrace() = default;
EventTrace::EventTrace(EventTrace&&) noexcept = default;
EventTrace& EventTrace::operator=(EventTrace&&) noexcept = default;

Position EventTrace::size() const { return state_->store.size(); }
Event EventTrace::event(Position pos) const { return state_->store.event(pos); }
Time EventTrace::time(Position pos) const { return state_->store.time(pos); }
LocationId EventTrace::location(Position pos) const { return state_->store.location(pos); }
EventType EventTrace::type(Position pos) const { return state_->store.type(pos); }
Position EventTrace::enterptr(Position pos) const { return state_->store.enterptr(pos); }
std::string EventTrace::literal(Position pos) const { return waitstate::literal(event(pos), definitions()); }

std::vector<Position> EventTrace::stack(LocationId loc, Position pos) const {
  return state_->store.stack(loc, pos == no_position && size() != 0 ? size() - 1 : pos);
}
std::vector<Position> EventTrace::queue(Position pos, std::optional<LocationId> src,
                                        std::optional<LocationId> dest) const {
  return state_->store.queue(pos == no_position && size() != 0 ? size() - 1 : pos, src, dest);
}

std::span<const OneSided> EventTrace::epochs() const {
  if (!state_->epochs)
    throw UsageError("this trace was read without epochs, set EventTraceOptions::epochs to keep them");
  return state_->epochs->all();
}

const Definitions& EventTrace::definitions() const { return state_->input.definitions(); }
const CallTree& EventTrace::call_tree() const { return state_->call_tree; }
const Diagnostics& EventTrace::diagnostics() const { return state_->diagnostics; }
double EventTrace::seconds(Time t) const {
  const Time first = size() == 0 ? 0 : state_->store.time(0);
  return static_cast<double>(static_cast<Ticks>(t - first)) / static_cast<double>(definitions().clock.resolution);
}
std::size_t EventTrace::memory() const {
  return state_->store.memory() + (state_->epochs ? state_->epochs->memory() : 0);
}

}  // namespace waitstate
