# The target Tilewright::hiredis, where there is such a library: the archive rather than the shared
# library, so that no program needs it where it runs. Read by the build and by the installed package.
if(NOT TARGET Tilewright::hiredis)
  find_path(TILEWRIGHT_HIREDIS_INCLUDE hiredis/hiredis.h)
  find_library(TILEWRIGHT_HIREDIS NAMES libhiredis.a hiredis)
  mark_as_advanced(TILEWRIGHT_HIREDIS_INCLUDE TILEWRIGHT_HIREDIS)
  if(TILEWRIGHT_HIREDIS_INCLUDE AND TILEWRIGHT_HIREDIS)
    add_library(Tilewright::hiredis UNKNOWN IMPORTED GLOBAL)
    set_target_properties(Tilewright::hiredis PROPERTIES
      IMPORTED_LOCATION ${TILEWRIGHT_HIREDIS}
      INTERFACE_INCLUDE_DIRECTORIES ${TILEWRIGHT_HIREDIS_INCLUDE})
  endif()
endif()
