# SPDX-License-Identifier: GPL-3.0-or-later
# ACCUMULUS_WITH_CUDA: are the kernels compiled? ACCUMULUS_CUDA = ON demands it, AUTO takes what is there.
# ACCUMULUS_WITH_NCCL: is NCCL there, too?
set(ACCUMULUS_WITH_CUDA OFF)
set(ACCUMULUS_WITH_NCCL OFF)
if(NOT ACCUMULUS_CUDA STREQUAL "OFF")
  if(NOT CMAKE_CUDA_COMPILER AND NOT DEFINED ENV{CUDACXX})
    find_program(_nvcc nvcc PATHS /usr/local/cuda/bin) # installed beside PATH as a rule
    if(_nvcc)
      set(CMAKE_CUDA_COMPILER ${_nvcc})
    endif()
    unset(_nvcc CACHE)
  endif()
  include(CheckLanguage)
  check_language(CUDA)
  if(ACCUMULUS_CUDA STREQUAL "ON")
    if(NOT CMAKE_CUDA_COMPILER)
      message(FATAL_ERROR "ACCUMULUS_CUDA=ON needs nvcc 13: put its folder into PATH, or set CUDACXX to it.")
    endif()
    if(NOT TARGET LibTorch::cuda)
      message(FATAL_ERROR "${LIBTORCH_ROOT} is a LibTorch without CUDA. Run packaging/setup.sh --cuda, or set LIBTORCH to another one.")
    endif()
    if(NOT LibTorch_CUDA_COMPLETE)
      message(STATUS "LibTorch's CUDA libraries are not complete: everything compiles, but no program will start. packaging/setup.sh --cuda fetches them.")
    endif()
    set(ACCUMULUS_WITH_CUDA ON)
  elseif(CMAKE_CUDA_COMPILER AND TARGET LibTorch::cuda AND LibTorch_CUDA_COMPLETE)
    set(ACCUMULUS_WITH_CUDA ON)
  endif()
endif()
if(ACCUMULUS_WITH_CUDA)
  # Turing, Ampere (and Ada), Hopper, and code for what comes after it.
  set(CMAKE_CUDA_ARCHITECTURES "75-real;80-real;90" CACHE STRING "GPU architectures to compile for")
  set(CMAKE_CUDA_RUNTIME_LIBRARY None) # see below
  if(ACCUMULUS_CCACHE AND NOT CMAKE_CUDA_COMPILER_LAUNCHER)
    set(CMAKE_CUDA_COMPILER_LAUNCHER ${ACCUMULUS_CCACHE})
  endif()
  enable_language(CUDA)
  if(NOT CMAKE_CUDA20_STANDARD_COMPILE_OPTION) # CMake 3.25 does not know that nvcc has it
    set(CMAKE_CUDA20_STANDARD_COMPILE_OPTION -std=c++20)
    set(CMAKE_CUDA20_EXTENSION_COMPILE_OPTION -std=c++20)
  endif()
  find_package(CUDAToolkit REQUIRED)
  # One CUDA runtime in the process: the one that LibTorch brings or, where it brings none, the toolkit's.
  unset(ACCUMULUS_CUDART CACHE) # LibTorch may have changed
  find_library(ACCUMULUS_CUDART NAMES libcudart.so.${CUDAToolkit_VERSION_MAJOR} NO_DEFAULT_PATH REQUIRED
               PATHS ${LIBTORCH_ROOT}/../nvidia/cu${CUDAToolkit_VERSION_MAJOR}/lib ${LIBTORCH_ROOT}/lib ${CUDAToolkit_LIBRARY_DIR})
  mark_as_advanced(ACCUMULUS_CUDART)
  # Between the GPUs of several ranks: LibTorch's own NCCL or, where it brings none, the toolkit's. Without it gradients go through the hosts' memory.
  unset(ACCUMULUS_NCCL CACHE)
  unset(ACCUMULUS_NCCL_INCLUDE CACHE)
  find_path(ACCUMULUS_NCCL_INCLUDE nccl.h NO_DEFAULT_PATH PATHS ${LIBTORCH_ROOT}/../nvidia/nccl/include ${CUDAToolkit_INCLUDE_DIRS} /usr/include)
  find_library(ACCUMULUS_NCCL NAMES libnccl.so.2 NO_DEFAULT_PATH
               PATHS ${LIBTORCH_ROOT}/../nvidia/nccl/lib ${LIBTORCH_ROOT}/lib ${CUDAToolkit_LIBRARY_DIR} /usr/lib/x86_64-linux-gnu /usr/lib/aarch64-linux-gnu)
  mark_as_advanced(ACCUMULUS_NCCL ACCUMULUS_NCCL_INCLUDE)
  if(ACCUMULUS_NCCL AND ACCUMULUS_NCCL_INCLUDE)
    set(ACCUMULUS_WITH_NCCL ON)
  else()
    message(STATUS "NCCL was not found: the gradients of ranks on GPUs go through the hosts' memory.")
  endif()
endif()
