# SPDX-License-Identifier: GPL-3.0-or-later
# What every target of the project shares: language level, warnings, sanitizers, output folders.
set(CMAKE_CXX_STANDARD 20)
set(CMAKE_CXX_STANDARD_REQUIRED ON)
set(CMAKE_CXX_EXTENSIONS OFF)
set(CMAKE_EXPORT_COMPILE_COMMANDS ON)
# moc needs headers only: without this every Qt target would wait for LibTorch's translation units.
set(CMAKE_AUTOGEN_ORIGIN_DEPENDS OFF)
set(CMAKE_RUNTIME_OUTPUT_DIRECTORY ${CMAKE_BINARY_DIR}/bin)
set(CMAKE_POSITION_INDEPENDENT_CODE ON)

find_program(ACCUMULUS_CCACHE ccache)
if(ACCUMULUS_CCACHE AND NOT CMAKE_CXX_COMPILER_LAUNCHER)
  # Precompiled headers are cached only with these two. It asks the compiler what a file includes instead of preprocessing it first, which for
  # LibTorch's headers takes seconds. A header that changes while it is compiled must not be cached: time stamps of includes count.
  set(CMAKE_CXX_COMPILER_LAUNCHER
      ${CMAKE_COMMAND} -E env CCACHE_DEPEND=1 CCACHE_SLOPPINESS=pch_defines,time_macros
      ${ACCUMULUS_CCACHE})
endif()

add_library(accumulus_options INTERFACE)
target_include_directories(accumulus_options INTERFACE ${PROJECT_SOURCE_DIR})
target_compile_options(accumulus_options INTERFACE
  -Wall -Wextra -Wpedantic -Wconversion $<$<NOT:$<BOOL:$<TARGET_PROPERTY:UNITY_BUILD>>>:-Wshadow> -Wnon-virtual-dtor
  $<$<BOOL:${ACCUMULUS_WARNINGS_AS_ERRORS}>:-Werror>)
if(ACCUMULUS_SANITIZE)
  target_compile_options(accumulus_options INTERFACE -fsanitize=${ACCUMULUS_SANITIZE} -fno-omit-frame-pointer -g1)
  target_link_options(accumulus_options INTERFACE -fsanitize=${ACCUMULUS_SANITIZE})
  if(ACCUMULUS_SANITIZE MATCHES "undefined")
    # vptr wants type information that LibTorch does not export. The others double the time to compile, and AddressSanitizer sees null pointers and small objects, too.
    target_compile_options(accumulus_options INTERFACE -fno-sanitize=vptr,null,alignment,object-size)
  endif()
endif()

# accumulus_sources(<variable> <folder>...): the .cpp and .h files of the folders. A file belongs to the target of its folder.
function(accumulus_sources result)
  set(found)
  foreach(folder IN LISTS ARGN)
    file(GLOB files CONFIGURE_DEPENDS ${CMAKE_CURRENT_SOURCE_DIR}/${folder}/*.cpp ${CMAKE_CURRENT_SOURCE_DIR}/${folder}/*.h)
    list(APPEND found ${files})
  endforeach()
  set(${result} ${found} PARENT_SCOPE)
endfunction()

# accumulus_several_at_once(<target>...): where ACCUMULUS_UNITY is on, eight of its files are one for the compiler, which then reads LibTorch's or CLI11's headers
# an eighth as often. Files with options or definitions of their own stay alone. They share their unnamed namespaces then:
# what they hide from each other is no mistake, and GCC does not warn of it.
function(accumulus_several_at_once)
  if(ACCUMULUS_UNITY)
    set_target_properties(${ARGN} PROPERTIES UNITY_BUILD ON UNITY_BUILD_BATCH_SIZE 8)
  endif()
endfunction()

# CPU training lives from its allocator (glibc's trimming costs small models up to half of their speed). Programs link this;
# core/engine/allocator.cpp tunes what they got. The sanitizers bring their own allocator.
add_library(accumulus_allocator INTERFACE)
if(TARGET mimalloc AND NOT ACCUMULUS_SANITIZE)
  target_link_libraries(accumulus_allocator INTERFACE "-Wl,--no-as-needed" mimalloc "-Wl,--as-needed")
endif()
