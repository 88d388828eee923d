#pragma once

/// The public header for C++ programs: tensors, ops, and models.
#include "core/error.h"
#include "core/run/tape.h"
#include "core/tensor.h"
#include "import/keras/model/layers_model.h"
#include "ops/ops.h"
