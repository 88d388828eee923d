#include "ops/moves.h"

namespace tenure {
namespace {

using moves::counted;
using moves::error_of;
using moves::numbers;

TEST_CASE("gatherND takes what the last dimension of the indices names", "[scatter]") {
  for (const DType dtype : moves::kDTypes) {
    const Tensor x = counted({3, 2, 2}, dtype);
    const Tensor indices = Tensor::from({2, 1, 0, 0, 2, 0}, {3, 1, 2});
    moves::check_moved(x, gather_nd(x, indices), {3, 1, 2}, [&](const Dims& index) {
      const auto* at = indices.data<std::int32_t>() + 2 * index[0];
      return Dims{at[0], at[1], index[2]};
    });
  }
  CHECK(gather_nd(counted({2}), Tensor({{4, 0}, DType::kInt32})).shape() == Shape{4, 2});
  CHECK(gather_nd(counted({0, 2}), Tensor({{0, 1}, DType::kInt32})).shape() == Shape{0, 2});
}

TEST_CASE("Slices of four bools are copied whole", "[scatter]") {
  const Tensor x =
      Tensor::from({true, false, false, true, false, false, true, true, true, true, false, false}, {3, 4});
  const Tensor last = Tensor::from({2}, {1, 1});
  CHECK(numbers(gather_nd(x, last)) == std::vector<double>{1, 1, 0, 0});
  const Tensor updates = Tensor::from({false, true, true, true}, {1, 4});
  CHECK(numbers(tensor_scatter_update(x, last, updates)) ==
        std::vector<double>{1, 0, 0, 1, 0, 0, 1, 1, 0, 1, 1, 1});
}

TEST_CASE("scatterND adds what falls on the same place", "[scatter]") {
  const Tensor indices = Tensor::from({3, 1, 3}, {3, 1});
  CHECK(numbers(scatter_nd(indices, Tensor::from({1, 2, 4}, {3}), {{4}})) == std::vector<double>{0, 2, 0, 5});
  CHECK(numbers(scatter_nd(indices, Tensor::from({true, false, true}, {3}), {{4}})) ==
        std::vector<double>{0, 0, 0, 1});
  const std::int32_t most = 2147483647;
  CHECK(numbers(scatter_nd(indices, Tensor::from({most, 0, 1}, {3}), {{4}}))[3] == -2147483648.0);
  // With a depth of 0 every update applies to the whole tensor; without examples nothing is written.
  CHECK(numbers(scatter_nd(Tensor({{2, 0}, DType::kInt32}), counted({2, 3}), {{3}})) ==
        std::vector<double>{3, 5, 7});
  CHECK(scatter_nd(Tensor({{0, 1}, DType::kInt32}), counted({0, 2}), {{0, 2}}).shape() == Shape{0, 2});
}

TEST_CASE("What scatters and gathers refuses indices that lead outside", "[scatter]") {
  const Tensor x = counted({2, 2});
  const auto gather_error = [&](const Tensor& indices) { return error_of([&] { gather_nd(x, indices); }); };
  CHECK(gather_error(Tensor::from({0, 2}, {1, 2})) ==
        "[gatherND] Invalid indices: [0,2] does not index into [2,2]");
  CHECK(gather_error(Tensor::from({-1}, {1, 1})) ==
        "[gatherND] Invalid indices: [-1] does not index into [2,2]");
  CHECK(gather_error(Tensor::from({0, 0, 0}, {3})) ==
        "[gatherND] index innermost dimension length must be <= tensor rank; saw: 3 vs. 2");
  CHECK(error_of([] { gather_nd(counted({0}), Tensor::from({0}, {1, 1})); }) ==
        "[gatherND] Requested more than 0 entries, but input is empty. Input shape: [0].");
  const auto scatter_error = [](const Tensor& indices, const Tensor& updates, const Dims& shape) {
    return error_of([&] { scatter_nd(indices, updates, {shape}); });
  };
  const Tensor one = Tensor::from({5}, {1, 1});
  CHECK(scatter_error(one, counted({1}), {4}) == "[scatterND] Invalid indices: [5] does not index into [4]");
  CHECK(scatter_error(one, counted({2}), {4}).starts_with("[scatterND] Must have updates.shape"));
  CHECK(scatter_error(one, counted({1}), {-4}).starts_with("[scatterND]"));
  CHECK(scatter_error(one, counted({1}), {0}).starts_with("[scatterND]"));
  CHECK(error_of([&] { tensor_scatter_update(x, one, Tensor::from({1}, {1})); }) ==
        "[tensorScatterUpdate] tensor and updates must have the same dtype, instead they are float32 and "
        "int32.");
  CHECK(error_of([&] { sparse_to_dense(one, counted({1}), counted({2}), {{4}}); }) ==
        "[sparseToDense] expected one default value, got [2]");
}

}  // namespace
}  // namespace tenure
