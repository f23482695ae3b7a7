# Finds libdeflate and defines libdeflate::libdeflate.
#
# Its own CMake package came with version 1.15, and Debian 12 has 1.14.
find_path(libdeflate_INCLUDE_DIR libdeflate.h)
find_library(libdeflate_LIBRARY NAMES deflate)
mark_as_advanced(libdeflate_INCLUDE_DIR libdeflate_LIBRARY)

include(FindPackageHandleStandardArgs)
find_package_handle_standard_args(libdeflate REQUIRED_VARS libdeflate_LIBRARY libdeflate_INCLUDE_DIR
  REASON_FAILURE_MESSAGE "install libdeflate-dev (Debian, Ubuntu)")

if(libdeflate_FOUND AND NOT TARGET libdeflate::libdeflate)
  add_library(libdeflate::libdeflate UNKNOWN IMPORTED)
  set_target_properties(libdeflate::libdeflate PROPERTIES
    IMPORTED_LOCATION "${libdeflate_LIBRARY}" INTERFACE_INCLUDE_DIRECTORIES "${libdeflate_INCLUDE_DIR}")
endif()
