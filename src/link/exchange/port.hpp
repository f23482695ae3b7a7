// A worker's end of the exchange: what it has for others goes out in batches, what has come is handed on, record by
// record. Knows also what is the worker's own.
//
// Cost: a copy of each record on each side. Memory: a batch for each other worker.
#pragma once

#include <algorithm>
#include <cstring>
#include <vector>

#include "link/exchange/exchange.hpp"
#include "link/exchange/homes.hpp"
#include "link/exchange/records.hpp"
#include "link/exchange/shared_call_tree.hpp"

namespace waitstate::link {

class Port {
 public:
  /// `own` is the worker's first part of the shared call tree.
  Port(Exchange& exchange, const Homes& homes, WorkerId worker, SharedCallTree& shared, CallTree& own)
      : exchange_(exchange),
        homes_(homes),
        worker_(worker),
        shared_(shared),
        own_(own),
        open_(homes.workers()),
        promises_(homes.workers()) {
    promises_[worker] = ~Time{0};
  }

  WorkerId worker() const { return worker_; }
  WorkerId workers() const { return static_cast<WorkerId>(homes_.workers()); }
  const Homes& homes() const { return homes_; }
  bool is_own(ProcessId p) const { return homes_.of(p) == worker_; }
  SharedCallTree& shared_call_tree() { return shared_; }

  template <class Record>
  void post(WorkerId to, const Record& record) {
    static_assert(sizeof(Kind) + sizeof(Record) <= Batch::capacity);
    Batch& batch = open_[to];
    if (batch.size + sizeof(Kind) + sizeof(Record) > Batch::capacity) send_batch(to, 0);
    if (!batch.bytes) batch.bytes = new_bytes();
    std::byte* const at = batch.bytes.get() + batch.size;
    const Kind kind = kind_of<Record>();
    std::memcpy(at, &kind, sizeof kind);
    std::memcpy(at + sizeof kind, &record, sizeof record);
    batch.size += sizeof kind + sizeof record;
  }
  template <class Record>
  void post_to_others(const Record& record) {
    for (WorkerId w = 0; w < workers(); ++w)
      if (w != worker_) post(w, record);
  }
  /// Sends all batches that have at least so many bytes; those that are full go at once. `promise`: as Batch has it.
  void send_batches(Time promise, std::size_t least) {
    for (WorkerId w = 0; w < workers(); ++w)
      if (w != worker_ && open_[w].size >= least) send_batch(w, promise);
  }

  /// Calls handle(from, record) for each record that has come; false if none has.
  template <class Handle>
  bool take(Handle&& handle) {
    bool any = false;
    auto taken = exchange_.take(worker_);
    for (WorkerId from = 0; from < taken.size(); ++from)
      for (Batch& batch : taken[from]) {
        shared_.follow(own_, batch.call_paths);
        for_each_record(batch, [&](const auto& record) { handle(from, record); });
        promises_[from] = std::max(promises_[from], batch.promise);
        if (batch.bytes && spare_.size() < most_spare) spare_.push_back(std::move(batch.bytes));
        any = true;
      }
    return any;
  }
  /// No send that still comes from another worker was earlier than this.
  Time promise() const { return *std::min_element(promises_.begin(), promises_.end()); }

 private:
  using Kind = std::uint64_t;  // so that records are aligned
  static constexpr std::size_t most_spare = 16;

  std::unique_ptr<std::byte[]> new_bytes() {
    if (spare_.empty()) return std::make_unique_for_overwrite<std::byte[]>(Batch::capacity);
    std::unique_ptr<std::byte[]> bytes = std::move(spare_.back());
    spare_.pop_back();
    return bytes;
  }

  template <class Record>
  static constexpr Kind kind_of() {
    Kind found = 0;
    for_each_record_kind([&]<class Other>(std::uint32_t number) {
      if constexpr (std::is_same_v<Other, Record>) found = number;
    });
    return found;
  }

  template <class Handle>
  static void for_each_record(const Batch& batch, Handle&& handle) {
    for (std::size_t at = 0; at < batch.size;) {
      Kind kind = 0;
      std::memcpy(&kind, batch.bytes.get() + at, sizeof kind);
      at += sizeof kind;
      for_each_record_kind([&]<class Record>(std::uint32_t number) {
        if (number != kind) return;
        Record record;
        std::memcpy(&record, batch.bytes.get() + at, sizeof record);
        at += sizeof record;
        handle(record);
      });
    }
  }

  void send_batch(WorkerId to, Time promise) {
    Batch batch = std::move(open_[to]);
    open_[to] = {};
    batch.promise = promise;
    batch.call_paths = own_.size();
    exchange_.post(worker_, to, std::move(batch));
  }

  Exchange& exchange_;
  const Homes& homes_;
  const WorkerId worker_;
  SharedCallTree& shared_;
  CallTree& own_;
  std::vector<Batch> open_;     ///< by worker: what has not been posted yet
  std::vector<Time> promises_;  ///< by worker: the latest
  std::vector<std::unique_ptr<std::byte[]>> spare_;
};

}  // namespace waitstate::link
