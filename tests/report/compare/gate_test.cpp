// Gates: what can be written, how it is judged at its limit, and every sentence about what cannot be.
#include <fmt/format.h>
#include <gtest/gtest.h>

#include "report/compare/judge.hpp"
#include "report/facts/totals.hpp"
#include "report/judged.hpp"
#include "report/small_result.hpp"
#include "waitstate/error.hpp"

namespace waitstate::test {
namespace {

using report::Gate;
using report::judge;
using report::parse_gate;
using report::Verdict;

template <class F>
std::string complaint(F&& f) {
  try {
    f();
  } catch (const UsageError& e) {
    return e.what();
  }
  return "no complaint";
}

bool fails(const char* gate, const AnalysisResult& result = small_result()) {
  return judge(parse_gate(gate), result).failed();
}

// Two processes of 5 ms, with 4 and 2 ms of computation: parallel efficiency 3/5, balance 3/4, communication 4/5.
AnalysisResult with_efficiency() {
  AnalysisResult result = small_result();
  const MetricIndex comp = result.metrics.add("comp", "time", Unit::seconds, false, "", "");
  result.severities = Severities(result.metrics.size());
  const MetricIndex time = result.metrics.at("time");
  for (const auto& [location, computation] : {std::pair(std::size_t{0}, 4000), std::pair(std::size_t{1}, 2000)}) {
    result.severities.add(comp, CallPathId{0}, LocationId{location}, computation);
    result.severities.add(time, CallPathId{2}, LocationId{location}, 5000 - computation);
  }
  return result;
}

// Waits of 2 ms in all, at 500 ns a tick; one of them, or one message, may be wrong by up to 0.5 ms.
TEST(Gates, cannot_be_judged_where_the_clocks_decide) {
  AnalysisResult result = small_result();
  const MetricIndex waits = result.metrics.at("mpi_latesender");
  const double value = result.seconds(report::Totals(result).of(waits));
  const auto gate = [&](double limit) { return fmt::format("mpi_latesender@whole>{:.9f}s", limit); };
  EXPECT_TRUE(judge(parse_gate(gate(value * 0.99)), result).failed());
  result.diagnostics.add(DiagnosticId::clock_violation, {LocationId{0}, 1000, ""},
                         static_cast<Ticks>(value * 0.1 * static_cast<double>(result.definitions.clock.resolution)));
  const std::string why = complaint([&] { judge(parse_gate(gate(value * 0.99)), result); });
  EXPECT_NE(
      why.find(
          "its clocks disagree by up to 200.0 µs, which decides it: the true value may be anything from 1.600 ms to "
          "2.400 ms"),
      std::string::npos)
      << why;
  EXPECT_NE(complaint([&] { judge(parse_gate(gate(value * 1.01)), result); }), "no complaint");
  EXPECT_FALSE(judge(parse_gate(gate(value * 100)), result).failed()) << "far from the limit";
}

// Late Sender grows from 2 to 2.2 ms; it is one wait, so that clocks that disagree by 0.15 ms leave a growth of
// -0.1 to 0.5 ms if both runs have such a clock and a message that came too early: -0.1 = 2.2 - 0.3 - 2.
TEST(Gates, growth_cannot_be_judged_where_the_clocks_decide) {
  const AnalysisResult before = small_result();
  AnalysisResult after = small_result();
  after.severities.add(after.metrics.find("mpi_latesender"), CallPathId{2}, LocationId{1}, 200);
  EXPECT_TRUE(judge(parse_gate("mpi_latesender>+0.1ms"), before, after).failed());
  after.diagnostics.add(DiagnosticId::clock_violation, {LocationId{0}, 1000, ""}, 150);
  const auto why = [&](const char* gate) { return complaint([&] { judge(parse_gate(gate), before, after); }); };
  EXPECT_NE(why("mpi_latesender>+0.1ms").find("clocks disagree by up to"), std::string::npos);
  EXPECT_NE(why("mpi_latesender>+5%").find("clocks disagree by up to"), std::string::npos);
  EXPECT_NE(why("mpi_latesender>+0.49ms"), "no complaint");
  EXPECT_FALSE(judge(parse_gate("mpi_latesender>+0.51ms"), before, after).failed()) << "2.2 + 0.3 - 2 = 0.5";
  EXPECT_TRUE(judge(parse_gate("mpi_latesender>-0.11ms"), before, after).failed());
  EXPECT_FALSE(judge(parse_gate("time>+1%"), before, after).failed()) << "which does not depend on clocks";
  AnalysisResult wrong_before = small_result();
  wrong_before.diagnostics.add(DiagnosticId::clock_violation, {LocationId{0}, 1000, ""}, 150);
  EXPECT_NE(complaint([&] { judge(parse_gate("mpi_latesender>+5%"), wrong_before, small_result()); }), "no complaint");
}

TEST(Gates, growth_needs_one_unit_in_both_runs) {
  AnalysisResult unknown = small_result();
  unknown.diagnostics.add(DiagnosticId::clock_without_resolution, {{}, ~Time{0}, "x.def"});
  for (const char* gate : {"time>+5%", "time>+1s"}) {
    EXPECT_NE(complaint([&] { judge(parse_gate(gate), unknown, small_result()); }).find("its clock has no resolution"),
              std::string::npos);
    EXPECT_NE(complaint([&] { judge(parse_gate(gate), small_result(), unknown); }).find("its clock has no resolution"),
              std::string::npos);
  }
  EXPECT_FALSE(judge(parse_gate("visits>+5%"), small_result(), unknown).failed());
  AnalysisResult joules = small_result(), watts = small_result();
  for (auto& [result, unit] : {std::pair(&joules, "J"), std::pair(&watts, "W")}) {
    const MetricIndex power = result->metrics.add("power", "", Unit::counter, false, "", "");
    result->metrics.set_scale(power, unit, 1);
    result->severities = Severities(result->metrics.size());
  }
  EXPECT_EQ(complaint([&] { judge(parse_gate("power>+5%"), joules, watts); }),
            "gate 'power>+5%': 'power' is measured in J in A and in W in B");
}

TEST(Gates, without_a_resolution_have_no_seconds) {
  AnalysisResult result = small_result();
  result.diagnostics.add(DiagnosticId::clock_without_resolution, {{}, ~Time{0}, "x.def"});
  EXPECT_NE(complaint([&] { judge(parse_gate("time>1s"), result); }).find("its clock has no resolution"),
            std::string::npos);
  EXPECT_NO_THROW(judge(parse_gate("mpi_latesender>1%"), result));
}

TEST(Gates, that_are_joined_fail_together) {
  EXPECT_EQ(parse_gate("time>1s and visits>2 and mpi_latesender<3%").others.size(), 2u);
  const Verdict both = judge(parse_gate("time>0s and mpi_latesender>0s"), small_result());
  EXPECT_TRUE(both.failed());
  EXPECT_EQ(both.gate, "time>0s and mpi_latesender>0s");
  EXPECT_NE(both.value.find(" and "), std::string::npos) << both.value;
  EXPECT_FALSE(fails("time>0s and mpi_latesender>1000000s"));
  EXPECT_FALSE(fails("time>1000000s and mpi_latesender>0s"));
  EXPECT_NE(complaint([] { parse_gate("time>1s and "); }), "no complaint");
  EXPECT_NE(complaint([] { report::require_no_growth(parse_gate("time>1s and time>+5%")); }), "no complaint");
}

TEST(Gates, growth_of_sums_needs_runs_of_one_size) {
  AnalysisResult larger = small_result();
  larger.definitions.processes.push_back(larger.definitions.processes.front());
  EXPECT_NE(complaint([&] { judge(parse_gate("time>+5%"), small_result(), larger); }).find("not directly comparable"),
            std::string::npos);
  EXPECT_NO_THROW(judge(parse_gate("mpi_latesender>5%"), small_result(), larger));
}

TEST(Gates, factors_of_the_efficiency) {
  const AnalysisResult result = with_efficiency();
  const auto value = [&](const char* gate) { return judge(parse_gate(gate), result).value; };
  EXPECT_EQ(value("parallel_efficiency<80%"), "60 %");
  EXPECT_EQ(value("load_balance<0.8"), "0.75");
  EXPECT_EQ(value("communication_efficiency@whole<80%"), "80 %");
  EXPECT_TRUE(fails("parallel_efficiency<60.1%", result));
  EXPECT_FALSE(fails("parallel_efficiency<60%", result));
  EXPECT_TRUE(fails("load_balance<=0.75", result));
  EXPECT_FALSE(fails("load_balance<0.75", result));
  EXPECT_EQ(parse_gate("load_balance<0.8").scope(), report::Scope::without_init_exit);
  EXPECT_EQ(parse_gate("load_balance@whole<0.8").scope(), report::Scope::whole);

  AnalysisResult worse = with_efficiency();  // all of them halve, except for the balance, which stays the same
  for (const LocationId location : {LocationId{0}, LocationId{1}})
    worse.severities.add(worse.metrics.at("time"), CallPathId{2}, location, 5000);
  const auto growth = [&](const char* gate) { return judge(parse_gate(gate), result, worse); };
  EXPECT_EQ(growth("parallel_efficiency<-10%").value, "-50 %");
  EXPECT_TRUE(growth("parallel_efficiency<-10%").failed());
  EXPECT_EQ(growth("communication_efficiency<-0.1").value, "-0.4");
  EXPECT_FALSE(growth("load_balance<-1%").failed());

  EXPECT_EQ(
      complaint([&] { judge(parse_gate("load_balance<1s"), result); }),
      "gate 'load_balance<1s': 'load_balance' is a ratio: give its limit in per cent, or as a number from 0 to 1");
  EXPECT_EQ(complaint([&] { judge(parse_gate("load_balanc<1"), result); }),
            "gate 'load_balanc<1': no metric has the id 'load_balanc': did you mean 'load_balance'?");
  EXPECT_EQ(complaint([&] { judge(parse_gate("load_balance<1"), small_result()); }),
            "gate 'load_balance<1' cannot be judged on run/traces.otf2: computation is not among the metrics");
}

// mpi_latesender is 2 ms of 0.00850 s: 23.53 %.
TEST(Gates, share_and_time) {
  EXPECT_TRUE(fails("mpi_latesender>23.5%"));
  EXPECT_FALSE(fails("mpi_latesender>23.6%"));
  EXPECT_TRUE(fails("mpi_latesender>1.9ms"));
  EXPECT_FALSE(fails("mpi_latesender>0.002s"));
  EXPECT_TRUE(fails(" mpi_latesender >= 2.000 ms "));
  EXPECT_TRUE(fails("mpi_latesender<=2000us"));
  EXPECT_FALSE(fails("mpi_latesender<2ms"));
  EXPECT_EQ(judge(parse_gate("mpi_latesender>5%"), small_result()).value, "23.53 %");
  EXPECT_EQ(judge(parse_gate("mpi_latesender>5ms"), small_result()).value, "2.000 ms");
}

/// The small result after 0.00150 s of MPI_Init on rank 0: the wait is 2 ms of 10 ms, or of 0.00850 s without MPI_Init.
AnalysisResult with_init() {
  AnalysisResult result = small_result();
  Region init;
  init.name = "MPI_Init";
  init.region_class = RegionClass::mpi_init_exit;
  result.definitions.regions.push_back(init);
  const CallPathId path = result.call_tree.find_or_add({CallPathId{0}, RegionId{3}, StringId::none()});
  result.severities.add(result.metrics.at("time"), path, LocationId{0}, 1500);
  result.severities.add(result.metrics.at("visits"), path, LocationId{0}, 1);
  return result;
}

TEST(Gates, shares_are_those_of_the_summary_unless_the_whole_is_asked_for) {
  const AnalysisResult result = with_init();
  const auto value = [&](const char* gate) { return judge(parse_gate(gate), result).value; };
  EXPECT_EQ(value("mpi_latesender>5%"), "23.53 %");
  EXPECT_EQ(value("mpi_latesender@without_init_exit>5%"), "23.53 %");
  EXPECT_EQ(value("mpi_latesender@whole>5%"), "20 %");
  EXPECT_EQ(value("mpi_latesender @ whole > 5 %"), "20 %");
  EXPECT_TRUE(fails("mpi_latesender>22%", result));
  EXPECT_FALSE(fails("mpi_latesender@whole>22%", result));
  EXPECT_EQ(value("time>1s"), "10.00 ms");
  EXPECT_EQ(value("time@whole>1s"), "10.00 ms");
  EXPECT_EQ(value("time@without_init_exit>1s"), "8.500 ms");
  EXPECT_EQ(value("visits>1"), "1");
  EXPECT_EQ(value("visits@without_init_exit>1"), "0");
  const AnalysisResult before = small_result();
  EXPECT_EQ(judge(parse_gate("time>+1%"), before, result).value, "+17.65 %");
  EXPECT_EQ(judge(parse_gate("time@without_init_exit>+1%"), before, result).value, "0 %");
  EXPECT_EQ(judge(parse_gate("time@without_init_exit>+0.1s"), before, result).value, "0 s");
}

TEST(Gates, what_a_share_is_of_is_said_where_it_matters) {
  const auto text = [](const char* gate, const AnalysisResult& result) {
    return report::verdicts_text({judge(parse_gate(gate), result)}, {200});
  };
  const std::string note =
      "Shares are of the time without MPI_Init and MPI_Finalize; METRIC@whole is the share of the total time.\n";
  EXPECT_EQ(text("mpi_latesender>5%", with_init()),
            "gate                 value  verdict\nmpi_latesender>5%  23.53 %  fails\n1 of 1 gate fails.\n" + note);
  EXPECT_EQ(text("mpi_latesender@whole>50%", with_init()).find(note), std::string::npos);
  EXPECT_EQ(text("mpi_latesender>50s", with_init()).find(note), std::string::npos);
  EXPECT_EQ(text("mpi_latesender>5%", small_result()).find(note), std::string::npos);
}

TEST(Gates, inclusive_values_counts_and_bytes) {
  EXPECT_TRUE(fails("time>=8.5ms"));
  EXPECT_FALSE(fails("visits>0"));
  EXPECT_TRUE(fails("bytes>=2KiB"));
  EXPECT_FALSE(fails("bytes>2048"));
  EXPECT_EQ(judge(parse_gate("bytes>1"), small_result()).value, "2,048 bytes");
}

TEST(Gates, growth) {
  const AnalysisResult before = small_result();
  AnalysisResult after = small_result();
  after.severities.add(after.metrics.find("mpi_latesender"), CallPathId{2}, LocationId{1}, 200);  // 10 % more
  const auto fails_between = [&](const char* gate) { return judge(parse_gate(gate), before, after).failed(); };
  EXPECT_TRUE(fails_between("mpi_latesender>+9.9%"));
  EXPECT_FALSE(fails_between("mpi_latesender>+10.1%"));
  EXPECT_TRUE(fails_between("mpi_latesender>+0.1ms"));
  EXPECT_FALSE(fails_between("mpi_latesender>+0.3ms"));
  EXPECT_FALSE(fails_between("mpi_latesender<-1%"));
  EXPECT_FALSE(fails_between("time>+0%"));
  EXPECT_TRUE(fails_between("mpi_latesender>25%")) << "without a sign it is about the second: 2.2 of 8.500 ms";
  EXPECT_EQ(judge(parse_gate("mpi_latesender>+1%"), before, after).value, "+10 %");
  EXPECT_EQ(judge(parse_gate("mpi_latereceiver>+1%"), before, after).value, "0 %");
  after.severities.add(after.metrics.find("mpi_latereceiver"), CallPathId{2}, LocationId{1}, 200);
  EXPECT_EQ(judge(parse_gate("mpi_latereceiver>+1000%"), before, after).value, "from nothing to something");
  EXPECT_TRUE(fails_between("mpi_latereceiver>+1000%"));
}

TEST(Gates, what_is_no_gate) {
  const std::string expected = "; expected e.g. 'mpi_latesender>5%', 'time>+0.5s' or 'visits>=1000'";
  const auto of = [&](const char* gate) { return complaint([&] { parse_gate(gate); }); };
  EXPECT_EQ(of("mpi_latesender"), "gate 'mpi_latesender': there is no > or <" + expected);
  EXPECT_EQ(of(">5%"), "gate '>5%': there is no metric before the comparison" + expected);
  EXPECT_EQ(of("time> "), "gate 'time> ': there is no limit after the comparison" + expected);
  EXPECT_EQ(of("time>x"), "gate 'time>x': 'x' does not begin with a number" + expected);
  EXPECT_EQ(of("time>inf"), "gate 'time>inf': 'inf' does not begin with a number" + expected);
  EXPECT_EQ(of("time>+-5%"), "gate 'time>+-5%': the limit has two signs" + expected);
  EXPECT_EQ(of("bytes>1e308GiB"), "gate 'bytes>1e308GiB': '1e308GiB' is too large" + expected);
  EXPECT_EQ(of("time>5h"), "gate 'time>5h': 'h' is not a unit; units are %, s, ms, us, ns, KiB, MiB, GiB" + expected);
}

TEST(Gates, what_cannot_be_judged_never_passes) {
  const auto of = [&](const char* gate, const AnalysisResult& result = small_result()) {
    return complaint([&] { judge(parse_gate(gate), result); });
  };
  EXPECT_EQ(of("mpi_latesnder>5%"),
            "gate 'mpi_latesnder>5%': no metric has the id 'mpi_latesnder': did you mean "
            "'mpi_latesender'?");
  EXPECT_EQ(of("time@hole>5%"),
            "gate 'time@hole>5%': the @ is followed by 'hole', expected whole or without_init_exit");
  EXPECT_EQ(of("xyzzy@whole>5%"), "gate 'xyzzy@whole>5%': no metric has the id 'xyzzy'");
  EXPECT_EQ(of("xyzzy>5%"), "gate 'xyzzy>5%': no metric has the id 'xyzzy'");
  EXPECT_EQ(of("mpi_barrier_wait>5%"),
            "gate 'mpi_barrier_wait>5%': run/traces.otf2 does not say anything about 'mpi_barrier_wait': it was not "
            "analysed; for that, give the trace with --pattern mpi_barrier_wait");
  EXPECT_EQ(of("visits>5%"),
            "gate 'visits>5%': 'visits' is not a time and has no share of the total time; give a number, or "
            "growth in per cent (+5%)");
  EXPECT_EQ(of("visits>5s"), "gate 'visits>5s': 'visits' is counted in occurrences, not in seconds");
  EXPECT_EQ(of("time>5"), "gate 'time>5': 'time' is a time: give its limit a unit, s, ms, us or %");
  EXPECT_EQ(of("time>+5%"),
            "gate 'time>+5%' is about growth, which takes two reports: use 'waitstate diff', or leave the "
            "sign out");
  AnalysisResult idle = small_result();
  idle.severities = Severities(idle.metrics.size());
  EXPECT_EQ(of("mpi_latesender>5%", idle),
            "gate 'mpi_latesender>5%': run/traces.otf2 has no total time of which 'mpi_latesender' could be a share");
}

// 2 ms are known, and there may be more.
TEST(Gates, on_what_was_not_looked_for_say_how_it_is) {
  const auto of = [&](const char* gate) { return complaint([&] { judge(parse_gate(gate), small_result()); }); };
  const std::string how = "it was not analysed; for that, give the trace with --pattern ";
  // A pattern that always runs, one that runs only if it is chosen, and a metric that another pattern has.
  for (const std::string id : {"mpi_barrier_wait", "mpi_ideal_wait", "mpi_lswo_same"})
    EXPECT_EQ(of((id + ">5%").c_str()),
              "gate '" + id + ">5%': run/traces.otf2 does not say anything about '" + id + "': " + how + id);
}

TEST(Gates, a_lower_bound_decides_only_what_lies_beyond_it) {
  AnalysisResult result = small_result();
  result.diagnostics.add(DiagnosticId::recv_unmatched, {LocationId{1}, 2500, "MPI_Recv"});
  result = judged(std::move(result));
  EXPECT_TRUE(fails("mpi_latesender>1ms", result));
  EXPECT_FALSE(fails("mpi_latesender<1ms", result));
  EXPECT_EQ(judge(parse_gate("mpi_latesender>1ms"), result).value, "at least 2.000 ms");
  const std::string why =
      " cannot be judged on run/traces.otf2: 1 of 1 receive without a send in the trace: it is not known whether the "
      "sender was late";
  EXPECT_EQ(complaint([&] { fails("mpi_latesender>3ms", result); }), "gate 'mpi_latesender>3ms'" + why);
  EXPECT_EQ(complaint([&] { fails("mpi_latesender<3ms", result); }), "gate 'mpi_latesender<3ms'" + why);
  EXPECT_EQ(complaint([&] { judge(parse_gate("mpi_latesender>+1%"), small_result(), result); }),
            "gate 'mpi_latesender>+1%'" + why);
}

}  // namespace
}  // namespace waitstate::test
