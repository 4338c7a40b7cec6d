# SPDX-License-Identifier: GPL-3.0-or-later
# cmake -DSOURCE=FOLDER -DFILE=FILE -P Commit.cmake: writes which commit the sources are, "28189a5" or "28189a5, dirty". Nothing where they are no checkout. The
# programs read the file while they run, so that a new commit links nothing anew.
set(commit "")
if(EXISTS ${SOURCE}/.git)
  execute_process(COMMAND git -C ${SOURCE} describe --always --dirty --exclude=* --abbrev=7 OUTPUT_VARIABLE commit ERROR_QUIET OUTPUT_STRIP_TRAILING_WHITESPACE)
endif()
string(REPLACE "-dirty" ", dirty" commit "${commit}")
set(known "")
if(EXISTS ${FILE})
  file(READ ${FILE} known)
endif()
if(NOT known STREQUAL commit OR NOT EXISTS ${FILE})
  file(WRITE ${FILE} "${commit}")
endif()
