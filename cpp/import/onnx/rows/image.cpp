#include "import/onnx/families.h"
#include "ops/ops.h"

namespace tenure::onnx {
namespace {

/// Reads the attribute "blocksize" of a node with images [N,C,H,W].
std::int32_t read_block(const Call& call) {
  check_shape(call[0].rank() == 4, "expected an input of rank 4, got ", call[0].shape());
  const std::int32_t block = call.attrs().integer("blocksize", 0);
  check(block > 0 && block < 1 << 15, "attribute \"blocksize\" is ", block);
  return block;
}

Tensor from_depth(const Call& call) {
  const Tensor& x = call[0];
  const std::int32_t b = read_block(call);
  const std::int32_t channels = x.dim(1) / (b * b);
  check_shape(channels * b * b == x.dim(1), "the channels of ", x.shape(), " are not a multiple of ", b * b);
  const bool by_columns = call.attrs().string("mode", "DCR") == "CRD";
  const Tensor split = reshape(x, {by_columns ? Shape{x.dim(0), channels, b, b, x.dim(2), x.dim(3)}
                                              : Shape{x.dim(0), b, b, channels, x.dim(2), x.dim(3)}});
  const Tensor moved = transpose(split, {by_columns ? Dims{0, 1, 4, 2, 5, 3} : Dims{0, 3, 4, 1, 5, 2}});
  return reshape(moved, {Shape{x.dim(0), channels, x.dim(2) * b, x.dim(3) * b}});
}

Tensor to_depth(const Call& call) {
  const Tensor& x = call[0];
  const std::int32_t b = read_block(call);
  check_shape(x.dim(2) % b == 0 && x.dim(3) % b == 0, "the images of ", x.shape(), " are not multiples of ",
              b);
  const Tensor split = reshape(x, {Shape{x.dim(0), x.dim(1), x.dim(2) / b, b, x.dim(3) / b, b}});
  return reshape(transpose(split, {Dims{0, 3, 5, 1, 2, 4}}),
                 {Shape{x.dim(0), x.dim(1) * b * b, x.dim(2) / b, x.dim(3) / b}});
}

constexpr Row kRows[] = {
    {"DepthToSpace", from_depth},
    {"SpaceToDepth", to_depth},
};

}  // namespace

std::span<const Row> image_rows() { return kRows; }

}  // namespace tenure::onnx
