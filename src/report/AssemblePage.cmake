# Puts the page of `tilewright report` together: PAGE, with STYLES, SCRIPTS and LICENCES, lists of
# files, in the places of @STYLES@, @SCRIPTS@ and @LICENCES@.
#
# cmake -DPAGE=.. -DSCRIPTS=.. -DSTYLES=.. -DLICENCES=.. -DOUTPUT=.. -P AssemblePage.cmake
cmake_minimum_required(VERSION 3.25)

# The texts of files, one after the other, each under a line that names it, between `open` and
# `close`.
function(join_files result open close)
  set(text "")
  foreach(file IN LISTS ARGN)
    file(READ ${file} content)
    get_filename_component(name ${file} NAME)
    string(APPEND text "${open}/* ${name} */\n${content}\n${close}")
  endforeach()
  set(${result} "${text}" PARENT_SCOPE)
endfunction()

join_files(styles "<style>\n" "</style>\n" ${STYLES})
join_files(scripts "<script>\n" "</script>\n" ${SCRIPTS})
join_files(licences "" "" ${LICENCES})
string(REPLACE "--" "- -" licences "${licences}")
file(READ ${PAGE} page)
string(REPLACE "@LICENCES@" "${licences}" page "${page}")
string(REPLACE "@STYLES@" "${styles}" page "${page}")
string(REPLACE "@SCRIPTS@" "${scripts}" page "${page}")
file(WRITE ${OUTPUT} "${page}")
