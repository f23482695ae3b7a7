#include "analysis/metrics/wait_log.hpp"

#include <algorithm>
#include <bit>
#include <numeric>
#include <optional>
#include <span>
#include <tuple>
#include <utility>

#include "util/in_threads.hpp"

namespace waitstate::analysis {

void WaitLog::put_block() {
  keep_block(std::exchange(block_, {}));
  block_.reserve(block_size_);
}

void WaitLog::keep_block(std::vector<Entry>&& block) {
  if (full_.size() < blocks_in_memory_) {
    full_.push_back(std::move(block));
    return;
  }
  if (files_.empty()) files_.push_back(std::make_unique<util::ScratchFile>());
  if (const auto at = files_.front()->put(std::as_bytes(std::span(block)))) {
    places_.push_back({files_.front().get(), *at});
  } else {
    lost_ = true;
    full_ = {};
  }
}

void WaitLog::merge(WaitLog& other) {
  blocks_in_memory_ += other.blocks_in_memory_;
  for (std::vector<Entry>& block : other.full_)
    if (!lost_) keep_block(std::move(block));
  for (std::unique_ptr<util::ScratchFile>& file : other.files_) files_.push_back(std::move(file));
  places_.insert(places_.end(), other.places_.begin(), other.places_.end());
  for (const Entry& e : other.block_) {
    if (block_.size() == block_size_) put_block();
    block_.push_back(e);
  }
  lost_ = lost_ || other.lost_;
  if (lost_) full_ = {};
  other.full_ = {}, other.block_ = {}, other.places_ = {};
  other.files_.clear();
}

template <class Visit>
void WaitLog::each_of_block(std::size_t number, Visit&& visit) const {
  const auto all = [&](const std::vector<Entry>& block) {
    for (const Entry& e : block) visit(e);
  };
  if (number < full_.size()) return all(full_[number]);
  if (number + 1 == blocks()) return all(block_);
  std::vector<Entry> block(block_size_);
  places_[number - full_.size()].read(block);
  all(block);
}

/// Distinct windows in order, and for each location the windows that are about it.
class WaitLog::Windows {
 public:
  explicit Windows(std::vector<Window> all) : all_(std::move(all)) {
    std::sort(all_.begin(), all_.end());
    all_.erase(std::unique(all_.begin(), all_.end()), all_.end());
    leaves_ = std::bit_ceil(std::max<std::size_t>(all_.size(), 1));
    latest_end_.resize(2 * leaves_);
    for (std::size_t i = 0; i < all_.size(); ++i) {
      latest_end_[leaves_ + i] = all_[i].end;
      const std::size_t l = all_[i].location.index();
      if (of_location_.size() <= l) of_location_.resize(l + 1);
      const bool first = i == 0 || all_[i - 1].location != all_[i].location;
      if (first) of_location_[l] = {i, i, i};
      of_location_[l].last = i + 1;
      reach_.push_back(first ? all_[i].end : std::max(reach_.back(), all_[i].end));
    }
    for (std::size_t n = leaves_; n-- > 1;) latest_end_[n] = std::max(latest_end_[2 * n], latest_end_[2 * n + 1]);
  }

  std::size_t size() const { return all_.size(); }
  const Window& operator[](std::size_t i) const { return all_[i]; }
  std::size_t place_of(const Window& w) const {
    return static_cast<std::size_t>(std::lower_bound(all_.begin(), all_.end(), w) - all_.begin());
  }

  /// Calls found(place) for each window that overlaps the wait. Most waits overlap none, and those of a location come
  /// nearly in order: then this costs a few comparisons.
  template <class Found>
  void around(const Entry& e, Found&& found) {
    if (e.location.index() >= of_location_.size()) return;
    OfLocation& of = of_location_[e.location.index()];
    if (of.first == of.last) return;
    const bool behind_begins = of.behind == of.first || all_[of.behind - 1].begin < e.end;
    if (!behind_begins || (of.behind != of.last && all_[of.behind].begin < e.end)) {
      const auto from = all_.begin() + static_cast<std::ptrdiff_t>(of.first),
                 to = all_.begin() + static_cast<std::ptrdiff_t>(of.last);
      const auto behind = std::partition_point(from, to, [&](const Window& w) { return w.begin < e.end; });
      of.behind = static_cast<std::size_t>(behind - all_.begin());
    }
    if (of.behind != of.first && reach_[of.behind - 1] > e.begin)
      ending_after(e.begin, of.first, of.behind, 1, 0, leaves_, found);
  }

 private:
  struct OfLocation {
    std::size_t first = 0, last = 0;  ///< the last one is exclusive
    std::size_t behind = 0;           ///< the first window that begins after the latest wait
  };

  /// Finds the windows of [first, last) that end after `t`, below the node of the windows [from, to).
  template <class Found>
  void ending_after(Time t, std::size_t first, std::size_t last, std::size_t node, std::size_t from, std::size_t to,
                    Found& found) const {
    if (to <= first || from >= last || latest_end_[node] <= t) return;
    if (node >= leaves_) return found(from);
    const std::size_t middle = (from + to) / 2;
    ending_after(t, first, last, 2 * node, from, middle, found);
    ending_after(t, first, last, 2 * node + 1, middle, to, found);
  }

