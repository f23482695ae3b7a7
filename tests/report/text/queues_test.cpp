// Message queues, software counters, and variables of MPI libraries in reports: lines whose numbers are known.
#include "report/text/tables/queues_text.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <string>

#include "report/facts/software_counters.hpp"
#include "report/text/explain.hpp"
#include "report/text/mpi_variables.hpp"
#include "report/text/tables/software_counters_text.hpp"
#include "support/case_file.hpp"
#include "waitstate/analysis.hpp"
#include "waitstate/pattern/registry.hpp"

namespace waitstate::report {
namespace {

// Ticks are nanoseconds. Rank 1 is sent 8 and 16 bytes at 10 and 20 before it receives them at 100 and 110, the second
// message first; it posts a receive at 120 for the message that is sent at 150.
constexpr const char* late_receives =
    "0 0 enter main\n"
    "0 10 enter MPI_Send\n0 11 send dest=1 tag=1 com=0 len=8\n0 12 exit\n"
    "0 20 enter MPI_Isend\n0 21 isend dest=1 tag=2 com=0 len=16 request=1\n0 22 exit\n"
    "0 23 enter MPI_Wait\n0 24 isend_complete request=1\n0 25 exit\n"
    "0 150 enter PMPI_Send\n0 151 send dest=1 tag=1 com=0 len=8\n0 152 exit\n"
    "0 200 exit\n"
    "1 0 enter main\n"
    "1 100 enter MPI_Recv\n1 101 recv src=0 tag=2 com=0 len=16\n1 102 exit\n"
    "1 110 enter MPI_Recv\n1 111 recv src=0 tag=1 com=0 len=8\n1 112 exit\n"
    "1 120 enter MPI_Recv\n1 155 recv src=0 tag=1 com=0 len=8\n1 156 exit\n"
    "1 200 exit\n";

AnalysisResult analyzed(const char* text, bool queues) {
  const support::TraceFile trace(text);
  AnalysisOptions options;
  options.built_in = false;
  options.patterns = PatternRegistry().chosen({queues ? "mpi_posted_count" : "comms_recv"}, {});
  return analyze(trace.path(), options);
}

/// Words of the first line that begins with `label`, one space between them.
std::string line_of(const std::string& text, const std::string& label) {
  const std::size_t at = ("\n" + text).find("\n" + label);
  if (at == std::string::npos) return "no line " + label + " in\n" + text;
  std::string line = text.substr(at, text.find('\n', at) - at);
  line.erase(std::unique(line.begin(), line.end(), [](char a, char b) { return a == ' ' && b == ' '; }), line.end());
  return line;
}

TEST(QueuesText, EachQueueAProcess) {
  const AnalysisResult result = analyzed(late_receives, true);
  const std::string text = queues_text(result, Seconds(result.definitions.clock, 1000), 20, Style{});
  EXPECT_EQ(line_of(text, "rank 1"), "rank 1 1 0 1 30.00 ns 30.00 ns 30.00 ns 30.00 ns 1.0 / 1 1.0 / 1");
  EXPECT_EQ(line_of(text.substr(text.find("\nunexpected (")), "rank 1"),
            "rank 1 2 0 2 100.0 ns 90.00 ns 80.00 ns 100.0 ns 1.5 / 2 1.5 / 2");
}

// Unexpected are one message from 10 and one from 20 on; of the run of 200, the latter until 100, the former until 110.
TEST(QueuesText, LengthsOverTime) {
  const AnalysisResult result = analyzed(late_receives, true);
  const std::string text = queues_text(result, Seconds(result.definitions.clock, 1000), 20, Style{});
  const auto tenths = [&](const char* name) {
    return line_of(text.substr(text.find("\nlongest in tenths", text.find(name))), "rank 1");
  };
  EXPECT_EQ(tenths("posted ("), "rank 1 0 0 0 0 0 0 1 1 0 0");
  EXPECT_EQ(tenths("\nunexpected ("), "rank 1 1 2 2 2 2 1 0 0 0 0");
}

TEST(QueuesText, NothingOfQueuesThatNobodyAskedFor) {
  const AnalysisResult result = analyzed(late_receives, false);
  EXPECT_EQ(queues_text(result, Seconds(result.definitions.clock, 1000), 20, Style{}), "");
}

std::vector<std::uint64_t> values(const AnalysisResult& result, std::string_view name) {
  for (const SoftwareCounter& c : software_counters(result))
    if (c.name == name) return c.values;
  ADD_FAILURE() << "no counter " << name;
  return {};
}

TEST(SoftwareCounters, OfCallsBytesAndQueues) {
  using Values = std::vector<std::uint64_t>;
  const AnalysisResult result = analyzed(late_receives, true);
  EXPECT_EQ(values(result, "OMPI_SEND"), (Values{2, 0}));  // PMPI_Send is MPI_Send
  EXPECT_EQ(values(result, "OMPI_ISEND"), (Values{1, 0}));
  EXPECT_EQ(values(result, "OMPI_RECV"), (Values{0, 3}));
  EXPECT_EQ(values(result, "OMPI_BCAST"), (Values{0, 0}));
  EXPECT_EQ(values(result, "OMPI_BYTES_SENT_USER"), (Values{32, 0}));
  EXPECT_EQ(values(result, "OMPI_BYTES_RECEIVED_USER"), (Values{0, 32}));
  EXPECT_EQ(values(result, "OMPI_UNEXPECTED"), (Values{0, 2}));
  EXPECT_EQ(values(result, "OMPI_MAX_UNEXPECTED_IN_QUEUE"), (Values{0, 2}));
  EXPECT_EQ(values(result, "OMPI_MAX_POSTED_IN_QUEUE"), (Values{0, 1}));
  EXPECT_EQ(values(result, "OMPI_UNEXPECTED_IN_QUEUE"), (Values{0, 0}));
  EXPECT_EQ(values(result, "OMPI_MATCH_TIME"), Values{});
  const std::string text = software_counters_text(result, Style{});
  EXPECT_EQ(line_of(text, "OMPI_RECV"), "OMPI_RECV 3 3 rank 1");
  EXPECT_EQ(line_of(text, "OMPI_UNEXPECTED "), "OMPI_UNEXPECTED 2 2 rank 1 at most");
  EXPECT_EQ(line_of(text, "OMPI_MAX_POSTED_IN_QUEUE"), "OMPI_MAX_POSTED_IN_QUEUE - 1 rank 1 at least");
  EXPECT_EQ(text.find("Only with"), std::string::npos) << text;
}

TEST(SoftwareCounters, WithoutQueuesTheyAreNamed) {
  const AnalysisResult result = analyzed(late_receives, false);
  EXPECT_TRUE(values(result, "OMPI_UNEXPECTED").empty());
  const std::string text = software_counters_text(result, Style{});
  EXPECT_NE(text.find("Only with --pattern mpi_posted_count: OMPI_UNEXPECTED"), std::string::npos) << text;
  EXPECT_EQ(line_of(text, "OMPI_RECV"), "OMPI_RECV 3 3 rank 1");
}

TEST(SoftwareCounters, NoneOfAProgramWithoutMpi) {
  const AnalysisResult result = analyzed("0 0 enter main\n0 1 exit\n", false);
  EXPECT_TRUE(software_counters(result).empty());
  EXPECT_EQ(software_counters_text(result, Style{}), "");
}

TEST(SoftwareCounters, EachIsExplained) {
  for (const SoftwareCounter& c : software_counters(analyzed(late_receives, false)))
    EXPECT_NE(explain_software_counter(c.name, Style{}).find(std::string(c.name) + "\n"), std::string::npos) << c.name;
  EXPECT_NE(explain_software_counter("OMPI_MATCH_TIME", Style{}).find("not available"), std::string::npos);
  EXPECT_EQ(explain_software_counter("OMPI_NOTHING", Style{}), "");
}

TEST(Variables, AreExplained) {
  const auto explained = [](const char* name) { return explain_variable(name, Style{}); };
  EXPECT_NE(explained("runtime_spc_OMPI_SPC_BYTES_SENT_USER").find("bytes sent in the program's messages"),
            std::string::npos);
  EXPECT_NE(explained("runtime_spc_OMPI_UNEXPECTED").find("mpi_unexpected_count"), std::string::npos);
  EXPECT_NE(explained("runtime_spc_OMPI_MATCH_TIME").find("not available"), std::string::npos);
  EXPECT_NE(explained("runtime_spc_OMPI_SPC_SENDRECV_REPLACE").find("visits of MPI_Sendrecv_replace"),
            std::string::npos);
  EXPECT_NE(explained("pml_ob1_posted_recvq_length_[MPI_COMM_WORLD]").find("pml_ob1_posted_recvq_length\n"),
            std::string::npos);
  // Metrics of which nothing is left, or nothing is known.
  for (const char* const name : {"runtime_spc_OMPI_", "runtime_spc_OMPI_SPC_", "runtime_spc_", "", "runtime_spc_OMPI_S",
                                 "runtime_spc_OMPI_NOTHING", "runtime_spc_OMPI_SPC_SPC_SEND", "SPC_SEND",
                                 "pml_ob1_posted_recvq_length_of_another"})
    EXPECT_EQ(explained(name), "") << name;
}

}  // namespace
}  // namespace waitstate::report
