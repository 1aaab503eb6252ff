# How every library, tool and test of the project is built, and what of it is installed.
include(CMakePackageConfigHelpers)
include(GNUInstallDirs)
# What serves programs; the commands are `command`, of shared libraries, and `static`.
set(CMAKE_INSTALL_DEFAULT_COMPONENT_NAME development)

# ccache: paths are taken relative to the source tree, so that a second checkout shares the cache.
find_program(TILEWRIGHT_CCACHE ccache)
if(TILEWRIGHT_CCACHE)
  set(_launcher ${CMAKE_COMMAND} -E env CCACHE_BASEDIR=${CMAKE_SOURCE_DIR} CCACHE_NOHASHDIR=1
      CCACHE_SLOPPINESS=pch_defines,time_macros,include_file_mtime,include_file_ctime
      ${TILEWRIGHT_CCACHE})
  set(CMAKE_C_COMPILER_LAUNCHER ${_launcher})
  set(CMAKE_CXX_COMPILER_LAUNCHER ${_launcher})
endif()

# Options of every target: include roots, warnings, sanitizers.
add_library(tilewright_options INTERFACE)
target_include_directories(tilewright_options INTERFACE
  ${CMAKE_SOURCE_DIR}/include ${CMAKE_SOURCE_DIR}/src ${CMAKE_BINARY_DIR}/src)
target_compile_options(tilewright_options INTERFACE -Wall -Wextra -Werror -Wno-unused-parameter)
if(TILEWRIGHT_SANITIZE)
  target_compile_options(tilewright_options INTERFACE
    -fsanitize=address,undefined -fno-sanitize-recover=undefined -fno-sanitize=vptr,function)
  target_link_options(tilewright_options INTERFACE -fsanitize=address,undefined)
  # How the address sanitizer runs is said in every executable, so that it holds outside of ctest.
  add_library(tilewright_sanitizer_options OBJECT ${CMAKE_SOURCE_DIR}/cmake/SanitizerOptions.cpp)
  target_sources(tilewright_options INTERFACE
    $<$<STREQUAL:$<TARGET_PROPERTY:TYPE>,EXECUTABLE>:$<TARGET_OBJECTS:tilewright_sanitizer_options>>)
endif()
if(TILEWRIGHT_FUZZ)
  target_compile_options(tilewright_options INTERFACE -fsanitize=fuzzer-no-link)
endif()
find_program(TILEWRIGHT_LLD ld.lld-22)
if(TILEWRIGHT_LLD)
  target_link_options(tilewright_options INTERFACE --ld-path=${TILEWRIGHT_LLD})
endif()

# LLVM and MLIR as system headers (no warnings from them).
add_library(tilewright_llvm INTERFACE)
target_include_directories(tilewright_llvm SYSTEM INTERFACE ${LLVM_INCLUDE_DIRS} ${MLIR_INCLUDE_DIRS})
separate_arguments(_llvm_defs NATIVE_COMMAND "${LLVM_DEFINITIONS}")
target_compile_definitions(tilewright_llvm INTERFACE ${_llvm_defs})
include(StaticLlvm)

# tilewright_precompiled(NAME HEADER SOURCE)
#   An empty library that carries a precompiled header for other targets.
function(tilewright_precompiled name header source)
  add_library(${name} STATIC ${source})
  target_precompile_headers(${name} PRIVATE ${header})
  target_compile_options(${name} PUBLIC
    "$<$<COMPILE_LANG_AND_ID:CXX,Clang>:SHELL:-Xclang -fno-pch-timestamp>")
endfunction()

# The target's sources begin with the precompiled header of another one, which was compiled as a part
# of a library.
function(_tilewright_reuse_pch target precompiled)
  get_target_property(_type ${target} TYPE)
  if(_type STREQUAL EXECUTABLE)
    # The header was compiled with -fPIC; an executable's -fPIE would not match it.
    set_target_properties(${target} PROPERTIES POSITION_INDEPENDENT_CODE OFF)
    target_compile_options(${target} PRIVATE -fPIC)
  endif()
  target_precompile_headers(${target} REUSE_FROM ${precompiled})
endfunction()

# One precompiled header of the common MLIR headers, shared by every library that uses MLIR.
function(tilewright_use_mlir_pch target)
  _tilewright_reuse_pch(${target} tilewright_mlir_pch)
endfunction()

# tilewright_library(NAME [MLIR | LLVM] SOURCES ... [LINK ...] [DEPENDS ...])
#   A static library of one folder under src/. MLIR, LLVM: it includes headers of MLIR or LLVM, and
#   what is made of it is linked with those libraries.
function(tilewright_library name)
  cmake_parse_arguments(ARG "MLIR;LLVM" "" "SOURCES;LINK;DEPENDS" ${ARGN})
  add_library(${name} STATIC ${ARG_SOURCES})
  target_compile_features(${name} PUBLIC cxx_std_20)
  target_link_libraries(${name} PUBLIC $<BUILD_INTERFACE:tilewright_options> ${ARG_LINK})
  if(ARG_MLIR)
    target_link_libraries(${name} PUBLIC $<BUILD_INTERFACE:tilewright_llvm>
                          ${TILEWRIGHT_LINK_MLIR} ${TILEWRIGHT_LINK_LLVM})
    tilewright_use_mlir_pch(${name})
  elseif(ARG_LLVM)
    target_link_libraries(${name} PUBLIC $<BUILD_INTERFACE:tilewright_llvm>
                          ${TILEWRIGHT_LINK_LLVM})
  endif()
  if(ARG_DEPENDS)
    add_dependencies(${name} ${ARG_DEPENDS})
  endif()
  if(ARG_MLIR OR ARG_LLVM)
    tilewright_export(${name} LLVM)
  else()
    tilewright_export(${name})
  endif()
