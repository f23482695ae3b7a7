// Columns of single events. The store keeps packed rows and records of different lengths, which no array can look into,
// so a column is a copy that is made once, on demand: a user of two numbers of ten million events pays for two columns.
// Members of the rows (time, loc, type, enterptr) are copied from there, in about 10 ns an event; for call paths, the
// other links and attributes a whole event is composed, which takes four times as long.
#include <algorithm>
#include <array>
#include <map>
#include <optional>
#include <tuple>
#include <utility>

#include "util/nearest.hpp"
#include "waitstate/error.hpp"
#include "waitstate/trace/columns.hpp"

namespace waitstate {

namespace {

enum class Numbers : std::uint8_t { signed_64, unsigned_64, reference, unsigned_32, enumeration };

Numbers numbers_of(AttributeKind kind) {
  switch (kind) {
    case AttributeKind::u64:
      return Numbers::unsigned_64;
    case AttributeKind::i64:
    case AttributeKind::time:
      return Numbers::signed_64;
    case AttributeKind::u32:
    case AttributeKind::hex32:
      return Numbers::unsigned_32;
    default:
      return attribute_width(kind) == 1 ? Numbers::enumeration : Numbers::reference;
  }
}

/// The name of an attribute's column: `type` is the event's own.
std::string_view column_name(const AttributeSpec& a) {
  if (a.name != "type") return a.name;
  return a.kind == AttributeKind::lock_type ? "lock_type" : "atomic_type";
}

/// Where the numbers of an attribute are in each event type, and what they are: types that disagree (a `lock` of 32 and
/// one of 64 bits) meet in signed numbers of 64 bits.
struct AttributeColumn {
  static constexpr std::uint8_t absent = 0xff;
  std::array<std::uint8_t, event_type_count> index;
  std::optional<Numbers> numbers;
  std::int64_t missing = 0;

  AttributeColumn(std::string_view column, std::span<const EventType> types) {
    index.fill(absent);
    for (const EventType t : types) {
      const auto specs = spec(t).attributes();
      for (std::size_t i = 0; i < specs.size(); ++i) {
        if (column_name(specs[i]) != column) continue;
        index[static_cast<std::size_t>(t)] = static_cast<std::uint8_t>(i);
        const Numbers n = numbers_of(specs[i].kind);
        if (n == Numbers::reference || n == Numbers::enumeration) missing = -1;
        numbers = !numbers || *numbers == n ? n : Numbers::signed_64;
      }
    }
  }
  bool exists() const { return numbers.has_value(); }
};

class Reader {
 public:
  Reader(const EventTrace& trace, const std::vector<std::int64_t>& positions) : trace_(trace), positions_(positions) {}

  /// `value` of each position.
  template <class T, class F>
  Column look_up(F&& value) const {
    std::vector<T> result(positions_.size());
    for (std::size_t i = 0; i < result.size(); ++i)
      result[i] = static_cast<T>(value(static_cast<Position>(positions_[i])));
    return result;
  }
  /// `value` of each event.
  template <class T, class F>
  Column read(F&& value) const {
    return look_up<T>([&](Position p) { return value(trace_.event(p)); });
  }
  template <class T>
  Column attribute(const AttributeColumn& a) const {
    return read<T>([&](const Event& e) {
      const std::uint8_t i = a.index[static_cast<std::size_t>(e.type)];
      if (i == AttributeColumn::absent) return static_cast<T>(a.missing);
      if (numbers_of(spec(e.type).attribute_table[i].kind) == Numbers::reference)
        return static_cast<T>(static_cast<std::int32_t>(e.attributes[i]));  // none is -1
      return static_cast<T>(e.attributes[i]);
    });
  }

