// Reads definition lines, e.g.
//
//     region 3 name=main role=function paradigm=compiler file="/apps/p2p.c" begin=19 end=25
//     comm 1 name=halves members=(0,2)
//
// Keywords and fields come from Definitions::for_each_table and the fields() of each definition: a new field needs no
// change here. The only additions are `members`, `members_b` and `paradigm` of a comm, which save its writer the
// groups.
#pragma once

#include <cstddef>
#include <string_view>
#include <vector>

#include "notation/implied.hpp"
#include "notation/references.hpp"
#include "notation/scanner.hpp"
#include "notation/value_reader.hpp"
#include "waitstate/trace/definitions.hpp"

namespace waitstate::notation {

/// Every word that a definition line may begin with.
std::vector<std::string_view> definition_keywords();

class DefinitionReader {
 public:
  DefinitionReader(Definitions& definitions, References& references)
      : definitions_(definitions), values_(definitions, references) {}

  /// Reads a line that is neither blank, nor a comment, nor an event.
  void read_line(Scanner& s);

  /// References that the lines left open, for complete().
  const Implied& implied() const { return implied_; }

 private:
  template <class T, class Extra>
  void read_fields(Scanner& s, std::string_view keyword, T& definition, Extra&& extra);
  template <class T>
  void read_definition(Scanner& s, std::string_view keyword, std::vector<T>& table);
  bool read_members(Scanner& s, std::string_view field, std::size_t comm);

  Definitions& definitions_;
  ValueReader values_;
  Implied implied_;
  bool clock_given_ = false, recorder_given_ = false;
};

}  // namespace waitstate::notation
