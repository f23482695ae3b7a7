// See rank_program.hpp. One function a pattern, preceded by the formula for the enter of its sends.
#include "rank_program.hpp"

#include <algorithm>
#include <cmath>
#include <vector>

#include "rma_exchange.hpp"

namespace generate {
namespace {

constexpr std::uint64_t mixed_cycle = 4;    // halo, ring, random, tags, and again
constexpr std::uint64_t meeting_every = 4;  // pattern mixed: a collective operation in every fourth iteration
constexpr std::uint64_t collective_events = 4;

Pattern pattern_of(const Options& o, std::uint64_t k) {
  static constexpr Pattern cycle[mixed_cycle] = {Pattern::halo, Pattern::ring, Pattern::random, Pattern::tags};
  return o.pattern == Pattern::mixed ? cycle[k % mixed_cycle] : o.pattern;
}
bool meets(const Options& o, std::uint64_t k) {
  return o.pattern == Pattern::collective || (o.pattern == Pattern::mixed && k % meeting_every == meeting_every - 1);
}

/// Pattern inflight: messages that `rank` sends in an iteration; the others share them, the first ones the rest.
std::uint64_t sent_by(const Options& o, std::uint64_t rank) {
  const std::uint64_t senders = o.ranks() - 1;
  return rank == 0 ? 0 : o.in_flight / senders + (rank - 1 < o.in_flight % senders);
}

/// One rank in one iteration.
struct Exchange {
  LocationWriter& out;
  const Options& o;
  const Schedule& schedule;
  std::uint64_t rank, k;
  std::uint64_t ranks = o.ranks();

  std::uint64_t next() const { return out.now() + gap; }
  std::uint64_t neighbour(std::uint64_t distance) const { return (rank + distance) % ranks; }

  void send(std::uint64_t to, std::uint32_t tag, std::uint64_t length) {
    out.enter(region_send, next());
    out.send(out.now() + before_record, to, tag, length);
    out.leave(out.now() + after_record);
  }
  void isend(std::uint64_t to, std::uint32_t tag, std::uint64_t length, std::uint64_t request) {
    out.enter(region_isend, next());
    out.isend(out.now() + before_record, to, tag, length, request);
    out.leave(out.now() + after_record);
  }
  void irecv(std::uint64_t request) {
    out.enter(region_irecv, next());
    out.irecv_request(out.now() + before_record, request);
    out.leave(out.now() + after_record);
  }
  static std::uint64_t arrival(std::uint64_t send_enter) { return send_enter + before_record + latency; }
  void recv(std::uint64_t from, std::uint32_t tag, std::uint64_t length, std::uint64_t send_enter) {
    out.enter(region_recv, next());
    out.recv(std::max(out.now() + before_record, arrival(send_enter)), from, tag, length, send_enter);
    out.leave(out.now() + after_record);
  }

  // Send, then receive: the only call before the send is `exchange`.
  std::uint64_t first_send(std::uint64_t sender) const { return schedule.communicate(sender, k) + gap; }

  void ring() {
    const std::uint64_t from = neighbour(ranks - 1);
    send(neighbour(1), 1, schedule.length(rank, k, 0));
    recv(from, 1, schedule.length(from, k, 0), first_send(from));
  }

  void random() {
    const std::uint64_t distance = schedule.distance(k), from = neighbour(ranks - distance);
    isend(neighbour(distance), 2, schedule.length(rank, k, 0), k);
    recv(from, 2, schedule.length(from, k, 0), first_send(from));
    out.enter(region_wait, next());
    out.isend_complete(out.now() + before_record, k);
    out.leave(out.now() + after_record);
  }

  // Two Irecv, then the Isend upwards (tag 3, number 0) and the one downwards (tag 4, number 1).
  std::uint64_t halo_send(std::uint64_t sender, std::uint64_t number) const {
    return schedule.communicate(sender, k) + gap + (2 + number) * call_ticks;
  }
  void halo() {
    const std::uint64_t up = neighbour(1), down = neighbour(ranks - 1), request = 4 * k;
    irecv(request);
    irecv(request + 1);
    isend(up, 3, schedule.length(rank, k, 0), request + 2);
    isend(down, 4, schedule.length(rank, k, 1), request + 3);
    out.enter(region_waitall, next());
    const std::uint64_t from_down = halo_send(down, 0), from_up = halo_send(up, 1);
    out.irecv(std::max(out.now() + before_record, arrival(from_down)), down, 3, schedule.length(down, k, 0), request,
              from_down);
    out.irecv(std::max(out.now(), arrival(from_up)), up, 4, schedule.length(up, k, 1), request + 1, from_up);
    out.isend_complete(out.now(), request + 2);
    out.isend_complete(out.now(), request + 3);
    out.leave(out.now() + after_record);
  }

