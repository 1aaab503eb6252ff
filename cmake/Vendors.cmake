# The vendors: this list, and no other. A vendor NAME has
#   src/target/Name.cpp    what its GPUs can do, in every build
#   src/vendor/name/       everything else, where TILEWRIGHT_VENDORS has it
# C++ reads the list through two generated files of lines TILEWRIGHT_VENDOR(Name, name):
# target/AllVendors.inc, and vendor/BuiltVendors.inc for those of this build.
set(TILEWRIGHT_ALL_VENDORS nvidia amd intel)

set(TILEWRIGHT_VENDORS all CACHE STRING
  "The vendors to generate code for: all, or some of ${TILEWRIGHT_ALL_VENDORS}, with ; in between")
if(TILEWRIGHT_VENDORS STREQUAL "all")
  set(TILEWRIGHT_BUILT_VENDORS ${TILEWRIGHT_ALL_VENDORS})
else()
  set(TILEWRIGHT_BUILT_VENDORS ${TILEWRIGHT_VENDORS})
endif()
if(NOT TILEWRIGHT_BUILT_VENDORS)
  message(FATAL_ERROR "TILEWRIGHT_VENDORS names no vendor; there are: ${TILEWRIGHT_ALL_VENDORS}")
endif()
foreach(_vendor IN LISTS TILEWRIGHT_BUILT_VENDORS)
  if(NOT _vendor IN_LIST TILEWRIGHT_ALL_VENDORS)
    message(FATAL_ERROR
      "TILEWRIGHT_VENDORS names '${_vendor}'; there are: ${TILEWRIGHT_ALL_VENDORS}")
  endif()
endforeach()

# tilewright_vendor_names(RESULT VENDORS...): "Nvidia" for nvidia.
function(tilewright_vendor_names result)
  set(names)
  foreach(vendor IN LISTS ARGN)
    string(SUBSTRING ${vendor} 0 1 first)
    string(SUBSTRING ${vendor} 1 -1 rest)
    string(TOUPPER ${first} first)
    list(APPEND names ${first}${rest})
  endforeach()
  set(${result} ${names} PARENT_SCOPE)
endfunction()

# Writes FILE, as code includes it, with a line for each vendor. It is only touched if it changes.
function(_tilewright_write_vendors file)
  set(text "// Made from cmake/Vendors.cmake.\n")
  foreach(vendor IN LISTS ARGN)
    tilewright_vendor_names(name ${vendor})
    string(APPEND text "TILEWRIGHT_VENDOR(${name}, ${vendor})\n")
  endforeach()
  string(APPEND text "#undef TILEWRIGHT_VENDOR\n")
  file(CONFIGURE OUTPUT ${CMAKE_BINARY_DIR}/src/${file} CONTENT "${text}" @ONLY)
endfunction()
_tilewright_write_vendors(target/AllVendors.inc ${TILEWRIGHT_ALL_VENDORS})
_tilewright_write_vendors(vendor/BuiltVendors.inc ${TILEWRIGHT_BUILT_VENDORS})
