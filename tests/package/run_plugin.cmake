# Installs the build into a prefix of its own, builds the example plug-in that comes with it as a stranger would, and runs
# the plug-in's own tests with the installed program. Then plug-ins are used in the other ways that there are: by name from
# the search path and from the installation, and one that throws.
set(prefix "${WORK}/prefix")
set(program "${prefix}/bin/waitstate")
set(example "${prefix}/share/doc/waitstate/examples/plugin")
set(trace "${example}/run.trace")
set(huge --pattern huge_messages --set huge_messages.threshold=1000 --format csv "${trace}")
file(REMOVE_RECURSE "${WORK}")

function(run)
  execute_process(COMMAND ${ARGN} RESULT_VARIABLE status OUTPUT_VARIABLE output ERROR_VARIABLE output)
  if(NOT status EQUAL 0)
    list(JOIN ARGN " " command)
    message(FATAL_ERROR "${command}\n${output}\nfailed: ${status}")
  endif()
endfunction()

# expect(status, stream, text, command…): the command ends so, and its stdout or stderr has that text.
function(expect status stream text)
  execute_process(COMMAND ${ARGN} RESULT_VARIABLE found OUTPUT_VARIABLE stdout ERROR_VARIABLE stderr)
  string(FIND "${${stream}}" "${text}" at)
  if(NOT found EQUAL status OR at EQUAL -1)
    list(JOIN ARGN " " command)
    message(FATAL_ERROR "${command}\nended with ${found}, expected ${status} and on ${stream}:\n${text}\n"
      "found on stdout:\n${stdout}\nand on stderr:\n${stderr}")
  endif()
endfunction()

run("${CMAKE_COMMAND}" --install "${BUILD}" --prefix "${prefix}")
# The libraries that waitstate itself was built with are not there: a plug-in takes none of them.
set(without)
foreach(package OTF2 libdeflate Threads fmt LibArchive pugixml ZLIB Boost nlohmann_json CLI11)
  list(APPEND without -DCMAKE_DISABLE_FIND_PACKAGE_${package}=ON)
endforeach()
run("${CMAKE_COMMAND}" -S "${example}" -B "${WORK}/build" -G "${GENERATOR}" "-DCMAKE_CXX_COMPILER=${CXX}"
    "-DCMAKE_PREFIX_PATH=${prefix}" -DCMAKE_BUILD_TYPE=Debug ${without})
file(WRITE "${WORK}/pattern.cpp" "#include <waitstate/pattern.hpp>\n")
execute_process(COMMAND "${CXX}" -std=c++20 "-I${prefix}/include" -M "${WORK}/pattern.cpp" OUTPUT_VARIABLE headers
  COMMAND_ERROR_IS_FATAL ANY)
if(headers MATCHES "[^ ]*/(boost|fmt|otf2|nlohmann|CLI)/[^ ]*|[^ ]*/(archive|pugixml|zlib|libdeflate)[.]h[^ ]*")
  message(FATAL_ERROR "waitstate/pattern.hpp includes ${CMAKE_MATCH_0}, which the author of a plug-in need not have")
endif()
run("${CMAKE_COMMAND}" --build "${WORK}/build")
run("${CMAKE_CTEST_COMMAND}" --test-dir "${WORK}/build" --output-on-failure --no-tests=error)

set(row "huge_messages,main/MPI_Recv,1,2\n")
expect(0 stdout "${row}" "${CMAKE_COMMAND}" -E env "WAITSTATE_PLUGIN_PATH=/nowhere:${WORK}/build"
  "${program}" analyze --plugin huge_messages ${huge})
file(GLOB config RELATIVE "${prefix}" "${prefix}/*/cmake/waitstate" "${prefix}/*/*/cmake/waitstate")
cmake_path(GET config PARENT_PATH library_folder)
cmake_path(GET library_folder PARENT_PATH library_folder)
file(INSTALL "${WORK}/build/libhuge_messages.so" DESTINATION "${prefix}/${library_folder}/waitstate/plugins")
expect(0 stdout "${row}" "${program}" analyze --plugin huge_messages ${huge})

# Exceptions cross the border between plug-in and program, and become sentences.
expect(1 stderr "waitstate: error: pattern 'throws' (class Throws, ${BROKEN}) failed in completed_receives_callback on location 1 (Rank 1) at time 180: \
cannot judge 1 message\n" "${program}" analyze --plugin "${BROKEN}" "${trace}")
expect(1 stderr "waitstate: error: pattern 'huge_messages' (class HugeMessages, ${prefix}/${library_folder}/waitstate/plugins/libhuge_messages.so) failed in configure: huge_messages.threshold is negative; \
expected a number of bytes\n" "${program}" analyze --plugin huge_messages --set huge_messages.threshold=-1 "${trace}")