  // Several sends in a row, received in the opposite order: wrong order from the same source.
  void tags() {
    const std::uint64_t to = neighbour(1), from = neighbour(ranks - 1);
    for (std::uint32_t i = 0; i < tags_per_iteration; ++i) send(to, 10 + i, schedule.length(rank, k, i));
    for (auto i = static_cast<std::uint32_t>(tags_per_iteration); i-- > 0;)
      recv(from, 10 + i, schedule.length(from, k, i), first_send(from) + i * call_ticks);
  }

  // Rank 0 sends a task to everyone, everyone computes and answers, rank 0 receives the answers by rank.
  std::uint64_t task_send(std::uint64_t worker) const { return first_send(0) + (worker - 1) * call_ticks; }
  std::uint64_t result_send(std::uint64_t worker) const {
    const std::uint64_t received =
        std::max(schedule.communicate(worker, k) + gap + before_record, arrival(task_send(worker))) + after_record;
    return received + gap + schedule.work(worker, k) + gap;
  }
  void master() {
    if (rank == 0) {
      for (std::uint64_t w = 1; w < ranks; ++w) send(w, 40, schedule.length(0, k, w));
      for (std::uint64_t w = 1; w < ranks; ++w) recv(w, 41, schedule.length(w, k, 0), result_send(w));
      return;
    }
    recv(0, 40, schedule.length(0, k, rank), task_send(rank));
    out.enter(region_work, next());
    out.leave(out.now() + schedule.work(rank, k));
    send(0, 41, schedule.length(rank, k, 0));
  }

  // Everybody sends all its messages to rank 0, which begins to receive when the last one is on its way. In order they
  // have one tag, a deep queue a sender; in other orders a tag each, so that each is a queue of its own.
  std::uint32_t inflight_tag(std::uint64_t number) const {
    return o.order == Order::fifo ? 50 : static_cast<std::uint32_t>(50 + number);
  }
  void inflight() {
    if (rank != 0) {
      for (std::uint64_t i = 0; i < sent_by(o, rank); ++i) send(0, inflight_tag(i), schedule.length(rank, k, i));
      return;
    }
    struct Sent {
      std::uint32_t from, number;
    };
    std::vector<Sent> messages;
    for (std::uint32_t i = 0; messages.size() < o.in_flight; ++i)
      for (std::uint32_t from = 1; from < ranks && i < sent_by(o, from); ++from) messages.push_back({from, i});
    if (o.order == Order::reverse) std::reverse(messages.begin(), messages.end());
    if (o.order == Order::random)
      for (std::size_t i = messages.size(); i > 1; --i) std::swap(messages[i - 1], messages[schedule.draw(k, i)]);
    out.enter(region_work, next());
    out.leave(schedule.all_communicate(k) + sent_by(o, 1) * call_ticks + latency);
    for (const Sent& m : messages)
      recv(m.from, inflight_tag(m.number), schedule.length(m.from, k, m.number),
           first_send(m.from) + m.number * call_ticks);
  }

  void meet() {
    const bool barrier = (k / meeting_every) % 2 == 0;
    const std::uint64_t begin = schedule.meet(rank, k);
    out.enter(barrier ? region_barrier : region_allreduce, begin);
    out.collective(begin, schedule.meeting_end(k), barrier ? OTF2_COLLECTIVE_OP_BARRIER : OTF2_COLLECTIVE_OP_ALLREDUCE,
                   barrier ? 0 : 8);
    out.leave(out.now() + after_record);
  }

