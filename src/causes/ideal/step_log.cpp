#include "causes/ideal/step_log.hpp"

#include <iterator>
#include <stdexcept>
#include <utility>

namespace waitstate::causes {

std::uint64_t StepLog::add(LocationId l, std::span<const replay::StepRecord> steps) {
  Bank& bank = *banks_.front();
  const std::size_t first = bank.steps.size();
  if (steps.empty()) return first;
  if (bank.pieces.size() >= none) throw std::length_error("a worker has more than 4,294,967,294 pieces of steps");
  OfLocation& of = locations_[l.index()];
  const auto piece = static_cast<std::uint32_t>(bank.pieces.size());
  bank.steps.append(steps.data(), steps.size());
  bank.pieces.push_back({first, static_cast<std::uint32_t>(steps.size()), none});
  if (of.last == none)
    of.first = piece;
  else
    bank.pieces.change(of.last, [&](Piece& p) { p.after = piece; });
  of.last = piece;
  return first;
}

void StepLog::join(StepLog& other, const std::vector<LocationId>& locations) {
  for (const LocationId l : locations) {
    OfLocation& of = locations_[l.index()] = other.locations_[l.index()];
    of.bank = static_cast<std::uint32_t>(banks_.size());
  }
  std::move(other.banks_.begin(), other.banks_.end(), std::back_inserter(banks_));
  other.banks_.clear();
}

std::size_t StepLog::size() const {
  std::size_t sum = 0;
  for (const auto& bank : banks_) sum += bank->steps.size();
  return sum;
}

std::optional<replay::StepRecord> StepLog::Reader::next(const StepLog& log, LocationId l) {
  const OfLocation& of = log.locations_[l.index()];
  const Bank& bank = *log.banks_[of.bank];
  if (!std::exchange(has_begun_, true)) after_ = of.first;
  if (next_ == end_) {
    if (after_ == none) return std::nullopt;
    const Piece piece = bank.pieces[after_];
    next_ = piece.first, end_ = piece.first + piece.steps, after_ = piece.after;
  }
  return bank.steps[next_++];
}

}  // namespace waitstate::causes
