// Prints the fields of reports, comparisons and verdicts, as report/fields and report/compare declare them, as JSON:
// from it src/report/fields/generate.py writes their schemas and the types of the page.
//
//   {"report": [{"name": "Wait", "sentence": "One wait: …", "fields": [
//        {"name": "enter", "type": {"is": "integer", …}, "measure": "time", "sentence": "…", "may_be_missing": false},
//        …]}, …], "comparison": […], "verdicts": […]}
#include <iostream>
#include <limits>
#include <map>
#include <nlohmann/json.hpp>
#include <optional>
#include <set>
#include <string>
#include <type_traits>
#include <utility>
#include <vector>

#include "report/compare/comparison.hpp"
#include "report/json/document.hpp"

namespace waitstate::report {

// Objects that refer to others: of empty ones.

template <>
struct Sample<ProcessEntry> {
  static const ProcessEntry& object() {
    static const LocationGroup process;
    static const ProcessEntry made{process, {}};
    return made;
  }
};
template <>
struct Sample<LocationEntry> {
  static const LocationEntry& object() {
    static const Location location;
    static const LocationEntry made{location, {}};
    return made;
  }
};
template <>
struct Sample<MetricEntry<const MetricInfo>> {
  static const MetricEntry<const MetricInfo>& object() {
    static const MetricInfo info;
    static const MetricEntry<const MetricInfo> made{info};
    return made;
  }
};
namespace {

using Json = nlohmann::ordered_json;

const char* name_of(Measure measure) {
  static const char* const names[] = {"none", "time", "ticks", "bytes", "count", "share"};
  return names[static_cast<std::size_t>(measure)];
}

class Describer {
 public:
  Json objects = Json::array();

  template <class S>
  Json object(const S& s) {
    const About& what = about<S>;
    if (!known_.insert(what.name).second) return {{"is", "object"}, {"name", what.name}};
    const std::size_t place = objects.size();
    objects.push_back(nullptr);
    Json all = Json::array();
    fields(s, [&]<class T>(std::string_view name, const T& member, Measure measure, const char* sentence) {
      Json type = this->type(member);
      all.push_back({{"name", name},
                     {"type", std::move(type)},
                     {"measure", name_of(measure)},
                     {"sentence", sentence},
                     {"may_be_missing", may_be_missing<T>}});
    });
    objects[place] = {{"name", what.name}, {"sentence", what.sentence}, {"fields", std::move(all)}};
    return {{"is", "object"}, {"name", what.name}};
  }

 private:
  static Json or_null(Json type) { return {{"is", "or_null"}, {"of", std::move(type)}}; }
  template <class T>
  Json list_of() {
    return {{"is", "list"}, {"of", type(Sample<T>::object())}};
  }

  template <class T>
  Json type(const T& v) {
    if constexpr (std::is_enum_v<T>) {
      Json type = {{"is", "enumerator"}, {"names", enum_names<T>()}, {"open", is_open<T>}};
      return type;
    } else if constexpr (std::is_same_v<T, double>) {
      return {{"is", "real"}};
    } else if constexpr (std::is_same_v<T, bool>) {
      return {{"is", "truth"}};
    } else if constexpr (std::is_integral_v<T>) {
      return {{"is", "integer"}, {"signed", std::is_signed_v<T>}, {"bytes", sizeof(T)}};
    } else if constexpr (std::is_convertible_v<const T&, std::string_view>) {
      return {{"is", "text"}};
    } else {
      return object(v);
    }
  }
  Json type(const CulpritWait& wait) { return or_null(object(wait)); }
  template <class T>
  Json type(const std::optional<T>&) {
    return type(Sample<T>::object());
  }
  template <class T>
  Json type(const Derived<T>& v) {
    return type(v.value);
  }
  template <class T>
  Json type(const Derived<std::optional<T>>&) {
    return or_null(type(Sample<T>::object()));
  }
  template <class T>
  Json type(const OnlyIf<T>& v) {
    return type(v.value);
  }
  template <class T>
  Json type(const OrNull<T>& v) {
    return or_null(type(v.value));
  }
  Json type(const OneOf& v) { return {{"is", "enumerator"}, {"names", v.known}, {"open", false}}; }
  Json type(const Matching& v) {
    Json text = {{"is", "text"}, {"pattern", v.pattern}};
    return v.or_null ? or_null(std::move(text)) : text;
  }
  template <class T>
  Json type(const Hexadecimal<T>&) {
    return {{"is", "text"}, {"pattern", "^[0-9a-f]{16}$"}};
  }
  Json type(const Constant& v) { return {{"is", "constant"}, {"value", v.value}}; }

