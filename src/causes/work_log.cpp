#include "causes/work_log.hpp"

#include <algorithm>
#include <iterator>
#include <limits>
#include <stdexcept>
#include <utility>

namespace waitstate::causes {

void WorkLog::put(CallPathId callpath, Ticks ticks) {
  constexpr Ticks most = std::numeric_limits<std::uint32_t>::max();
  if (!callpath.valid()) return;
  for (; ticks > most && ticks / most < 1024; ticks -= most)
    new_shares_.push_back({callpath.value, std::uint32_t(most)});
  // Damaged times may be anything: what is too long for the run of a program is cut.
  if (ticks > 0) new_shares_.push_back({callpath.value, static_cast<std::uint32_t>(std::min(ticks, most))});
}

void WorkLog::join(WorkLog& other, const std::vector<LocationId>& locations) {
  for (const LocationId l : locations) {
    OfLocation& of = locations_[l.index()] = std::move(other.locations_[l.index()]);
    of.bank += static_cast<std::uint32_t>(banks_.size());
  }
  std::move(other.banks_.begin(), other.banks_.end(), std::back_inserter(banks_));
  other.banks_.clear();
}

void WorkLog::take(const link::LocationWork& work) {
  OfLocation& of = locations_[work.location.index()];
  Bank& own = bank(of);
  for (const replay::WorkMark& m : work.marks) own.marks.push_back(m);
  std::size_t next = 0;
  if (!work.cuts.empty()) {
    if (own.pieces.size() >= none) throw std::length_error("a worker has more than 4,294,967,294 pieces of work");
    const auto number = static_cast<std::uint32_t>(own.pieces.size());
    Piece piece{.location = work.location,
                .before = of.last,
                .cuts = static_cast<std::uint32_t>(work.cuts.size()),
                .first_cut = own.cuts.size(),
                .first_share = own.shares.size(),
                .last = work.cuts.back().time};
    for (const auto& s : of.open) put(s.callpath, s.ticks);
    of.open.clear();
    for (const replay::WorkCutRecord& c : work.cuts) {
      for (; next < c.shares; ++next) put(work.shares[next].callpath, work.shares[next].ticks);
      new_cuts_.push_back({c.time, own.shares.size() + new_shares_.size()});
    }
    own.cuts.append(new_cuts_.data(), new_cuts_.size());
    own.shares.append(new_shares_.data(), new_shares_.size());
    new_cuts_.clear(), new_shares_.clear();
    own.pieces.push_back(piece);
    if (of.last != none) own.pieces.change(of.last, [&](Piece& p) { p.after = number; });
    of.last = number;
  }
  of.open.insert(of.open.end(), work.shares.begin() + static_cast<std::ptrdiff_t>(next), work.shares.end());
}

void WorkLog::Near::go_to(const util::SpilledVector<Piece>& pieces, std::uint32_t to) {
  number = to;
  piece = pieces[to];
  last_before = piece.before == none ? 0 : pieces[piece.before].last;
}

// The first cut that is not before t, the location's last one if all are: from the one found last in ever longer steps.
WorkLog::CutPlace WorkLog::find(const OfLocation& of, Time t, std::uint32_t& hint) const {
  Near& near = of.near;
  const Bank& own = bank(of);
  if (near.number == none) near.go_to(own.pieces, of.last);
  while (near.piece.last < t && near.piece.after != none) near.go_to(own.pieces, near.piece.after);
  while (near.piece.before != none && near.last_before >= t) near.go_to(own.pieces, near.piece.before);
  const Piece& piece = near.piece;
  std::uint32_t first = 0, end = piece.cuts, at = std::min(hint, piece.cuts - 1);
  for (std::uint32_t step = 1; first < end; step *= 2)
    if (own.time(piece, at) < t) {
      first = at + 1;
      if (step > end - first) break;
      at = first + step - 1;
    } else {
      end = at;
      if (step > end - first) break;
      at = end - step;
    }
  while (first < end) {
    const std::uint32_t middle = first + (end - first) / 2;
    if (own.time(piece, middle) < t)
      first = middle + 1;
    else
      end = middle;
  }
  hint = std::min(first, piece.cuts - 1);
  return {near.number, hint};
}

std::optional<Time> WorkLog::last_cut(LocationId l, Time t) const {
  const OfLocation& of = locations_[l.index()];
  if (of.last == none) return std::nullopt;
  const CutPlace at = find(of, t, of.end);
  const Bank& own = bank(of);
  const Piece piece = own.pieces[at.piece];
  if (const Time found = own.time(piece, at.cut); found <= t) return found;
  if (at.cut > 0) return own.time(piece, at.cut - 1);
  if (piece.before == none) return std::nullopt;
  return own.pieces[piece.before].last;
}

void WorkLog::add(LocationId l, std::optional<Time> from, std::optional<Time> to, PathTimes& times) const {
  const OfLocation& of = locations_[l.index()];
  if (of.last == none) return;
  const Bank& own = bank(of);
  const CutPlace end = to ? find(of, *to, of.end) : CutPlace{of.last, own.pieces[of.last].cuts - 1};
  const CutPlace begin = from ? find(of, *from, of.begin) : CutPlace{};
  if (begin.piece != none && begin.piece > end.piece) return;  // `from` lies after `to`
  // Back from the end, piece by piece.
  std::uint32_t number = end.piece, last_cut = end.cut;
  for (;;) {
    const Piece piece = own.pieces[number];
    const bool ends_here = number == begin.piece;
    if (ends_here && begin.cut >= last_cut) return;
    const std::size_t first = ends_here ? own.cuts[piece.first_cut + begin.cut].shares : piece.first_share;
    own.shares.each(first, own.cuts[piece.first_cut + last_cut].shares,
                    [&](const Share& s) { times.add(CallPathId{std::size_t{s.callpath}}, Ticks{s.ticks}); });
    if (ends_here || piece.before == none) return;
    number = piece.before;
    last_cut = own.pieces[number].cuts - 1;
  }
}

void WorkLog::each_of_bank(std::size_t bank, const std::function<void(LocationId, CallPathId, Ticks)>& visit) const {
  const Bank& of = *banks_[bank];
  std::vector<Ticks> sums;  // by call path, for one piece: a few paths have most of its shares
  std::vector<std::uint32_t> paths;
  of.pieces.each(0, of.pieces.size(), [&](const Piece& p) {
    of.shares.each(p.first_share, of.cuts[p.first_cut + p.cuts - 1].shares, [&](const Share& s) {
      if (s.callpath >= sums.size()) sums.resize(std::size_t{s.callpath} + 1);
      if (sums[s.callpath] == 0) paths.push_back(s.callpath);
      sums[s.callpath] += s.ticks;
    });
    for (const std::uint32_t c : paths) visit(p.location, CallPathId{std::size_t{c}}, std::exchange(sums[c], 0));
    paths.clear();
  });
}

}  // namespace waitstate::causes
