// The JSON report: its bytes, that reading it back loses nothing, and the message for each possible error. The file is
// long because a whole report stands here.
#include <gtest/gtest.h>

#include <algorithm>
#include <filesystem>
#include <nlohmann/json.hpp>
#include <set>
#include <sstream>
#include <vector>

#include "report/csv/csv_writer.hpp"
#include "report/full_result.hpp"
#include "report/json/json_reader.hpp"
#include "report/json/json_writer.hpp"
#include "report/text/analysis_text.hpp"
#include "support/temporary_folder.hpp"
#include "waitstate/error.hpp"

namespace waitstate::test {
namespace {

std::string json(const AnalysisResult& result) {
  std::ostringstream out;
  report::write_json(result, out);
  return out.str();
}
std::string csv(const AnalysisResult& result) {
  std::ostringstream out;
  report::write_csv(result, out);
  return out.str();
}

AnalysisResult read(const std::string& text) {
  const support::TemporaryFolder folder;
  return report::read_json(folder.file("report.json", text));
}

/// The error message for a document, without the file's name; "" if it can be read.
std::string error(const std::string& text) {
  const support::TemporaryFolder folder;
  const std::string file = folder.file("report.json", text);
  try {
    report::read_json(file);
  } catch (const TraceError& e) {
    EXPECT_EQ(e.path(), file);
    return std::string(e.what()).substr(file.size() + 2);
  }
  return "";
}

using Document = nlohmann::json;
/// The error message if the value at this place is replaced.
std::string error_with(const char* pointer, Document value) {
  Document document = Document::parse(json(full_result()));
  document[Document::json_pointer(pointer)] = std::move(value);
  return error(document.dump());
}
/// The error message without the advice at its end, which must be there.
std::string wrong(const char* pointer, Document value) {
  const std::string advice = "; write the report again from its trace", message = error_with(pointer, std::move(value));
  EXPECT_TRUE(message.ends_with(advice)) << message;
  return message.substr(0, message.size() - std::min(message.size(), advice.size()));
}

TEST(Json, whole) {
  const std::string text = json(full_result());
  const auto waits = text.find("\"software_counters\"");
  EXPECT_EQ(text.substr(0, waits), R"json({
"format": "waitstate",
"version": 2,
"waitstate_version": ")json" WAITSTATE_VERSION R"json(",
"trace": {"path":"run/traces.otf2","date":"2020-09-13T12:26:40Z","command":"/home/a/p2p '2 5'","creator":"Score-P 8.4","machine":"Linux","description":"a \"test\"","otf2_version":"3.0.2","trace_id":"0000000000001234","properties":[{"name":"SCOREP::X","value":"1"},{"name":"A","value":"2"}],"clock":{"ticks_per_second":1000000,"offset":1000,"length":5000,"realtime_ns":1600000000000000000}},
"totals": {"first_time":1000,"last_time":6000,"duration":5000,"events":10,"messages":1,"collectives":3},
"efficiency": {"whole":{"time":8496,"run_time":null,"parallel_efficiency":null,"load_balance":null,"communication_efficiency":null,"over":"processes","units":0,"left_out":0,"unknown":"computation is not among the metrics"},"without_init_exit":{"time":8496,"run_time":null,"parallel_efficiency":null,"load_balance":null,"communication_efficiency":null,"over":"processes","units":0,"left_out":0,"unknown":"computation is not among the metrics"}},
"factors": [
  {"id":"parallel_efficiency","summary":"Fraction of the run that the processes spent computing on average: load_balance x communication_efficiency.","formula":"mean computation / run time","source":"POP project (Performance Optimisation and Productivity), standard metrics for performance audit"},
  {"id":"load_balance","summary":"Mean computation of the processes as a fraction of the largest; the rest is lost by waiting for the busiest process.","formula":"mean / largest computation","source":"POP project (Performance Optimisation and Productivity), standard metrics for performance audit"},
  {"id":"communication_efficiency","summary":"Fraction of the run that the busiest process spent computing; the rest is lost in MPI, OpenMP and other libraries.","formula":"largest computation / run time","source":"POP project (Performance Optimisation and Productivity), standard metrics for performance audit"}
],
"missing_locations": [],
"focus": {"region":"main","locations":[0,2],"from":1200,"to":null},
"patterns": [
  {"id":"mpi_latesender","parameters":[{"name":"threshold","value":"0.5"},{"name":"region","value":"main"}]},
  {"id":"comms_recv","parameters":[]}
],
"paradigms": [
  {"paradigm":"mpi","name":"MPI","class":"process"}
],
"system_tree": [
  {"name":"node1","class":"node","parent":1},
  {"name":"machine","class":"cluster","parent":null}
],
"processes": [
  {"name":"MPI Rank 0","type":"process","system_tree_node":0,"creator":null,"rank":0,"properties":[]},
  {"name":"MPI Rank 1","type":"process","system_tree_node":0,"creator":null,"rank":1,"properties":[]},
  {"name":"GPU","type":9,"system_tree_node":0,"creator":1,"rank":null,"properties":[]}
],
"hosts": [
  {"name":"node1","processes":[0,1],"ranks":[0,1]}
],
"locations": [
  {"name":"Thread 0","type":"cpu_thread","process":0,"events":4,"first_time":1000,"last_time":5500},
  {"name":"Thread 1","type":"cpu_thread","process":1,"events":6,"first_time":1500,"last_time":6000},
  {"name":"Thread 2","type":"cpu_thread","process":1,"events":0,"first_time":0,"last_time":0}
],
"regions": [
  {"name":"main","canonical_name":"_Zmain","description":"about","file":"p2p.c","begin_line":3,"end_line":13,"paradigm":"compiler","role":"function","region_class":"comp"},
  {"name":"work<int, \"x\">","canonical_name":"_Zwork<int, \"x\">","description":"about","file":"","begin_line":0,"end_line":10,"paradigm":"user","role":"loop","region_class":"comp"},
  {"name":"MPI_Recv","canonical_name":"_ZMPI_Recv","description":"about","file":"MPI","begin_line":0,"end_line":10,"paradigm":"mpi","role":"point2point","region_class":"mpi_point2point"}
],
"programs": [
  "/home/a/p2p"
],
"communicators": [
  {"name":"MPI_COMM_WORLD","self":true,"members":[]},
  {"name":"MPI_COMM_WORLD","self":false,"members":[0,null,1]}
],
"cart_dimensions": [
  {"name":"x","size":2,"periodic":"true"}
],
"cart_topologies": [
  {"name":"grid","communicator":1,"dimensions":[0],"coordinates":[0,0,1,1]}
],
"call_tree": [
  {"parent":null,"region":null,"program":0},
  {"parent":0,"region":null,"program":null},
  {"parent":null,"region":0,"program":null},
  {"parent":2,"region":1,"program":null},
  {"parent":3,"region":2,"program":null}
],
"metrics": [
  {"id":"time","title":"Time","summary":"Total time of all locations.","unit":"ticks","within_parent":false,"kind":"other","plugin":false,"parent":null,"total":8496,"total_without_init_exit":8496,"share":1,"share_without_init_exit":1,"told":"exactly"},
  {"id":"bytes","title":"Bytes","summary":"","unit":"bytes","within_parent":false,"kind":"other","plugin":false,"parent":null,"total":9007199254740993,"total_without_init_exit":9007199254740993,"share":null,"share_without_init_exit":null,"told":"exactly"},
  {"id":"mpi_point2point","title":"Point-to-point","summary":"","unit":"ticks","within_parent":false,"kind":"other","plugin":false,"parent":"time","total":2500,"total_without_init_exit":2500,"share":0.294256120527307,"share_without_init_exit":0.294256120527307,"told":"exactly"},
  {"id":"mpi_latesender","title":"Late Sender","summary":"Receives that wait for their send.","unit":"ticks","within_parent":true,"kind":"other","plugin":false,"parent":"mpi_point2point","definition":"E(send) - E(recv)","charged_to":"the receiver","source":"EXPERT","diagnosis":"send earlier","siblings":"overlapping","total":2000,"total_without_init_exit":2000,"share":0.23540489642184556,"share_without_init_exit":0.23540489642184556,"told":"exactly"},
  {"id":"visits","title":"Visits","summary":"","unit":"occ","within_parent":false,"kind":"other","plugin":false,"parent":null,"total":0,"total_without_init_exit":0,"share":null,"share_without_init_exit":null,"told":"exactly"}
],
"severities": {
"time": {"columns":["callpath","location","value"],"rows":[
  [0,0,4500],
  [2,0,-4],
  [2,1,1500]
]},
"bytes": {"columns":["callpath","location","value"],"rows":[
  [4,2,9007199254740993]
]},
"mpi_point2point": {"columns":["callpath","location","value"],"rows":[
  [4,2,2500]
]},
"mpi_latesender": {"columns":["callpath","location","value"],"rows":[
  [4,2,2000]
]}
},
"waits": {
"mpi_latesender": {
"statistics": {"count":3,"sum":2000,"minimum":100,"maximum":1500,"mean":666.6666666666666,"variance":0.3333333333333333,"quartile25":250,"median":400,"quartile75":950,"quantile_error":0.0078125},
"pairs": {"columns":["culprit","waiter","count","ticks"],"rows":[
  [0,2,2,1600],
  [null,1,1,400]
]},
"causes": {"columns":["callpath","culprit","count","ticks"],"rows":[
  [0,0,1,1500],
  [2,0,1,100],
  [null,null,1,400]
]},
"histogram": {"columns":["from","to","count","ticks"],"rows":[
  [91,108,2,200],
  [1456,1728,1,1500]
]},
"by_callpath": {"columns":["callpath","count","sum","minimum","quartile25","median","quartile75","maximum","mean","quantile_error"],"rows":[
  [4,2,1600,100,150,300,950,1500,800,0.03125],
  [0,1,400,400,400,400,400,400,400,0]
],"left_out":4},
"instances": [
  {"callpath":0,"total":50,"waiters":1,"longest":{"location":2,"callpath":4,"enter":4100,"exit":4300,"begin":4100,"ticks":100,"culprit":null,"culprit_callpath":null},"cause":{"kind":"collective","sent":null,"received":null,"bytes":null,"tag":null,"communicator":0,"operation":"scan","culprit_enter":null,"culprit_exit":null},"culprit_wait":null},
  {"callpath":4,"total":1600,"waiters":2,"longest":{"location":2,"callpath":4,"enter":2000,"exit":4000,"begin":2100,"ticks":1500,"culprit":0,"culprit_callpath":0},"members":[{"location":2,"callpath":4,"enter":2000,"exit":4000,"begin":2100,"ticks":1500,"culprit":0,"culprit_callpath":0},{"location":1,"callpath":4,"enter":2001,"exit":3000,"begin":2002,"ticks":100,"culprit":0,"culprit_callpath":null}],"members_left_out":3,"cause":{"kind":"message","sent":2500,"received":3990,"bytes":8,"tag":7,"communicator":1,"operation":null,"culprit_enter":2400,"culprit_exit":2600},"context":0,"culprit_wait":{"ticks":700,"most":500,"culprit":1,"callpath":3}},
  {"callpath":4,"total":100,"waiters":1,"longest":{"location":2,"callpath":4,"enter":4100,"exit":4300,"begin":4100,"ticks":100,"culprit":null,"culprit_callpath":null},"culprit_wait":null}
]}
},
"waiting_culprits": {"columns":["callpath","culprit","time","waited"],"rows":[]},
"open_calls": [
  {"location":1,"callpath":null,"region":2,"enter":5000,"waits":[]},
  {"location":2,"callpath":4,"region":2,"enter":5100,"waits":[{"kind":"receive","communicator":0,"target":null,"tag":7,"whom":[0,1],"any":true},{"kind":"lock","communicator":null,"target":1,"tag":null,"whom":[],"any":false}]}
],
"deadlocks": [],
"never_ended": ["Never ended: 2 threads still wait in calls when the trace ends: rank 1 thread 0 in MPI_Recv since 0.004000000 s; rank 1 thread 1 in main/work<int, \"x\">/MPI_Recv at p2p.c:3 since 0.004100000 s for a message from anybody (tag 7), for a lock. No wait state includes that wait, since nothing in the trace ended it."],
"counters": {
},
"wait_groups": [],
"problems": [
  {"metric":"mpi_latesender","title":"Late Sender","sentence":"Late Sender (mpi_latesender): 2.000 ms, 23.5 % of the total time. All in main/work<int, \"x\">/MPI_Recv at p2p.c:3, where 2 threads together waited up to 1.600 ms in one call for rank 0, which itself waited for rank 1 thread 0 in main/work<int, \"x\"> at p2p.c:3 for 46.7 % of that time.","advice":"Send earlier.","value_of":"mpi_latesender","function":"","scope":"whole","ticks":2000,"share":0.23540489642184556,"told":"exactly","callpath":4,"callpath_ticks":2000,"source":"p2p.c:3","location":2,"culprit":0,"culprit_callpath":0,"instance":1}
],
"series": {"start":2048,"bin_ticks":512,"bins":3,"bins_per_group_bin":2,"groups":[[0,1],[2,2]],"metrics":{
  "mpi_latesender": {"ticks":[1500,300,100],"without_time":100,"groups":[
  {"group":1,"ticks":[1800,100]}
]}
}},
"phases": {"region":1,"visits":3,"visits_per_phase":2,"phases":[
  {"begin":1500,"end":4500,"locations":2,"ticks":5000,"longest":3000,"computation":4000,"largest_computation":2500,"parallel_efficiency":0.6666666666666666,"load_balance":0.8,"communication_efficiency":0.8333333333333334,"waits":{"mpi_latesender":700},"places":{"mpi_latesender":{"callpaths":[[4,600],[0,100]],"locations":[[2,700]]}}},
  {"begin":4500,"end":5000,"locations":1,"ticks":500,"longest":500,"computation":0,"largest_computation":0,"parallel_efficiency":null,"load_balance":null,"communication_efficiency":null,"waits":{}}
]},
"contexts": [
  {"from":1500,"to":4500,"locations":[0,2],"shortest":9,"messages_left_out":2,
"regions": {"columns":["location","region","enter","exit","depth"],"rows":[
  [0,0,1500,4500,0],
  [2,2,2000,4000,1]
]},
"messages": {"columns":["sender","receiver","sent","received","bytes","tag","communicator"],"rows":[
  [0,2,2500,3990,8,7,1]
]}}
],
"communication": {"processes_per_block":2,
"pairs": {"columns":["sender","receiver","messages","bytes","puts","bytes_put","gets","bytes_got"],"rows":[
  [0,1,1,2,3,4,5,6],
  [1,0,0,0,0,0,7,8]
]},
"sizes": {"columns":["from","to","messages","bytes"],"rows":[
  [0,1,4,0],
  [1024,2048,1,1500]
]},
"collectives": {"columns":["communicator","operation","operations","calls","bytes_sent","bytes_received","ticks","wait_ticks"],"rows":[
  [1,"bcast",2,6,10,20,400,50]
]}},
"queues": {"from": 1000, "to": 6000,
"profiles": [
  {"process":0,"communicator":null,"posted":{"entered":5,"remaining":1,"greatest_length":3,"populated":700,"total":900,"least":10,"greatest":400,"search_total":7,"search_greatest":3,"source_total":5,"source_greatest":2},"unexpected":{"entered":0,"remaining":0,"greatest_length":0,"populated":0,"total":0,"least":0,"greatest":0,"search_total":0,"search_greatest":0,"source_total":0,"source_greatest":0},"parts":[{"posted_greatest":3,"unexpected_greatest":1,"posted_mean":0.16,"unexpected_mean":0.01}]},
  {"process":0,"communicator":1,"posted":{"entered":4,"remaining":0,"greatest_length":2,"populated":600,"total":700,"least":20,"greatest":300,"search_total":6,"search_greatest":2,"source_total":4,"source_greatest":1},"unexpected":{"entered":1,"remaining":1,"greatest_length":1,"populated":50,"total":50,"least":50,"greatest":50,"search_total":0,"search_greatest":0,"source_total":0,"source_greatest":0},"parts":[]}
],
"parts": [
  {"posted_greatest":3,"unexpected_greatest":1,"posted_mean":0.18,"unexpected_mean":0.01},
  {"posted_greatest":0,"unexpected_greatest":0,"posted_mean":0,"unexpected_mean":0}
]},
)json");
  EXPECT_NE(text.find(R"(
"events_by_type": {"enter":4,"exit":4,"send":1,"recv":1},
)"),
            std::string::npos);
  EXPECT_NE(text.find(R"(
  {"id":"recv_unmatched","severity":"loss","sentence":"receives whose send is not in the trace","count":8,"largest":0,"places":[{"location":1,"time":2500,"text":"MPI_Recv"},{"location":null,"time":null,"text":"a file"}]},
)"),
            std::string::npos);
  EXPECT_EQ(text.substr(text.find("\"diagnostic_pairs\"")),
            R"("diagnostic_pairs": {"columns":["diagnostic","sender","receiver","count","largest"],"rows":[
  ["clock_violation",0,1,1,7],
  ["clock_violation",1,null,1,9]
]}
}
)");
}

