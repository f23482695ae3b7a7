#include "link/devices.hpp"

#include <algorithm>
#include <utility>

namespace waitstate::link {
namespace {

constexpr std::uint32_t no_process = ~std::uint32_t{0};

// The streams of an accelerator have a group of their own, or are in that of the process.
ProcessId host_process(const Definitions& definitions, const Location& location) {
  return location.process.valid() ? definitions[location.process].host : location.process;
}

}  // namespace

bool Devices::any(const Definitions& definitions) {
  return std::any_of(definitions.locations.begin(), definitions.locations.end(), [&](const Location& l) {
    return l.type == LocationType::accelerator_stream && host_process(definitions, l).valid();
  });
}

Devices::Devices(const Definitions& definitions, Listener& listener)
    : definitions_(definitions),
      listener_(listener),
      process_of_(definitions.locations.size(), no_process),
      processes_(definitions.processes.size()) {
  for (std::size_t i = 0; i < definitions.locations.size(); ++i) {
    const Location& l = definitions.locations[i];
    const ProcessId id = host_process(definitions, l);
    if (!id.valid() || l.type == LocationType::metric) continue;
    process_of_[i] = id.value;
    Process& process = processes_[id.index()];
    if (l.type == LocationType::accelerator_stream)
      process.streams.push_back({LocationId{i}, {}, 0});
    else
      process.hosts.push_back({LocationId{i}, 0});
  }
}

Devices::Process* Devices::process_of(LocationId l) {
  const std::uint32_t id = process_of_[l.index()];
  return id == no_process ? nullptr : &processes_[id];
}

void Devices::process(const replay::Chunk& chunk, CallBuilder& calls) {
  if (definitions_[chunk.location].type == LocationType::accelerator_stream)
    stream(chunk, calls);
  else
    host(chunk, calls);
  read_up_to(chunk.location, chunk.last_time, chunk.last);
}

void Devices::stream(const replay::Chunk& chunk, CallBuilder& calls) {
  std::vector<Activity> done;
  for (const replay::DeviceRecord& r : chunk.device_records) {
    if (r.call == replay::DeviceRecord::no_call) {
      done.push_back({r.begin, r.end, calls.call_path(chunk.location, 0, r.callpath), true});
      continue;
    }
    const replay::CallRecord& c = chunk.sync_calls[r.call];
    done.push_back({c.enter, c.exit, calls.call_path(chunk.location, c.segment, c.callpath), false});
  }
  activities(chunk.location, std::move(done));
}

void Devices::host(const replay::Chunk& chunk, CallBuilder& calls) {
  for (std::size_t i = 0; i < chunk.device_records.size(); ++i) {
    const replay::CallRecord& c = chunk.sync_calls[chunk.device_records[i].call];
    // Calls stand in the order of their enters: one that the next is inside of waits by that one.
    if (i + 1 < chunk.device_records.size() && chunk.sync_calls[chunk.device_records[i + 1].call].enter < c.exit)
      continue;
    Call waiting;
    waiting.location = chunk.location;
    waiting.callpath = calls.call_path(chunk.location, c.segment, c.callpath);
    waiting.region = c.region;
    waiting.number = c.number;
    waiting.enter = c.enter;
    waiting.exit = c.exit;
    call(waiting);
  }
}

void Devices::call(const Call& call) {
  if (Process* const process = process_of(call.location); process != nullptr && !process->streams.empty())
    process->calls.push_back(call);
}

void Devices::activities(LocationId l, std::vector<Activity> done) {
  Process* const process = process_of(l);
  if (process == nullptr || process->hosts.empty()) return;
  std::stable_sort(done.begin(), done.end(), [](const Activity& a, const Activity& b) { return a.end < b.end; });
  for (Stream& s : process->streams)
    if (s.location == l) s.done.insert(s.done.end(), done.begin(), done.end());
}

void Devices::read_up_to(LocationId l, Time until, bool last) {
  Process* const process = process_of(l);
  if (process == nullptr) return;
  if (last) until = ~Time{0};
  for (Host& h : process->hosts)
    if (h.location == l) h.until = until;
  for (Stream& s : process->streams)
    if (s.location == l) s.until = until;
  decide(*process);
  forget(*process);
}

void Devices::decide(Process& process) {
  if (process.calls.empty()) return;
  Time known = ~Time{0};  // activities that end at that time may still be to come
  for (const Stream& s : process.streams) known = std::min(known, s.until);
  std::size_t kept = 0;
  for (std::size_t i = 0; i < process.calls.size(); ++i) {
    if (process.calls[i].exit < known || known == ~Time{0})
      deliver(process, process.calls[i]);
    else
      process.calls[kept++] = process.calls[i];
  }
  process.calls.resize(kept);
}

void Devices::deliver(const Process& process, const Call& call) {
  parts_.clear();
  next_.clear();
  for (const Stream& s : process.streams) {
    const auto after =
        std::partition_point(s.done.begin(), s.done.end(), [&](const Activity& a) { return a.end <= call.exit; });
    next_.push_back(static_cast<std::size_t>(after - s.done.begin()));
  }
  for (Time bound = call.exit; bound > call.enter;) {
    std::size_t latest = next_.size();  // the activity that ended last until then; the first stream's if several did
    for (std::size_t i = 0; i < next_.size(); ++i) {
      const std::deque<Activity>& done = process.streams[i].done;
      while (next_[i] != 0 && done[next_[i] - 1].end > bound) --next_[i];
      if (next_[i] != 0 &&
          (latest == next_.size() || done[next_[i] - 1].end > process.streams[latest].done[next_[latest] - 1].end))
        latest = i;
    }
    if (latest == next_.size()) break;
    const Activity& a = process.streams[latest].done[--next_[latest]];
    if (a.end <= call.enter) break;
    if (!parts_.empty()) parts_.back().begin = a.end;
    if (!parts_.empty() && parts_.back().begin == parts_.back().end) parts_.pop_back();
    parts_.push_back({call.enter, a.end, a.copy, process.streams[latest].location, a.callpath});
    bound = a.begin;
  }
  if (parts_.empty()) return;
  std::reverse(parts_.begin(), parts_.end());
  listener_.device_wait({call, parts_});
}

void Devices::forget(Process& process) const {
  Time oldest = ~Time{0};
  for (const Host& h : process.hosts) oldest = std::min(oldest, h.until);
  for (const Call& c : process.calls) oldest = std::min(oldest, c.enter);
  for (Stream& s : process.streams)
    while (!s.done.empty() && s.done.front().end <= oldest) s.done.pop_front();
}

}  // namespace waitstate::link
