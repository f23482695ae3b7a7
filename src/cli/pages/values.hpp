// What the value of an option, or an argument, can be completed with, told by the name that the help gives to the
// value: so a new option is completed as soon as its help says what it takes.
//
//   text|csv|json      these words
//   ID                 a metric;  ID[,ID...] a list of them
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
  word,     ///< one of the words
  list,     ///< some of them, with commas between
  begin,    ///< a word, and more behind it
  file,
  folder
};

struct Values {
  Kind kind = Kind::unknown;
  std::string vocabulary;          ///< the name of the words, if many options take them; see vocabularies()
  std::vector<std::string> words;  ///< if there is no such name
  int count = 0;                   ///< how many values an option takes; 0: it is a flag
  bool several = false;            ///< it may be given several times
  std::string name;                ///< as in the help: "FILE"; of two values "FROM TO"
};
Values values_of(const CLI::Option& option);

struct Vocabulary {
  std::string name;
  std::vector<std::string> words;
};
/// All that values_of() names: metrics, patterns (metrics that can be chosen), parameters, gates, types of events,
/// groups of recorded calls, commands, and lists of `mpit`.
std::vector<Vocabulary> vocabularies(const CLI::App& app);

}  // namespace waitstate::cli::pages
