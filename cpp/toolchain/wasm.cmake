include(${CMAKE_CURRENT_LIST_DIR}/env.cmake)
tenure_toolchain(wasm)
set(ENV{EM_CACHE} "${TENURE_EM_CACHE}")
get_filename_component(emcc "${TENURE_EMCC}" REALPATH)
get_filename_component(EMSCRIPTEN_ROOT_PATH "${emcc}" DIRECTORY)
include(${EMSCRIPTEN_ROOT_PATH}/cmake/Modules/Platform/Emscripten.cmake)

# em++ is a Python script that takes 0.3 s to call clang: objects are compiled by clang itself, with the options that em++
# passes to it (tests/toolchain.test.mjs compares them). Programs are linked by em++.
set(CMAKE_CXX_COMPILE_OBJECT
  "${TENURE_WASM_CXX} ${TENURE_WASM_FLAGS} <DEFINES> <INCLUDES> <FLAGS> -o <OBJECT> -c <SOURCE>")
