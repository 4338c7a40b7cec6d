# SPDX-License-Identifier: GPL-3.0-or-later
# What `cmake --install` copies. The installed programs look for LibTorch where the build found it.
set(_rpath ${LIBTORCH_ROOT}/lib)
if(ACCUMULUS_WITH_CUDA)
  get_filename_component(_cudart ${ACCUMULUS_CUDART} DIRECTORY)
  list(APPEND _rpath ${_cudart})
endif()
foreach(program IN ITEMS accumulus-cli accumulus)
  if(TARGET ${program})
    set_target_properties(${program} PROPERTIES INSTALL_RPATH "${_rpath}")
    install(TARGETS ${program} RUNTIME)
  endif()
endforeach()

install(DIRECTORY ${PROJECT_SOURCE_DIR}/resources/datasets ${PROJECT_SOURCE_DIR}/experiments
        DESTINATION ${CMAKE_INSTALL_DATADIR}/accumulus)
install(DIRECTORY ${PROJECT_SOURCE_DIR}/resources/licences/ DESTINATION ${CMAKE_INSTALL_DOCDIR}/licences)
install(FILES ${PROJECT_SOURCE_DIR}/LICENSE DESTINATION ${CMAKE_INSTALL_DOCDIR})
set(_packaging ${PROJECT_SOURCE_DIR}/packaging/io.github.accumulus.Accumulus)
install(FILES ${_packaging}.desktop DESTINATION ${CMAKE_INSTALL_DATADIR}/applications)
install(FILES ${_packaging}.metainfo.xml DESTINATION ${CMAKE_INSTALL_DATADIR}/metainfo)
install(FILES ${_packaging}.svg DESTINATION ${CMAKE_INSTALL_DATADIR}/icons/hicolor/scalable/apps)
