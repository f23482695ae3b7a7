#include "link/merge_feed.hpp"

namespace waitstate::link {

MergeStep& MergeFeed::take(replay::Chunk& chunk, std::uint64_t missing_count) {
  MergeStep& step = *step_;
  step.location = chunk.location;
  step.last = chunk.last;
  std::swap(step.events, chunk.events);  // the chunk gets the memory of events that have been merged
  std::swap(step.tasks, chunk.task_events);
  for (const replay::TaskEvent& t : step.tasks)
    if (t.event < step.events.size()) step.events.rows[t.event].switches = true;
  return pass_on(missing_count);
}

MergeStep& MergeFeed::take_rest(std::uint64_t missing_count) {
  step_->location = LocationId::none();
  step_->last = false;
  return pass_on(missing_count);
}

MergeStep& MergeFeed::pass_on(std::uint64_t missing_count) {
  MergeStep& step = *step_;
  step.missing_count = missing_count;
  step.slots = slots_.end();
  step_ = new_step();
  return step;
}

MergeStep* MergeFeed::new_step() {
  if (spare_.empty()) {
    const std::lock_guard lock(mutex_);
    spare_.swap(back_);
    for (MergeStep* s : spare_) {
      slots_.put_back(s->free_slots);
      members_.put_back(s->free_members);
      operations_.put_back(s->free_operations);
    }
  }
  if (spare_.empty()) return all_.emplace_back(std::make_unique<MergeStep>()).get();
  MergeStep* const step = spare_.back();
  spare_.pop_back();
  return step;
}

void MergeFeed::give_back(MergeStep& step) {
  step.events.clear(), step.tasks.clear();
  step.links.clear(), step.notes.clear(), step.operations.clear();
  const std::lock_guard lock(mutex_);
  back_.push_back(&step);
}

}  // namespace waitstate::link
