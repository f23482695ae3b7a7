#include "replay/exit_pairing.hpp"

#include <algorithm>
#include <cctype>
#include <string>
#include <string_view>

namespace waitstate::replay {
namespace {

constexpr std::size_t most_late = 64, most_ahead = 64;

std::string letters_of(std::string_view name) {
  std::string letters;
  for (const char c : name)
    if (c != ' ' && c != '_' && c != '-') letters += static_cast<char>(std::tolower(static_cast<unsigned char>(c)));
  return letters;
}

}  // namespace

AttributeId identity_attribute(const Definitions& definitions) {
  for (const std::string_view wanted : {"guid", "taskguid", "taskid"})
    for (std::size_t i = 0; i < definitions.attributes.size(); ++i)
      if (letters_of(definitions.attributes[i].name) == wanted) return AttributeId{i};
  return AttributeId::none();
}

ExitPairing::ExitPairing(CallStack& stack) : stack_(stack), attribute_(identity_attribute(stack.context.definitions)) {}

// --- identities ------------------------------------------------------------------------------------------------------

void ExitPairing::attribute_list(std::span<const ListedAttribute> list) {
  expected_ = false;
  for (const ListedAttribute& a : list)
    if (a.attribute == attribute_) {
      expected_ = true;
      identity_ = a.value.bits;
      stack_events_ = stack_.context.stack_events();
    }
}

// The list of the event that is counted already. A list whose event was an exit in order has not been asked for.
std::optional<std::uint64_t> ExitPairing::identity() const {
  if (!expected_ || stack_.context.stack_events() != stack_events_ + 1) return std::nullopt;
  return identity_;
}

void ExitPairing::enter() {
  const std::optional<std::uint64_t> id = identity();
  expected_ = false;
  if (!id) return;
  Activity& a = stack_.activity;
  while (!a.identities.empty() && a.identities.back().place >= a.stack.size()) a.identities.pop_back();
  a.identities.push_back({a.stack.size(), stack_.profiles.now(), *id});
}

// Entries stay when their region is left, which costs an exit nothing; they are told by another enter in their place.
std::optional<std::uint64_t> ExitPairing::identity_of(std::size_t place) const {
  const Activity& a = stack_.activity;
  for (auto known = a.identities.rbegin(); known != a.identities.rend() && known->place >= place; ++known)
    if (known->place == place && a.stack[place].enter == known->enter) return known->identity;
  return std::nullopt;
}

ExitPairing::Identified ExitPairing::identified(std::uint64_t identity) const {
  const Activity& a = stack_.activity;
  Identified found;
  for (const FrameIdentity& known : a.identities) {
    if (known.identity != identity || known.place >= a.stack.size() || a.stack[known.place].enter != known.enter)
      continue;
    ++found.count;
    found.place = known.place;
  }
  return found;
}

// --- exits -----------------------------------------------------------------------------------------------------------

// `has_identity`: the exit has one, which no open region has. It ends none of those that have another.
std::optional<std::size_t> ExitPairing::place_of(RegionId region, bool has_identity) const {
  const std::vector<Frame>& stack = stack_.activity.stack;
  for (std::size_t place = stack.size(); place-- > 0;)
    if (stack_.tree().frame(stack[place].callpath) == region.value && !(has_identity && identity_of(place)))
      return place;
  return std::nullopt;
}

bool ExitPairing::was_late(RegionId region) {
  const std::vector<Frame>& stack = stack_.activity.stack;
  std::erase_if(late_, [&](const Late& l) {
    return l.depth > stack.size() || (l.depth != 0 && stack[l.depth - 1].enter != l.around);
  });
  const auto found = std::find_if(late_.rbegin(), late_.rend(), [&](const Late& l) { return l.region == region; });
  if (found == late_.rend()) return false;
  late_.erase(std::next(found).base());
  return true;
}

bool ExitPairing::is_task(RegionId region) const {
  return region.valid() && stack_.context.definitions[region].role == RegionRole::task;
}

std::optional<std::size_t> ExitPairing::ended(RegionId region) {
  const Activity& a = stack_.activity;
  const std::optional<std::uint64_t> id = identity();
  expected_ = false;
  const Identified same = id ? identified(*id) : Identified{};
  if (same.count == 1) {
    const std::uint64_t frame = stack_.tree().frame(a.stack[same.place].callpath);
    if (frame != region.value) stack_.report(DiagnosticId::region_renamed, frame);
    return same.place;
  }
  const bool has_identity = id && same.count == 0;  // a number that several share tells no visit from another
  if (const std::optional<std::size_t> open = place_of(region, has_identity)) return open;
  if (was_late(region)) {
    stack_.report(DiagnosticId::exit_of_other_region, region.value);
    return std::nullopt;
  }
  if (a.stack.empty() || !region.valid()) {
    leave_ahead(region, stack_.profiles.now());
    return std::nullopt;
  }
  const std::size_t innermost = a.stack.size() - 1;
  const bool others = has_identity && identity_of(innermost);
  if (!others && is_task(region) && is_task(region_at(innermost))) {
    stack_.report(DiagnosticId::region_renamed);
    return innermost;
  }
  report_unpaired();
  if (others) {
    leave_ahead(region, stack_.profiles.now());
    return std::nullopt;
  }
  unpaired_ = {region,
               a.stack.size(),
               a.stack.back().enter,
               stack_.profiles.now(),
               stack_.context.stack_events(),
               stack_.context.count(EventType::measurement_on_off)};
  return std::nullopt;
}

// Nothing was entered or left since, so that all time since then is the innermost region's own.
bool ExitPairing::pairs_with_innermost() const {
  const Activity& a = stack_.activity;
  const Frame& innermost = a.stack.back();
  return unpaired_ && unpaired_->depth == a.stack.size() && unpaired_->enter == innermost.enter &&
         unpaired_->stack_events + 1 == stack_.context.stack_events() &&
         unpaired_->switches == stack_.context.count(EventType::measurement_on_off) && !innermost.has_call() &&
         stack_.profiles[innermost.callpath].kind == Profile::Kind::plain && !stack_.in_threads();
}

void ExitPairing::leave_inside(std::size_t place) {
  const Activity& a = stack_.activity;
  if (pairs_with_innermost()) {
    const std::uint32_t around = a.stack.size() > 1 ? a.stack[a.stack.size() - 2].callpath : a.base;
    stack_.profiles.move_time(a.current, around, unpaired_->time);
    stack_.report(DiagnosticId::region_renamed, stack_.tree().frame(a.current), unpaired_->time);
    unpaired_.reset();
    return;
  }
  stack_.report(DiagnosticId::exit_of_other_region);
  if (late_.size() == most_late) late_.erase(late_.begin());
  late_.push_back({stack_.region(a.current), place, place != 0 ? a.stack[place - 1].enter : 0});
}

void ExitPairing::report_unpaired() {
  if (unpaired_) leave_ahead(unpaired_->region, unpaired_->time);
  unpaired_.reset();
}

void ExitPairing::finish() {
  report_unpaired();
  report_ahead();
}

// --- exits ahead of their enters -------------------------------------------------------------------------------------

void ExitPairing::report_ahead() {
  for (const Ahead& a : ahead_) stack_.report(DiagnosticId::exit_without_enter, a.region.value, a.time);
  ahead_.clear();
}

void ExitPairing::leave_ahead(RegionId region, Time time) {
  if (!ahead_.empty() && (ahead_.back().time != time || ahead_.size() == most_ahead)) report_ahead();
  ahead_.push_back({region, time});
}

bool ExitPairing::was_left_ahead(RegionId region) {
  const Time now = stack_.profiles.now();
  if (unpaired_ && unpaired_->region == region && unpaired_->time == now) {
    unpaired_.reset();
    return true;
  }
  if (!ahead_.empty() && ahead_.back().time != now) report_ahead();
  const auto found =
      std::find_if(ahead_.begin(), ahead_.end(), [&](const Ahead& a) { return region.valid() && a.region == region; });
  if (found == ahead_.end()) return false;
  ahead_.erase(found);
  return true;
}

}  // namespace waitstate::replay
