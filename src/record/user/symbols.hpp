// Names of addresses in the program's code: from the symbol table in the file that they are in, because that of the
// loader lacks static functions, and from its lines, if it was compiled with -g.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>

namespace waitstate::record {

/// The function that an address is in, and how far from its start; if that is not known, the file and how far from its
/// begin. The name is empty for an address in no file.
struct FoundSymbol {
  std::string name;
  std::uint64_t offset = 0;
};
FoundSymbol symbol_at(std::uintptr_t address);

/// True for the functions into which compilers put the bodies of OpenMP constructs.
bool is_construct(std::string_view function);

/// The place of a call that returns to that address: "file.c:12", else "function+0x1a", else "program+0x401a"; empty
/// for the body of an OpenMP construct in a file without lines, and for an address in an OpenMP runtime. The same text
/// for the same address, always.
std::string place_of_call(const void* returns_to);

}  // namespace waitstate::record
