#include "import/keras/model/input_check.h"

#include <algorithm>

#include "core/error.h"
#include "import/keras/shapes.h"
#include "ops/ops.h"

namespace tenure {

void check_inputs(std::span<const TensorSpec> given, std::span<const ModelPort> inputs) {
  check(given.size() == inputs.size(),
        "Error when checking model : the Array of Tensors that you are passing to your model is not the size "
        "the the "
        "model expected. Expected to see ",
        inputs.size(), " Tensor(s), but instead got ", given.size(), " Tensors(s).");
  for (std::size_t i = 0; i < inputs.size(); ++i) {
    const Shape& wanted = inputs[i].shape;
    Shape got = given[i].shape;
    if (got.rank == 1) got.push_back(1);
    check_shape(got.rank == wanted.rank, "Error when checking : expected ", inputs[i].name, " to have ",
                wanted.rank, " dimension(s), but got array with shape ", got);
    for (int d = 1; d < wanted.rank; ++d) {
      check_shape(wanted[d] < 0 || wanted[d] == got[d], "Error when checking : expected ", inputs[i].name,
                  " to have shape ", keras::shape_text(wanted), " but got array with shape ", got, ".");
    }
  }
}

Tensor adapt_input(const Tensor& given, const ModelPort& input) {
  const Tensor x = given.rank() == 1 ? expand_dims(given, {1}) : given;
  const bool wants_floats = input.dtype == DType::kFloat32 && x.dtype() != DType::kFloat32;
  return wants_floats ? cast(x, {DType::kFloat32}) : x;
}

Tensors order_inputs(std::span<const NamedInput> given, std::span<const ModelPort> inputs) {
  Tensors ordered;
  for (const ModelPort& input : inputs) {
    const auto found =
        std::find_if(given.begin(), given.end(), [&](const auto& entry) { return entry.name == input.name; });
    if (found == given.end()) {
      std::string names;
      for (const ModelPort& other : inputs) names += (names.empty() ? "" : ",") + other.name;
      fail("No data provided for \"", input.name, "\". Need data for each key in: ", names);
    }
    ordered.push_back(found->tensor);
  }
  return ordered;
}

}  // namespace tenure
