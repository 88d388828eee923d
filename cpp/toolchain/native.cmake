include(${CMAKE_CURRENT_LIST_DIR}/env.cmake)
tenure_toolchain(native)
set(CMAKE_CXX_COMPILER "${TENURE_CXX}")
list(APPEND CMAKE_PREFIX_PATH "${TENURE_Catch2_ROOT}")
