// The example of src/README.md: a program of somebody else that analyses a trace and looks at its events.
#include <iostream>
#include <waitstate/result.hpp>
#include <waitstate/trace.hpp>

int main(int argc, char** argv) {
  if (argc != 2) return 2;
  const waitstate::AnalysisResult result = waitstate::analyze(argv[1]);
  const waitstate::MetricIndex late_sender = result.metrics.at("mpi_latesender");
  for (const waitstate::SeverityRow& row : result.table())  // metric, call path, location, value
    if (row.metric == late_sender)
      std::cout << result.call_tree.path(row.callpath, result.definitions) << ": " << row.value << " ticks\n";
  waitstate::write_cube(result, "run.cubex");  // also write_json(), write_csv(), read_report()

  const waitstate::EventTrace trace(argv[1]);  // all events by position; stack(), queue()
  for (waitstate::Position pos = 0; pos < trace.size(); ++pos) {
    const waitstate::Position send = trace.event(pos).sendptr;  // no_position unless a receive whose send is known
    if (send != waitstate::no_position)
      std::cout << trace.literal(pos) << "\n  sent by " << trace.literal(send) << '\n';
  }
}
