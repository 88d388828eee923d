#pragma once

#include "core/allocator.h"
