// `waitstate mpit`: lists the variables and events that the MPI at hand offers through MPI_T, by category, and says
// what is missing and why.
#include "cli/commands/mpit.hpp"

#include <fmt/format.h>
#include <CLI/CLI.hpp>

#include <algorithm>
#include <memory>
#include <regex>
#include <string>
#include <vector>

#include "cli/command.hpp"
#include "cli/mpit/library_query.hpp"
#include "cli/mpit/listing_choice.hpp"
#include "cli/mpit/listing_json.hpp"
#include "cli/mpit/listing_text.hpp"
#include "cli/output.hpp"
#include "waitstate/error.hpp"

namespace waitstate::cli {
namespace {

struct MpitSettings {
  std::string mpi = "auto", output;
  ListingChoice choice;
  bool json = false;
};

const std::vector<std::string> mpis = {"auto", "openmpi", "mpich"};

}  // namespace

const std::vector<std::string>& mpit_lists() {
  static const std::vector<std::string> lists = {"cvars", "pvars", "categories", "events"};
  return lists;
}

void add_mpit(CLI::App& app, Commands& commands) {
  Command& command =
      add_command(app, commands, "mpit", "List the variables and events that the MPI library offers to tools",
                  "  waitstate mpit --verbosity 3\n"
                  "  waitstate mpit pvars --mpi mpich\n"
                  "  waitstate mpit cvars --match eager --json",
                  {}, false);
  const auto settings = std::make_shared<MpitSettings>();
  CLI::App& options = *command.options;
  options
      .add_option("LIST", settings->choice.list,
                  "cvars (control variables), pvars (performance variables), categories or events (default: all)")
      ->type_name("");
  add_choice(options, "--mpi", settings->mpi, mpis,
             "the MPI library to ask (default: auto, the one that mpirun belongs to)");
  options
      .add_option("--verbosity", settings->choice.verbosity,
                  "level of detail: for users (1 to 3), for tuners (up to 6), for developers of MPI (up to 9, the "
                  "default)")
      ->type_name("N");
  options.add_option("--match", settings->choice.match, "list only names that match this regular expression")
      ->type_name("REGEX");
  options.add_flag("--json", settings->json, "write JSON");
  add_output(command, settings->output);
  command.check = [settings] {
    check_word("MPI", settings->mpi, mpis);
    if (!settings->choice.list.empty() &&
        std::find(mpit_lists().begin(), mpit_lists().end(), settings->choice.list) == mpit_lists().end())
      throw UsageError(fmt::format("there is no list '{}'{}", settings->choice.list,
                                   did_you_mean(settings->choice.list, mpit_lists())));
    if (settings->choice.verbosity < 1 || settings->choice.verbosity > 9)
      throw UsageError("--verbosity: expected a number from 1 to 9, the levels of MPI");
    try {
      settings->choice.matching = std::regex(settings->choice.match);
    } catch (const std::regex_error&) {
      throw UsageError(fmt::format("--match: '{}' is not a regular expression", settings->choice.match));
    }
  };
  command.body = [settings] {
    const std::string mpi = mpi_to_ask(settings->mpi);
    const record::ToolListing listing = listing_of(mpi);
    Output output(settings->output);
    if (settings->json)
      output.stream() << listing_json(listing, settings->choice, mpi) << '\n';
    else
      print_listing(listing, settings->choice, output.stream());
    output.commit();
    return 0;
  };
}

}  // namespace waitstate::cli
