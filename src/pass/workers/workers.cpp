#include "pass/workers/workers.hpp"

#include <latch>
#include <system_error>
#include <thread>

namespace waitstate::pass {

Workers::Workers(TraceInput& input, const link::Homes& homes, CallTree& call_tree, const std::vector<WorkerSide>& sides,
                 const link::CancelledSends& cancelled, const PassOptions& options, std::uint64_t seed)
    : exchange_(homes.workers(), seed),
      shared_(call_tree),
      call_tree_(call_tree),
      sides_(sides),
      failures_(homes.workers()) {
  for (link::WorkerId w = 0; w < homes.workers(); ++w) {
    const WorkerSide& side = sides_[w];
    ports_.emplace_back(exchange_, homes, w, shared_, *side.call_tree);
    linkers_.push_back(std::make_unique<link::Linker>(input.definitions(), *side.call_tree, diagnostics_.emplace_back(),
                                                      side.listener, nullptr, cancelled, &ports_.back()));
    PassOptions of_worker = options;
    if (w != 0) of_worker.progress = nullptr;  // the calling thread tells it
    passes_.push_back(std::make_unique<Pass>(input, *linkers_.back(), nullptr, of_worker, homes.locations(w)));
  }
}

void Workers::work(link::WorkerId worker) {
  try {
    passes_[worker]->run_as_worker(exchange_, worker, done_);
  } catch (...) {
    failures_[worker] = std::current_exception();
    exchange_.stop();
  }
}

void Workers::run() {
  std::vector<std::thread> threads;
  std::latch all_are_there(1);
  try {
    for (link::WorkerId w = 1; w < passes_.size(); ++w)
      threads.emplace_back([this, w, &all_are_there] {
        all_are_there.wait();
        work(w);
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
  for (std::size_t w = 1; w < linkers_.size(); ++w) linkers_[0]->join(*linkers_[w]);
  for (const WorkerSide& side : sides_) call_tree_.join_seen(*side.call_tree);
  *sides_[0].call_tree = call_tree_;
}

void Workers::collect(Diagnostics& diagnostics) const {
  for (const Diagnostics& d : diagnostics_) diagnostics.merge(d);
}

void Workers::finish() { linkers_[0]->finish_joined(); }

}  // namespace waitstate::pass
