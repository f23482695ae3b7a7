#include "report/text/tables/queues_text.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <map>
#include <span>
#include <vector>

#include "report/format/names.hpp"

namespace waitstate::report {
namespace {

using Rows = std::vector<const QueueRow*>;

constexpr std::array<std::string_view, 6> own_variables = {
    "pml_ob1_unexpected_msgq_length", "pml_ob1_posted_recvq_length", "unexpected_recvq_length", "posted_recvq_length",
    "unexpected_msgq_length",         "unexpected_recvq_buffer_size"};

class QueuesText {
 public:
  QueuesText(const AnalysisResult& result, const Seconds& seconds, std::size_t most, const Style& style)
      : result_(result), seconds_(seconds), most_(most), style_(style) {
    for (const QueueRow& row : result.queues.rows) (row.comm.valid() ? of_comms_ : processes_).push_back(&row);
  }

  std::string text() const {
    std::string text =
        paragraph("",
                  "Message queues, as far as the trace bounds them: receives were posted at least as long as shown "
                  "before their message was sent; messages were unexpected at most as long as shown, from the start of "
                  "their send to the posting of their receive. Places are those from which receives or messages were "
                  "removed, counted from 1: in one list for each communicator, and in one list for each sender.",
                  style_.width);
    text += queue("posted (at least)", &QueueRow::posted) + '\n' + queue("unexpected (at most)", &QueueRow::unexpected);
    return text + comms() + own();
  }

 private:
  using Member = QueueProfile QueueRow::*;

  std::vector<std::string> line(std::string label, const QueueProfile& q) const {
    const auto number = [](std::uint64_t n) { return grouped(static_cast<std::int64_t>(n)); };
    const auto mean = [](std::uint64_t sum, std::uint64_t n) {
      return n == 0 ? std::string("-") : fmt::format("{:.1f}", static_cast<double>(sum) / static_cast<double>(n));
    };
    const auto count = static_cast<Ticks>(std::max<std::uint64_t>(q.entered, 1));
    return {std::move(label),
            number(q.entered),
            number(q.remaining),
            number(q.greatest_length),
            seconds_.duration(q.populated),
            seconds_.duration(q.total / count),
            seconds_.duration(q.least),
            seconds_.duration(q.greatest),
            mean(q.search_total, q.searches()) + " / " + number(q.search_greatest),
            mean(q.source_total, q.searches()) + " / " + number(q.source_greatest)};
  }
  static std::vector<std::string> head(const char* first) {
    return {first,     "entered", "left over", "longest",         "populated",
            "average", "least",   "most",      "place avg / max", "of sender"};
  }

  std::string queue(const char* name, Member member) const {
    Rows rows;
    for (const QueueRow* r : processes_)
      if ((r->*member).entered != 0) rows.push_back(r);
    if (rows.empty()) return fmt::format("{}: none\n", name);
    std::stable_sort(rows.begin(), rows.end(), [&](const QueueRow* a, const QueueRow* b) {
      return (a->*member).greatest_length > (b->*member).greatest_length;
    });
    std::vector<std::vector<std::string>> lines{head(name)};
    for (const QueueRow* r : rows) {
      if (lines.size() > most_) break;
      lines.push_back(line(process_label(result_.definitions, r->process), r->*member));
    }
    std::string text = aligned_table(lines, style_);
    if (rows.size() > most_)
      text += "and " + count(static_cast<std::int64_t>(rows.size() - most_), "more process", "more processes") +
              " with shorter queues (JSON has all)\n";
    return text + over_time(std::span(rows).first(std::min(rows.size(), most_)), member) + histogram(rows, member);
  }

  /// How long the longest was in each tenth of the run.
  std::string over_time(std::span<const QueueRow* const> rows, Member member) const {
    constexpr std::size_t columns = 10, parts = MessageQueues::part_count / columns;
    const bool posted = member == &QueueRow::posted;
    std::vector<std::vector<std::string>> lines{{"longest in tenths of the run"}};
    for (std::size_t i = 1; i <= columns; ++i) lines[0].push_back(std::to_string(i));
    for (const QueueRow* r : rows) {
      if (r->parts.size() != MessageQueues::part_count) continue;
      lines.push_back({process_label(result_.definitions, r->process)});
      for (std::size_t begin = 0; begin < r->parts.size(); begin += parts) {
        std::uint64_t longest = 0;
        for (const QueuePart& part : std::span(r->parts).subspan(begin, parts))
          longest = std::max(longest, posted ? part.posted_greatest : part.unexpected_greatest);
        lines.back().push_back(grouped(static_cast<std::int64_t>(longest)));
      }
    }
    return lines.size() == 1 ? "" : aligned_table(lines, style_);
  }

