# SPDX-License-Identifier: GPL-3.0-or-later
install(TARGETS accumulus-cli RUNTIME)
if(ACCUMULUS_WORKBENCH)
  install(TARGETS accumulus RUNTIME)
endif()
install(DIRECTORY ${PROJECT_SOURCE_DIR}/resources/datasets DESTINATION ${CMAKE_INSTALL_DATADIR}/accumulus)
install(DIRECTORY ${PROJECT_SOURCE_DIR}/experiments DESTINATION ${CMAKE_INSTALL_DATADIR}/accumulus)
