// Each kind of listed thing has the fields that all have, and its own. A value that is a number, or several, is one in
// JSON too.
#include "cli/mpit/listing_json.hpp"

#include <charconv>
#include <cmath>
#include <cstdint>
#include <map>
#include <nlohmann/json.hpp>
#include <string_view>
#include <vector>

#include "util/text.hpp"

namespace waitstate::cli {
namespace {

using Json = nlohmann::ordered_json;
using record::ToolListing;

template <class T>
bool take(std::string_view word, Json& to) {
  T n{};
  const auto [end, error] = std::from_chars(word.data(), word.data() + word.size(), n);
  if (error != std::errc{} || end != word.data() + word.size()) return false;
  if constexpr (std::is_floating_point_v<T>)
    if (!std::isfinite(n)) return false;
  to = n;
  return true;
}

Json number(std::string_view word) {
  Json n;
  if (take<std::int64_t>(word, n) || take<std::uint64_t>(word, n) || take<double>(word, n)) return n;
  return std::string(word);
}

Json value(const record::ControlVariable& v) {
  if (!v.why_not.empty()) return nullptr;
  if (v.type == "MPI_CHAR" || v.type == "MPI_BYTE") return v.value;
  if (v.value.find(',') == std::string::npos) return v.value.empty() ? Json::array() : number(v.value);
  Json all = Json::array();
  for (std::string_view rest = v.value; !rest.empty();) {
    const std::string_view word = rest.substr(0, rest.find(','));
    rest.remove_prefix(std::min(rest.size(), word.size() + 1));
    all.push_back(number(word));
  }
  return all;
}

Json common(const record::ToolEntry& e, std::vector<std::string> categories) {
  Json j = {{"name", e.name},
            {"categories", std::move(categories)},
            {"verbosity", e.verbosity == 0 ? Json() : Json(e.verbosity)},
            {"binding", e.binding},
            {"description", e.description},
            {"enumeration", nullptr}};
  if (!e.type.empty()) j["type"] = e.type;
  if (e.enumeration) {
    Json items = Json::array();
    for (const auto& [number, name] : e.enumeration->items) items.push_back({{"value", number}, {"name", name}});
    j["enumeration"] = {{"name", e.enumeration->name}, {"items", std::move(items)}};
  }
  return j;
}

template <class Map>
Json names(const std::vector<std::uint64_t>& indices, const Map& entries) {
  Json all = Json::array();
  for (const std::uint64_t i : indices)
    if (const auto at = entries.find(i); at != entries.end()) all.push_back(at->second.name);
  return all;
}

class ListingJson {
 public:
  ListingJson(const ToolListing& l, const ListingChoice& choice) : l_(l), choice_(choice) {
    for (const auto& [index, c] : l.categories) {
      for (const std::uint64_t i : c.cvars) of_cvar_[i].push_back(c.name);
      for (const std::uint64_t i : c.pvars) of_pvar_[i].push_back(c.name);
      for (const std::uint64_t i : c.events) of_event_[i].push_back(c.name);
    }
  }

  Json all(const std::string& mpi) {
    Json j = {{"mpi", mpi}, {"library", l_.library}, {"standard", l_.standard}};
    if (choice_.asked_for("categories")) j["categories"] = categories();
    if (choice_.asked_for("cvars"))
      j["cvars"] = listed(l_.cvars, of_cvar_, [](Json& o, const record::ControlVariable& v) {
        o["scope"] = v.scope;
        o["value"] = value(v);
        o["no_value"] = v.why_not.empty() ? Json() : Json(v.why_not);
      });
    if (choice_.asked_for("pvars"))
      j["pvars"] = listed(l_.pvars, of_pvar_, [](Json& o, const record::PerformanceVariable& v) {
        o["class"] = v.kind;
        o["readonly"] = v.readonly;
        o["continuous"] = v.continuous;
        o["atomic"] = v.atomic;
      });
    if (choice_.asked_for("events")) {
      j["events"] = listed(l_.events, of_event_, [](Json& o, const record::ToolEvent& e) {
        o["elements"] = Json::array();
        for (std::size_t i = 0; i < e.elements.size(); ++i) {
          const std::string name = element_name(e, i);
          o["elements"].push_back({{"name", name.empty() ? Json() : Json(name)},
                                   {"type", e.elements[i].first},
                                   {"displacement", e.elements[i].second}});
        }
      });
      j["sources"] = sources();
    }
    j["missing"] = record::missing(l_);
    return j;
  }

 private:
  using Names = std::map<std::uint64_t, std::vector<std::string>>;

  template <class Entry, class More>
  Json listed(const std::map<std::uint64_t, Entry>& entries, const Names& categories, More more) const {
    Json all = Json::array();
    for (const auto& [index, e] : entries) {
      if (!choice_.shows(e)) continue;
      const auto at = categories.find(index);
      Json o = common(e, at == categories.end() ? std::vector<std::string>{} : at->second);
      more(o, e);
      all.push_back(std::move(o));
    }
    return all;
  }

  Json categories() const {
    Json all = Json::array();
    for (const auto& [index, c] : l_.categories)
      if (choice_.list.empty() || choice_.shows(c.name))
        all.push_back({{"name", c.name},
                       {"description", c.description},
                       {"cvars", names(c.cvars, l_.cvars)},
                       {"pvars", names(c.pvars, l_.pvars)},
                       {"events", names(c.events, l_.events)},
                       {"categories", names(c.categories, l_.categories)}});
    return all;
  }

  Json sources() const {
    Json all = Json::array();
    for (const auto& [index, source] : l_.sources)
      if (choice_.shows(source.name))
        all.push_back({{"name", source.name},
                       {"description", source.description},
                       {"order", source.ordered ? "ordered" : "unordered"},
                       {"ticks_per_second", source.ticks},
                       {"max_ticks", source.last}});
    return all;
  }

  const ToolListing& l_;
  const ListingChoice& choice_;
  Names of_cvar_, of_pvar_, of_event_;
};

}  // namespace

std::string listing_json(const ToolListing& listing, const ListingChoice& choice, const std::string& mpi) {
  const Json all = ListingJson(listing, choice).all(mpi);
  return util::printable_json(all.dump(1, ' ', false, Json::error_handler_t::replace));
}

}  // namespace waitstate::cli
