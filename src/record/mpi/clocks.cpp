#include "record/mpi/clocks.hpp"

#include <algorithm>
#include <cstdint>
#include <string>
#include <vector>

#include "record/core/recorder.hpp"
#include "record/parts/line_kinds.hpp"

namespace waitstate::record::mpi {

namespace {

constexpr int clock_tag = 1;
constexpr int most_rounds = 200, patience = 20;
constexpr std::uint64_t longest = 20'000'000, long_round = 1'000'000;

int own_rank = 0;
std::vector<int> leaders;      // leader of each process's node
std::vector<int> other_nodes;  // leaders of nodes that are not rank 0's

struct Measured {
  std::int64_t time = 0, offset = 0, deviation = 0;
};

// In rank 0: answers with its time until told that it is enough.
void answer(MPI_Comm comm, int leader) {
  for (;;) {
    std::int64_t more = 0;
    real::Recv(&more, 1, MPI_INT64_T, leader, clock_tag, comm, MPI_STATUS_IGNORE);
    if (more == 0) return;
    auto time = static_cast<std::int64_t>(now());
    real::Send(&time, 1, MPI_INT64_T, leader, clock_tag, comm);
  }
}

Measured ask(MPI_Comm comm) {
  Measured best;
  std::uint64_t shortest = ~std::uint64_t{0};
  const std::uint64_t begin = now();
  for (int round = 0, in_vain = 0; round < most_rounds && in_vain < patience && now() - begin < longest; ++round) {
    std::int64_t more = 1, there = 0;
    const std::uint64_t sent = now();
    real::Send(&more, 1, MPI_INT64_T, 0, clock_tag, comm);
    real::Recv(&there, 1, MPI_INT64_T, 0, clock_tag, comm, MPI_STATUS_IGNORE);
    const std::uint64_t back = now(), length = back - sent, middle = sent + length / 2;
    ++in_vain;
    if (length >= shortest) continue;
    in_vain = 0;
    shortest = length;
    best = {static_cast<std::int64_t>(middle), there - static_cast<std::int64_t>(middle),
            static_cast<std::int64_t>(length / 2)};
  }
  std::int64_t enough = 0;
  real::Send(&enough, 1, MPI_INT64_T, 0, clock_tag, comm);
  if (shortest > long_round)
    say("the shortest message to rank 0 and back took " + std::to_string(shortest / 1000) +
        " us: times of this node are accurate to half of that");
  return best;
}

}  // namespace

void find_nodes(MPI_Comm comm) {
  int size = 0;
  real::Comm_rank(comm, &own_rank);
  real::Comm_size(comm, &size);
  auto own = static_cast<std::int64_t>(std::hash<std::string>()(node_name()));
  std::vector<std::int64_t> nodes(static_cast<std::size_t>(size));
  real::Allgather(&own, 1, MPI_INT64_T, nodes.data(), 1, MPI_INT64_T, comm);
  for (const std::int64_t node : nodes)
    leaders.push_back(static_cast<int>(std::find(nodes.begin(), nodes.end(), node) - nodes.begin()));
  for (int rank = 1; rank < size; ++rank)
    if (leaders[static_cast<std::size_t>(rank)] == rank) other_nodes.push_back(rank);
}

void measure_clocks(MPI_Comm comm) {
  if (other_nodes.empty()) return;
  Measured m;
  if (own_rank == 0) {
    m.time = static_cast<std::int64_t>(now());
    for (const int leader : other_nodes) answer(comm, leader);
  }
  const int leader = leaders[static_cast<std::size_t>(own_rank)];
  if (own_rank != 0 && leader == own_rank) m = ask(comm);
  std::int64_t values[3] = {m.time, m.offset, m.deviation};
  if (leader == own_rank) {
    for (std::size_t rank = 0; rank < leaders.size(); ++rank)
      if (leaders[rank] == own_rank && static_cast<int>(rank) != own_rank)
        real::Send(values, 3, MPI_INT64_T, static_cast<int>(rank), clock_tag, comm);
  } else {
    real::Recv(values, 3, MPI_INT64_T, leader, clock_tag, comm, MPI_STATUS_IGNORE);
  }
  define(ClockLine{.time = static_cast<std::uint64_t>(values[0]),
                   .offset = values[1],
                   .deviation = static_cast<std::uint64_t>(values[2])});
}

}  // namespace waitstate::record::mpi
