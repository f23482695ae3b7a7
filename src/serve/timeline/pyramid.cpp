#include "serve/timeline/pyramid.hpp"

#include <algorithm>
#include <atomic>
#include <bit>
#include <chrono>
#include <exception>
#include <memory>
#include <mutex>
#include <thread>

#include "serve/timeline/stretch_of_bins.hpp"

namespace waitstate::serve {
namespace {

constexpr std::size_t events_at_a_time = 2048, open_files = 16;

std::size_t bins_for(std::size_t locations, std::size_t most_bytes) {
  const std::size_t fit = most_bytes / (2 * class_count * std::max<std::size_t>(locations, 1));
  return std::clamp(std::bit_floor(fit), Pyramid::fewest_bins, Pyramid::most_bins);
}

std::uint8_t share_of(std::uint64_t ticks, Time width) {
  if (ticks == 0) return 0;
  const double share = 255.0 * static_cast<double>(ticks) / static_cast<double>(width);
  return static_cast<std::uint8_t>(std::clamp(share + 0.5, 0.0, 255.0));
}

}  // namespace

std::uint8_t timeline_class(RegionClass c) {
  enum : std::uint8_t { computation, device, threads, one_sided, collective, point_to_point, file, other };
  using enum RegionClass;
  switch (c) {
    case comp:
      return computation;
    case openacc_time:
    case opencl_time:
    case cuda_time:
    case hip_time:
      return device;
    case mpi_mgmt_win:
    case mpi_rma_sync_active:
    case mpi_rma_sync_passive:
    case mpi_rma_communication:
    case shmem_rma_communication:
    case shmem_point2point_synchronization:
      return one_sided;
    case mpi_sync_collective:
    case mpi_collective:
    case shmem_sync_collective:
    case shmem_collective:
      return collective;
    case mpi_point2point:
      return point_to_point;
    case mpi_mgmt_file:
    case mpi_io_individual:
    case mpi_io_collective:
      return file;
    default:
      return c >= omp_time && c <= pthread_conditional ? threads : other;
  }
}

std::vector<std::uint8_t> timeline_classes_of(const Definitions& definitions) {
  std::vector<std::uint8_t> classes;
  for (const Region& region : definitions.regions) classes.push_back(timeline_class(region.region_class));
  return classes;
}

Pyramid::Pyramid(pass::TraceInput& input, Time first, Time last, unsigned threads,
                 const std::function<void(std::uint64_t)>& progress)
    : start_(first),
      events_of_(input.definitions().locations.size()),
      calls_of_(events_of_.size()),
      sends_of_(events_of_.size()),
      program_of_(events_of_.size()),
      last_of_(events_of_.size()),
      index_(events_of_.size()),
      counters_(input.definitions()),
      counter_store_(std::in_place, counters_.size(), events_of_.size(), first) {
  const std::size_t locations = events_of_.size(),
                    bins = bins_for(locations, most_bytes - (counters_.size() == 0 ? 0 : CounterStore::most_bytes));
  const Time length = std::min(last > first ? last - first : 1, longest_time), announced = length / bins + 1;
  const std::vector<std::uint8_t> classes = timeline_classes_of(input.definitions());
  std::vector<Time> width_of(locations, announced);
  std::vector<Shares> finest(locations * bins);

  // Each thread takes a few locations at a time.
  std::atomic<std::size_t> next{0};
  std::atomic<std::uint64_t> read{0};
  std::atomic<unsigned> working{0};
  std::mutex of_failure;
  std::exception_ptr failure;
  std::mutex of_moves;
  std::map<MetricMemberId, replay::CounterMoves> moves;
  const auto read_location = [&](pass::Readers<ClassSink>& readers, LocationId l) {
    ClassBins sums(start_, announced, bins, true);
    std::vector<CounterBins> values(counters_.size(), counter_store_->empty_bins(length));
    CounterRecorder recorder(counters_, values);
    ClassSink sink(classes, sums, counters_.size() == 0 ? nullptr : &recorder);
    std::uint64_t events = 0;
    while (!readers.at_end(l)) {
      index_.note(l, events, [&] {
        pass::EventIndex::Mark mark{events == 0 ? 0 : sink.last_time(), readers.place(l), {}};
        for (const RegionId region : sink.open()) mark.open.push_back({region, 0});
        return mark;
      });
      const std::size_t n = readers.read(l, sink, events_at_a_time);
      if (n == 0) break;
      events += n;
      read += n;
    }
    readers.go_to(l, {});
    if (recorder.last_record() != 0) {
      recorder.finish(sink.last_time());
      counter_store_->take(l, values);
      const std::lock_guard lock(of_moves);
      for (const auto& [member, moved] : recorder.moves()) moves[member].add(moved);
    }
    calls_of_[l.index()] = sink.calls(), sends_of_[l.index()] = sink.sends();
    program_of_[l.index()] = sink.program();
    events_of_[l.index()] = events, last_of_[l.index()] = sink.last_time(), width_of[l.index()] = sums.width();
    Shares* const row = finest.data() + l.index() * bins;
    for (std::size_t b = 0; b < bins; ++b)
      for (std::size_t c = 0; c < class_count; ++c) row[b][c] = share_of(sums.bins()[b][c], sums.width());
  };
  const auto work = [&] {
    try {
      constexpr std::size_t at_a_time = 16;
      for (std::size_t begin = next.fetch_add(at_a_time); begin < locations; begin = next.fetch_add(at_a_time)) {
        std::vector<LocationId> some;
        for (std::size_t l = begin; l < std::min(begin + at_a_time, locations); ++l) some.emplace_back(l);
        const auto readers = input.readers<ClassSink>(some, false, open_files);
        for (const LocationId l : some) read_location(*readers, l);
      }
    } catch (...) {
      const std::lock_guard lock(of_failure);
      failure = std::current_exception();
      next = locations;
    }
    --working;
  };
  if (pass::is_notation(input.path())) threads = 1;  // a document is read by one
  working = std::max(1U, threads);
  std::vector<std::thread> all;
  for (unsigned t = working; t > 0; --t) all.emplace_back(work);
  for (unsigned pause = 0; working != 0; ++pause) {
    std::this_thread::sleep_for(std::chrono::milliseconds(5));
    if (pause % 40 == 39) progress(read);
  }
  for (std::thread& thread : all) thread.join();
  if (failure) std::rethrow_exception(failure);

  // All get the width of the widest.
  for (std::size_t l = 0; l < locations; ++l) {
    events_ += events_of_[l];
    last_ = std::max(last_, last_of_[l]);
    width_ = std::max(width_, width_of[l]);
  }
  last_ = std::max(last_, start_);
  if (last_ - start_ > longest_time) last_ = start_ + longest_time;
  const auto merged = [](const Shares& a, const Shares& b) {
    Shares sum;
    for (std::size_t c = 0; c < class_count; ++c) sum[c] = static_cast<std::uint8_t>((a[c] + b[c] + 1) / 2);
    return sum;
  };
  for (std::size_t l = 0; l < locations; ++l)
    for (Time width = width_of[l]; width < width_; width *= 2) {
      Shares* const row = finest.data() + l * bins;
      for (std::size_t b = 0; b < bins / 2; ++b) row[b] = merged(row[2 * b], row[2 * b + 1]);
      std::fill(row + bins / 2, row + bins, Shares{});
    }
  levels_.push_back({bins, std::move(finest)});
  while (levels_.back().bins > fewest_bins) {
    const Level& finer = levels_.back();
    Level coarser{finer.bins / 2, std::vector<Shares>(finer.shares.size() / 2)};
    for (std::size_t i = 0; i < coarser.shares.size(); ++i)
      coarser.shares[i] = merged(finer.shares[2 * i], finer.shares[2 * i + 1]);
    levels_.push_back(std::move(coarser));
  }
  std::reverse(levels_.begin(), levels_.end());
  correct_levels(input, moves);
  counter_store_->align();
}

std::vector<std::string> Pyramid::programs(const Definitions& definitions) const {
  std::vector<std::string> names;
  for (const StringId program : program_of_)
    if (program.valid() && program.index() < definitions.strings.size() &&
        std::find(names.begin(), names.end(), definitions[program]) == names.end())
      names.push_back(definitions[program]);
  return names;
}

/// Reads the trace once more if it has levels that are declared as accumulated counters.
void Pyramid::correct_levels(pass::TraceInput& input, const std::map<MetricMemberId, replay::CounterMoves>& moves) {
  bool has_levels = false;
  for (const auto& [member, moved] : moves)
    if (moved.level()) counters_.take_for_level(member), has_levels = true;
  if (!has_levels) return;
  const std::vector<std::uint8_t> classes = timeline_classes_of(input.definitions());
  counter_store_.emplace(counters_.size(), events_of_.size(), start_);
  std::vector<CounterBins> values;
  std::optional<CounterRecorder> recorder;
  ClassBins none(start_, 1, 0, false);
  pass::read_all_locations<ClassSink>(
      input,
      [&](LocationId) {
        values.assign(counters_.size(), counter_store_->empty_bins(last_ - start_));
        return ClassSink(classes, none, &recorder.emplace(counters_, values));
      },
      [&](LocationId l, const ClassSink& sink) {
        recorder->finish(sink.last_time());
        counter_store_->take(l, values);
      });
}

// First the bins of the level are added up over the locations, byte by byte, which is nearly all of the work; then they
// are spread over the bins that are asked for.
void Pyramid::add_shares(std::size_t first, std::size_t last, Time from, Time width,
                         std::span<ClassBins::Bin> sums) const {
  // The coarsest level whose bins are no wider than those that are asked for, so that few are added up.
  std::size_t n = 0;
  const auto width_of = [&](std::size_t level) { return width_ * (levels_.back().bins / levels_[level].bins); };
  while (n + 1 < levels_.size() && width_of(n) > width) ++n;
  const Level& level = levels_[n];
  const StretchOfBins stretch(start_, width_of(n), level.bins, from, width, sums.size());
  if (stretch.count == 0) return;
  std::vector<std::uint32_t> added(stretch.count * class_count);
  for (std::size_t l = first; l < last; ++l) {
    const std::uint8_t* const row = level.shares[l * level.bins + stretch.first].data();
    for (std::size_t i = 0; i < added.size(); ++i) added[i] += row[i];
  }
  stretch.spread([&](std::size_t bin, std::size_t of_level, Time ticks) {
    for (std::size_t c = 0; c < class_count; ++c)
      sums[bin][c] += ticks_of_shares(added[of_level * class_count + c], ticks);
  });
}

Pyramid::Counts Pyramid::counts_in(LocationId l, Time from, Time to) const {
  const auto at = [&](Time time) -> double {
    const pass::EventIndex::Mark *const before = index_.before(l, time), *const after = index_.after(l, time);
    if (before == nullptr) return 0;
    const double events = static_cast<double>(before->events);
    const Time end = after == nullptr ? last_of_[l.index()] : after->time;
    const double next = static_cast<double>(after == nullptr ? events_of_[l.index()] : after->events);
    const Time begin = std::max(before->time, start_);
    if (time <= begin) return events;
    if (time >= end || end <= begin) return next;
    return events + (next - events) * static_cast<double>(time - begin) / static_cast<double>(end - begin);
  };
  const std::uint64_t all = events_of_[l.index()];
  if (from >= to || all == 0) return {};
  const double events = std::max(0.0, at(to) - at(from)), share = events / static_cast<double>(all);
  return {events, share * static_cast<double>(calls_of_[l.index()]), share * static_cast<double>(sends_of_[l.index()])};
}

}  // namespace waitstate::serve
