#include "import/keras/shapes.h"

#include <algorithm>
#include <exception>

#include "core/error.h"
#include "core/run/tracer.h"

namespace tenure::keras {
namespace {

/// Tracer that records nothing: ops infer shapes without running.
class Probe final : public Tracer {
 public:
  void record(Op /*op*/, Inputs /*in*/, AttrsView /*attrs*/, const Tensor& /*out*/) override {}
};

/// Trial values for unknown extents.
struct Sizes {
  std::int32_t batch;
  std::int32_t other;
};

bool has_unknown(const TensorSpec& spec, int from) {
  return std::find(spec.shape.begin() + std::min(from, spec.shape.rank), spec.shape.end(), -1) !=
         spec.shape.end();
}

/// Returns the trial sizes. Large sizes come first, since windows must fit and divisions must tell sizes
/// apart; then sizes with many divisors, the known extents of the inputs, and small sizes.
std::vector<std::int32_t> sizes_to_try(const Specs& inputs) {
  if (std::none_of(inputs.begin(), inputs.end(), [](const auto& input) { return has_unknown(input, 1); }))
    return {1, 1};
  std::vector<std::int32_t> sizes = {224, 448, 5040, 10080, 64, 32};
  for (const TensorSpec& input : inputs) sizes.insert(sizes.end(), input.shape.begin(), input.shape.end());
  for (std::int32_t size = 1; size <= 20; ++size) sizes.push_back(size);
  std::erase_if(sizes, [](std::int32_t size) { return size <= 0; });
  return sizes;
}

Specs run_with(const Specs& inputs, const Sizes& sizes, const ShapeFunction& f) {
  Probe probe;
  const TraceGuard trace(&probe);
  Tensors given;
  for (const auto& [shape, dtype] : inputs) {
    Shape filled = shape;
    for (int i = 0; i < filled.rank; ++i) {
      if (filled[i] < 0) filled[i] = i == 0 ? sizes.batch : sizes.other;
    }
    filled.validate();
    given.push_back(Tensor::symbolic({filled, dtype}, next_trace_id()));
  }
  Specs specs;
  for (const Tensor& result : f(given)) specs.push_back(result.spec());
  return specs;
}

void mark_unknown(Specs& specs, const Specs& others) {
  for (std::size_t i = 0; i < specs.size(); ++i) {
    Shape& shape = specs[i].shape;
    const Shape& other = others.at(i).shape;
    for (int d = 0; d < shape.rank; ++d) {
      if (other.rank != shape.rank || other[d] != shape[d]) shape[d] = -1;
    }
  }
}

bool is_empty(const Specs& specs) {
  return std::any_of(specs.begin(), specs.end(),
                     [](const TensorSpec& spec) { return spec.shape.contains(0); });
}

}  // namespace

Specs probe_specs(const Specs& inputs, const ShapeFunction& f) {
  if (std::none_of(inputs.begin(), inputs.end(), [](const auto& input) { return has_unknown(input, 0); }))
    return run_with(inputs, {}, f);
  // Results with an extent of 0, from windows larger than the image, are a last resort: they tell little.
  std::vector<Specs> whole;
  std::vector<Specs> empty;
  Sizes sizes{1, 0};
  std::int32_t fitting = 0;
  std::exception_ptr first_error;
  for (const std::int32_t size : sizes_to_try(inputs)) {
    if (whole.size() == 2) break;
    sizes = {sizes.batch + 1, size};
    try {
      Specs found = run_with(inputs, sizes, f);
      fitting = size;
      (is_empty(found) ? empty : whole).push_back(std::move(found));
    } catch (const Error& error) {
      if (error.code() == ErrorCode::kOutOfMemory) throw;
      if (!first_error) first_error = std::current_exception();
    }
  }
  whole.insert(whole.end(), empty.begin(), empty.end());
  if (whole.empty()) std::rethrow_exception(first_error);
  // If only one size fits, it decides the unknown extents; a different batch size keeps the batch unknown.
  if (whole.size() == 1) whole.push_back(run_with(inputs, {sizes.batch + 1, fitting}, f));
  mark_unknown(whole[0], whole[1]);
  return whole[0];
}

std::string shape_text(const Shape& shape) {
  std::string text = "[";
  for (int i = 0; i < shape.rank; ++i) {
    if (i > 0) text += ',';
    shape[i] < 0 ? append(text, "null") : append(text, shape[i]);
  }
  return text + "]";
}

}  // namespace tenure::keras
