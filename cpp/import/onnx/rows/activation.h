#pragma once

#include <string_view>

#include "import/onnx/row.h"

namespace tenure::onnx {

/// An activation that recurrent layers and fused ops name, with its parameters. The second parameter of Selu
/// is "gamma".
struct Activation {
  std::string_view name;
  int parameters = 0;  ///< number of its parameters
  float alpha = 0;
  float beta = 0;
};

/// Returns the activation of a name, with its default parameters. Throws for another name.
Activation get_activation(std::string_view name);
/// Returns the activation of x.
Tensor activate(const Tensor& x, const Activation& how);

}  // namespace tenure::onnx
