#include "cli/running_plugin.hpp"

#include <sys/mman.h>

#include <algorithm>
#include <cstring>
#include <new>
#include <utility>

#include "analysis/dispatch/pattern_set.hpp"

namespace waitstate::cli {
namespace {

constexpr std::size_t shared_size = std::size_t{1} << 20;  // pages that are never touched cost nothing

/// Forwards all calls.
class MarkedPattern final : public Pattern {
 public:
  MarkedPattern(std::shared_ptr<Pattern> pattern, std::shared_ptr<RunningPlugin> running, std::uint32_t number)
      : pattern_(std::move(pattern)), running_(std::move(running)), number_(number) {}
  ~MarkedPattern() override {
    const Mark mark(*running_, number_, "the destructor");
    pattern_.reset();  // together with the library, if it is the last pattern of it
  }
  MarkedPattern(const MarkedPattern&) = delete;
  MarkedPattern& operator=(const MarkedPattern&) = delete;

  PatternInfo info() const override {
    const Mark mark(*running_, number_, "info");
    return pattern_->info();
  }
  WantedCauses wanted_causes(const Parameters& parameters) const override {
    const Mark mark(*running_, number_, "wanted_causes");
    return pattern_->wanted_causes(parameters);
  }
  void configure(const Parameters& parameters) override {
    const Mark mark(*running_, number_, "configure");
    pattern_->configure(parameters);
  }
  void init(Context& context) override {
    const Mark mark(*running_, number_, "init");
    pattern_->init(context);
  }
  void wrapup(Context& context) override {
    const Mark mark(*running_, number_, "wrapup");
    pattern_->wrapup(context);
  }
  void merge(Pattern& other) override {
    const Mark mark(*running_, number_, "merge");
    pattern_->merge(*dynamic_cast<MarkedPattern&>(other).pattern_);
  }
  std::string state() override {
    const Mark mark(*running_, number_, "state");
    return pattern_->state();
  }
  void restore(const std::string& state) override {
    const Mark mark(*running_, number_, "restore");
    pattern_->restore(state);
  }
  double confidence() const override {
    const Mark mark(*running_, number_, "confidence");
    return pattern_->confidence();
  }
  void undetermined(const TraceEvidence& evidence, Undetermined& answers) const override {
    const Mark mark(*running_, number_, "undetermined");
    pattern_->undetermined(evidence, answers);
  }
  std::string headline(const ReportFacts& facts) const override {
    const Mark mark(*running_, number_, "headline");
    return pattern_->headline(facts);
  }
#define X(name, Type)                                              \
  void name##_callback(const Type& e, Context& context) override { \
    const Mark mark(*running_, number_, #name "_callback");        \
    pattern_->name##_callback(e, context);                         \
  }
  WAITSTATE_COMPOUND_EVENTS(X)
  WAITSTATE_ANALYSIS_EVENTS(X)
#undef X
#define X(name)                                                     \
  void name##_callback(const Event& e, Context& context) override { \
    const Mark mark(*running_, number_, #name "_callback");         \
    pattern_->name##_callback(e, context);                          \
  }
  WAITSTATE_STREAM_EVENTS(X)
#undef X

 private:
  using Mark = RunningPlugin::Mark;
  std::shared_ptr<Pattern> pattern_;
  const std::shared_ptr<RunningPlugin> running_;
  const std::uint32_t number_;
};

}  // namespace

RunningPlugin::RunningPlugin() {
  void* const page = ::mmap(nullptr, shared_size, PROT_READ | PROT_WRITE, MAP_SHARED | MAP_ANONYMOUS, -1, 0);
  if (page == MAP_FAILED) throw std::bad_alloc();
  shared_ = new (page) Shared{0, "", 0};
}

RunningPlugin::~RunningPlugin() { ::munmap(shared_, shared_size); }

std::uint32_t RunningPlugin::number(const std::string& plugin, const std::string& pattern) {
  const std::string text = plugin + '\n' + pattern;
  const std::size_t room = shared_size - sizeof(Shared) - shared_->used;
  const std::size_t length = std::min(text.size(), room - (room == 0 ? 0 : 1));
  const std::uint32_t place = shared_->used;
  if (room == 0) return place;  // the number of the last plug-in
  std::memcpy(names() + place, text.data(), length);
  names()[place + length] = '\0';
  shared_->used += static_cast<std::uint32_t>(std::min(length + 1, room));
  return place + 1;
}

RunningPlugin::Told RunningPlugin::told() const {
  const std::uint32_t number = shared_->number.load(std::memory_order_relaxed);
  if (number == 0) return {};
  const std::string_view text = names() + (number - 1);
  const std::size_t line = std::min(text.find('\n'), text.size());
  Told told{std::string(text.substr(0, line)), "while it was being loaded"};
  if (line + 1 < text.size())
    told.where = std::string("in ") + shared_->what + " of " + std::string(text.substr(line + 1));
  return told;
}

PatternHandle marked(PatternHandle pattern, const std::shared_ptr<RunningPlugin>& running) {
  std::string id;
  {
    const RunningPlugin::Mark loading(*running, running->number(pattern.origin), "info");
    id = pattern.id();
  }
  const std::uint32_t number = running->number(pattern.origin, analysis::described(pattern, id));
  pattern.pattern = std::make_shared<MarkedPattern>(std::move(pattern.pattern), running, number);
  if (pattern.another)
    pattern.another = [another = std::move(pattern.another), running, number]() -> std::shared_ptr<Pattern> {
      return std::make_shared<MarkedPattern>(another(), running, number);
    };
  return pattern;
}

}  // namespace waitstate::cli
