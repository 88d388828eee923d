#pragma once

#include "core/attrs.h"
#include "gl/shader/kernel.h"

namespace tenure::gl {

/// Defines ACTIVATE(x) for a vec4 variable x: the activation that an op applies to its result.
void add_activation(Pass& pass, Activation activation, float alpha);

}  // namespace tenure::gl
