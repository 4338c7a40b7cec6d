# SPDX-License-Identifier: GPL-3.0-or-later
# What `cmake --install` copies. The installed tree may be moved as a whole: programs find libraries and resources relative to themselves, never in the folder
# of whoever built them.
option(ACCUMULUS_INSTALL_LIBTORCH "Install the needed libraries of LibTorch beside the programs; OFF where the system provides LibTorch" ON)
set(_private ${CMAKE_INSTALL_LIBDIR}/accumulus)
file(RELATIVE_PATH _relative ${CMAKE_INSTALL_FULL_BINDIR} ${CMAKE_INSTALL_FULL_LIBDIR}/accumulus)
set(_documents ${CMAKE_INSTALL_DATAROOTDIR}/doc/accumulus) # in small letters, as Debian names the folder
set(_folders)
if(ACCUMULUS_INSTALL_LIBTORCH)
  # LibTorch's libraries find each other and CUDA's by $ORIGIN/../../nvidia/..., so the layout of the wheels is kept.
  if(ACCUMULUS_WITH_CUDA)
    set(_unneeded "libtorch_python")
    set(_cuda ".")
  else()
    set(_unneeded "_cuda|_python|nvrtc|nvshmem|libshm|libtorch\\.so|global_deps")
    set(_cuda "libcudart|libcupti") # libtorch_cpu is linked with these two
  endif()
  file(GLOB _libraries ${LIBTORCH_ROOT}/lib/*.so ${LIBTORCH_ROOT}/lib/*.so.*)
  list(FILTER _libraries EXCLUDE REGEX "/[^/]*(${_unneeded})[^/]*$")
  install(FILES ${_libraries} DESTINATION ${_private}/torch/lib)
  # A fifth of libtorch_cpu.so are names for debuggers.
  install(CODE "if(CMAKE_INSTALL_DO_STRIP)
    file(GLOB _libraries \"\$ENV{DESTDIR}\${CMAKE_INSTALL_PREFIX}/${_private}/torch/lib/*.so*\")
    execute_process(COMMAND \"${CMAKE_STRIP}\" --strip-unneeded \${_libraries} COMMAND_ERROR_IS_FATAL ANY)
  endif()")
  list(APPEND _folders torch/lib)
  file(GLOB_RECURSE _libraries RELATIVE ${LIBTORCH_ROOT}/.. ${LIBTORCH_ROOT}/../nvidia/*.so ${LIBTORCH_ROOT}/../nvidia/*.so.*)
  list(FILTER _libraries INCLUDE REGEX "/[^/]*(${_cuda})[^/]*$")
  foreach(_library IN LISTS _libraries)
    get_filename_component(_folder ${_library} DIRECTORY)
    install(FILES ${LIBTORCH_ROOT}/../${_library} DESTINATION ${_private}/${_folder})
    list(APPEND _folders ${_folder})
  endforeach()
  file(GLOB _licences ${LIBTORCH_ROOT}/../torch-*.dist-info/licenses/LICENSE ${LIBTORCH_ROOT}/../torch-*.dist-info/licenses/NOTICE
       ${LIBTORCH_ROOT}/LICENSE)
  install(FILES ${_licences} DESTINATION ${_documents}/licences/libtorch)
  file(GLOB _licences ${LIBTORCH_ROOT}/../nvidia_cuda_runtime-*.dist-info/licenses/License.txt)
  install(FILES ${_licences} DESTINATION ${_documents}/licences/nvidia)
endif()
list(APPEND _folders bundled) # what packaging/bundle.sh adds
list(REMOVE_DUPLICATES _folders)
list(TRANSFORM _folders PREPEND "$ORIGIN/${_relative}/" OUTPUT_VARIABLE _rpath)
foreach(program IN ITEMS accumulus-cli accumulus-engine accumulus)
  if(TARGET ${program})
    # RPATH rather than RUNPATH: it also holds for what the bundled libraries need in turn.
    set_target_properties(${program} PROPERTIES INSTALL_RPATH "${_rpath}")
    target_link_options(${program} PRIVATE LINKER:--disable-new-dtags)
    install(TARGETS ${program} RUNTIME)
  endif()
endforeach()
if(TARGET accumulus_mpi)
  install(TARGETS accumulus_mpi LIBRARY DESTINATION ${_private})
endif()

install(DIRECTORY ${PROJECT_SOURCE_DIR}/resources/datasets ${PROJECT_SOURCE_DIR}/resources/manual
        ${PROJECT_SOURCE_DIR}/resources/python ${PROJECT_SOURCE_DIR}/resources/screenshots ${PROJECT_SOURCE_DIR}/experiments DESTINATION ${CMAKE_INSTALL_DATADIR}/accumulus
        PATTERN __pycache__ EXCLUDE)
file(RELATIVE_PATH _data ${CMAKE_INSTALL_FULL_BINDIR} ${CMAKE_INSTALL_FULL_DATADIR}/accumulus)
install(FILES ${CMAKE_BINARY_DIR}/bin/${_data}/commit DESTINATION ${CMAKE_INSTALL_DATADIR}/accumulus OPTIONAL)
install(DIRECTORY ${PROJECT_SOURCE_DIR}/resources/licences/ DESTINATION ${_documents}/licences)
install(FILES ${PROJECT_SOURCE_DIR}/LICENSE DESTINATION ${_documents})
install(FILES ${PROJECT_SOURCE_DIR}/packaging/copyright DESTINATION ${_documents})
set(_packaging ${PROJECT_SOURCE_DIR}/packaging/io.github.accumulus.Accumulus)
install(FILES ${_packaging}.desktop DESTINATION ${CMAKE_INSTALL_DATADIR}/applications)
install(FILES ${_packaging}.metainfo.xml DESTINATION ${CMAKE_INSTALL_DATADIR}/metainfo)
install(FILES ${_packaging}.svg DESTINATION ${CMAKE_INSTALL_DATADIR}/icons/hicolor/scalable/apps)

# A Debian package for the distribution that it is made on: `cpack` in the build folder, or packaging/release.sh.
set(CPACK_GENERATOR DEB)
set(CPACK_PACKAGE_NAME accumulus)
set(CPACK_PACKAGE_VENDOR "The Accumulus developers")
set(CPACK_PACKAGE_CONTACT "The Accumulus developers <accumulus@example.org>")
set(CPACK_PACKAGE_DESCRIPTION_SUMMARY ${PROJECT_DESCRIPTION})
set(CPACK_DEBIAN_PACKAGE_DESCRIPTION "${PROJECT_DESCRIPTION}
Trains with gradient accumulation and with the large batch side by side, from the
same weights on the same samples, and compares them with an honest verdict. With
the command-line program accumulus-cli. LibTorch for CPUs is inside.")
set(CPACK_PACKAGING_INSTALL_PREFIX /usr)
set(CPACK_STRIP_FILES ON)
set(CPACK_INSTALL_DEFAULT_DIRECTORY_PERMISSIONS OWNER_READ OWNER_WRITE OWNER_EXECUTE GROUP_READ GROUP_EXECUTE WORLD_READ WORLD_EXECUTE)
set(CPACK_THREADS 0)
set(CPACK_DEBIAN_FILE_NAME DEB-DEFAULT)
set(CPACK_DEBIAN_PACKAGE_SECTION science)
set(CPACK_DEBIAN_PACKAGE_SHLIBDEPS ON)
set(CPACK_DEBIAN_PACKAGE_SHLIBDEPS_PRIVATE_DIRS ${LIBTORCH_ROOT}/lib)
foreach(_folder IN LISTS _folders)
  if(_folder MATCHES "^nvidia")
    list(APPEND CPACK_DEBIAN_PACKAGE_SHLIBDEPS_PRIVATE_DIRS ${LIBTORCH_ROOT}/../${_folder})
  endif()
endforeach()
set(CPACK_DEBIAN_PACKAGE_RECOMMENDS "qt6-translations-l10n, qt6-wayland, openmpi-bin, openssh-client, fonts-noto-cjk")
include(CPack)
