// The fuzz targets: every reader of a text, report or event file that somebody else may have written, each as a
// function of bytes.
//
// The same functions run under libFuzzer (libfuzzer.cpp: finds new inputs, for hours) and in a test (fuzz_test.cpp: the
// seeds and some thousand fixed mutations, with any compiler). An input is either refused with a TraceError, or read; a
// result that was read is then shown in every form, written and read again, because a program that accepts an input
// must also be able to handle it. Everything else, a crash, another exception, a difference, is a finding; a difference
// throws an exception.
#pragma once

#include <span>
#include <string>
#include <string_view>
#include <vector>

namespace waitstate::fuzz {

struct Target {
  std::string_view name;
  void (*run)(std::string_view bytes);
  std::vector<std::string> (*seeds)();
};

/// `notation`: the reader of traces in text. `analysis`: the whole analysis of such a trace, whose result must not
/// depend on the size of chunks. `json`: the reader of JSON reports. `cubex`: that of .cubex files. `cubex_members`:
/// the same, given the members as text ("=== NAME", a line, and then its bytes), since a mutated tar archive seldom
/// stays one. `events`: the decoder of event files, whose events must not depend on the turns in which they are read.
std::span<const Target> targets();
/// The target of that name; std::logic_error if there is none.
const Target& target(std::string_view name);

// Inputs to begin with, made from the case files of tests/cases.
std::vector<std::string> notation_seeds();
std::vector<std::string> json_seeds();
std::vector<std::string> cubex_seeds();
std::vector<std::string> cubex_member_seeds();

// Defined in events.cpp.
void events(std::string_view bytes);
std::vector<std::string> event_seeds();

/// The .cubex file that a seed of cubex_members stands for.
std::string packed(std::string_view members);

}  // namespace waitstate::fuzz
