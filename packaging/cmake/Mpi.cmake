# SPDX-License-Identifier: GPL-3.0-or-later
# ACCUMULUS_WITH_MPI: is the MPI module built, by which processes that mpirun or srun has started talk? ACCUMULUS_MPI = ON demands it, AUTO takes what is there.
set(ACCUMULUS_WITH_MPI OFF)
if(NOT ACCUMULUS_MPI STREQUAL "OFF")
  set(MPI_CXX_SKIP_MPICXX ON) # MPI's C functions; its C++ ones are long gone from the standard
  find_package(MPI QUIET COMPONENTS CXX)
  if(MPI_CXX_FOUND)
    set(ACCUMULUS_WITH_MPI ON)
    message(STATUS "MPI ${MPI_CXX_VERSION}: runs on several ranks are built in.")
  elseif(ACCUMULUS_MPI STREQUAL "ON")
    message(FATAL_ERROR "ACCUMULUS_MPI=ON needs MPI: install libopenmpi-dev, or put mpicxx into PATH.")
  else()
    message(STATUS "MPI was not found: runs on one rank only. libopenmpi-dev brings it.")
  endif()
endif()
# Program and module must be of the same build, or they misunderstand each other's objects.
set(_headers)
foreach(_header IN ITEMS communicator.h transport.h mpi_transport.h)
  set(_path ${PROJECT_SOURCE_DIR}/core/ranks/${_header})
  set_property(DIRECTORY APPEND PROPERTY CMAKE_CONFIGURE_DEPENDS ${_path})
  file(SHA256 ${_path} _hash)
  string(APPEND _headers ${_hash})
endforeach()
string(SHA256 _headers "${_headers}")
string(SUBSTRING ${_headers} 0 12 _headers)
string(REPLACE "," "+" _sanitizers "${ACCUMULUS_SANITIZE}")
set(ACCUMULUS_MPI_BUILD
    "${PROJECT_VERSION} ${CMAKE_CXX_COMPILER_ID}-${CMAKE_CXX_COMPILER_VERSION}-${CMAKE_BUILD_TYPE} ${_sanitizers} ${_headers}")
