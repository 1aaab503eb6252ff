# What LIBRARY shows are the functions that the headers in HEADERS declare, all of them.
cmake_minimum_required(VERSION 3.25)
find_program(READELF NAMES readelf llvm-readelf-22 REQUIRED)

set(declared)
file(GLOB headers ${HEADERS}/*.h)
foreach(header ${headers})
  # A declaration begins a line; comments and macros do not.
  file(STRINGS ${header} lines REGEX "^[a-zA-Z].*tilewright_[a-z_]+\\(")
  foreach(line IN LISTS lines)
    string(REGEX MATCH "tilewright_[a-z_]+" name "${line}")
    list(APPEND declared ${name})
  endforeach()
endforeach()

execute_process(COMMAND ${READELF} --dyn-syms -W ${LIBRARY} OUTPUT_VARIABLE symbols
                COMMAND_ERROR_IS_FATAL ANY)
string(REGEX MATCHALL "(GLOBAL|WEAK) +DEFAULT +[0-9]+ [^\n]*" entries "${symbols}")
set(shown)
foreach(entry IN LISTS entries)
  if(entry MATCHES " (tilewright_[a-z_]+)@@?TILEWRIGHT_0$")
    list(APPEND shown ${CMAKE_MATCH_1})
  else()
    message(FATAL_ERROR "${LIBRARY} shows ${entry}")
  endif()
endforeach()

list(SORT declared)
list(SORT shown)
if(NOT declared STREQUAL shown)
  message(FATAL_ERROR "declared: ${declared}\nshown: ${shown}")
endif()
