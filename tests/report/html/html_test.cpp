// The HTML report's data: sections can be unpacked to what was written, values are those of the result, and a page with
// a size limit keeps it, says what it lacks, and keeps all sums.
#include "report/compare/delta.hpp"

#include <fmt/format.h>
#include <gtest/gtest.h>
#include <algorithm>

#include <algorithm>
#include <nlohmann/json.hpp>
#include <set>
#include <sstream>
#include <utility>

#include "report/full_result.hpp"
#include "report/html/cells.hpp"
#include "report/html/page_reader.hpp"
#include "report/html/sections.hpp"
#include "report/json/json_writer.hpp"
#include "report/pages.hpp"
#include "report/small_result.hpp"

namespace waitstate::test {
namespace {

std::string page_of(const AnalysisResult& result, std::size_t limit = 40'000'000, const std::string& summary = "",
                    std::size_t exact_cells = 10'000, std::size_t threads = 1) {
  std::ostringstream out;
  report::HtmlOptions options;
  options.summary = summary;
  options.max_bytes = limit;
  options.exact_cells = exact_cells;
  options.threads = threads;
  report::write_html(result, out, options);
  return out.str();
}

std::vector<std::string> said_of(const std::map<std::string, std::string>& sections) {
  const auto reduced = sections.find("reduced");
  return reduced == sections.end() ? std::vector<std::string>{}
                                   : nlohmann::json::parse(reduced->second).get<std::vector<std::string>>();
}

TEST(SectionPacker, any_number_of_bytes_comes_back) {
  report::SectionPacker packer;
  for (const report::Contents kind : {report::Contents::text, report::Contents::numbers})
    for (const std::size_t size : {0, 1, 2, 3, 4, 100, 65'535, 65'536, 65'537, 300'000, 1'100'000}) {
      std::string bytes;
      std::uint32_t random = 1;
      for (std::size_t i = 0; i < size; ++i)
        bytes += static_cast<char>((random = random * 1664525 + 1013904223) >> (i % 3 == 0 ? 24 : 29));
      const std::string element = packer.pack("x", bytes, kind);
      EXPECT_EQ(sections_of(element).at("x"), bytes) << size;
      EXPECT_EQ(element.find("</script>"), element.size() - 10);
    }
}

TEST(HtmlPage, meta_is_the_json_report_without_severities) {
  const AnalysisResult result = full_result();
  const auto sections = sections_of(page_of(result));
  std::ostringstream json;
  report::write_json(result, json);
  nlohmann::json report = nlohmann::json::parse(json.str());
  ASSERT_TRUE(report.contains("severities"));
  const nlohmann::json severities = report["severities"];
  report.erase("severities");
  EXPECT_EQ(nlohmann::json::parse(sections.at("meta")), report);
  EXPECT_FALSE(sections.contains("reduced"));

  // Each metric's values are those of its rows, exactly.
  std::size_t metrics = 0;
  for (std::size_t m = 0; m < report["metrics"].size(); ++m) {
    const auto rows = severities.find(report["metrics"][m]["id"].get<std::string>());
    EXPECT_EQ(sections.contains(fmt::format("cells:{}", m)), rows != severities.end());
    if (rows == severities.end()) continue;
    ++metrics;
    const ReadCells read(sections.at(fmt::format("cells:{}", m)));
    EXPECT_EQ(read.coding, 0u);
    ASSERT_EQ(read.cells.size(), (*rows)["rows"].size());
    for (const auto& row : (*rows)["rows"])
      EXPECT_EQ(read.cells.at({row[0].get<std::uint32_t>(), row[1].get<std::uint32_t>()}).value, row[2].get<double>());
  }
  EXPECT_GT(metrics, 2u);
}

TEST(HtmlPage, names_and_text_end_no_element) {
  AnalysisResult result = small_result();
  result.path = "</title><script>alert(1)</script>/traces.otf2";
  const std::string page = page_of(result, 40'000'000, "a < b & \"c\" 'd'\n</pre><script>\x1b[31m");
  EXPECT_EQ(page.find("<script>alert"), std::string::npos);
  EXPECT_NE(
      page.find("<pre id=\"static\">a &lt; b &amp; &quot;c&quot; &#39;d&#39;\n&lt;/pre&gt;&lt;script&gt;?[31m</pre>"),
      std::string::npos);
  EXPECT_EQ(page.find("{{"), std::string::npos);
}

TEST(HtmlPage, of_a_comparison_has_the_difference_as_a_report) {
  const AnalysisResult before = small_result(), after = full_result();
  std::ostringstream out, diff;
  const report::Difference d = report::difference(before, after, {});
  report::write_diff_html(d, {}, out, {.summary = "text"});
  report::diff_json(d, {}, diff);
  const auto sections = sections_of(out.str());
  EXPECT_EQ(sections.at("diff"), diff.str());
  const report::Delta changes = report::delta(before, after);
  const auto meta = nlohmann::json::parse(sections.at("meta"));
  EXPECT_EQ(meta["locations"].size(), changes.result.definitions.locations.size());
  EXPECT_EQ(meta["metrics"].size(), changes.result.metrics.size());
  const std::size_t with_values =
      std::count_if(sections.begin(), sections.end(), [](const auto& s) { return s.first.starts_with("cells:"); });
  EXPECT_GT(with_values, 0u);

  // A change of one metric, which makes the differences of the metrics above it other than zero.
  std::ostringstream of_one;
  report::write_diff_html(report::difference(before, after, {"mpi_latesender"}), {}, of_one, {.summary = "text"});
  auto one = sections_of(of_one.str()), all = sections;
  EXPECT_NE(one.at("diff"), all.at("diff"));
  one.erase("diff"), all.erase("diff");
  EXPECT_EQ(one, all);
}

// ---- forms of cells ----

/// Two metrics in the tree; one row with 1, 2, …, n at all locations but the first, one with values at locations 3 and
/// 600.
AnalysisResult many_locations(std::size_t n) {
  AnalysisResult r = small_result();
  r.severities = Severities(r.metrics.size());
  for (std::size_t l = r.definitions.locations.size(); l < n; ++l) {
    Location location = r.definitions.locations[0];
    location.name = fmt::format("Thread {}", l);
    r.definitions.locations.push_back(location);
    r.definitions.processes[0].locations.emplace_back(l);
  }
  r.locations.resize(n);
  const MetricIndex time = r.metrics.at("time");
  for (std::size_t l = 1; l < n; ++l)
    r.severities.add(time, CallPathId{0}, LocationId{l}, static_cast<std::int64_t>(l));
  r.severities.add(time, CallPathId{2}, LocationId{3}, 7);
  r.severities.add(time, CallPathId{2}, LocationId{600}, 1'000'000'000'000);
  return r;
}

ReadCells read(const AnalysisResult& r, const report::CellForm& form, std::size_t* grouped = nullptr) {
  const MetricIndex time = r.metrics.at("time");
  std::size_t count = 0;
  r.severities.for_each(time, [&](CallPathId, LocationId, std::int64_t) { ++count; });
  const report::Cells cells(r, time, std::vector<std::uint32_t>{0, 1, 2}, count);
  const report::CellsSection section = report::cells_section(cells, 3, r.definitions.locations.size(), form);
  if (grouped != nullptr) *grouped = section.grouped;
  return ReadCells(section.contents);
}

TEST(HtmlCells, codes_are_as_near_as_they_say) {
  const AnalysisResult r = many_locations(1000);
  for (const auto& [coding, error] :
       {std::pair{report::Coding::exact, 0.0}, {report::Coding::fine, 0.000501}, {report::Coding::coarse, 0.00501}}) {
    const ReadCells found = read(r, {coding, 0});
    EXPECT_EQ(found.cells.size(), 999u + 2u);
    for (std::uint32_t l = 1; l < 1000; ++l) EXPECT_NEAR(found.cells.at({0, l}).value, l, error * l);
    EXPECT_NEAR(found.cells.at({2, 3}).value, 7, 1e-9);
    EXPECT_NEAR(found.cells.at({2, 600}).value, 1e12, error * 1e12);
  }
}

TEST(HtmlCells, groups_have_smallest_mean_and_largest) {
  const AnalysisResult r = many_locations(1024);  // in groups of 4: the first group has 0, 1, 2, 3
  std::size_t grouped = 0;
  const ReadCells found = read(r, {report::Coding::coarse, 1e-3}, &grouped);
  EXPECT_EQ(grouped, 1u);
  EXPECT_EQ(found.grouped_rows, 1u);  // the other one has only two values, which are fewer than 3 * 256
  EXPECT_EQ(found.group_size, 4u);
  for (std::uint32_t l = 0; l < 1024; ++l) {
    const double first = l / 4 * 4;
    const ReadCell& cell = found.cells.at({0, l});
    EXPECT_NEAR(cell.smallest, first, 0.00501 * first);
    EXPECT_NEAR(cell.value, first + 1.5, 0.00501 * (first + 1.5));
    EXPECT_NEAR(cell.largest, first + 3, 0.00501 * (first + 3));
  }
  EXPECT_NEAR(found.cells.at({2, 3}).value, 7, 1e-9);
  EXPECT_EQ(read(r, {report::Coding::coarse, 1e-12}).grouped_rows, 0u);  // its share is 5e-7
  EXPECT_EQ(read(r, {report::Coding::exact, 1e-3}).grouped_rows, 0u);
}

// ---- a limit ----

AnalysisResult large_result() {
  AnalysisResult r = many_locations(1500);
  const MetricIndex late = r.metrics.at("mpi_latesender"), time = r.metrics.at("time");
  std::uint64_t random = 1;
  const auto next = [&] {
    return static_cast<std::int64_t>((random = random * 6364136223846793005u + 1442695040888963407u) >> 40);
  };
  for (std::size_t p = 3; p < 20; ++p) {
    const CallPathId path = r.call_tree.find_or_add({CallPathId{0}, RegionId{p % 3}, StringId{p}});
    for (std::size_t l = 0; l < 1500; ++l)
      r.severities.add(time, path, LocationId{l}, 1 + next() / static_cast<std::int64_t>(p * p));
    if (p % 3 == 0)
      for (std::size_t l = 0; l < 1500; ++l) r.severities.add(late, path, LocationId{l}, 1 + next() % 1000);
  }
  while (r.definitions.strings.size() < 20)
    r.definitions.strings.push_back(fmt::format("/apps/program_{}", r.definitions.strings.size()));
  const AnalysisResult full = full_result();
  for (std::uint32_t i = 0; i < 40; ++i) {
    r.contexts.push_back({Time{i}, Time{i} + 1000, {LocationId{0}, LocationId{1}}});
    for (int k = 0; k < 100; ++k)
      r.contexts.back().regions.push_back(
          {LocationId{0}, RegionId{0}, static_cast<Time>(next()), static_cast<Time>(next()), 0});
  }
  r.waits.begin()->second.severe.begin()->second[0].context = 39;
  r.series = full.series;
  WaitSeries::OfMetric waits = full.series->metrics.begin()->second;
  waits.groups.clear();
  for (std::uint32_t g = 0; g < 250; ++g)
    for (std::vector<Ticks>& ticks = waits.groups.emplace_back(g, std::vector<Ticks>(50)).second; Ticks & t : ticks)
      t = next();
  r.series->groups.clear();
  for (std::size_t g = 0; g < 250; ++g) r.series->groups.emplace_back(LocationId{g * 6}, LocationId{g * 6 + 5});
  r.series->metrics = {{late, std::move(waits)}};
  return r;
}

std::size_t size_without_cells(std::string_view page) {
  constexpr std::string_view lead = "<script type=\"application/octet-stream\" id=\"s:cells:", end = "</script>\n";
  std::size_t size = page.size();
  for (auto at = page.find(lead); at != std::string_view::npos; at = page.find(lead, at + 1))
    size -= page.find(end, at) + end.size() - at;
  return size;
}

TEST(HtmlPage, a_limit_is_kept_step_by_step) {
  const AnalysisResult r = large_result();
  const auto whole = sections_of(page_of(r));
  EXPECT_TRUE(said_of(whole).empty());
  const std::size_t size = page_of(r).size();
  // Notes on reductions of the page, in the order of the steps.
  const std::vector<std::string> steps = {
      "the events around waits are kept only for the 10 most severe instances, not for 40",
      "single values are rounded to 0.5 %", "for ", "waits over time are not kept by location",
      "for these metrics, only sums"};
  std::set<std::size_t> reached;
  std::size_t before = 0;
  for (std::size_t limit = size - 1000; limit > 160'000; limit = limit * 24 / 25) {
    const std::string page = page_of(r, limit);
    const auto sections = sections_of(page);
    std::vector<bool> said(steps.size());
    for (const std::string& sentence : said_of(sections)) {
      std::size_t step = steps.size() - 1;
      while (!sentence.starts_with(steps[step])) ASSERT_NE(step--, 0u) << sentence;
      said[step] = true;
    }
    std::size_t last = steps.size() - 1;
    while (!said[last]) ASSERT_NE(last--, 0u) << limit;
    EXPECT_GE(last, before);  // a smaller page has no more
    reached.insert(before = last);
    EXPECT_LE(page.size(), std::max(limit, size_without_cells(page) + 1000)) << last;
    const nlohmann::json meta = nlohmann::json::parse(sections.at("meta"));
    EXPECT_EQ(meta["contexts"].size(), 10u);
    EXPECT_FALSE(meta["waits"]["mpi_latesender"]["instances"][0].contains("context"));
    EXPECT_EQ(meta["series"]["groups"].empty(), last > 2);
    EXPECT_FALSE(meta["series"]["metrics"]["mpi_latesender"]["ticks"].empty());
    std::size_t grouped = 0;
    for (const auto& [name, bytes] : whole) {
      if (name.starts_with("sum:")) {
        EXPECT_EQ(sections.at(name), bytes) << name;
      }
      if (!name.starts_with("cells:")) continue;
      EXPECT_TRUE(last == 4 || sections.contains(name)) << name;
      if (!sections.contains(name)) continue;
      EXPECT_EQ(ReadCells(bytes).coding, 1u);
      const ReadCells is(sections.at(name));
      EXPECT_EQ(is.coding, last == 0 ? 1u : 2u);
      grouped += is.grouped_rows;
    }
    EXPECT_EQ(grouped != 0, said[2]);
  }
  EXPECT_EQ(reached, (std::set<std::size_t>{0, 1, 2, 3, 4}));
}

TEST(HtmlPage, several_threads_write_the_same) {
  const AnalysisResult r = large_result();
  const std::size_t size = page_of(r).size();
  for (const std::size_t limit : {size, size / 2, size / 5})
    EXPECT_EQ(page_of(r, limit, "", 10'000, 4), page_of(r, limit)) << limit;
}

TEST(HtmlPage, exact_values_are_rounded_only_if_they_do_not_fit) {
  AnalysisResult r = large_result();
  r.contexts.clear();
  constexpr std::size_t all = 100'000;
  const std::size_t size = page_of(r, 40'000'000, "", all).size();
  EXPECT_EQ(said_of(sections_of(page_of(r, size + 100, "", all))), std::vector<std::string>{});
  const auto sections = sections_of(page_of(r, size - 1, "", all));
  EXPECT_EQ(said_of(sections), std::vector<std::string>{"single values are rounded to 0.05 %"});
  EXPECT_EQ(ReadCells(sections.at("cells:0")).coding, 1u);
}

}  // namespace
}  // namespace waitstate::test
