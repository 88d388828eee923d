# tenure_settings(TARGET): sets the compiler settings of the project's own code. None of them reach a user of the
# library.
function(tenure_settings target)
  target_compile_features(${target} PUBLIC cxx_std_20)
  set_target_properties(${target} PROPERTIES CXX_EXTENSIONS OFF)
  target_compile_options(${target} PRIVATE -Wall -Wextra)
  if(PROJECT_IS_TOP_LEVEL)
    target_compile_options(${target} PRIVATE -Werror)
  endif()

  if(EMSCRIPTEN)
    target_compile_options(${target} PRIVATE -msimd128 -fwasm-exceptions)
  elseif(TENURE_NATIVE_ARCH)
    target_compile_options(${target} PRIVATE -march=${TENURE_NATIVE_ARCH})
  elseif(CMAKE_SYSTEM_PROCESSOR MATCHES "x86_64|AMD64")
    target_compile_options(${target} PRIVATE -msse4.1)
  endif()

  if(TENURE_SANITIZE)
    set(sanitize -fsanitize=address,undefined -fno-sanitize-recover=all -fno-omit-frame-pointer)
    target_compile_options(${target} PRIVATE ${sanitize})
    target_link_options(${target} PRIVATE ${sanitize})
  endif()
endfunction()

# tenure_precompile(TARGET [FROM]): precompiles the headers that nearly every file reads, or reuses those of the target
# FROM, whose language options must be the same.
function(tenure_precompile target)
  if(NOT TENURE_PRECOMPILE)
    return()
  endif()
  if(ARGC GREATER 1)
    target_precompile_headers(${target} REUSE_FROM ${ARGV1})
  else()
    target_precompile_headers(${target} PRIVATE <toolchain/precompiled.h>)
  endif()
endfunction()

# Unoptimized kernels are too slow to test with, and -O1 still gives readable stacks.
set(CMAKE_CXX_FLAGS_DEBUG "-O1")
if(TENURE_SYMBOLS)
  string(APPEND CMAKE_CXX_FLAGS_DEBUG " -g")
endif()
if(EMSCRIPTEN)
  # cpp/CMakeLists.txt sets other levels for single folders. No code asks for the name of a type at run time.
  set(CMAKE_CXX_FLAGS_RELEASE "-O2 -DNDEBUG -fno-rtti -DEMSCRIPTEN_HAS_UNBOUND_TYPE_NAMES=0")
endif()
