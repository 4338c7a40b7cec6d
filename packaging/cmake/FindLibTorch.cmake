# SPDX-License-Identifier: GPL-3.0-or-later
# LibTorch from the folder that packaging/setup.sh fills, or from LIBTORCH (a `torch` package folder, or an unpacked libtorch).
# Own targets rather than TorchConfig.cmake, because that one stops where no CUDA toolkit is installed.
#   LibTorch::cpu   torch_cpu and c10          LibTorch::cuda   the same with torch_cuda and c10_cuda, where present
# LibTorch_CUDA_COMPLETE: what torch_cuda needs is there too. Without it (the small CPU set) a CUDA build links, but its programs do not start.
set(_cache "$ENV{XDG_CACHE_HOME}")
if(NOT _cache)
  set(_cache "$ENV{HOME}/.cache")
endif()
set(_candidates)
foreach(_flavour IN ITEMS cpu cuda)
  list(APPEND _candidates ${_cache}/accumulus/libtorch-2.11.0-${_flavour}/torch)
endforeach()
if(NOT ACCUMULUS_CUDA STREQUAL "OFF")
  list(REVERSE _candidates)
endif()
if(DEFINED ENV{LIBTORCH} AND NOT "$ENV{LIBTORCH}" STREQUAL "")
  set(_candidates "$ENV{LIBTORCH}" "$ENV{LIBTORCH}/torch")
endif()
find_path(LIBTORCH_ROOT NAMES include/torch/csrc/api/include/torch/torch.h PATHS ${_candidates} NO_DEFAULT_PATH
          DOC "LibTorch: the folder with include/ and lib/")
if(LIBTORCH_ROOT)
  file(STRINGS ${LIBTORCH_ROOT}/include/torch/headeronly/version.h _lines REGEX "define TORCH_VERSION_(MAJOR|MINOR|PATCH) ")
  string(REGEX REPLACE "[^0-9;]" "" _numbers "${_lines}")
  string(REPLACE ";" "." LibTorch_VERSION "${_numbers}")
endif()
include(FindPackageHandleStandardArgs)
find_package_handle_standard_args(LibTorch REQUIRED_VARS LIBTORCH_ROOT VERSION_VAR LibTorch_VERSION
  REASON_FAILURE_MESSAGE "Run packaging/setup.sh, or set LIBTORCH to the folder of an existing LibTorch ${LibTorch_FIND_VERSION}.")
if(LibTorch_FOUND AND NOT TARGET LibTorch::cpu)
  foreach(_library IN ITEMS c10 torch_cpu torch c10_cuda torch_cuda)
    set(_file ${LIBTORCH_ROOT}/lib/lib${_library}.so)
    if(EXISTS ${_file})
      add_library(LibTorch::${_library} SHARED IMPORTED)
      set_target_properties(LibTorch::${_library} PROPERTIES IMPORTED_LOCATION ${_file} IMPORTED_SONAME lib${_library}.so)
    endif()
  endforeach()
  add_library(LibTorch::cpu INTERFACE IMPORTED)
  # Not as include directories: moc would read all of these headers for every test, four seconds each.
  target_compile_options(LibTorch::cpu INTERFACE
    "SHELL:-isystem \"${LIBTORCH_ROOT}/include\"" "SHELL:-isystem \"${LIBTORCH_ROOT}/include/torch/csrc/api/include\"")
  target_link_libraries(LibTorch::cpu INTERFACE LibTorch::torch_cpu LibTorch::c10)
  # Its checks quote the header that they stand in: not by its place on the machine that built the program.
  target_compile_options(LibTorch::cpu INTERFACE $<$<COMPILE_LANGUAGE:CXX>:-fmacro-prefix-map=${LIBTORCH_ROOT}/include/=libtorch/>)
  if(TARGET LibTorch::torch_cuda)
    add_library(LibTorch::cuda INTERFACE IMPORTED)
    target_link_libraries(LibTorch::cuda INTERFACE LibTorch::cpu LibTorch::torch_cuda LibTorch::c10_cuda)
    # torch_cuda finds cuDNN, NCCL and the others by its own RPATH when a program starts. The linker need not look for them, and the CPU set does not have them.
    target_link_options(LibTorch::cuda INTERFACE -Wl,--allow-shlib-undefined)
  endif()
endif()
if(EXISTS ${LIBTORCH_ROOT}/../nvidia/cudnn OR EXISTS ${LIBTORCH_ROOT}/lib/libcudnn.so.9)
  set(LibTorch_CUDA_COMPLETE ON)
else()
  set(LibTorch_CUDA_COMPLETE OFF)
endif()
mark_as_advanced(LIBTORCH_ROOT)