endfunction()

# tilewright_export(NAME [LLVM])
#   Makes a library a target of the package: TilewrightIR is Tilewright::IR for those who embed it,
#   in the build tree and where it is installed. LLVM: those who link it need LLVM, too.
function(tilewright_export name)
  cmake_parse_arguments(ARG "LLVM" "" "" ${ARGN})
  set(export TilewrightTargets)
  if(ARG_LLVM)
    set(export TilewrightLLVMTargets)
    set_property(GLOBAL APPEND PROPERTY TILEWRIGHT_EXPORTED_LLVM ${name})
  endif()
  set_property(GLOBAL APPEND PROPERTY TILEWRIGHT_EXPORTED ${name})
  string(REGEX REPLACE "^Tilewright" "" short_name ${name})
  add_library(Tilewright::${short_name} ALIAS ${name})
  set_target_properties(${name} PROPERTIES EXPORT_NAME ${short_name})
  install(TARGETS ${name} EXPORT ${export}
          ARCHIVE DESTINATION ${CMAKE_INSTALL_LIBDIR}
          LIBRARY DESTINATION ${CMAKE_INSTALL_LIBDIR}
          INCLUDES DESTINATION ${CMAKE_INSTALL_INCLUDEDIR})
endfunction()

# Where LLVM's packages are not, libraries that need LLVM are no targets of the package: no other one
# may name them.
function(_tilewright_check_exported)
  get_property(all GLOBAL PROPERTY TILEWRIGHT_EXPORTED)
  get_property(of_llvm GLOBAL PROPERTY TILEWRIGHT_EXPORTED_LLVM)
  foreach(name IN LISTS all)
    if(name IN_LIST of_llvm)
      continue()
    endif()
    get_target_property(linked ${name} INTERFACE_LINK_LIBRARIES)
    foreach(library IN LISTS linked)
      if(library IN_LIST of_llvm)
        message(FATAL_ERROR "${name} is linked with ${library}, which needs LLVM: so does it")
      endif()
    endforeach()
  endforeach()
endfunction()

# The public headers, and the package that find_package(Tilewright) finds.
function(tilewright_install_package)
  _tilewright_check_exported()
  set(folder ${CMAKE_INSTALL_LIBDIR}/cmake/Tilewright)
  install(DIRECTORY ${CMAKE_SOURCE_DIR}/include/ DESTINATION ${CMAKE_INSTALL_INCLUDEDIR})
  install(EXPORT TilewrightTargets NAMESPACE Tilewright:: DESTINATION ${folder})
  install(EXPORT TilewrightLLVMTargets NAMESPACE Tilewright:: DESTINATION ${folder})
  configure_package_config_file(${CMAKE_SOURCE_DIR}/cmake/TilewrightConfig.cmake.in
    ${CMAKE_BINARY_DIR}/TilewrightConfig.cmake INSTALL_DESTINATION ${folder})
  write_basic_package_version_file(${CMAKE_BINARY_DIR}/TilewrightConfigVersion.cmake
    COMPATIBILITY SameMinorVersion)
  install(FILES ${CMAKE_SOURCE_DIR}/cmake/Hiredis.cmake
                ${CMAKE_SOURCE_DIR}/cmake/TilewrightKernels.cmake
                ${CMAKE_BINARY_DIR}/TilewrightConfig.cmake
                ${CMAKE_BINARY_DIR}/TilewrightConfigVersion.cmake DESTINATION ${folder})
endfunction()

# A test's time is that of the code under test: its own code is built quickly instead.
function(tilewright_optimize_as_test target)
  target_compile_options(${target} PRIVATE $<$<CONFIG:Release>:-O1>)
endfunction()

# tilewright_unit_test(NAME SOURCES ... [LINK ...]): one GoogleTest executable, run by ctest.
function(tilewright_unit_test name)
  cmake_parse_arguments(ARG "MLIR" "" "SOURCES;LINK" ${ARGN})
  add_executable(${name} ${ARG_SOURCES})
  target_link_libraries(${name} PRIVATE tilewright_options ${ARG_LINK} GTest::gmock GTest::gtest_main)
  target_include_directories(${name} PRIVATE ${CMAKE_SOURCE_DIR})
  if(ARG_MLIR)
    tilewright_use_mlir_pch(${name})
  else()
    _tilewright_reuse_pch(${name} tilewright_test_pch)
    tilewright_optimize_as_test(${name})
  endif()
  add_test(NAME ${name} COMMAND ${name})
endfunction()
