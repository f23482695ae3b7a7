// The completions for the value of an option or argument, derived from the name of the value in the help: so a new
// option is completed as soon as its help names the value.
//
//   text|csv|json      these words
//   ID                 a metric;  ID[,ID...] a list of metrics
//   FILE, FOLDER       names of files
//   N, REGION, ...     nothing is known
#pragma once

#include <CLI/App.hpp>
#include <string>
#include <string_view>
#include <vector>

namespace waitstate::cli::pages {

enum class Kind {
  unknown,  ///< nothing is offered
  word,     ///< one of `words`
  list,     ///< several of `words`, separated by commas
  begin,    ///< one of `words`, followed by more
  file,
  folder
};

struct Values {
  Kind kind = Kind::unknown;
  std::string vocabulary;          ///< the name of the words, if many options take them; see vocabularies()
  std::vector<std::string> words;  ///< used if there is no such name
  int count = 0;                   ///< number of values of an option; 0 for a flag
  bool several = false;            ///< it may be given several times
  std::string name;                ///< the name in the help: "FILE", or "FROM TO" for two values
};
Values values_of(const CLI::Option& option);

struct Vocabulary {
  std::string name;
  std::vector<std::string> words;
};
/// All vocabularies that values_of() names: metrics, patterns (metrics that can be chosen), parameters, gates, types of
/// events, groups of recorded calls, commands, and lists of `mpit`.
std::vector<Vocabulary> vocabularies(const CLI::App& app);

}  // namespace waitstate::cli::pages
