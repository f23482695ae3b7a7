#include "export/perfetto/wait_writer.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <string>

namespace waitstate::exports {
namespace {

constexpr std::uint32_t no_text = ~std::uint32_t{0};

}  // namespace

bool is_outermost_wait(const MetricTree& metrics, MetricIndex metric) {
  if (!is_waiting(metrics[metric].kind)) return metrics[metric].from_plugin;
  for (MetricIndex m = metric; metrics[m].parent != no_metric; m = metrics[m].parent)
    if (metrics[m].within_parent && is_waiting(metrics[metrics[m].parent].kind)) return false;
  return true;
}

WaitWriter::WaitWriter(const AnalysisResult& result, const TimeScale& time, TrackEvents& out, Tracks& tracks,
                       const SpansByLocation* around, std::uint64_t& next_flow)
    : result_(result),
      time_(time),
      out_(out),
      tracks_(tracks),
      around_(around),
      chosen_(result.focus.locations),
      next_flow_(next_flow),
      wait_(out.categories().number("wait")),
      culprit_category_(out.categories().number("culprit")),
      metric_(out.keys().number("metric")),
      callpath_(out.keys().number("call path")),
      culprit_(out.keys().number("culprit")),
      culprit_callpath_(out.keys().number("culprit's call path")),
      cause_(out.keys().number("cause")),
      bytes_(out.keys().number("bytes")),
      tag_(out.keys().number("tag")),
      communicator_(out.keys().number("communicator")),
      waiters_(out.keys().number("waiters")),
      culprit_waited_(out.keys().number("culprit itself waited, in ns")),
      culprit_waited_for_(out.keys().number("culprit waited mostly for")),
      culprit_waited_in_(out.keys().number("culprit waited mostly in")) {
  for (MetricIndex m = 0; m < result.metrics.size(); ++m) {
    outermost_.push_back(is_outermost_wait(result.metrics, m));
    titles_.push_back(out.names().number(result.metrics[m].title));
    ids_.push_back(out.texts().number(result.metrics[m].id));
  }
  std::sort(chosen_.begin(), chosen_.end());
  paths_.resize(result.call_tree.size(), no_text);
  makes_.resize(result.definitions.locations.size(), no_text);
}

void WaitWriter::write(ShownWaits& waits) {
  waits.each_with_culprit([&](const ShownWait& w, const CulpritWait& own) {
    if (around_ != nullptr) {
      const auto spans = around_->find(w.wait.location);
      if (spans == around_->end() || std::none_of(spans->second.begin(), spans->second.end(), [&](const TimeSpan& s) {
            return w.wait.begin <= s.to && w.end() >= s.from;
          })) {
        ++left_out_;
        return;
      }
    }
    write(w, own);
  });
  close_all();
  write_waiting_locations();
}

void WaitWriter::write(const ShownWait& w, const CulpritWait& own) {
  if (w.wait.location != location_) close_all();
  location_ = w.wait.location;
  const std::size_t lane = lane_for(w);
  lanes_[lane].push_back({w.end(), w.metric});
  const bool has_arrow = outermost_[w.metric] && is_chosen(w.wait.culprit) && w.wait.culprit != w.wait.location;
  const std::uint64_t flow = has_arrow ? next_flow_++ : 0;
  const TrackEvents::Uuid track = tracks_.waits(location_, lane);
  out_.start(Tracks::sequence(location_), time_.nanoseconds(w.wait.begin), TrackEvents::Type::begin, track);
  out_.category(wait_);
  out_.name(titles_[w.metric]);
  annotate(w, own);
  if (has_arrow) out_.flow_begins(flow);
  if (w.operation != 0) out_.correlation(w.operation);
  out_.finish();
  if (has_arrow) write_culprit(w, flow);
  note_edges(w);
  ++written_;
}

bool WaitWriter::is_chosen(LocationId l) const {
  return l.valid() && (chosen_.empty() || std::binary_search(chosen_.begin(), chosen_.end(), l));
}

// A wait lies on a lane that is free, or below a metric that it is a share of.
std::size_t WaitWriter::lane_for(const ShownWait& w) {
  std::size_t lane = 0;
  for (; lane < lanes_.size(); ++lane) {
    close_until(location_, lane, w.wait.begin);
    const std::vector<Open>& open = lanes_[lane];
    if (open.empty() || (open.back().end >= w.end() && open.back().metric != w.metric &&
                         result_.metrics.lies_within(w.metric, open.back().metric)))
      return lane;
  }
  lanes_.emplace_back();
  return lane;
}

void WaitWriter::close_until(LocationId l, std::size_t lane, Time t) {
  std::vector<Open>& open = lanes_[lane];
  for (; !open.empty() && open.back().end <= t; open.pop_back()) {
    out_.start(Tracks::sequence(l), time_.nanoseconds(open.back().end), TrackEvents::Type::end, tracks_.waits(l, lane));
    out_.finish();
  }
}

void WaitWriter::close_all() {
  for (std::size_t lane = 0; lane < lanes_.size(); ++lane) close_until(location_, lane, ~Time{0});
  lanes_.clear();
  if (has_waited_) edges_.add({waited_.from, location_, true}), edges_.add({waited_.to, location_, false});
  has_waited_ = false;
}

std::uint32_t WaitWriter::path_text(CallPathId path) {
  std::uint32_t& text = paths_[path.index()];
  if (text == no_text) text = out_.texts().number(result_.call_tree.path(path, result_.definitions));
  return text;
}

void WaitWriter::annotate(const ShownWait& w, const CulpritWait& own) {
  const Definitions& d = result_.definitions;
  out_.annotation_text(metric_, ids_[w.metric]);
  if (w.wait.callpath.valid()) out_.annotation_text(callpath_, path_text(w.wait.callpath));
  if (w.wait.culprit.valid()) annotate_culprit(w, own);
  if (w.waiters > 1) out_.annotation(waiters_, std::uint64_t{w.waiters});
  if (!w.cause_known) return;
  const WaitCause& c = w.cause;
  out_.annotation_text(
      cause_, out_.texts().number(c.operation == WaitCause::no_operation ? enum_name(c.kind) : enum_name(c.operation)));
  if (c.bytes != WaitCause::none) out_.annotation(bytes_, c.bytes);
  if (c.tag >= 0) out_.annotation(tag_, static_cast<std::uint64_t>(c.tag));
  if (c.comm.valid() && c.comm.index() < d.comms.size())
    out_.annotation_text(communicator_, out_.texts().number(d[c.comm].name));
}

void WaitWriter::annotate_culprit(const ShownWait& w, const CulpritWait& own) {
  out_.annotation_text(culprit_, tracks_.label_text(w.wait.culprit));
  if (w.wait.culprit_callpath.valid()) out_.annotation_text(culprit_callpath_, path_text(w.wait.culprit_callpath));
  if (!own.known) return;
  out_.annotation(culprit_waited_,
                  time_.nanoseconds(w.wait.begin + static_cast<Time>(own.ticks)) - time_.nanoseconds(w.wait.begin));
  if (own.culprit.valid()) out_.annotation_text(culprit_waited_for_, tracks_.label_text(own.culprit));
  if (own.callpath.valid()) out_.annotation_text(culprit_waited_in_, path_text(own.callpath));
}

void WaitWriter::write_culprit(const ShownWait& w, std::uint64_t flow) {
  const LocationId culprit = w.wait.culprit;
  std::uint32_t& name = makes_[w.wait.location.index()];
  if (name == no_text) name = out_.names().number(fmt::format("makes {} wait", tracks_.label(w.wait.location)));
  const TrackEvents::Uuid track = tracks_.regions(culprit, 0);
  out_.start(Tracks::sequence(culprit), time_.nanoseconds(w.end()), TrackEvents::Type::instant, track);
  out_.category(culprit_category_);
  out_.name(name);
  out_.annotation_text(metric_, ids_[w.metric]);
  out_.flow_ends(flow);
  out_.finish();
}

// Time that several wait states have in common counts once.
void WaitWriter::note_edges(const ShownWait& w) {
  if (w.wait.ticks == 0) return;
  if (has_waited_ && w.wait.begin <= waited_.to) {
    waited_.to = std::max(waited_.to, w.end());
    return;
  }
  if (has_waited_) edges_.add({waited_.from, location_, true}), edges_.add({waited_.to, location_, false});
  waited_ = {w.wait.begin, w.end()};
  has_waited_ = true;
}

void WaitWriter::write_waiting_locations() {
  if (edges_.size() == 0) return;
  const TrackEvents::Uuid track = tracks_.waiting_locations();
  const auto write = [&](std::uint64_t nanoseconds, std::int64_t waiting) {
    out_.start(Tracks::trace_sequence, nanoseconds, TrackEvents::Type::counter, track);
    out_.counter_value(waiting);
    out_.finish();
  };
  std::int64_t waiting = 0, shown = 0;
  write(0, 0);
  Edges::Reader reader(edges_);
  const Edge* edge = reader.next();
  while (edge != nullptr) {
    const Time t = edge->time;
    for (; edge != nullptr && edge->time == t; edge = reader.next()) waiting += edge->begins ? 1 : -1;
    if (waiting != shown) write(time_.nanoseconds(t), shown = waiting);
  }
}

}  // namespace waitstate::exports