  std::vector<Window> all_;
  std::vector<Time> reach_;  ///< by window: the latest end of the windows of its location up to it
  std::size_t leaves_ = 1;
  std::vector<Time> latest_end_;  ///< a segment tree: node n covers nodes 2n and 2n + 1, and the leaves from leaves_ on
                                  ///< cover one window each
  std::vector<OfLocation> of_location_;
};

namespace {

/// The part of a wait that lies in a window.
struct WaitPart {
  Time begin, end;
  LocationId culprit;
  CallPathId callpath;
};

/// The time that the parts cover; parts are in the order of their begins.
template <class Parts>
Ticks covered(const Parts& parts) {
  Ticks sum = 0;
  Time until = 0;
  for (const WaitPart& p : parts) {
    if (p.end <= until) continue;
    sum = add_ticks(sum, p.end - std::max(p.begin, until));
    until = p.end;
  }
  return sum;
}

CulpritWait summary_of(std::span<WaitPart> parts, const CallPathOrder& order) {
  CulpritWait w;
  w.known = true;
  std::sort(parts.begin(), parts.end(),
            [](const WaitPart& a, const WaitPart& b) { return std::tie(a.begin, a.end) < std::tie(b.begin, b.end); });
  w.ticks = covered(parts);
  std::sort(parts.begin(), parts.end(), [](const WaitPart& a, const WaitPart& b) {
    return std::tie(a.culprit, a.callpath, a.begin, a.end) < std::tie(b.culprit, b.callpath, b.begin, b.end);
  });
  Time first = 0;
  for (std::size_t i = 0, n = 0; i < parts.size(); i += n) {
    const WaitPart& p = parts[i];
    for (n = 1; i + n < parts.size() && parts[i + n].culprit == p.culprit && parts[i + n].callpath == p.callpath;) ++n;
    const Ticks ticks = covered(parts.subspan(i, n));
    // If sums are equal, the earliest wins, then the smaller location.
    const auto rank = [&](Time begin, LocationId l, CallPathId c) { return std::tuple(begin, l, order.place(c)); };
    if (ticks < w.most ||
        (ticks == w.most && rank(p.begin, p.culprit, p.callpath) >= rank(first, w.culprit, w.callpath)))
      continue;
    w.most = ticks, w.culprit = p.culprit, w.callpath = p.callpath, first = p.begin;
  }
  return w;
}

}  // namespace

// Usually few waits lie in the windows. If they are too many to be looked at at once, the first attempt counts those of
// each window, and the windows are then processed in groups, as many as there is room for.
std::vector<CulpritWait> WaitLog::waited_in(const std::vector<Window>& asked, const CallPathOrder& order,
                                            std::size_t threads) const {
  std::vector<CulpritWait> answers(asked.size());
  if (lost_ || asked.empty()) return answers;
  Windows windows(asked);
  struct Found {
    std::size_t window;
    WaitPart part;
  };
  struct Seen {  // by one thread
    Windows windows;
    std::vector<std::size_t> counts;
    std::vector<Found> found{};
  };
  const auto part_of = [&](const Entry& e, std::size_t i) -> WaitPart {
    return {std::max(e.begin, windows[i].begin), std::min(e.end, windows[i].end), e.culprit, e.callpath};
  };
  std::vector<std::optional<Seen>> seen(std::max<std::size_t>(std::min(threads, blocks()), 1));
  util::in_threads(seen.size(), blocks(), [&](std::size_t block, std::size_t thread) {
    std::optional<Seen>& own = seen[thread];
    if (!own) own = Seen{.windows = windows, .counts = std::vector<std::size_t>(windows.size())};
    each_of_block(block, [&](const Entry& e) {
      own->windows.around(e, [&](std::size_t i) {
        ++own->counts[i];
        if (own->found.size() < at_once_ / seen.size()) own->found.push_back({i, part_of(e, i)});
      });
    });
  });
  std::vector<std::size_t> counts(windows.size());
  std::size_t found = 0;
  for (const std::optional<Seen>& of_thread : seen)
    if (of_thread) {
      for (std::size_t i = 0; i < counts.size(); ++i) counts[i] += of_thread->counts[i];
      found += of_thread->found.size();
    }
  const bool all_found = std::accumulate(counts.begin(), counts.end(), std::size_t{0}) == found;
  if (!all_found) seen.clear();

  std::vector<CulpritWait> of(windows.size());
  std::vector<WaitPart> parts;
  std::vector<std::size_t> places(windows.size());
  for (std::size_t from = 0, to = 0; from < windows.size(); from = to) {
    std::size_t n = 0;
    for (; to < windows.size(); ++to) {
      if (counts[to] > at_once_) continue;
      if (n + counts[to] > at_once_) break;
      places[to] = n;
      n += counts[to];
    }
    parts.resize(n);
    const auto put = [&](std::size_t i, const WaitPart& part) {
      if (i >= from && i < to && counts[i] <= at_once_) parts[places[i]++] = part;
    };
    for (const std::optional<Seen>& of_thread : seen)
      if (of_thread)
        for (const Found& f : of_thread->found) put(f.window, f.part);
    for (std::size_t block = 0; !all_found && n != 0 && block < blocks(); ++block)
      each_of_block(block, [&](const Entry& e) { windows.around(e, [&](std::size_t i) { put(i, part_of(e, i)); }); });
    for (std::size_t i = from; i < to; ++i)
      if (counts[i] <= at_once_) of[i] = summary_of(std::span(parts).subspan(places[i] - counts[i], counts[i]), order);
  }
  for (std::size_t i = 0; i < asked.size(); ++i) answers[i] = of[windows.place_of(asked[i])];
  return answers;
}

}  // namespace waitstate::analysis
