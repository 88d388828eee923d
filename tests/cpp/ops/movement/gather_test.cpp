#include "ops/moves.h"

namespace tenure {
namespace {

using moves::counted;
using moves::error_of;
using moves::numbers;

TEST_CASE("gather with batches takes each row's own indices", "[gather]") {
  const Tensor x = counted({2, 3, 4});
  const Tensor indices = Tensor::from({2, 0, 1, 1}, {2, 2});
  for (const int batch_dims : {1, -1}) {
    moves::check_moved(x, gather(x, indices, {1, batch_dims}), {2, 2, 4}, [&](const Dims& index) {
      return Dims{index[0], indices.data<std::int32_t>()[index[0] * 2 + index[1]], index[2]};
    });
  }
  moves::check_moved(x, gather(x, indices, {2, 1}), {2, 3, 2}, [&](const Dims& index) {
    return Dims{index[0], index[1], indices.data<std::int32_t>()[index[0] * 2 + index[2]]};
  });
  const Tensor one_each = Tensor::from({2, 0}, {2});
  CHECK(numbers(gather(x, one_each, {1, 1})) == std::vector<double>{8, 9, 10, 11, 12, 13, 14, 15});
}

TEST_CASE("gather names an index out of range", "[gather]") {
  const Tensor x = counted({3, 2});
  const auto error = [&](const Tensor& from, std::int32_t index, int axis) {
    const Tensor indices = Tensor::from({0, index}, {2});
    return error_of([&] { gather(from, indices, {axis, 0}); });
  };
  CHECK(error(x, 3, 0) == "[gather] GatherV2: the index value 3 is not in [0, 2]");
  CHECK(error(x, -1, 1) == "[gather] GatherV2: the index value -1 is not in [0, 1]");
  CHECK(error(counted({0, 2}), 0, 0) == "[gather] GatherV2: the index value 0 is not in [0, -1]");
}

TEST_CASE("gather refuses axes and batches that do not fit", "[gather]") {
  const Tensor x = counted({3, 2});
  const Tensor indices = Tensor::from({0, 1, 0, 1}, {2, 2});
  const Tensor floats = counted({2});
  const Tensor scalar = counted({});
  const auto error = [&](int axis, int batch_dims) {
    return error_of([&] { gather(x, indices, {axis, batch_dims}); });
  };
  CHECK(error(2, 0).find("axis") != std::string::npos);
  CHECK(error(0, 3) == "[gather] Expect batchDims in the range of [-2, 2], but got 3");
  CHECK(error(1, 2) == "[gather] batchDims (2) must be less than or equal to axis (1).");
  CHECK(error(0, 1) == "[gather] batchDims (1) must be less than or equal to axis (0).");
  CHECK(error(1, 1) == "[gather] x.shape[0]: 3 should be equal to indices.shape[0]: 2.");
  CHECK(error_of([&] { gather(x, floats); }) ==
        "[gather] Argument 'indices' passed to 'gather' must be int32 tensor, but got float32 tensor");
  CHECK_THROWS_AS(gather(scalar, indices), Error);
  const Tensor many({{1, 1, 1, 1, 1, 1, 1, 1}, DType::kInt32});
  CHECK_THROWS_AS(gather(x, many), Error);
}

}  // namespace
}  // namespace tenure
