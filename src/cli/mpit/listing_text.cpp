// Each kind of listed thing has its own properties, which stand in a line below its name; the description follows.
#include "cli/mpit/listing_text.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cstdint>
#include <string>
#include <vector>

#include "util/text.hpp"

namespace waitstate::cli {
namespace {

using record::ToolListing;

std::string plain(std::string text) {
  std::replace_if(
      text.begin(), text.end(), [](char c) { return c == '\n' || c == '\t'; }, ' ');
  return util::printable(text);
}

std::string first_line(const std::string& text) { return plain(text.substr(0, text.find('\n'))); }

std::string verbosity_name(unsigned verbosity) {
  static constexpr const char* who[] = {"user", "tuner", "MPI developer"};
  static constexpr const char* how[] = {"basic", "detail", "all"};
  if (verbosity == 0) return "verbosity unknown";
  return fmt::format("verbosity {} ({}, {})", verbosity, who[(verbosity - 1) / 3], how[(verbosity - 1) % 3]);
}

std::string binding_text(const std::string& binding) {
  return binding == "none" ? "bound to no object" : fmt::format("bound to a {}", plain(binding));
}

class ListingText {
 public:
  ListingText(std::ostream& out, const ToolListing& l, const ListingChoice& choice)
      : out_(out), l_(l), choice_(choice) {}

  void print() {
    header();
    for (const auto& [index, c] : l_.categories) category(c);
    rest();
    if (choice_.asked_for("events")) sources();
    const std::vector<std::string> missing = record::missing(l_);
    std::string all;
    for (const std::string& clause : missing) all += (all.empty() ? "" : "; ") + plain(clause);
    out_ << (missing.empty() ? "\nNothing is missing.\n" : "\nMissing: " + all + "\n");
  }

 private:
  void header() {
    out_ << first_line(l_.library) << " (MPI " << plain(l_.standard)
         << "): " << util::count(static_cast<std::int64_t>(l_.cvars.size()), "control variable", "control variables")
         << ", "
         << util::count(static_cast<std::int64_t>(l_.pvars.size()), "performance variable", "performance variables")
         << ", " << util::count(static_cast<std::int64_t>(l_.events.size()), "event", "events") << ", "
         << util::count(static_cast<std::int64_t>(l_.categories.size()), "category", "categories") << '\n';
  }

  void category(const record::ToolCategory& c) {
    const std::string title = "\n" + plain(c.name) + (c.description.empty() ? "" : ": " + plain(c.description)) + "\n";
    if (choice_.list == "categories") {
      if (!choice_.shows(c.name)) return;
      out_ << title << fmt::format("  {} cvars, {} pvars, {} events", c.cvars.size(), c.pvars.size(), c.events.size());
      std::string within;
      for (const std::uint64_t i : c.categories)
        if (const auto at = l_.categories.find(i); at != l_.categories.end())
          within += (within.empty() ? "; in it: " : ", ") + plain(at->second.name);
      out_ << within << '\n';
      return;
    }
    title_ = title;
    // An empty category is listed too, since the library has it.
    if (choice_.list.empty() && choice_.match.empty() && choice_.verbosity == 9) begin();
    each(c.cvars, l_.cvars, "cvars", seen_[0]);
    each(c.pvars, l_.pvars, "pvars", seen_[1]);
    each(c.events, l_.events, "events", seen_[2]);
  }

  void rest() {
    if (choice_.list == "categories") return;
    title_ = "\nIn no category\n";
    left(l_.cvars, "cvars", seen_[0]);
    left(l_.pvars, "pvars", seen_[1]);
    left(l_.events, "events", seen_[2]);
  }

  void begin() {
    out_ << title_;
    title_.clear();
  }

  template <class Map>
  void each(const std::vector<std::uint64_t>& indices, const Map& entries, const char* what,
            std::vector<std::uint64_t>& seen) {
    for (const std::uint64_t i : indices)
      if (const auto at = entries.find(i); at != entries.end()) {
        seen.push_back(i);
        if (choice_.asked_for(what) && choice_.shows(at->second)) entry(at->second);
      }
  }
  template <class Map>
  void left(const Map& entries, const char* what, std::vector<std::uint64_t>& seen) {
    std::sort(seen.begin(), seen.end());
    for (const auto& [index, e] : entries)
      if (choice_.asked_for(what) && choice_.shows(e) && !std::binary_search(seen.begin(), seen.end(), index)) entry(e);
  }

  void entry(const record::ControlVariable& v) {
    begin();
    const std::string value = v.why_not.empty() ? plain(v.value) : "";
    out_ << "  cvar " << plain(v.name) << (v.why_not.empty() ? " = " + value : "") << item(v) << '\n';
    about(v, plain(v.type) + ", " + binding_text(v.binding) + ", scope " + plain(v.scope));
    if (!v.why_not.empty()) out_ << "       no value: " << plain(v.why_not) << '\n';
  }
  void entry(const record::PerformanceVariable& v) {
    begin();
    out_ << "  pvar " << plain(v.name) << '\n';
    about(v, "class " + plain(v.kind) + ", " + plain(v.type) + ", " + binding_text(v.binding) +
                 (v.readonly ? ", readonly" : "") + (v.continuous ? ", continuous" : "") +
                 (v.atomic ? ", atomic" : ""));
  }
  void entry(const record::ToolEvent& e) {
    begin();
    out_ << "  event " << plain(e.name) << '\n';
    std::string elements;
    for (std::size_t i = 0; i < e.elements.size(); ++i)
      elements += fmt::format("{}{}{} at {}", i == 0 ? "" : ", ",
                              element_name(e, i).empty() ? "" : plain(element_name(e, i)) + ' ',
                              plain(e.elements[i].first), e.elements[i].second);
    about(e, binding_text(e.binding) + (elements.empty() ? ", no elements" : ", elements " + elements), false);
  }

  // The meaning of a value that has a name.
  static std::string item(const record::ControlVariable& v) {
    if (v.enumeration && v.why_not.empty())
      for (const auto& [number, name] : v.enumeration->items)
        if (std::to_string(number) == v.value) return " (" + plain(name) + ")";
    return "";
  }

  void about(const record::ToolEntry& e, const std::string& properties, bool has_values = true) {
    out_ << "       " << properties << ", " << verbosity_name(e.verbosity) << '\n';
    if (e.enumeration && has_values) {
      std::string items;
      for (const auto& [number, name] : e.enumeration->items)
        items += fmt::format("{}{} {}", items.empty() ? "" : ", ", number, plain(name));
      out_ << "       values of " << plain(e.enumeration->name) << ": " << items << '\n';
    }
    if (!e.description.empty()) out_ << "       " << plain(e.description) << '\n';
  }

  void sources() {
    for (const auto& [index, source] : l_.sources) {
      if (!choice_.shows(source.name)) continue;
      out_ << "\nSource of events " << plain(source.name) << ": " << (source.ordered ? "ordered" : "unordered")
           << fmt::format(", {} ticks a second, up to {}\n", source.ticks, source.last);
      if (!source.description.empty()) out_ << "  " << plain(source.description) << '\n';
    }
  }

  std::ostream& out_;
  const ToolListing& l_;
  const ListingChoice& choice_;
  std::string title_;  // not printed yet
  std::array<std::vector<std::uint64_t>, 3> seen_;
};

}  // namespace

void print_listing(const ToolListing& listing, const ListingChoice& choice, std::ostream& out) {
  ListingText(out, listing, choice).print();
}

}  // namespace waitstate::cli
