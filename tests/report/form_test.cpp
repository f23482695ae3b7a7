// The list of formats: names and endings are unambiguous, and the description of each format is true.
#include "report/form.hpp"

#include <gtest/gtest.h>

#include <set>
#include <sstream>
#include <string>

#include "report/report_file.hpp"
#include "report/small_result.hpp"
#include "support/temporary_folder.hpp"

namespace waitstate::test {
namespace {

using report::Form;
using report::Subject;

TEST(Forms, names_and_endings_are_unambiguous) {
  std::set<std::string_view> names, endings;
  for (const Form& form : report::forms()) {
    EXPECT_TRUE(names.insert(form.name).second) << form.name;
    EXPECT_EQ(report::form_of_name(form.name), &form);
    EXPECT_FALSE(form.summary.empty()) << form.name;
    EXPECT_FALSE(form.endings.empty()) << form.name;
    for (const std::string_view ending : form.endings) {
      EXPECT_TRUE(endings.insert(ending).second) << ending;
      EXPECT_EQ(report::form_of_ending(ending), &form);
    }
  }
  EXPECT_EQ(report::form_of_ending(".JSON"), report::form_of_name("json"));
  EXPECT_EQ(report::form_of_ending(".yaml"), nullptr);
  EXPECT_EQ(report::form_of_name("xml"), nullptr);
}

TEST(Forms, of_each_subject) {
  using Names = std::vector<std::string>;
  EXPECT_EQ(report::form_names(Subject::report), (Names{"text", "csv", "json", "html"}));
  EXPECT_EQ(report::form_names(Subject::archive), (Names{"cubex"}));
  EXPECT_EQ(report::form_names(Subject::difference), (Names{"text", "csv", "json", "html"}));
  EXPECT_EQ(report::form_names(Subject::graph), (Names{"text", "dot", "graphml"}));
  EXPECT_EQ(report::form_names(Subject::verdicts), (Names{"json", "junit"}));
  EXPECT_EQ(report::readable_files(), "a .json of waitstate, or any .cubex");
}

TEST(Forms, each_of_a_result_is_written_and_read_back_where_it_says_so) {
  const AnalysisResult result = small_result();
  const support::TemporaryFolder folder;
  for (const Form& form : report::forms()) {
    EXPECT_EQ(form.write != nullptr, form.is_of(Subject::report) || form.is_of(Subject::archive)) << form.name;
    EXPECT_EQ(form.read != nullptr, form.begins != nullptr) << form.name;
    EXPECT_EQ(form.read != nullptr, !form.readable.empty()) << form.name;
    if (form.write == nullptr) continue;
    std::ostringstream out;
    form.write(result, {}, out);
    EXPECT_FALSE(out.view().empty()) << form.name;
    const auto file = folder.file("report", out.str());
    EXPECT_EQ(report::is_report(file), form.read != nullptr) << form.name;
    if (form.read == nullptr) continue;
    EXPECT_TRUE(form.begins(out.view())) << form.name;
    EXPECT_EQ(form.read(file).metrics.size(), result.metrics.size()) << form.name;
  }
}

}  // namespace
}  // namespace waitstate::test
