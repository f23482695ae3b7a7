// Does what `how` says, where `where` says: everything that a plug-in can do wrong once it runs.
//
// It is charged to the first call path of the first location, and a share of the time of communication there.
#include <unistd.h>

#include <csignal>
#include <cstdlib>
#include <exception>
#include <limits>
#include <new>
#include <string>

#include <waitstate/pattern/plugin.hpp>
#include <waitstate/pattern/report_facts.hpp>
#include <waitstate/pattern/undetermined.hpp>

namespace {

using namespace waitstate;

class Misbehaves : public Pattern {
 public:
  PatternInfo info() const override {
    return {.metrics = {{.id = "misbehaves", .parent = "mpi_point2point"}},
            .parameters = {{"how", std::string("not"), "", "What it does."},
                           {"where", std::string("receives"), "", "Where it does so."}}};
  }
  ~Misbehaves() override { here("destructor"); }

  void configure(const Parameters& parameters) override {
    how_ = parameters.text("how"), where_ = parameters.text("where");
    here("configure");
  }
  void init(Context&) override { here("init"); }
  void completed_receives_callback(const CompletedReceives& r, Context& c) override {
    here("receives");
    const double nan = std::numeric_limits<double>::quiet_NaN();
    const double infinity = std::numeric_limits<double>::infinity();
    if (how_ == "negative") c.add(r.call, -3);
    if (how_ == "negative_wait") c.add_wait(make_wait(r.call, Ticks{-3}, r.call));
    if (how_ == "nan") c.add(r.call, nan);
    if (how_ == "infinite") c.add(r.call, infinity);
    if (how_ == "half") c.add(r.call, 0.5);
    if (how_ == "whole") c.add(r.call, 2.0);
    if (how_ == "too_large") c.add(r.call, 1'000'000'000'000);
    if (how_ == "unknown_exception") throw 5;
  }
  void wrapup(Context&) override { here("wrapup"); }
  void undetermined(const TraceEvidence&, Undetermined&) const override { here("undetermined"); }
  std::string headline(const ReportFacts&) const override {
    here("headline");
    return {};
  }

 private:
  void here(const std::string& where) const {
    if (where != where_) return;
    if (how_ == "segfault") std::raise(SIGSEGV);
    if (how_ == "abort") std::abort();
    if (how_ == "terminate") std::terminate();
    if (how_ == "exit") std::exit(0);
    if (how_ == "_exit") ::_exit(7);
    if (how_ == "memory") throw std::bad_alloc();
    if (how_ == "folder") (void)!::chdir("/");
  }
  std::string how_, where_;
};

}  // namespace

WAITSTATE_PLUGIN(Misbehaves)
