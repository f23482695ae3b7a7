// The letters that the parts of a replay on an ideal machine write each other (part.hpp), and their post.
#pragma once

#include <cstddef>
#include <cstdint>
#include <utility>
#include <variant>
#include <vector>

#include "causes/ideal/clocks.hpp"
#include "causes/mail.hpp"

namespace waitstate::causes {

/// A message has been sent; to the part of the process that it is for.
struct IdealSent {
  std::uint64_t send = 0;  ///< name of the step
  IdealTime at{};
};
/// An operation that locations of the part are members of; these follow, each as an IdealInvited.
struct IdealInvitation {
  std::uint64_t on_what = 0, number = 0;
  std::uint32_t from = 0, operation = 0;  ///< its part, and its number there
  std::uint32_t members = 0;
  bool is_numbered = false, nonblocking = false;
  bool everybody = false;  ///< all members need all
  bool needs_are_unknown = false;
};
/// A member of the operation that the last invitation was for.
struct IdealInvited {
  Time end = 0;
  LocationId location{};
  CallPathId callpath{};
  std::uint32_t member = 0;
  bool needs_nobody = false;
};
/// A member has come to the operation; where all need all, all members of the part, at last at that time.
struct IdealArrival {
  std::uint32_t operation = 0, member = 0, count = 1;
  IdealTime at{};
};
/// The part's n-th member has all that it needs at that time; where all need all, each member has.
struct IdealReadiness {
  std::uint32_t from = 0, operation = 0, place = 0;
  IdealTime at{};
};

using IdealLetter = std::variant<IdealSent, IdealInvitation, IdealInvited, IdealArrival, IdealReadiness>;
static_assert(sizeof(IdealLetter) <= 48);

/// Posts the letters of one part, some at a time. Letters that belong together, as those of an invitation do, are
/// written before it is asked to send some.
class IdealPost {
 public:
  /// `part_of`: by location, as in IdealRun.
  IdealPost(std::uint32_t own, std::size_t parts, const std::vector<std::uint32_t>& part_of)
      : own_(own), part_of_(part_of), written_(parts) {}

  std::uint32_t own() const { return own_; }
  std::size_t parts() const { return written_.size(); }
  std::uint32_t part_of(LocationId l) const { return part_of_[l.index()]; }

  template <class Letter>
  void write(std::uint32_t to, const Letter& letter) {
    written_[to].emplace_back(letter);
    ++waiting_;
  }
  /// If there are many, or somebody waits for letters.
  void send_some(Mail<IdealLetter>& mail) {
    if (waiting_ >= many || (waiting_ > 0 && mail.somebody_waits())) send_all(mail);
  }
  void send_all(Mail<IdealLetter>& mail) {
    if (std::exchange(waiting_, 0) == 0) return;
    for (std::size_t to = 0; to < written_.size(); ++to)
      if (!written_[to].empty()) mail.send(to, written_[to]);
  }

 private:
  static constexpr std::size_t many = 256;

  const std::uint32_t own_;
  const std::vector<std::uint32_t>& part_of_;
  std::vector<std::vector<IdealLetter>> written_;  ///< by part
  std::size_t waiting_ = 0;
};

}  // namespace waitstate::causes
