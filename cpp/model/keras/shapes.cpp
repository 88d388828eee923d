#include "model/keras/shapes.h"

#include "core/error.h"
#include "core/recorder.h"

namespace tenure::keras {
namespace {

/// Records nothing: makes ops infer shapes without running.
class Probe final : public Recorder {
 public:
  void record(Op, Inputs, AttrsView, Tensor& out) override { out.set_value(1); }
};

struct Sizes {
  std::int32_t batch;
  std::int32_t other;
};

NetworkShapes run_with(Network& network, const Sizes& sizes) {
  Probe probe;
  const TraceGuard trace(&probe);
  Tensors inputs;
  for (const NetworkInput& input : network.inputs()) {
    Shape shape = input.shape;
    for (int i = 0; i < shape.rank; ++i) {
      if (shape[i] < 0) shape[i] = i == 0 ? sizes.batch : sizes.other;
    }
    shape.validate();
    inputs.push_back(Tensor::symbolic({shape, input.dtype}, 1));
  }
  NetworkShapes shapes;
  for (const Tensors& results : network.run(inputs, {})) {
    shapes.emplace_back();
    for (const Tensor& result : results) shapes.back().push_back(result.shape());
  }
  return shapes;
}

void mark_unknown(NetworkShapes& shapes, const NetworkShapes& others) {
  for (std::size_t call = 0; call < shapes.size(); ++call) {
    for (std::size_t i = 0; i < shapes[call].size(); ++i) {
      Shape& shape = shapes[call][i];
      for (int d = 0; d < shape.rank; ++d) {
        if (i >= others[call].size() || others[call][i].rank != shape.rank || others[call][i][d] != shape[d])
          shape[d] = -1;
      }
    }
  }
}

/// Pictures want many pixels; sequences few steps, as each is traced.
std::span<const std::int32_t> sizes_to_try(const Network& network) {
  static constexpr std::int32_t kForPictures[] = {224, 64, 256, 32, 16, 8};
  static constexpr std::int32_t kForSequences[] = {8, 32, 64, 256, 1024, 4};
  for (const NetworkInput& input : network.inputs()) {
    if (input.shape.rank >= 4) return kForPictures;
  }
  return kForSequences;
}

}  // namespace

NetworkShapes probe_shapes(Network& network) {
  const std::span<const std::int32_t> sizes = sizes_to_try(network);
  for (std::size_t i = 0;; ++i) {
    try {
      NetworkShapes shapes = run_with(network, {2, sizes[i]});
      mark_unknown(shapes, run_with(network, {3, 2 * sizes[i]}));
      return shapes;
    } catch (const Error& error) {
      if (error.code() == ErrorCode::kOutOfMemory || i + 1 == sizes.size()) throw;
    }
  }
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
