#include "causes/points/point_log.hpp"

#include <algorithm>
#include <iterator>
#include <queue>
#include <stdexcept>
#include <type_traits>
#include <utility>

namespace waitstate::causes {

PointId PointLog::push_back(const Point& p) {
  Log& log = logs_[p.location.index()];
  if (log.size == PointId::no_number)
    throw std::length_error("a location has more than 2,147,483,647 points of causes");
  Bank& bank = *banks_[log.bank];
  if (log.size % per_chunk == 0) {
    log.chunks.push_back(bank.chunks++);
    bank.points.grow(std::size_t{bank.chunks} * per_chunk);
  }
  const PointId id{p.location, log.size++};
  ++bank.size;
  bank.points.set(place(id), p);
  return id;
}

void PointLog::join(PointLog& other, const std::vector<LocationId>& locations) {
  for (const LocationId l : locations) {
    Log& log = logs_[l.index()] = std::move(other.logs_[l.index()]);
    log.bank += static_cast<std::uint32_t>(banks_.size());
  }
  std::move(other.banks_.begin(), other.banks_.end(), std::back_inserter(banks_));
  other.banks_.clear();
}

std::size_t PointLog::size() const {
  std::size_t sum = 0;
  for (const auto& bank : banks_) sum += bank->size;
  return sum;
}

std::vector<PointId> PointLog::chunks_of_bank(std::size_t bank) const {
  std::vector<PointId> firsts(banks_[bank]->chunks);
  for (std::size_t l = 0; l < logs_.size(); ++l) {
    if (logs_[l].bank != bank) continue;
    PointId first{LocationId{l}, 0};
    for (const std::uint32_t chunk : logs_[l].chunks) {
      firsts[chunk] = first;
      first.number += per_chunk;
    }
  }
  return firsts;
}

template <bool back>
void PointLog::each_chunk(std::size_t first, std::size_t last, const VisitChunk& visit) const {
  using Next = std::pair<std::uint32_t, LocationId>;  // the location's chunk that comes next
  std::priority_queue<Next, std::vector<Next>, std::conditional_t<back, std::less<Next>, std::greater<Next>>> next;
  std::vector<std::uint32_t> visited(last - first);
  const auto number = [&](LocationId l) {
    const std::uint32_t n = visited[l.index() - first];
    return back ? static_cast<std::uint32_t>(logs_[l.index()].chunks.size()) - 1 - n : n;
  };
  const auto add = [&](LocationId l) {
    const std::vector<std::uint32_t>& chunks = logs_[l.index()].chunks;
    if (visited[l.index() - first] < chunks.size()) next.emplace(chunks[number(l)], l);
  };
  for (std::size_t l = first; l < last; ++l) add(LocationId{l});
  while (!next.empty()) {
    const LocationId l = next.top().second;
    next.pop();
    const std::uint32_t chunk = number(l);
    ++visited[l.index() - first];
    add(l);
    visit(PointId{l, chunk * per_chunk}, PointId{l, std::min((chunk + 1) * per_chunk, size(l))});
  }
}

void PointLog::chunks(std::size_t first, std::size_t last, const VisitChunk& visit) const {
  each_chunk<false>(first, last, visit);
}

void PointLog::chunks_back(std::size_t first, std::size_t last, const VisitChunk& visit) const {
  each_chunk<true>(first, last, visit);
}

}  // namespace waitstate::causes
