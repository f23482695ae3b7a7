#include "export/perfetto/track_events.hpp"

#include <protozero/pbf_writer.hpp>

#include "util/text.hpp"
#include "util/utf8.hpp"

namespace waitstate::exports {
namespace {

constexpr std::size_t buffer_size = std::size_t{1} << 18, longest_name = 2000;

/// Names of a trace may be of any length, and of any bytes.
std::string shown(std::string_view name) {
  if (name.size() > longest_name) {
    std::size_t end = longest_name;
    while (end > 0 && (static_cast<unsigned char>(name[end]) & 0xc0u) == 0x80u) --end;
    return util::printable(name.substr(0, end)) + "…";
  }
  return util::printable(name);
}

}  // namespace

std::uint32_t NameTable::number(std::string_view name) {
  const auto [found, added] = numbers_.try_emplace(shown(name), static_cast<std::uint32_t>(names_.size()));
  if (added) names_.push_back(found->first);
  return found->second;
}

void TrackEvents::add(const Track& track) {
  packet_.clear();
  protozero::pbf_writer packet(packet_);
  packet.add_uint32(10, 1);
  {
    protozero::pbf_writer descriptor(packet, 60);
    descriptor.add_uint64(1, track.uuid);
    descriptor.add_string(2, shown(track.name));
    if (track.parent != 0) descriptor.add_uint64(5, track.parent);
    if (track.is_counter) {
      protozero::pbf_writer counter(descriptor, 8);
      if (track.unit.empty())
        counter.add_enum(3, 2);  // a number of something
      else
        counter.add_string(6, shown(track.unit));
    }
    descriptor.add_enum(11, 3);  // explicit order
    descriptor.add_int32(12, track.order);
    if (!track.description.empty()) descriptor.add_string(14, shown(track.description));
    descriptor.add_enum(15, 2);  // not merged with others of its name
  }
  write_packet();
}

void TrackEvents::start(Sequence sequence, std::uint64_t nanoseconds, Type type, Uuid track) {
  if (sequences_.size() <= sequence) sequences_.resize(sequence + 1);
  sequence_ = sequence;
  time_ = nanoseconds;
  event_.clear(), interned_.clear();
  protozero::pbf_writer event(event_);
  event.add_enum(9, static_cast<std::int32_t>(type));
  event.add_uint64(11, track);
}

std::uint64_t TrackEvents::intern(Interned kind, const NameTable& table, std::uint32_t number) {
  std::vector<bool>& known = sequences_[sequence_].known[kind];
  if (known.size() <= number) known.resize(number + 1);
  if (!known[number]) {
    known[number] = true;
    protozero::pbf_writer interned(interned_);
    protozero::pbf_writer entry(interned, kind + 1u);
    entry.add_uint64(1, number + 1u);
    entry.add_string(2, table[number]);
  }
  return number + 1u;
}

void TrackEvents::name(std::uint32_t number) {
  protozero::pbf_writer(event_).add_uint64(10, intern(interned_name, names_, number));
}

void TrackEvents::category(std::uint32_t number) {
  protozero::pbf_writer(event_).add_uint64(3, intern(interned_category, categories_, number));
}

void TrackEvents::annotation(std::uint32_t key, std::uint64_t value) {
  const std::uint64_t iid = intern(interned_key, keys_, key);
  protozero::pbf_writer event(event_);
  protozero::pbf_writer annotation(event, 4);
  annotation.add_uint64(1, iid);
  annotation.add_uint64(3, value);
}

void TrackEvents::annotation_text(std::uint32_t key, std::uint32_t text) {
  const std::uint64_t iid = intern(interned_key, keys_, key);
  protozero::pbf_writer event(event_);
  protozero::pbf_writer annotation(event, 4);
  annotation.add_uint64(1, iid);
  annotation.add_string(6, texts_[text]);
}

void TrackEvents::counter_value(std::int64_t value) { protozero::pbf_writer(event_).add_int64(30, value); }
void TrackEvents::counter_value(double value) { protozero::pbf_writer(event_).add_double(44, value); }
void TrackEvents::flow_begins(std::uint64_t flow) { protozero::pbf_writer(event_).add_fixed64(47, flow); }
void TrackEvents::flow_ends(std::uint64_t flow) { protozero::pbf_writer(event_).add_fixed64(48, flow); }
void TrackEvents::correlation(std::uint64_t number) { protozero::pbf_writer(event_).add_uint64(52, number); }

std::size_t TrackEvents::finish() {
  State& sequence = sequences_[sequence_];
  packet_.clear();
  protozero::pbf_writer packet(packet_);
  packet.add_uint64(8, time_);
  packet.add_uint32(10, sequence_);
  packet.add_message(11, event_);
  if (!interned_.empty()) packet.add_message(12, interned_);
  packet.add_uint32(13, sequence.begun ? 2 : 3);  // needs what is interned; the first one begins without it
  sequence.begun = true;
  return write_packet();
}

std::size_t TrackEvents::write_packet() {
  const std::size_t before = buffer_.size();
  protozero::pbf_writer(buffer_).add_message(1, packet_);
  const std::size_t size = buffer_.size() - before;
  bytes_ += size;
  ++packets_;
  if (out_ == nullptr)
    buffer_.clear();
  else if (buffer_.size() > buffer_size)
    flush();
  return size;
}

void TrackEvents::flush() {
  if (out_ != nullptr) out_->write(buffer_.data(), static_cast<std::streamsize>(buffer_.size()));
  buffer_.clear();
}

}  // namespace waitstate::exports
