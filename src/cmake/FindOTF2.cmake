# Finds the OTF2 library and defines OTF2::OTF2.
#
# OTF2 ships no CMake package, and its library has two names: libotf2 where it is built from source, and
# libopen-trace-format2 or, from 3.2 on, libopen_trace_format2 on Debian and Ubuntu. OTF2_ROOT (variable or environment) names a prefix to look in first.
# The version is that of the header, so that a header and a library of two installations are told apart by the prefix.
find_path(OTF2_INCLUDE_DIR otf2/otf2.h)
find_library(OTF2_LIBRARY NAMES otf2 open-trace-format2 open_trace_format2 NAMES_PER_DIR)
mark_as_advanced(OTF2_INCLUDE_DIR OTF2_LIBRARY)

if(OTF2_INCLUDE_DIR AND EXISTS "${OTF2_INCLUDE_DIR}/otf2/OTF2_GeneralDefinitions.h")
  file(STRINGS "${OTF2_INCLUDE_DIR}/otf2/OTF2_GeneralDefinitions.h" OTF2_VERSION REGEX "^#define OTF2_VERSION +\"")
  string(REGEX REPLACE "^[^\"]*\"([^\"]*)\".*" "\\1" OTF2_VERSION "${OTF2_VERSION}")
endif()

include(FindPackageHandleStandardArgs)
find_package_handle_standard_args(OTF2 REQUIRED_VARS OTF2_LIBRARY OTF2_INCLUDE_DIR VERSION_VAR OTF2_VERSION
  REASON_FAILURE_MESSAGE "install libopen-trace-format2-dev (Debian, Ubuntu), or set OTF2_ROOT to the prefix of an OTF2 3 installation")

if(OTF2_FOUND AND NOT TARGET OTF2::OTF2)
  add_library(OTF2::OTF2 UNKNOWN IMPORTED)
  set_target_properties(OTF2::OTF2 PROPERTIES
    IMPORTED_LOCATION "${OTF2_LIBRARY}" INTERFACE_INCLUDE_DIRECTORIES "${OTF2_INCLUDE_DIR}")
  if(OTF2_LIBRARY MATCHES "\\.a$")
    target_link_libraries(OTF2::OTF2 INTERFACE m)
  endif()
endif()
