#include "pass/pass.hpp"

#include <sys/resource.h>

#include <algorithm>
#include <limits>
#include <span>
#include <system_error>
#include <thread>

#include "merge/merge.hpp"

namespace waitstate::pass {

namespace {
// Events of a location decoded at a time.
//
// Few, so that what is open between the locations - calls and messages of which one side has been read only - stays in
// the processor's caches or at least in little memory; not too few, as going from one location to the next, whose state
// is not in the caches, costs as well. With very many locations that, and opening their files again, is what costs
// most: then as many as memory allows. (Measured on 64, 512, 1,024, 4,096 and 10,000 locations.)
constexpr std::size_t in_caches = std::size_t{1} << 15, fewest_events = 512, most_events = 2048;
constexpr std::size_t very_many_locations = 4096, events_of_very_many = 1536;
std::size_t default_chunk_events(std::size_t locations) {
  if (locations > very_many_locations) return events_of_very_many;
  return std::clamp(in_caches / std::max<std::size_t>(locations, 1), fewest_events, most_events);
}
// A chunk must not end inside a call with communication records; one that is longer than this is cut all the same.
constexpr std::size_t longest_chunk = std::size_t{1} << 20;
// Descriptors left to the program that uses the library.
constexpr rlim_t descriptors_kept_free = 64, most_open = 1 << 16;
// How many chunks a thread decodes ahead of the linking one: enough that it need not wait for it.
constexpr std::size_t chunks_ahead = 16, most_ahead = 16;
constexpr std::size_t groups_per_thread = 8;

// Event files that may be open at a time, each a descriptor: half of few descriptors, all but some of many. What is
// closed is opened again at its place, at the price of a few system calls.
std::size_t open_files() {
  rlimit limit{};
  if (getrlimit(RLIMIT_NOFILE, &limit) != 0) return descriptors_kept_free;
  const rlim_t n = limit.rlim_cur;
  return std::clamp<rlim_t>(n > 2 * descriptors_kept_free ? n - descriptors_kept_free : n / 2, 1, most_open);
}
}  // namespace

static std::vector<LocationId> all_locations(const Definitions& definitions) {
  std::vector<LocationId> all;
  for (std::size_t l = 0; l < definitions.locations.size(); ++l) all.push_back(LocationId{l});
  return all;
}

unsigned Pass::threads(const Definitions& definitions, const PassOptions& options) {
  const unsigned n = options.threads != 0 ? options.threads : std::clamp(std::thread::hardware_concurrency(), 1u, 8u);
  return static_cast<unsigned>(std::min<std::size_t>(n, std::max<std::size_t>(definitions.locations.size(), 1)));
}

Pass::Pass(TraceInput& input, link::Linker& linker, merge::Merge* merge, const PassOptions& options,
           std::optional<std::vector<LocationId>> own)
    : input_(input),
      linker_(linker),
      merge_(merge),
      options_(options),
      threads_(own ? 1 : threads(input.definitions(), options)),
      own_(own ? std::move(*own) : all_locations(input.definitions())),
      announced_(input.announced_events()),
      tasks_(input.definitions().locations.size()),
      order_(linker, rounds_, mutex_, [this](std::unique_ptr<replay::Chunk> chunk) { process(std::move(chunk)); }) {
  const std::size_t n = own_.size();
  const std::size_t open =
      std::max<std::size_t>(open_files() * n / std::max<std::size_t>(input.definitions().locations.size(), 1), 1);
  chunk_events_ = options.chunk_events != 0 ? options.chunk_events : default_chunk_events(n);

  // More groups than threads, so that the group of the location that is wanted next is seldom busy with another one.
  const std::size_t group_count = threads_ == 1 ? 1 : std::min({n, std::size_t{threads_} * groups_per_thread, open});
  std::vector<std::vector<LocationId>> locations(std::max<std::size_t>(group_count, 1));
  // A chunk does not end inside a call for a device, or a search for a message, that is noted. In a damaged trace the
  // order of events depends on where chunks end: so such calls are noted whenever events are, and that order is the
  // same whatever is asked for.
  const replay::LocationReplay::Options replay_options{.keep_events = merge != nullptr,
                                                       .keep_attribute_lists = options.attribute_lists,
                                                       .mpi_calls = linker.wants_mpi_calls(),
                                                       .from = options.from,
                                                       .to = options.to,
                                                       .counters = options.counters,
                                                       .device_calls = linker.wants_device_calls() || merge != nullptr,
                                                       .searches = linker.wants_searches() || merge != nullptr,
                                                       .work = linker.wants_work(),
                                                       .steps = linker.wants_steps(),
                                                       .work_to_end_of_team = linker.wants_work_to_end_of_team()};
  for (std::size_t i = 0; i < n; ++i) {
    const LocationId l = own_[i];
    Task& task = tasks_[l.index()];
    task.group = i % locations.size();
    task.replay = std::make_unique<replay::LocationReplay>(input.definitions(), l, replay_options);
    locations[task.group].push_back(l);
    rounds_.add(l, progress(l));
  }
  for (const auto& l : locations)
    groups_.push_back(
        input.reader_group(l, options.attribute_lists || replay::LocationReplay::needs_lists(input.definitions()),
                           std::max<std::size_t>((open + locations.size() - 1) / locations.size(), 1)));
  group_busy_.assign(groups_.size(), false);
}

void Pass::run() {
  wanted_ = order_.next();
  finished_ = !wanted_.valid();
  std::vector<std::thread> helpers;
  helpers.reserve(threads_);
  try {
    for (unsigned i = 1; i < threads_; ++i) helpers.emplace_back([this] { work(false); });
  } catch (const std::system_error&) {
    // The system provides no more threads: the existing ones do the work.
  }
  work(true);
  for (std::thread& t : helpers) t.join();
  if (failure_) std::rethrow_exception(failure_);
  linker_.finish();
  if (merge_ != nullptr) merge_->take_last(merge_->feed().take_rest(linker_.missing_count()));
  if (options_.progress) options_.progress(done_, announced_);
}

void Pass::forget() {
  tasks_ = util::PagedTable<Task>(tasks_.size());
  groups_.clear();
  spare_.clear();
}

void Pass::work(bool links) {
  std::unique_lock lock(mutex_);
  try {
    while (!finished_) {
      if (links && tasks_[wanted_.index()].ready) {
        std::unique_ptr<replay::Chunk> chunk = std::move(tasks_[wanted_.index()].ready);
        --ready_count_;
        linking_ = wanted_;
        lock.unlock();
        link(std::move(chunk));
        lock.lock();
        linking_ = LocationId::none();
        ++linked_;
        if (idle_ != 0 && (finished_ || linked_ >= wake_at_)) room_.notify_all();
        continue;
      }
      const LocationId l = wanted_ != linking_ && free_to_read(wanted_) ? wanted_ : choose_ahead();
      if (!l.valid()) {
        wait(lock, links);
        continue;
      }
      if (links && idle_ != 0) room_.notify_one();  // a linking thread that must decode needs help
      Task& task = tasks_[l.index()];
      task.reading = true;
      group_busy_[task.group] = true;
      ++reading_count_;
      std::unique_ptr<replay::Chunk> chunk = take_chunk();
      lock.unlock();
      decode(l, *chunk);
      lock.lock();
      task.reading = false;
      task.read_to_end = chunk->last;
      task.ready = std::move(chunk);
      group_busy_[task.group] = false;
      --reading_count_;
      most_ready_ = std::max(most_ready_, ++ready_count_);
      if (linker_waits_) arrived_.notify_one();
    }
  } catch (...) {
    if (!lock.owns_lock()) lock.lock();
    if (!failure_) failure_ = std::current_exception();
    finished_ = true;
  }
  arrived_.notify_one();
  room_.notify_all();
}

// --- one of several workers ------------------------------------------------------------------------------------------

namespace {
// After this many chunks have been linked, all batches are sent, however small they are.
constexpr std::size_t chunks_until_sent = 64, chunks_of_windows_until_sent = 16;
// Events of a worker that may have been read farther than the least far worker is; chunks in which that is measured.
constexpr std::size_t events_ahead = std::size_t{1} << 15, fewest_chunks_ahead = 2, most_chunks_ahead = 64;
}  // namespace

void Pass::run_as_worker(link::Exchange& exchange, link::WorkerId worker, std::atomic<std::uint64_t>& done) {
  std::uint64_t counted = 0;
  const auto progress = std::exchange(options_.progress, nullptr);  // it is told of all workers' events
  const auto report = [&] {
    done += done_ - counted;
    counted = done_;
    exchange.count(done);
    if (progress) progress(done + exchange.events_of_others(), announced_);
  };
  // Others cannot take steps of passive target before they know that no earlier one comes from here.
  const std::size_t most_unsent = linker_.has_windows() ? chunks_of_windows_until_sent : chunks_until_sent;
  std::size_t until_sent = most_unsent;
  for (wanted_ = order_.next(); wanted_.valid() && !exchange.stopped();) {
    linker_.take_posted();
    if (const Ticks least = exchange.least_progress(); is_too_far(least) || !exchange.has_room(worker)) {
      report();
      linker_.send_batches(1);
      exchange.wait(worker, least);
      continue;
    }
    std::unique_ptr<replay::Chunk> chunk = take_chunk();
    decode(wanted_, *chunk);
    order_.take(std::move(chunk));
    wanted_ = order_.next();
    if (--until_sent == 0) {
      until_sent = most_unsent;
      linker_.send_batches(0);
    }
    if (wanted_.valid()) exchange.publish(worker, rounds_.by_progress().front().first);
    report();
  }
  exchange.publish(worker, std::numeric_limits<Ticks>::max());
  const auto wait_for_all = [&] {
    while (!linker_.all_told() && !exchange.stopped()) {
      report();
      if (linker_.take_posted()) continue;
      linker_.send_batches(1);
      exchange.wait(worker, exchange.least_progress());
    }
  };
  if (exchange.stopped()) return;
  linker_.end_reading();
  wait_for_all();
  if (exchange.stopped()) return;
  linker_.answer_rest();
  wait_for_all();
  for (unsigned stages = linker_.more_stages(); stages != 0 && !exchange.stopped(); --stages) {
    linker_.end_stage();
    wait_for_all();
  }
  if (exchange.stopped()) return;
  linker_.close();
  report();
}

// The worker that is furthest behind is never too far ahead, so at least one can always continue.
bool Pass::is_too_far(Ticks least) const {
  const Ticks own = rounds_.by_progress().front().first;
  if (own <= least || chunks_ == 0) return false;
  const std::size_t ahead = std::clamp(events_ahead / std::max<std::size_t>(chunk_events_ * own_.size(), 1),
                                       fewest_chunks_ahead, most_chunks_ahead);
  return static_cast<Time>(own) - static_cast<Time>(least) > covered_ / chunks_ * ahead;
}

// --- several threads -------------------------------------------------------------------------------------------------

// Waking a thread costs as much as decoding many events. So the linking thread is woken only when it waits; the others
// not for every chunk that is linked, but when half as many are as they look ahead. (Not when half of what they decoded
// is: some of that may be wanted much later, see choose_ahead().)
void Pass::wait(std::unique_lock<std::mutex>& lock, bool links) {
  if (links) {
    linker_waits_ = true;
    arrived_.wait(lock);
    linker_waits_ = false;
  } else {
    wake_at_ = linked_ + std::max<std::size_t>(std::min(ready_count_ + reading_count_, chunks_ahead * threads_) / 2, 1);
    ++idle_;
    room_.wait(lock);
    --idle_;
  }
}

void Pass::decode(LocationId l, replay::Chunk& chunk) {
  Task& task = tasks_[l.index()];
  ReaderGroup& group = *groups_[task.group];
  replay::LocationReplay& replay = *task.replay;
  if (options_.index != nullptr) options_.index->note(l, group, replay, task.events);
  replay.begin(chunk);
  std::size_t n = group.read(l, replay, chunk_events_);
  // Ever more events at a time until it may end: with as many each time, a loop could be left at the same place each
  // time.
  for (std::size_t more = 1; !group.at_end(l) && !replay.closed() && n < longest_chunk; ++more)
    n += group.read(l, replay, more);
  chunk.event_count = n;
  task.events += n;
  replay.end(group.at_end(l));
}

// Called by the linking thread, without the lock: only this thread looks at the linker.
void Pass::link(std::unique_ptr<replay::Chunk> chunk) {
  order_.take(std::move(chunk));
  const LocationId next = order_.next();
  const std::lock_guard lock(mutex_);
  wanted_ = next;
  if (!next.valid()) finished_ = true;  // it may be already: another thread has failed
}

void Pass::process(std::unique_ptr<replay::Chunk> chunk) {
  const LocationId l = chunk->location;
  const Ticks before = progress(l);
  linker_.process(*chunk);
  if (merge_ != nullptr) {
    linker_.name_call_paths(*chunk);
    merge_->take(merge_->feed().take(*chunk, linker_.missing_count()));
  }
  {
    const std::lock_guard lock(mutex_);
    const Ticks after = progress(l);
    rounds_.advance(l, before, after, linker_.at_end(l));
    covered_ += static_cast<Time>(after) - static_cast<Time>(before);
    ++chunks_;
    done_ += chunk->event_count;
    spare_.push_back(std::move(chunk));
  }
  if (options_.progress) options_.progress(done_, announced_);
}

// How far the location has been read. The merge goes on to where the first location has been read, by the clock;
// without one, processes are taken to have begun together, whatever their clocks show.
Ticks Pass::progress(LocationId l) const {
  return merge_ != nullptr ? static_cast<Ticks>(linker_.read_up_to(l) / 2) : linker_.progress(l);
}

bool Pass::free_to_read(LocationId l) const {
  const Task& t = tasks_[l.index()];
  return !t.reading && !t.read_to_end && !t.ready && !group_busy_[t.group];
}

// The location that will probably be wanted after those that are being decoded: of this round, then of the next. Only
// those are looked at whose turn is near: what is decoded too early fills the caches, and there would be no end to it.
// The one that is being linked still stands in front, but will go to the back. Some is too early all the same: while
// locations go from one phase of the program to the next, those that have are last in line and yet the nearest.
LocationId Pass::choose_ahead() const {
  const std::size_t near = chunks_ahead * threads_;
  if (ready_count_ + reading_count_ >= most_ahead * near) return LocationId::none();
  const LocationId l = rounds_.next_ahead(near, [&](LocationId c) { return c != linking_ && free_to_read(c); });
  if (l.valid()) return l;
  return linking_.valid() && free_to_read(linking_) ? linking_ : LocationId::none();
}

std::unique_ptr<replay::Chunk> Pass::take_chunk() {
  if (!spare_.empty()) {
    std::unique_ptr<replay::Chunk> chunk = std::move(spare_.back());
    spare_.pop_back();
    return chunk;
  }
  // Room for as many records as a chunk may have: if each chunk grew to what it has to hold at most, the memory would
  // grow with the trace, chunk by chunk, until all have.
  auto chunk = std::make_unique<replay::Chunk>();
  chunk->records.reserve(std::min(chunk_events_, most_events));
  chunk->calls.reserve(std::min(chunk_events_, most_events) / 2);
  return chunk;
}

void Pass::collect(Damage& damage) const {
  for (const auto& group : groups_)
    if (group->diagnostics() != nullptr) damage.diagnostics.merge(*group->diagnostics());
  for (const LocationId l : own_) {
    const Task& t = tasks_[l.index()];
    damage.diagnostics.merge(t.replay->diagnostics());
    if (t.replay->event_count() == 0) continue;
    const replay::PathInterval jump = t.replay->longest_jump();
    damage.spans.push_back({l, t.replay->first_time(), t.replay->last_time(), jump.length(), jump.end});
  }
}

ReadLocation Pass::read(LocationId l) const {
  const replay::LocationReplay& r = replay(l);
  ReadLocation read;
  read.events = r.event_count();
  read.first_time = r.first_time();
  read.last_time = r.last_time();
  read.ended_in_region = r.ended_in_region();
  read.command.assign(r.command().begin(), r.command().end());
  if (!read.ended_in_region || r.last_callpath() == 0) return read;
  read.last_callpath = linker_.call_path(l, r.last_callpath());
  read.last_enter = r.last_enter();
  return read;
}

}  // namespace waitstate::pass
