# Functions for projects that find_package(waitstate): to build a plug-in, to test it, and to build a program that loads plug-ins.
#
# A plug-in is a shared library that links nothing of waitstate: the program that loads it has the one copy of the
# library, and exports it.

# waitstate_add_plugin(name sources…): builds lib<name>.so for `waitstate analyze --plugin`.
function(waitstate_add_plugin name)
  add_library(${name} MODULE ${ARGN})
  set_target_properties(${name} PROPERTIES PREFIX lib SUFFIX .so)
  target_link_libraries(${name} PRIVATE waitstate::plugin)
endfunction()

# waitstate_add_plugin_test(name plugin trace table options…): a test that analyses a trace (an archive, or a file in the
# text notation) with the plug-in and further options of `waitstate analyze`, and compares with a CSV table, complete
# and byte for byte.
function(waitstate_add_plugin_test name plugin trace table)
  cmake_path(ABSOLUTE_PATH trace)
  cmake_path(ABSOLUTE_PATH table)
  set(found "${CMAKE_CURRENT_BINARY_DIR}/${name}.csv")
  add_test(NAME ${name}.analyze COMMAND $<TARGET_FILE:waitstate::program> analyze --plugin $<TARGET_FILE:${plugin}>
    ${ARGN} --format csv --output "${found}" "${trace}")
  add_test(NAME ${name}.compare COMMAND diff -u "${table}" "${found}")
  set_tests_properties(${name}.analyze PROPERTIES FIXTURES_SETUP ${name})
  set_tests_properties(${name}.compare PROPERTIES FIXTURES_REQUIRED ${name})
endfunction()

# waitstate_enable_plugins(target): the program `target`, which links waitstate::waitstate, can load plug-ins. It keeps
# and exports the whole library, since nobody knows what a plug-in will use of it.
function(waitstate_enable_plugins target)
  set_target_properties(${target} PROPERTIES ENABLE_EXPORTS ON
    LINK_LIBRARY_OVERRIDE "WHOLE_ARCHIVE,waitstate,waitstate::waitstate")
endfunction()