  /// "processes by their longest stay, in 10 equal steps from 10.00 ms to 20.00 ms: 3 0 …"
  std::string histogram(const Rows& rows, Member member) const {
    constexpr std::size_t bins = 10;
    if (rows.size() < 4) return "";
    Ticks least = (rows.front()->*member).greatest, most = least;
    for (const QueueRow* r : rows)
      least = std::min(least, (r->*member).greatest), most = std::max(most, (r->*member).greatest);
    std::array<std::size_t, bins> counts{};
    const double width = static_cast<double>(most - least) / bins;
    for (const QueueRow* r : rows) {
      const double at = width > 0 ? static_cast<double>((r->*member).greatest - least) / width : 0;
      ++counts[std::min(bins - 1, static_cast<std::size_t>(at))];
    }
    std::string text;
    for (std::size_t i = 0; i < bins; ++i) text += (i == 0 ? "" : " ") + std::to_string(counts[i]);
    return paragraph("",
                     fmt::format("processes by their longest stay, in {} equal steps from {} to {}: {}", bins,
                                 seconds_.duration(least), seconds_.duration(most), text),
                     style_.width);
  }

  std::string comms() const {
    std::map<CommId, QueueRow> sums;
    const auto add = [](QueueProfile& to, const QueueProfile& q) {
      to.least = to.entered == 0 ? q.least : q.entered == 0 ? to.least : std::min(to.least, q.least);
      to.entered += q.entered, to.remaining += q.remaining;
      to.populated = add_ticks(to.populated, static_cast<std::uint64_t>(q.populated));
      to.total = add_ticks(to.total, static_cast<std::uint64_t>(q.total));
      to.search_total += q.search_total, to.source_total += q.source_total;
      to.greatest_length = std::max(to.greatest_length, q.greatest_length);
      to.greatest = std::max(to.greatest, q.greatest);
      to.search_greatest = std::max(to.search_greatest, q.search_greatest);
      to.source_greatest = std::max(to.source_greatest, q.source_greatest);
    };
    for (const QueueRow* r : of_comms_) {
      QueueRow& sum = sums[r->comm];
      add(sum.posted, r->posted);
      add(sum.unexpected, r->unexpected);
    }
    if (sums.size() < 2) return "";
    std::vector<std::vector<std::string>> lines{head("by communicator")};
    for (const auto& [comm, sum] : sums) {
      if (lines.size() > most_) break;
      const std::string name = printable(result_.definitions[comm].name);
      for (const auto& [label, queue] : {std::pair("posted", sum.posted), std::pair("unexpected", sum.unexpected)})
        if (queue.entered != 0)
          lines.push_back(
              line((name.empty() ? fmt::format("communicator {}", comm.value) : name) + ", " + label, queue));
    }
    return '\n' + aligned_table(lines, style_);
  }

  /// The communicator that a variable is of: "alpha" of "…_length_[alpha]"; empty if it is of all.
  static std::string_view communicator_of(std::string_view id) {
    const std::size_t begin = id.find('[');
    return begin == id.npos || !id.ends_with(']') ? "" : id.substr(begin + 1, id.size() - begin - 2);
  }

  /// The counters that the library kept of its own queues.
  std::string own() const {
    std::string text;
    for (const Counter& counter : result_.counters) {
      const std::string& id = result_.metrics[counter.metric].id;
      const auto is_it = [&](std::string_view name) {
        return id == name || id.starts_with(std::string(name) + "_[") || id.starts_with(std::string(name) + " [");
      };
      if (std::none_of(own_variables.begin(), own_variables.end(), is_it)) continue;
      const bool posted = id.find("posted") != std::string::npos;
      const std::string_view comm = communicator_of(id);
      std::uint64_t bound = 0;
      for (const QueueRow* r : comm.empty() ? processes_ : of_comms_)
        if (comm.empty() || result_.definitions[r->comm].name == comm)
          bound = std::max(bound, posted ? r->posted.greatest_length : r->unexpected.greatest_length);
      text += fmt::format("  {}: at most {:g} when it was read; {} {} by the trace\n", printable(id),
                          counter.total().greatest, posted ? "at least" : "at most",
                          grouped(static_cast<std::int64_t>(bound)));
    }
    if (text.empty()) return "";
    return "\nThe library's own queues:\n" + text +
           paragraph("  ",
                     "They may differ for several reasons: the library's value is the sum over all peers of a process "
                     "at the moment of reading; receives from MPI_ANY_SOURCE are not in Open MPI's posted queue; "
                     "messages of collective operations are in its unexpected queue, but not in the trace; and a "
                     "message that was sent need not have arrived yet.",
                     style_.width);
  }

  const AnalysisResult& result_;
  const Seconds& seconds_;
  const std::size_t most_;
  const Style& style_;
  Rows processes_, of_comms_;
};

}  // namespace

std::string queues_text(const AnalysisResult& result, const Seconds& seconds, std::size_t most, const Style& style) {
  if (!result.queues.known) return "";
  return QueuesText(result, seconds, most, style).text();
}

}  // namespace waitstate::report
