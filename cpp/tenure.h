#pragma once

/// The whole engine for C++ programs: tensors, ops, and models.
#include "core/error.h"
#include "core/tape.h"
#include "core/tensor.h"
#include "model/layers_model.h"
#include "ops/ops.h"
