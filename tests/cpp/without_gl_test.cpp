#include "miss.h"

// Built in place of the tests of the GPU backend, so that these are missed and not forgotten.
TEST_CASE("The GPU backend is built", "[gl]") { tenure::miss("built without EGL and GLES"); }
