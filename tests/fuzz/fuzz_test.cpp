// The fuzz targets without a fuzzer: every seed, or every fourth where few are enough, and a fixed number of mutations
// of them, the same ones in every run. They find little that is new, but damage by a change is seen at once and with
// every compiler. WAITSTATE_RANDOM_CASES and WAITSTATE_RANDOM_SEED ask for more and for other mutations.
#include <gtest/gtest.h>

#include <algorithm>
#include <cstdlib>
#include <random>

#include "fuzz/targets.hpp"
#include "support/few.hpp"

namespace waitstate::fuzz {
namespace {

constexpr std::size_t longest = 32 * 1024;  // limit for a mutated seed; longer ones are no different and cost more

/// A generator whose numbers are the same with every library, which those of <random>'s distributions are not.
class Random {
 public:
  explicit Random(std::uint32_t seed) : engine_(seed) {}
  std::size_t below(std::size_t n) { return n == 0 ? 0 : engine_() % n; }

 private:
  std::mt19937 engine_;
};

std::string mutated(std::string text, const std::vector<std::string>& seeds, Random& random) {
  static constexpr std::string_view words[] = {
      "0", "-1", "4294967295", "18446744073709551615", "1e999", "none", "\"", "(", "\n", "[", "{}", "<cnode>"};
  for (std::size_t left = 1 + random.below(4); left > 0; --left) {
    const std::size_t at = random.below(text.size()), n = std::min(1 + random.below(40), text.size() - at);
    switch (random.below(6)) {
      case 0:
        if (!text.empty()) text[at] = static_cast<char>(random.below(256));
        break;
      case 1:
        text.erase(at, n);
        break;
      case 2:
        text.insert(random.below(text.size()), text.substr(at, n));
        break;
      case 3: {  // a number becomes another
        const std::size_t digit = std::min(text.find_first_of("0123456789", at), text.size());
        const std::size_t end = std::min(text.find_first_not_of("0123456789", digit), text.size());
        text.replace(digit, end - digit, words[random.below(5)]);
        break;
      }
      case 4:
        text.insert(at, words[random.below(std::size(words))]);
        break;
      default: {
        const std::string& other = seeds[random.below(seeds.size())];
        const std::size_t from = random.below(other.size());
        text.insert(at, other.substr(from, 1 + random.below(200)));
      }
    }
  }
  return text;
}

std::uint32_t from_environment(const char* name, std::uint32_t value) {
  const char* text = std::getenv(name);
  return text == nullptr ? value : static_cast<std::uint32_t>(std::strtoul(text, nullptr, 10));
}

void run(const Target& target, const std::string& input) {
  try {
    target.run(input);
  } catch (const std::exception& e) {
    FAIL() << e.what() << "; the input:\n" << input;
  }
}

class Fuzz : public testing::TestWithParam<std::string_view> {};

TEST_P(Fuzz, seeds_are_read) {
  const std::vector<std::string> seeds = target(GetParam()).seeds();
  // Most seeds are made from case files, all of which are analysed by the cases.
  const std::size_t step = support::few_are_enough() ? 4 : 1;
  for (std::size_t i = 0; i < seeds.size(); i += step) run(target(GetParam()), seeds[i]);
}

TEST_P(Fuzz, mutations_are_refused_or_read) {
  std::vector<std::string> seeds = target(GetParam()).seeds();
  std::erase_if(seeds, [](const std::string& seed) { return seed.size() > longest; });
  ASSERT_FALSE(seeds.empty());
  Random random(from_environment("WAITSTATE_RANDOM_SEED", 1));
  const std::uint32_t count = from_environment("WAITSTATE_RANDOM_CASES", support::few_are_enough() ? 600 : 2000);
  for (std::uint32_t i = 0; i < count && !HasFailure(); ++i) {
    const std::string& seed = seeds[random.below(seeds.size())];
    run(target(GetParam()), mutated(seed, seeds, random));
  }
}

std::vector<std::string_view> names() {
  std::vector<std::string_view> all;
  for (const Target& t : targets()) all.push_back(t.name);
  return all;
}

INSTANTIATE_TEST_SUITE_P(targets, Fuzz, testing::ValuesIn(names()),
                         [](const auto& target_info) { return std::string(target_info.param); });

}  // namespace
}  // namespace waitstate::fuzz
