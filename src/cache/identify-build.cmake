# Writes OUTPUT, a line of C++: a hash of the files that SOURCES lists, by their paths from ROOT and
# their contents, and of HOW they are built.
cmake_minimum_required(VERSION 3.25)
file(STRINGS ${SOURCES} files)
set(all "${HOW}\n")
foreach(file IN LISTS files)
  file(SHA256 ${file} hash)
  file(RELATIVE_PATH name ${ROOT} ${file})
  string(APPEND all "${hash} ${name}\n")
endforeach()
string(SHA256 identity "${all}")
file(CONFIGURE OUTPUT ${OUTPUT} @ONLY
     CONTENT "static constexpr char buildIdentity[] = \"${identity}\";\n")
