# Programs that need nothing but libc, with LLVM, MLIR and lld from their archives and the C++ library
# inside, and modules that need the C++ library as well.
# The objects are the same either way, so it is another link and not another build.
#
#   TILEWRIGHT_STATIC_LLVM   for all programs and modules of the build, or as a property of one
#
# A library names what it needs by TILEWRIGHT_LINK_LLVM, _MLIR, _LLD and _BOOST_CONTEXT: generator
# expressions that ask the program that is linked in the end.
option(TILEWRIGHT_STATIC_LLVM "Link programs with the archives of LLVM, MLIR and lld" OFF)
define_property(TARGET PROPERTY TILEWRIGHT_STATIC_LLVM
  BRIEF_DOCS "Whether the target is linked with the archives of LLVM, MLIR and lld"
  INITIALIZE_FROM_VARIABLE TILEWRIGHT_STATIC_LLVM)

set(_static "$<BOOL:$<TARGET_PROPERTY:TILEWRIGHT_STATIC_LLVM>>")
set(TILEWRIGHT_LINK_LLVM "$<IF:${_static},$<BUILD_INTERFACE:tilewright_static_llvm>,LLVM>")
set(TILEWRIGHT_LINK_MLIR "$<IF:${_static},$<BUILD_INTERFACE:tilewright_static_llvm>,MLIR>")
set(TILEWRIGHT_LINK_LLD "$<$<NOT:${_static}>:lldELF>" "$<$<NOT:${_static}>:lldCommon>")
set(TILEWRIGHT_LINK_BOOST_CONTEXT
  "$<IF:${_static},$<BUILD_INTERFACE:tilewright_static_boost>,Boost::context>")

# The code generators that are linked: the vendors', and the one that the simulator compiles with.
set(_generators NVPTX AMDGPU SPIRV ${LLVM_NATIVE_ARCH})
set(_others ${LLVM_TARGETS_TO_BUILD})
list(REMOVE_ITEM _others ${_generators})

# An archive gives the members that are asked for, so all may stand here but those of other targets.
file(GLOB _archives ${LLVM_LIBRARY_DIR}/libMLIR*.a ${LLVM_LIBRARY_DIR}/libLLVM*.a)
foreach(_other IN LISTS _others)
  list(FILTER _archives EXCLUDE REGEX "/libLLVM${_other}[A-Z][A-Za-z]*\\.a$")
endforeach()

# lld registers all targets that LLVM was built with, and its optimizer the plug-in Polly: what is
# not linked has nothing to register. Neither is used: code objects hold no bitcode.
set(_text "// Made from cmake/StaticLlvm.cmake.\n")
foreach(_other IN LISTS _others)
  foreach(_part TargetInfo Target TargetMC AsmPrinter AsmParser)
    string(APPEND _text "extern \"C\" void LLVMInitialize${_other}${_part}() {}\n")
  endforeach()
endforeach()
string(APPEND _text "#include \"llvm/Plugins/PassPlugin.h\"\n"
  "llvm::PassPluginLibraryInfo getPollyPluginInfo() { return {}; }\n")
file(CONFIGURE OUTPUT ${CMAKE_BINARY_DIR}/cmake/UnlinkedTargets.cpp CONTENT "${_text}" @ONLY)
add_library(tilewright_unlinked_targets STATIC EXCLUDE_FROM_ALL
  ${CMAKE_BINARY_DIR}/cmake/UnlinkedTargets.cpp)
target_link_libraries(tilewright_unlinked_targets PRIVATE tilewright_llvm)

add_library(tilewright_static_llvm INTERFACE)
target_link_libraries(tilewright_static_llvm INTERFACE
  ${LLVM_LIBRARY_DIR}/liblldELF.a ${LLVM_LIBRARY_DIR}/liblldCommon.a
  ${_archives} tilewright_unlinked_targets
  libz.a libzstd.a)
target_link_options(tilewright_static_llvm INTERFACE
  LINKER:--gc-sections,--icf=all,--strip-all
  # An executable that stands where it was linked has nothing to relocate when it starts. A module
  # shares the C++ library of its process: the archive's thread-local variables would have to lie in
  # a block that is too small for a module's that is loaded later.
  $<$<STREQUAL:$<TARGET_PROPERTY:TYPE>,EXECUTABLE>:-no-pie;-static-libstdc++;-static-libgcc>
  # Nor does a module offer what is inside it to others, which may have an LLVM of their own.
  $<$<NOT:$<STREQUAL:$<TARGET_PROPERTY:TYPE>,EXECUTABLE>>:LINKER:--exclude-libs,ALL>)
# What Boost::context defines, so that objects are the same.
add_library(tilewright_static_boost INTERFACE)
target_compile_definitions(tilewright_static_boost INTERFACE
  BOOST_ALL_NO_LIB BOOST_CONTEXT_DYN_LINK)
target_link_libraries(tilewright_static_boost INTERFACE libboost_context.a)

if(TILEWRIGHT_STATIC_LLVM)
  if(NOT TILEWRIGHT_LLD)
    message(FATAL_ERROR "TILEWRIGHT_STATIC_LLVM needs the linker lld: install lld-22")
  endif()
  set(CMAKE_INSTALL_RPATH_USE_LINK_PATH OFF)
endif()
