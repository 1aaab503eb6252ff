# The packages that scripts/package makes: a .deb and a tarball of what `cmake --install` installs,
# with the static command. Nothing of LLVM's has to be there for the command, nor for programs that
# launch kernels; who embeds the compiler installs LLVM's development packages.
get_property(_exported GLOBAL PROPERTY TILEWRIGHT_EXPORTED)
add_custom_target(package-files DEPENDS tilewright-static TilewrightCStatic ${_exported})

set(CPACK_PACKAGE_NAME tilewright)
set(CPACK_PACKAGE_VENDOR "Tilewright")
set(CPACK_PACKAGE_CONTACT "Tilewright <tilewright@tilewright.invalid>")
set(CPACK_PACKAGE_DESCRIPTION_SUMMARY "compiler of GPU tile kernels")
set(CPACK_PACKAGE_DESCRIPTION "Tilewright compiles kernels in Triton's language to machine code for \
the GPUs of NVIDIA, AMD and Intel, and runs them on a simulator. The package has the command, the \
library that launches kernels, and headers, libraries and CMake package for programs that embed the \
compiler.")
set(CPACK_RESOURCE_FILE_LICENSE ${CMAKE_SOURCE_DIR}/LICENSE)
set(CPACK_PACKAGE_DIRECTORY ${CMAKE_BINARY_DIR}/packages)
set(CPACK_INSTALL_CMAKE_PROJECTS
  ${CMAKE_BINARY_DIR} Tilewright development / ${CMAKE_BINARY_DIR} Tilewright static /)
set(CPACK_GENERATOR DEB TGZ)
set(CPACK_DEBIAN_FILE_NAME DEB-DEFAULT)
set(CPACK_DEBIAN_PACKAGE_SECTION devel)
# Of the libraries that are linked, dpkg-shlibdeps knows the packages.
set(CPACK_DEBIAN_PACKAGE_SHLIBDEPS ON)
set(CPACK_DEBIAN_PACKAGE_SUGGESTS
  "libmlir-22-dev, llvm-22-dev, liblld-22-dev, libboost-context-dev, libhiredis-dev")
set(CPACK_DEBIAN_COMPRESSION_TYPE zstd)
include(CPack)
