#include "ops/cases/finite_differences.h"

namespace tenure::cases {
namespace {

constexpr float kStep = 1.0F / 256;

Tensor flat(const Tensor& x) { return reshape(x, {{-1}}); }

Tensor joined(const Tensors& outputs) {
  Tensors floats;
  for (const Tensor& output : outputs) {
    if (output.dtype() == DType::kFloat32) floats.push_back(output);
    if (output.dtype() != DType::kComplex64) continue;
    floats.push_back(real(output));
    floats.push_back(imag(output));
  }
  if (floats.empty()) return outputs.at(0);
  if (floats.size() == 1) return floats[0];
  Tensors parts;
  for (const Tensor& part : floats)
    if (part.elements() > 0) parts.push_back(flat(part));
  return parts.empty() ? floats[0] : concat(parts);
}

bool is_watched(const Input& input) {
  const bool is_real = input.spec.dtype == DType::kFloat32;
  return !input.is_missing && !input.is_fixed && (is_real || input.spec.dtype == DType::kComplex64);
}

std::vector<std::function<Tensor(const Tensors&)>> functions_of(const Function& function, bool twice) {
  std::vector<std::function<Tensor(const Tensors&)>> all = {function.f};
  for (std::size_t k = 0; twice && k < function.xs.size(); ++k) {
    all.push_back(
        [&function, k](const Tensors& xs) { return value_and_gradients(function.f, xs).gradients[k]; });
  }
  return all;
}

double weighed(const Tensor& y) {
  const Tensor weights = make_weights(y.shape());
  double total = 0;
  for (std::size_t i = 0; i < y.elements(); ++i) {
    const double value = y.dtype() == DType::kFloat32 ? double{y.data<float>()[i]}
                         : y.dtype() == DType::kInt32 ? y.data<std::int32_t>()[i]
                                                      : y.data<std::uint8_t>()[i];
    total += value * weights.data<float>()[i];
  }
  return total;
}

}  // namespace

Tensor make_weights(const Shape& shape) { return make_tensor(floats(shape).within(-0.3F, 0.7F), 7, shape); }

bool has_gradient_check(const OpCase& c) {
  const OpDef& def = op_def(c.op);
  if (c.options.skip_gradients || def.kind == OpKind::kHost) return false;
  const bool has_gradient = def.gradient != Gradient::kNone || def.kind == OpKind::kComposed;
  for (const Input& input : c.inputs)
    if (has_gradient && is_watched(input)) return true;
  return false;
}

Function make_function(const OpCase& c, const Tensors& inputs) {
  Function function;
  for (std::size_t i = 0; i < inputs.size(); ++i) {
    if (!is_watched(c.inputs[i])) continue;
    if (inputs[i].dtype() == DType::kFloat32) {
      function.xs.push_back(inputs[i]);
    } else {
      function.xs.push_back(real(inputs[i]));
      function.xs.push_back(imag(inputs[i]));
    }
  }
  function.f = [&c, inputs](const Tensors& xs) {
    Tensors all = inputs;
    std::size_t next = 0;
    for (std::size_t i = 0; i < all.size(); ++i) {
      if (!is_watched(c.inputs[i])) continue;
      const bool is_real = all[i].dtype() == DType::kFloat32;
      all[i] = is_real ? xs[next] : complex(xs[next], xs[next + 1]);
      next += is_real ? 1 : 2;
    }
    return joined(run_case(c, all));
  };
  return function;
}

std::vector<Tensors> compute_gradients(const Function& function, bool twice) {
  std::vector<Tensors> all;
  for (const auto& f : functions_of(function, twice)) {
    const Shape shape = f(function.xs).shape();
    all.push_back(value_and_gradients(f, function.xs, make_weights(shape)).gradients);
  }
  return all;
}

std::vector<Tensors> finite_differences(const Function& function, bool twice) {
  std::vector<Tensors> all;
  for (const auto& f : functions_of(function, twice)) {
    Tensors slopes;
    for (std::size_t k = 0; k < function.xs.size(); ++k) {
      const Tensor& x = function.xs[k];
      std::vector<float> values(x.values<float>().begin(), x.values<float>().end());
      Tensor slope(x.spec());
      for (std::size_t i = 0; i < values.size(); ++i) {
        const float here = values[i];
        const auto moved = [&](float by) {
          values[i] = here + by;
          Tensors there = function.xs;
          there[k] = Tensor::from(std::span<const float>(values), x.shape());
          return weighed(f(there));
        };
        const double rise = moved(kStep) - moved(-kStep);
        values[i] = here;
        slope.mutable_data<float>()[i] = static_cast<float>(rise / (2 * double{kStep}));
      }
      slopes.push_back(slope);
    }
    all.push_back(slopes);
  }
  return all;
}

}  // namespace tenure::cases
