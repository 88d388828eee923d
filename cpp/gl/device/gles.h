#pragma once

// The only include of GL: GLES 3.0 core, which is also what WebGL2 offers.
#include <GLES3/gl3.h>