 private:
  const EventTrace& trace_;
  const std::vector<std::int64_t>& positions_;
};

constexpr std::pair<std::string_view, Position Event::*> link_columns[] = {
    {"enterptr", &Event::enterptr}, {"sendptr", &Event::sendptr},   {"requestptr", &Event::requestptr},
    {"beginptr", &Event::beginptr}, {"startptr", &Event::startptr}, {"originptr", &Event::originptr}};

}  // namespace

EventColumns::EventColumns(std::shared_ptr<const EventTrace> trace, std::span<const EventType> types)
    : trace_(std::move(trace)) {
  std::array<bool, event_type_count> wanted{}, found{};
  if (types.empty()) wanted.fill(true);
  for (const EventType t : types) wanted[static_cast<std::size_t>(t)] = true;
  std::vector<std::uint8_t> type_column;
  for (Position p = 0; p < trace_->size(); ++p) {
    const auto t = static_cast<std::uint8_t>(trace_->type(p));
    if (!wanted[t]) continue;
    found[t] = true;
    positions_.push_back(static_cast<std::int64_t>(p));
    type_column.push_back(t);
  }
  // A type that was asked for by name has its columns, even if no event has them.
  for (std::size_t t = 0; t < event_type_count; ++t)
    if (types.empty() ? found[t] : wanted[t]) types_.push_back(static_cast<EventType>(t));

  names_ = {"pos", "time", "loc", "type", "callpath"};
  for (const auto& [link, member] : link_columns) names_.emplace_back(link);
  names_.emplace_back("region");
  for (const EventType t : types_)
    for (const AttributeSpec& a : spec(t).attributes())
      if (std::find(names_.begin(), names_.end(), column_name(a)) == names_.end()) names_.emplace_back(column_name(a));
  made_.emplace("type", std::move(type_column));
}

const Column& EventColumns::column(std::string_view name) const {
  if (std::find(names_.begin(), names_.end(), name) == names_.end()) {
    std::string known;
    for (const std::string& n : names_) known += (known.empty() ? "" : ", ") + n;
    const std::vector<std::string_view> views(names_.begin(), names_.end());
    const std::string near = util::nearest(name, views);
    throw UsageError("there is no column '" + std::string(name) + "' of these events, but " + known +
                     (near.empty() ? "" : "; did you mean '" + near + "'?"));
  }
  const std::lock_guard lock(mutex_);
  if (const auto found = made_.find(name); found != made_.end()) return found->second;

  const Reader reader(*trace_, positions_);
  const auto make = [&]() -> Column {
    if (name == "pos") return positions_;
    if (name == "time") return reader.look_up<std::int64_t>([&](Position p) { return trace_->time(p); });
    if (name == "loc") return reader.look_up<std::int32_t>([&](Position p) { return trace_->location(p).value; });
    if (name == "enterptr") return reader.look_up<std::int64_t>([&](Position p) { return trace_->enterptr(p); });
    if (name == "callpath") return reader.read<std::int32_t>([](const Event& e) { return e.callpath.value; });
    for (const auto& [link, member] : link_columns)  // no_position is -1
      if (name == link) return reader.read<std::int64_t>([m = member](const Event& e) { return e.*m; });
    const AttributeColumn attribute(name, types_);
    if (!attribute.exists())
      return std::vector<std::int32_t>(positions_.size(), -1);  // `region` of none of these types
    switch (*attribute.numbers) {
      case Numbers::signed_64:
        return reader.attribute<std::int64_t>(attribute);
      case Numbers::unsigned_64:
        return reader.attribute<std::uint64_t>(attribute);
      case Numbers::reference:
        return reader.attribute<std::int32_t>(attribute);
      case Numbers::unsigned_32:
        return reader.attribute<std::uint32_t>(attribute);
      case Numbers::enumeration:
        return reader.attribute<std::uint8_t>(attribute);
    }
    return positions_;
  };
  return made_.emplace(std::string(name), make()).first->second;
}

namespace {

template <class T>
void add_column(ColumnTable& table, const char* name, std::vector<T>& column) {
  table.rows = column.size();
  table.columns.emplace_back(name, std::move(column));
}

std::int64_t as_signed(std::uint64_t x) { return static_cast<std::int64_t>(x); }
template <class Tag>
std::int32_t as_signed(Id<Tag> id) {
  return static_cast<std::int32_t>(id.value);
}

/// Time of the enter of the call in which an event happened; outside of all calls, its own time.
std::int64_t enter_time(const EventTrace& trace, const Event& e) {
  return as_signed(e.enterptr == no_position ? e.time : trace.time(e.enterptr));
}
RegionId call_region(const EventTrace& trace, const Event& e) {
  return e.callpath.valid() ? trace.call_tree()[e.callpath].region : RegionId::none();
}

bool opens(EventType t) {
  return t == EventType::enter || t == EventType::program_begin || t == EventType::calling_context_enter;
}
bool closes(EventType t) {
  return t == EventType::exit || t == EventType::program_end || t == EventType::calling_context_exit;
}

}  // namespace

ColumnTable message_columns(const EventTrace& trace) {
  std::vector<std::int64_t> sendptr, recvptr, sent, received, send_enter, recv_enter;
  std::vector<std::int32_t> src, dest, com, send_region, recv_region, send_callpath, recv_callpath;
  std::vector<std::uint32_t> tag;
  std::vector<std::uint64_t> len;
  for (Position p = 0; p < trace.size(); ++p) {
    if (const EventType t = trace.type(p); t != EventType::recv && t != EventType::irecv) continue;
    const Event recv = trace.event(p);
    if (recv.sendptr == no_position) continue;
    const Event send = trace.event(recv.sendptr);
    sendptr.push_back(as_signed(send.pos));
    recvptr.push_back(as_signed(recv.pos));
    src.push_back(as_signed(send.loc));
    dest.push_back(as_signed(recv.loc));
    tag.push_back(send.tag());
    com.push_back(as_signed(send.com()));
    len.push_back(send.len());
    sent.push_back(as_signed(send.time));
    received.push_back(as_signed(recv.time));
    send_enter.push_back(enter_time(trace, send));
    recv_enter.push_back(enter_time(trace, recv));
    send_region.push_back(as_signed(call_region(trace, send)));
    recv_region.push_back(as_signed(call_region(trace, recv)));
    send_callpath.push_back(as_signed(send.callpath));
    recv_callpath.push_back(as_signed(recv.callpath));
  }
  ColumnTable table;
  add_column(table, "sendptr", sendptr);
  add_column(table, "recvptr", recvptr);
  add_column(table, "src", src);
  add_column(table, "dest", dest);
  add_column(table, "tag", tag);
  add_column(table, "com", com);
  add_column(table, "len", len);
  add_column(table, "send_time", sent);
  add_column(table, "recv_time", received);
  add_column(table, "send_enter", send_enter);
  add_column(table, "recv_enter", recv_enter);
  add_column(table, "send_region", send_region);
  add_column(table, "recv_region", recv_region);
  add_column(table, "send_callpath", send_callpath);
  add_column(table, "recv_callpath", recv_callpath);
  return table;
}

ColumnTable collective_columns(const EventTrace& trace) {
  const Definitions& d = trace.definitions();
  std::vector<std::int64_t> pos, beginptr, begin, end, enter;
  std::vector<std::int32_t> loc, com, root, callpath;
  std::vector<std::uint64_t> sent, received;
  std::vector<std::uint8_t> op, nonblocking;
  for (Position p = 0; p < trace.size(); ++p) {
    const EventType type = trace.type(p);
    const bool blocking = type == EventType::collective_end;
    if (!blocking && type != EventType::nonblocking_collective_complete) continue;
    const Event e = trace.event(p);
    const Position started = blocking ? e.beginptr : e.requestptr;
    pos.push_back(as_signed(p));
    beginptr.push_back(as_signed(started));
    loc.push_back(as_signed(e.loc));
    op.push_back(static_cast<std::uint8_t>(e.attributes[0]));
    com.push_back(static_cast<std::int32_t>(e.attributes[1]));
    root.push_back(static_cast<std::int32_t>(e.attributes[2]));
    sent.push_back(e.attributes[3]);
    received.push_back(e.attributes[4]);
    begin.push_back(as_signed(started == no_position ? e.time : trace.time(started)));
    end.push_back(as_signed(e.time));
    enter.push_back(enter_time(trace, e));
    callpath.push_back(as_signed(e.callpath));
    nonblocking.push_back(blocking ? 0 : 1);
  }

  // The rows are in the order in which their operations were started; for blocking ones that is the order of their
  // ends.
  const std::size_t rows = pos.size();
  std::vector<std::size_t> started(rows);
  for (std::size_t i = 0; i < rows; ++i) started[i] = i;
  const auto order = [&](std::size_t i) {
    return std::tuple{nonblocking[i] != 0 && beginptr[i] >= 0 ? beginptr[i] : pos[i], i};
  };
  std::sort(started.begin(), started.end(), [&](std::size_t a, std::size_t b) { return order(a) < order(b); });
  std::vector<std::int64_t> nth(rows), instance(rows);
  std::map<std::tuple<std::int32_t, std::uint8_t, std::uint32_t>, std::int64_t> counts;
  const auto process = [&](std::size_t i) { return d.locations[static_cast<std::size_t>(loc[i])].process.value; };
  for (const std::size_t i : started) nth[i] = counts[{com[i], nonblocking[i], process(i)}]++;
  std::map<std::tuple<std::int32_t, std::uint8_t, std::int64_t, std::uint32_t>, std::int64_t> instances;
  for (std::size_t i = 0; i < rows; ++i) {
    const auto c = static_cast<std::size_t>(static_cast<std::uint32_t>(com[i]));
    const bool alone = c < d.comms.size() && d.comms[c].self;
    instance[i] = instances
                      .try_emplace({com[i], nonblocking[i], nth[i], alone ? process(i) : ProcessId::none_value},
                                   as_signed(instances.size()))
                      .first->second;
  }

  ColumnTable table;
  add_column(table, "pos", pos);
  add_column(table, "beginptr", beginptr);
  add_column(table, "loc", loc);
  add_column(table, "com", com);
  add_column(table, "op", op);
  add_column(table, "root", root);
  add_column(table, "sent", sent);
  add_column(table, "received", received);
  add_column(table, "begin", begin);
  add_column(table, "end", end);
  add_column(table, "enter", enter);
  add_column(table, "callpath", callpath);
  add_column(table, "nonblocking", nonblocking);
  add_column(table, "nth", nth);
  add_column(table, "instance", instance);
  return table;
}

ColumnTable region_instance_columns(const EventTrace& trace) {
  std::vector<std::int64_t> enterptr, exitptr, enter, exit, inclusive, exclusive;
  std::vector<std::int32_t> loc, region, callpath, depth;
  std::vector<std::vector<std::size_t>> stacks(trace.location_count());  // rows of the open instances
  std::vector<Time> last(trace.location_count(), 0);
  const auto close = [&](std::vector<std::size_t>& stack, Time time, std::int64_t by) {
    const std::size_t row = stack.back();
    stack.pop_back();
    exitptr[row] = by;
    exit[row] = as_signed(time);
    inclusive[row] = as_signed(time - static_cast<Time>(enter[row]));
    exclusive[row] = add_ticks(exclusive[row], static_cast<std::uint64_t>(inclusive[row]));
    if (!stack.empty())
      exclusive[stack.back()] =
          add_ticks(exclusive[stack.back()], std::uint64_t{0} - static_cast<std::uint64_t>(inclusive[row]));
  };
  for (Position p = 0; p < trace.size(); ++p) {
    const Event e = trace.event(p);
    auto& stack = stacks[e.loc.index()];
    last[e.loc.index()] = e.time;
    if (opens(e.type)) {
      stack.push_back(enterptr.size());
      enterptr.push_back(as_signed(p));
      exitptr.push_back(-1);
      loc.push_back(as_signed(e.loc));
      region.push_back(as_signed(call_region(trace, e)));
      callpath.push_back(as_signed(e.callpath));
      depth.push_back(static_cast<std::int32_t>(stack.size() - 1));
      enter.push_back(as_signed(e.time));
      exit.push_back(as_signed(e.time));
      inclusive.push_back(0);
      exclusive.push_back(0);
    } else if (closes(e.type) && e.enterptr != no_position) {
      // Regions that are still open inside of it were never left: they end here.
      while (!stack.empty() && enterptr[stack.back()] > as_signed(e.enterptr)) close(stack, e.time, -1);
      if (!stack.empty() && enterptr[stack.back()] == as_signed(e.enterptr)) close(stack, e.time, as_signed(p));
    }
  }
  for (std::size_t l = 0; l < stacks.size(); ++l)
    while (!stacks[l].empty()) close(stacks[l], last[l], -1);

  ColumnTable table;
  add_column(table, "enterptr", enterptr);
  add_column(table, "exitptr", exitptr);
  add_column(table, "loc", loc);
  add_column(table, "region", region);
  add_column(table, "callpath", callpath);
  add_column(table, "depth", depth);
  add_column(table, "enter", enter);
  add_column(table, "exit", exit);
  add_column(table, "inclusive_ticks", inclusive);
  add_column(table, "exclusive_ticks", exclusive);
  return table;
}

}  // namespace waitstate