  template <class Tag>
  Json type(const Id<Tag>&) {
    return or_null({{"is", "index"}});
  }
  template <class Tag>
  Json type(const Needed<const Id<Tag>&>&) {
    return {{"is", "index"}};
  }
  Json type(const Needed<const std::vector<LocationId>&>&) { return {{"is", "list"}, {"of", {{"is", "index"}}}}; }
  Json type(const Needed<const std::vector<ProcessId>&>&) { return {{"is", "list"}, {"of", {{"is", "index"}}}}; }
  Json type(const Needed<std::vector<std::vector<LocationId>>>&) {
    const Json circle = {{"is", "list"}, {"of", {{"is", "index"}}}};
    return {{"is", "list"}, {"of", circle}};
  }
  Json type(const Needed<const double&>&) { return {{"is", "number"}}; }
  Json type(const Needed<double>&) { return {{"is", "number"}}; }
  template <class T>
  Json type(const MetricReference<T>&) {
    return or_null({{"is", "text"}});
  }
  template <class T>
  Json type(const Needed<MetricReference<T>>&) {
    return {{"is", "text"}};
  }
  template <class T>
  Json type(const ContextReference<T>&) {
    return {{"is", "index"}};
  }
  Json type(const InstanceReference&) { return or_null({{"is", "index"}}); }

  template <class T>
  Json type(const std::vector<T>&) {
    return list_of<T>();
  }
  template <class T, std::size_t n>
  Json type(const std::span<T, n>&) {
    return list_of<std::remove_const_t<T>>();
  }
  template <class Tag, class T>
  Json type(const std::pair<Id<Tag>, T>& two) {
    const Json index = {{"is", "index"}};
    return {{"is", "tuple"}, {"of", {index, std::is_integral_v<T> ? type(two.second) : index}}};
  }
  template <class L>
  Json type(const Sized<L>& v) {
    Json list = type(v.list);
    list["least"] = v.least, list["most"] = v.most;
    return list;
  }
  template <class L>
  Json type(const Lines<L>& v) {
    return type(v.list);
  }
  template <class S>
  Json type(const InstanceList<S>&) {
    return list_of<InstanceEntry<const SevereInstance>>();
  }
  template <class L>
  Json type(const Table<L>& v) {
    using Element = typename std::remove_cvref_t<L>::value_type;
    return {{"is", "table"}, {"of", object(Sample<Element>::object())["name"]}, {"most", v.most}, {"rest", false}};
  }
  template <class L, class N>
  Json type(const TableWithRest<L, N>& v) {
    Json table = type(v.table);
    table["rest"] = true;
    return table;
  }
  template <class T>
  Json type(const std::map<std::string, T>&) {
    return {{"is", "map"}, {"of", type(Sample<T>::object())}};
  }
  template <class M>
  Json type(const ByMetric<M>&) {
    using Value = std::remove_const_t<decltype(std::declval<typename std::remove_cvref_t<M>::value_type>().second)>;
    return {{"is", "map"}, {"of", type(Sample<Value>::object())}};
  }
  Json type(const SeverityTables&) {
    return {{"is", "map"}, {"of", type(table(Sample<std::vector<SeverityEntry>>::object()))}};
  }
  template <class C>
  Json type(const EventCounts<C>&) {
    return {{"is", "map"}, {"of", type(std::uint64_t{})}};
  }

  std::set<std::string> known_;
};

/// All objects of a document, itself first.
template <class Document>
Json described(const Document& document) {
  Describer describer;
  describer.object(document);
  return std::move(describer.objects);
}

}  // namespace
}  // namespace waitstate::report

int main() {
  using namespace waitstate::report;
  const waitstate::AnalysisResult nothing;
  const Json documents = {{"report", described(ReportDocument(nothing, false, {}))},
                          {"comparison", described(Comparison{})},
                          {"verdicts", described(VerdictsDocument{{}, {}})}};
  std::cout << documents.dump(1) << '\n';
}
