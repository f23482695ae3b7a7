// The listing of an MPI library, and what may come instead.
#include "record/launch/tool_listing.hpp"

#include <gtest/gtest.h>

#include <random>
#include <string>

namespace waitstate::record {
namespace {

const std::string whole =
    "a line of the library's own\n"
    "mpit\tlibrary\tOpen MPI v4.1.4\t3.1\n"
    "mpit\tnumber\tcvar\t2\n"
    "mpit\tcvar\t0\teager\t1\tMPI_INT\tnone\tlocal\tlevel\\t0\\tlow\\t1\\thigh\t1\t4096\t\tone\\nline\n"
    "mpit\tcvar\t1\tgone\t9\tMPI_INT\tnone\tlocal\t\t1\t\tthe library crashes where they are read\t\n"
    "mpit\tnumber\tpvar\t2\n"
    "mpit\tpvar\t0\truntime_spc_OMPI_SEND\t4\tcounter\tMPI_COUNT\tcomm\t1\t0\t1\t\tsends\n"
    "mpit\tinvalid\tpvar\t1\tMPI_T_ERR_INVALID_INDEX\n"
    "mpit\tnumber\tevent\t1\n"
    "mpit\tevent\t0\tarrived\t1\tcomm\tMPI_INT 0 MPI_COUNT 8\t\tunexpected\n"
    "mpit\tnumber\tsource\t1\n"
    "mpit\tsource\t0\tnic\tunordered\t1000\t-1\tof the card\n"
    "mpit\tnumber\tcategory\t1\n"
    "mpit\tcategory\t0\tqueues\tof messages\t0,7\t0\t0\t\n"
    "mpit\tend\n";

TEST(tool_listing, all_kinds) {
  const ToolListing l = read_tool_listing(whole);
  EXPECT_TRUE(l.whole);
  EXPECT_EQ(l.lines_left_out, 0u);
  EXPECT_EQ(l.standard, "3.1");
  ASSERT_EQ(l.cvars.size(), 2u);
  const ControlVariable& eager = l.cvars.at(0);
  EXPECT_EQ(eager.value, "4096");
  EXPECT_EQ(eager.description, "one\nline");
  ASSERT_TRUE(eager.enumeration.has_value());
  EXPECT_EQ(eager.enumeration->name, "level");
  ASSERT_EQ(eager.enumeration->items.size(), 2u);
  EXPECT_EQ(eager.enumeration->items[1], (std::pair<std::int64_t, std::string>(1, "high")));
  const PerformanceVariable& sends = l.pvars.at(0);
  EXPECT_EQ(sends.kind, "counter");
  EXPECT_EQ(sends.binding, "comm");
  EXPECT_TRUE(sends.readonly);
  EXPECT_FALSE(sends.continuous);
  EXPECT_TRUE(sends.atomic);
  EXPECT_EQ(l.events.at(0).elements[1], (std::pair<std::string, std::int64_t>("MPI_COUNT", 8)));
  EXPECT_FALSE(l.sources.at(0).ordered);
  EXPECT_EQ(l.sources.at(0).last, -1);
  EXPECT_EQ(l.categories.at(0).cvars, (std::vector<std::uint64_t>{0, 7}));
  EXPECT_EQ(missing(l),
            (std::vector<std::string>{
                "values of 1 control variables: the library crashes where they are read",
                "1 of 2 performance variables: MPI_T_ERR_INVALID_INDEX, of parts of the library that are not "
                "in use"}));
}

TEST(tool_listing, why_something_is_missing) {
  const auto of = [](const std::string& lines) { return missing(read_tool_listing(lines)); };
  const std::string mpich = "mpit\tlibrary\tMPICH Version: 4.0.2\t4.0\nmpit\tnumber\tpvar\t0\n";
  EXPECT_EQ(of(mpich + "mpit\tnumber\tevent\t0\nmpit\tend\n"),
            (std::vector<std::string>{"performance variables: this MPICH was built without --enable-mpit-pvars",
                                      "events: the library has the functions for them, and offers none"}));
  EXPECT_EQ(of("mpit\tlibrary\tOpen MPI v4\t3.1\nmpit\tnumber\tpvar\t1\nmpit\tnumber\tevent\t\nmpit\tend\n"),
            (std::vector<std::string>{
                "software counters: this Open MPI was built without --enable-spc",
                "events: the library has no functions for them, which MPI 4.0 introduced; it implements MPI 3.1"}));
  EXPECT_EQ(of(mpich + "mpit\tnumber\tevent\t1\n").back(), "everything that the library had not listed when it ended");
}

TEST(tool_listing, lines_that_say_nothing) {
  const ToolListing l = read_tool_listing(
      "mpit\n"  // the library's own is missing, as it has no fields
      "mpit\t\n"
      "mpit\tcvar\n"
      "mpit\tcvar\t99999999999999999999\ta\n"
      "mpit\tpvar\t0\tshort\n"
      "mpit\tnumber\tpvar\tmany\n"
      "mpit\tlibrary\n"
      "mpit\tunheard of\t0\n" +
      ("mpit\tevent\t0\t" + std::string(2 << 20, 'x')));
  EXPECT_EQ(l.lines_left_out, 8u);
  EXPECT_TRUE(l.library.empty());
  EXPECT_TRUE(l.cvars.empty() && l.pvars.empty() && l.events.empty());
  EXPECT_EQ(missing(l)[1], "8 lines that cannot be read");
}

// Bytes changed, lost and doubled: something comes of it, and what comes of it can be told.
TEST(tool_listing, any_bytes) {
  std::mt19937 random(1);
  for (int round = 0; round < 3000; ++round) {
    std::string text = whole;
    for (int i = 0; i < 8; ++i) {
      const std::size_t at = random() % text.size();
      switch (random() % 3) {
        case 0:
          text[at] = static_cast<char>(random());
          break;
        case 1:
          text.erase(at, random() % 20);
          break;
        default:
          text.insert(at, text.substr(random() % text.size(), random() % 40));
      }
    }
    const ToolListing l = read_tool_listing(text);
    EXPECT_LE(l.cvars.size() + l.pvars.size(), 8u);
    missing(l);
  }
}

}  // namespace
}  // namespace waitstate::record