TEST(Json, several_threads_write_the_same) {
  AnalysisResult result = full_result();
  ASSERT_TRUE(result.communication);
  for (std::uint64_t n = 0; n < 10'001; ++n)  // so many that threads divide them
    result.communication->pairs.push_back({.sender = 0, .receiver = 1, .messages = n, .bytes = n * n});
  for (const std::size_t threads : {2, 5}) {
    std::ostringstream out;
    report::write_json(result, out, report::CallPathNumbers::depth_first, {}, threads);
    EXPECT_EQ(out.str(), json(result)) << threads;
  }
}

TEST(Json, read_back_gives_the_same_reports) {
  const AnalysisResult original = full_result(), again = read(json(original));
  EXPECT_EQ(json(again), json(original));
  EXPECT_EQ(csv(again), csv(original));
  EXPECT_EQ(report::analysis_text(again, {}), report::analysis_text(original, {}));
  EXPECT_EQ(again.definitions.comms[1].members, original.definitions.comms[1].members);
  EXPECT_EQ(again.definitions.processes[1].locations, original.definitions.processes[1].locations);
  EXPECT_EQ(again.definitions.regions[2].mpi_function, MpiFunction::recv);
  EXPECT_EQ(again.diagnostics.between(DiagnosticId::clock_violation).size(), 2u);
  EXPECT_EQ(again.definitions.locate(CommId{1}, 2, LocationId{0}), LocationId{1});
}

TEST(Json, keeps_which_metrics_are_plug_ins_and_what_they_mean) {
  AnalysisResult result = full_result();
  result.metrics.set_from_plugin(
      result.metrics.add("own", "mpi_latesender", Unit::seconds, true, "Own", "", MetricKind::completion));
  result.severities.grow(result.metrics.size());
  result.severities.add(result.metrics.at("own"), CallPathId{2}, LocationId{1}, 700);
  const AnalysisResult again = read(json(result));
  const MetricInfo& own = again.metrics[again.metrics.at("own")];
  EXPECT_TRUE(own.from_plugin);
  EXPECT_EQ(own.kind, MetricKind::completion);
  EXPECT_FALSE(again.metrics[again.metrics.at("mpi_latesender")].from_plugin);
  EXPECT_EQ(json(again), json(result));
  EXPECT_EQ(report::analysis_text(again, {}), report::analysis_text(result, {}));
}

TEST(Json, of_every_trace_reads_back_to_the_same_reports) {
  std::size_t traces = 0;
  for (const auto& folder : std::filesystem::directory_iterator(WAITSTATE_TRACES)) {
    if (!folder.is_directory()) continue;
    SCOPED_TRACE(folder.path());
    const AnalysisResult original = analyze(folder.path());
    const std::string text = json(original);
    const AnalysisResult again = read(text);
    EXPECT_TRUE(json(again) == text);  // EXPECT_EQ would print both texts
    EXPECT_TRUE(csv(again) == csv(original));
    EXPECT_EQ(report::analysis_text(again, {}), report::analysis_text(original, {}));
    AnalysisOptions one_thread;
    one_thread.threads = 1;
    one_thread.chunk_events = 7;
    EXPECT_TRUE(json(analyze(folder.path(), one_thread)) == text);
    ++traces;
  }
  EXPECT_GT(traces, 3u);
}

TEST(Json, nothing_at_all_can_be_written_and_read_back) {
  const std::string text = json(AnalysisResult{});
  EXPECT_EQ(json(read(text)), text);
}

TEST(Json, tables_may_come_in_any_order) {
  const std::string text = json(full_result());
  EXPECT_EQ(json(read(Document::parse(text).dump())), text);  // sorted by name, in one line
}

TEST(Json, members_that_are_not_known_are_passed_over) {
  Document document = Document::parse(json(full_result()));
  document["added_later"] = {1, 2};
  document["regions"][0]["added_later"] = true;
  EXPECT_EQ(json(read(document.dump())), json(full_result()));
}

TEST(Json, text_that_is_no_utf8_is_replaced_and_stays_so) {
  AnalysisResult result = full_result();
  result.definitions.regions[0].name = "ma\xffin";
  result.path = "\xc3";
  // By bytes \xff comes behind €, replaced by U+FFFD it does too, but \xc3 comes before € only as it was recorded.
  result.diagnostics.add(DiagnosticId::send_unmatched, {LocationId{0}, 1, "\xc3("});
  result.diagnostics.add(DiagnosticId::send_unmatched, {LocationId{0}, 1, "\xe2\x82\xac"});
  const std::string text = json(result);
  EXPECT_NE(text.find("\"name\":\"ma\xef\xbf\xbdin\""), std::string::npos);
  EXPECT_NE(text.find("\"text\":\"\xe2\x82\xac\"},{\"location\":0,\"time\":1,\"text\":\"\xef\xbf\xbd(\"}"),
            std::string::npos);
  EXPECT_EQ(json(read(text)), text);
}

TEST(Json, two_programs_of_one_name_stay_two) {
  AnalysisResult result = full_result();
  result.definitions.strings.push_back("a\xff");
  result.definitions.strings.push_back("a\xfe");
  for (const std::size_t i : {2, 3}) result.call_tree.find_or_add({CallPathId::none(), RegionId::none(), StringId{i}});
  EXPECT_EQ(json(read(json(result))), json(result));
}

TEST(Json, extreme_numbers_survive) {
  AnalysisResult result = full_result();
  result.severities.add(0, CallPathId{0}, LocationId{0}, std::numeric_limits<std::int64_t>::min());
  result.locations[0].last_time = ~Time{0} - 1;
  result.definitions.clock.realtime = ~std::uint64_t{0};
  WaitSummary& waits = result.waits.begin()->second;
  waits.statistics.count = ~std::uint64_t{0};
  waits.statistics.mean = 1e300;
  waits.statistics.variance = std::numeric_limits<double>::infinity();
  const std::string text = json(result);
  EXPECT_NE(text.find("\"realtime_ns\":null"), std::string::npos);
  EXPECT_NE(text.find("\"mean\":1e+300,\"variance\":null"), std::string::npos);
  EXPECT_EQ(json(read(text)), text);
}

TEST(JsonReader, says_what_is_no_report) {
  EXPECT_EQ(error("{\"format\": \"waitstate\", \"version\""),
            "line 1, column 33: no valid JSON: syntax error while parsing object separator - unexpected end of input; "
            "expected ':'");
  EXPECT_EQ(error("[1]"), "$: found an array of 1, expected an object; write the report again from its trace");
  EXPECT_EQ(error("{}"), "$.format: found nothing, expected a text; write the report again from its trace");
  EXPECT_EQ(wrong("/format", "other"), "$.format: found \"other\", expected \"waitstate\"");
  EXPECT_EQ(error(std::string(1'000'000, '[')), "line 1, column 17: JSON nested more than 16 deep, which no report is");
  EXPECT_EQ(error("{\"[[[[[[[[[[[[[[[[[[[[\\\"[\": 1}"),
            "$.format: found nothing, expected a text; write the report again from its trace");
  EXPECT_THROW(report::read_json("/nowhere/run.json"), TraceError);
}

TEST(JsonReader, refuses_other_versions) {
  EXPECT_EQ(error_with("/version", 3),
            "a report in version 3 of the format, but this waitstate reads version 2: read it with a newer waitstate, "
            "or write it again with this one");
  EXPECT_EQ(error_with("/version", 1),
            "a report in version 1 of the format, but this waitstate reads version 2: write it again from its trace");
}

TEST(JsonReader, says_what_was_found_and_what_expected) {
  EXPECT_EQ(wrong("/regions/1/name", nullptr), "$.regions[1].name: found null, expected a text");
  EXPECT_EQ(wrong("/regions/1/begin_line", 4294967296),
            "$.regions[1].begin_line: found 4294967296, expected a whole number from 0 to 4294967295");
  EXPECT_EQ(wrong("/regions/1/begin_line", 1.5),
            "$.regions[1].begin_line: found 1.5, expected a whole number from 0 to 4294967295");
  EXPECT_EQ(wrong("/locations/0/events", -1), "$.locations[0].events: found -1, expected a whole number of 64 bits");
  EXPECT_EQ(wrong("/severities/time/rows/0/2", "x"),
            "$.severities.time.rows[0][2]: found \"x\", expected a whole number of 64 bits with sign");
  EXPECT_EQ(wrong("/severities/time/rows/0/2", 9223372036854775808u),
            "$.severities.time.rows[0][2]: found 9223372036854775808, expected a whole number of 64 bits with sign");
  EXPECT_EQ(wrong("/severities/time/rows/1", {1, 2}),
            "$.severities.time.rows[1]: found an array of 2, expected an array of 3 values");
  EXPECT_EQ(wrong("/regions/0", 7), "$.regions[0]: found 7, expected an object");
  EXPECT_EQ(wrong("/regions", Document::object()), "$.regions: found an object, expected an array");
  EXPECT_EQ(wrong("/metrics/3/within_parent", 1), "$.metrics[3].within_parent: found 1, expected true or false");
  EXPECT_EQ(wrong("/waits/mpi_latesender/statistics/mean", "1"),
            "$.waits.mpi_latesender.statistics.mean: found \"1\", expected a number or null");
  EXPECT_EQ(wrong("/trace/trace_id", "12"), "$.trace.trace_id: found \"12\", expected 16 hexadecimal digits");
  EXPECT_EQ(wrong("/trace/clock/ticks_per_second", 0), "$.trace.clock.ticks_per_second: found 0, expected at least 1");
  EXPECT_EQ(wrong("/trace/path", Document::array({std::string(100, 'x')})),
            "$.trace.path: found an array of 1, expected a text");
  EXPECT_EQ(wrong("/trace/clock", std::string(100, 'x')),
            "$.trace.clock: found \"" + std::string(59, 'x') + "…, expected an object");
}

TEST(JsonReader, suggests_the_nearest_name) {
  EXPECT_EQ(
      wrong("/regions/0/role", "functoin"),
      "$.regions[0].role: found \"functoin\", expected one of the names in report.schema.json, such as \"function\"");
  EXPECT_EQ(wrong("/metrics/0/unit", "xyzzy"),
            "$.metrics[0].unit: found \"xyzzy\", expected one of the names in report.schema.json");
  EXPECT_EQ(wrong("/metrics/0/unit", 0), "$.metrics[0].unit: found 0, expected one of the names in report.schema.json");
  EXPECT_EQ(wrong("/regions/0/paradigm", 256),
            "$.regions[0].paradigm: found 256, expected a whole number from 0 to 255");
  EXPECT_EQ(wrong("/diagnostics/0/id", "location_unreadible"),
            "$.diagnostics[0].id: found \"location_unreadible\", expected a kind of damage, such as "
            "\"location_unreadable\"");
  EXPECT_EQ(wrong("/events_by_type/entre", 1),
            "$.events_by_type.entre: the member's name is no type of event: did you mean 'enter'?");
  EXPECT_EQ(wrong("/severities/tim", Document::object()),
            "$.severities.tim: the member's name is the id of no metric of this report: did you mean 'time'?");
  EXPECT_EQ(wrong("/waits/a b", Document::object()),
            "$.waits[\"a b\"]: the member's name is the id of no metric of this report");
}

TEST(JsonReader, checks_every_reference) {
  EXPECT_EQ(wrong("/locations/0/process", 3),
            "$.locations[0].process: found 3, expected null or a whole number from 0 to 2");
  EXPECT_EQ(wrong("/system_tree/0/parent", -1),
            "$.system_tree[0].parent: found -1, expected null or a whole number from 0 to 1");
  EXPECT_EQ(wrong("/system_tree/1/parent", 0),
            "$.system_tree[0].parent: found 1, expected a node that does not lie below this one");
  EXPECT_EQ(wrong("/system_tree/1/parent", 1),
            "$.system_tree[1].parent: found 1, expected a node that does not lie below this one");
  EXPECT_EQ(wrong("/call_tree/1/parent", 1),
            "$.call_tree[1].parent: found 1, expected null or a call path before this one, which is 1");
  EXPECT_EQ(wrong("/call_tree/2", {{"parent", nullptr}, {"region", nullptr}, {"program", 0}}),
            "$.call_tree[2]: the same call path as 0");
  EXPECT_EQ(wrong("/programs", Document::array()),
            "$.call_tree[0].program: found 0, expected null, since that table is empty");
  EXPECT_EQ(wrong("/metrics/2/parent", "mpi_latesender"),
            "$.metrics[2].parent: found \"mpi_latesender\", expected null or the id of a metric that stands before "
            "this one");
  EXPECT_EQ(wrong("/metrics/1/id", "time"),
            "$.metrics[1].id: found \"time\", expected another id than the metrics before it have");
  EXPECT_EQ(wrong("/metrics/1/id", ""), "$.metrics[1].id: found \"\", expected an id");
  EXPECT_EQ(wrong("/metrics", Document(10'001, 0)), "$.metrics: found an array of 10001, expected at most 10000");
  EXPECT_EQ(wrong("/severities/time/rows/0/0", nullptr),
            "$.severities.time.rows[0][0]: found null, expected a whole number from 0 to 4");
  EXPECT_EQ(wrong("/contexts/0/messages/rows/0/0", nullptr),
            "$.contexts[0].messages.rows[0][0]: found null, expected a whole number from 0 to 2");
  EXPECT_EQ(wrong("/contexts/0/messages/rows/0/1", 3),
            "$.contexts[0].messages.rows[0][1]: found 3, expected a whole number from 0 to 2");
  EXPECT_EQ(wrong("/severities/time/rows/0/1", 3),
            "$.severities.time.rows[0][1]: found 3, expected a whole number from 0 to 2");
  EXPECT_EQ(wrong("/waits/mpi_latesender/pairs/rows/1", {0, 2, 1, 1}),
            "$.waits.mpi_latesender.pairs.rows[1]: the same two as in a row before");
  EXPECT_EQ(wrong("/focus/locations/0", 4294967296),
            "$.focus.locations[0]: found 4294967296, expected null or a whole number from 0 to 2");
}

TEST(JsonReader, checks_what_is_counted) {
  const Document one = Document::parse(json(full_result()))["waits"]["mpi_latesender"]["instances"][0];
  EXPECT_EQ(wrong("/waits/mpi_latesender/instances", Document(6, one)),
            "$.waits.mpi_latesender.instances[5]: found more than 5 of one call path");
  EXPECT_EQ(wrong("/diagnostics/1/id", "location_unreadable"),
            "$.diagnostics[1].id: found \"location_unreadable\", expected each kind once");
  EXPECT_EQ(wrong("/totals/events", 11), "$.totals.events: found 11, expected 10, the sum of events_by_type");
  EXPECT_EQ(wrong("/totals/duration", 1), "$.totals.duration: found 1, expected 5000, as locations have it");
  EXPECT_EQ(wrong("/metrics/2/total", 1), "$.metrics[2].total: found 1, expected 2500, the sum of its severities");
  EXPECT_EQ(wrong("/metrics/2/total_without_init_exit", 1),
            "$.metrics[2].total_without_init_exit: found 1, expected 2500, the sum of its severities");
  const std::size_t unmatched = static_cast<std::size_t>(DiagnosticId::recv_unmatched);
  const std::string entry = "/diagnostics/" + std::to_string(unmatched);
  const std::string path = "$.diagnostics[" + std::to_string(unmatched) + "]";
  EXPECT_EQ(wrong((entry + "/count").c_str(), 1), path + ".places: found an array of 2, expected at most 1 places");
  EXPECT_EQ(wrong((entry + "/places").c_str(), Document::array()),
            path + ".places: found an array of 0, expected at least one place");
  EXPECT_EQ(wrong("/diagnostics/0", Document::parse(json(full_result()))["diagnostics"][unmatched]),
            path + ".id: found \"recv_unmatched\", expected each kind once");
}

/// Every kind of field, in the first place where it stands, one at a time: null, or of another type, it is an error
/// or makes no difference to the reports, and never anything else.
TEST(JsonReader, no_change_of_one_field_does_harm) {
  Document whole = Document::parse(json(full_result()));
  whole.erase("software_counters");    // unknown members are not read
  Document found = Document::array();  // zeros would only make the reports longer
  for (const Document& d : whole["diagnostics"])
    if (d["count"] != 0) found.push_back(d);
  whole["diagnostics"] = found;
  const Document document = whole.flatten();
  const std::string here = "\"the field\"";
  std::size_t refused = 0, tried = 0;
  std::set<std::string> kinds;
  for (const auto& [pointer, value] : document.items()) {
    std::string kind = pointer;  // without its numbers, except for columns of tables
    const std::size_t column = pointer.find("/rows/") == std::string::npos ? pointer.size() : pointer.rfind('/');
    const auto end = std::remove_if(kind.begin(), kind.begin() + static_cast<std::ptrdiff_t>(column),
                                    [](char c) { return c >= '0' && c <= '9'; });
    kind.erase(end, kind.begin() + static_cast<std::ptrdiff_t>(column));
    if (!kinds.insert(kind).second) continue;
    Document& field = whole[Document::json_pointer(pointer)];
    const Document was = field;
    field = "the field";
    const std::string text = whole.dump();
    field = was;
    const std::size_t at = text.find(here);
    ASSERT_NE(at, std::string::npos);
    // Numbers that do not fit, and values of other types, alternate from field to field.
    const bool even = kinds.size() % 2 == 0;
    std::vector<const char*> others = {"null", even ? "\"x\"" : "[]"};
    if (was.is_number()) others.push_back(even ? "-1" : "18446744073709551615");
    for (const char* other : others) {
      ++tried;
      try {
        const AnalysisResult result = read(text.substr(0, at) + other + text.substr(at + here.size()));
        json(result);
        csv(result);
        report::analysis_text(result, {});
      } catch (const TraceError&) {
        ++refused;
      }
    }
  }
  EXPECT_GT(kinds.size(), 300u);
  EXPECT_GT(refused, tried / 2);
}

}  // namespace
}  // namespace waitstate::test
