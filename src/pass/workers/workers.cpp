#include "pass/workers/workers.hpp"

#include <latch>
#include <system_error>
#include <thread>

namespace waitstate::pass {

Workers::Workers(TraceInput& input, const link::Homes& homes, CallTree& call_tree, const std::vector<WorkerSide>& sides,
                 const link::CancelledSends& cancelled, const PassOptions& options, peers::Peers* peers,
                 std::uint64_t seed)
    : input_(input),
      own_(link::OwnWorkers::of(peers, homes.workers())),
      exchange_(homes.workers(), seed, own_),
      shared_(call_tree),
      call_tree_(call_tree),
      sides_(sides) {
  failures_.resize(sides.size());
  if (peers != nullptr) {
    remote_.emplace(*peers, homes.workers(), static_cast<link::RemoteListener&>(*this));
    exchange_.connect(*remote_);
    shared_.connect(*remote_);
  }
  for (link::WorkerId w = own_.first; w < own_.last; ++w) {
    const WorkerSide& side = sides_[w - own_.first];
    ports_.emplace_back(exchange_, homes, w, shared_, *side.call_tree);
    linkers_.push_back(std::make_unique<link::Linker>(input.definitions(), *side.call_tree, diagnostics_.emplace_back(),
                                                      side.listener, nullptr, cancelled, &ports_.back()));
    PassOptions of_worker = options;
    if (w != 0) of_worker.progress = nullptr;  // the calling thread of peer 0 tells it
    passes_.push_back(std::make_unique<Pass>(input, *linkers_.back(), nullptr, of_worker, homes.locations(w)));
  }
}

void Workers::work(std::size_t own) {
  try {
    passes_[own]->run_as_worker(exchange_, own_.first + static_cast<link::WorkerId>(own), done_);
  } catch (const link::ExchangeStopped&) {  // another one says why
  } catch (...) {
    failures_[own] = std::current_exception();
    exchange_.stop();
  }
}

void Workers::run() {
  if (passes_.empty()) return;
  std::vector<std::thread> threads;
  std::latch all_are_there(1);
  try {
    for (std::size_t own = 1; own < passes_.size(); ++own)
      threads.emplace_back([this, own, &all_are_there] {
        all_are_there.wait();
        work(own);
      });
  } catch (const std::system_error&) {
    exchange_.stop();
  }
  all_are_there.count_down();
  const bool without_threads = threads.size() + 1 < passes_.size();
  if (!without_threads) work(0);
  for (std::thread& t : threads) t.join();
  if (without_threads) throw NoThreads{};
  for (const std::exception_ptr& failure : failures_)
    if (failure) std::rethrow_exception(failure);
  for (std::size_t own = 1; own < linkers_.size(); ++own) linkers_[0]->join(*linkers_[own]);
  for (const WorkerSide& side : sides_) call_tree_.join_seen(*side.call_tree);
  *sides_.front().call_tree = call_tree_;
}

void Workers::give(peers::ArchiveWriter& archive) {
  Diagnostics all;
  collect(all);
  archive(*linkers_.front(), all);
  call_tree_.travel_seen(archive);
}

void Workers::take(peers::ArchiveReader& archive) {
  Diagnostics theirs;
  link::Linker other(input_.definitions(), call_tree_, theirs, sides_.front().listener, nullptr);
  archive(other, theirs);
  linkers_.front()->join(other);
  diagnostics_.front().merge(theirs);
  CallTree seen = call_tree_;
  seen.travel_seen(archive);
  call_tree_.join_seen(seen);
}

void Workers::collect(Diagnostics& diagnostics) const {
  for (const Diagnostics& d : diagnostics_) diagnostics.merge(d);
}

void Workers::finish() {
  *sides_.front().call_tree = call_tree_;
  linkers_[0]->finish_joined();
}

}  // namespace waitstate::pass