  void run(Pattern pattern) {
    switch (pattern) {
      case Pattern::halo:
        return halo();
      case Pattern::ring:
        return ring();
      case Pattern::random:
        return random();
      case Pattern::tags:
        return tags();
      case Pattern::master:
        return master();
      case Pattern::inflight:
        return inflight();
      case Pattern::rma:
        return rma_exchange(out, schedule, rank, ranks, k);
      case Pattern::collective:
      case Pattern::mixed:
        return;  // mixed runs as one of the others
    }
  }
};

/// Nests of `depth` regions until `events` are written; the last nest may be shallower.
void compute(LocationWriter& out, std::uint64_t begin, std::uint64_t events, std::uint64_t depth) {
  std::uint64_t time = begin;
  for (std::uint64_t pairs = events / 2; pairs > 0;) {
    const std::uint64_t deep = std::min(pairs, depth);
    for (std::uint32_t level = 0; level < deep; ++level) out.enter(region_level_1 + level, time += step);
    for (std::uint32_t level = 0; level < deep; ++level) out.leave(time += step);
    pairs -= deep;
  }
}

}  // namespace

ExchangeSize exchange_size(Pattern pattern) {
  switch (pattern) {
    case Pattern::halo:
      return {2 + 4 * 3 + 6, 4};
    case Pattern::ring:
      return {2 + 2 * 3, 2};
    case Pattern::random:
      return {2 + 3 * 3, 2};
    case Pattern::tags:
      return {2 + 2 * tags_per_iteration * 3, 2 * tags_per_iteration};
    case Pattern::master:
      return {2 + 3 + 2 + 3, 2};
    case Pattern::collective:
      return {collective_events, 2};
    case Pattern::inflight:
      return {2, 0};  // the rest depends on the rank
    case Pattern::rma:
      return rma_exchange_size;
    case Pattern::mixed:
      break;
  }
  return {0, 0};
}

std::uint64_t user_events(const Options& o, Pattern pattern) {
  const ExchangeSize size = exchange_size(pattern);
  const double wanted = static_cast<double>(size.records) / o.message_share - static_cast<double>(size.events);
  return wanted <= 0 ? 0 : 2 * static_cast<std::uint64_t>(std::llround(wanted / 2));
}

std::uint64_t user_events_at_most(const Options& o) {
  std::uint64_t most = 0;
  for (std::uint64_t k = 0; k < mixed_cycle; ++k) {
    const Pattern p = pattern_of(o, k);
    most = std::max(most, user_events(o, p) + exchange_size(p).events + collective_events);
  }
  return most;
}

std::uint64_t iterations(const Options& o) {
  double cycle = 0;
  for (std::uint64_t k = 0; k < mixed_cycle; ++k) {
    const Pattern p = pattern_of(o, k);
    const auto locations = static_cast<double>(o.locations);
    cycle += static_cast<double>(user_events(o, p) + exchange_size(p).events) * locations;
    if (p != Pattern::collective && meets(o, k)) cycle += static_cast<double>(collective_events) * locations;
    if (p == Pattern::inflight) cycle += 2.0 + 6.0 * static_cast<double>(o.in_flight);
    if (p == Pattern::master) cycle += 6.0 * static_cast<double>(o.ranks() - 1);  // rank 0 has 6 for every worker
  }
  const double wanted = static_cast<double>(o.events) - 8.0 * static_cast<double>(o.locations);
  return static_cast<std::uint64_t>(std::max(1.0, std::round(wanted / cycle * mixed_cycle)));
}

void run_rank(LocationWriter& out, const Options& o, const Schedule& schedule, std::uint64_t rank,
              std::uint64_t iterations) {
  out.program_begin(schedule.program_begin());
  out.enter(region_main, out.now() + step);
  out.enter(region_init, out.now() + step);
  out.leave(out.now() + 10 * step);
  if (o.pattern == Pattern::rma) create_window(out);
  for (std::uint64_t k = 0; k < iterations; ++k) {
    const Pattern pattern = pattern_of(o, k);
    compute(out, schedule.begin(k), user_events(o, pattern), o.depth);
    Exchange exchange{out, o, schedule, rank, k};
    if (pattern != Pattern::collective) {
      out.enter(region_exchange, schedule.communicate(rank, k));
      exchange.run(pattern);
      out.leave(out.now() + gap);
    }
    if (meets(o, k)) exchange.meet();
  }
  const std::uint64_t end = schedule.begin(iterations);
  if (o.pattern == Pattern::rma) free_window(out, end - 2 * call_ticks);
  out.enter(region_finalize, end);
  out.leave(out.now() + 10 * step);
  out.leave(out.now() + step);
  out.program_end(out.now() + step);
}

void run_worker_thread(LocationWriter& out, const Options& o, const Schedule& schedule, std::uint64_t iterations) {
  out.enter(region_worker, schedule.program_begin() + 20 * step);
  for (std::uint64_t k = 0; k < iterations; ++k) {
    const Pattern pattern = pattern_of(o, k);
    compute(out, schedule.begin(k), user_events(o, pattern) + exchange_size(pattern).events, o.depth);
  }
  out.leave(schedule.begin(iterations));
}

}  // namespace generate
