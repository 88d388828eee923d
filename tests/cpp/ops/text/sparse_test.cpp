#include <cmath>
#include <limits>

#include "core/strings.h"
#include "ops/moves.h"

namespace tenure {
namespace {

using moves::error_of;
using Numbers = std::vector<double>;

Tensor ints(std::initializer_list<std::int32_t> values) {
  return Tensor::from(values, {static_cast<std::int32_t>(values.size())});
}
Tensor places(std::initializer_list<std::int32_t> values, std::int32_t columns) {
  return Tensor::from(values, {static_cast<std::int32_t>(values.size()) / columns, columns});
}

TEST_CASE("sparseFillEmptyRows", "[sparse]") {
  const Tensors filled = sparse_fill_empty_rows(places({2, 1, 0, 3, 2, 0}, 2), ints({10, 20, 30}),
                                                ints({4, 5}), Tensor::scalar(-1));
  CHECK(moves::numbers(filled[0]) == Numbers{0, 3, 1, 0, 2, 1, 2, 0, 3, 0});
  CHECK(moves::numbers(filled[1]) == Numbers{20, -1, 10, 30, -1});
  CHECK(moves::numbers(filled[2]) == Numbers{0, 1, 0, 1});
  CHECK(moves::numbers(filled[3]) == Numbers{2, 0, 3});
  const std::vector<std::string_view> words = {"a", "b"};
  const std::vector<std::string_view> other = {"none"};
  const Tensor text = sparse_fill_empty_rows(places({2, 0, 0, 0}, 2), make_string_tensor(words, {2}),
                                             ints({3, 1}), make_string_tensor(other, {}))[1];
  CHECK(Strings(text)[0] == "b");
  CHECK(Strings(text)[1] == "none");
  CHECK(Strings(text)[2] == "a");

  const auto fails = [&](const Tensor& at, const Tensor& values, const Tensor& shape) {
    return error_of([&] { sparse_fill_empty_rows(at, values, shape, Tensor::scalar(0)); });
  };
  CHECK(fails(places({-1, 0}, 2), ints({1}), ints({2, 2})) ==
        "[sparseFillEmptyRows] indices(0, 0) is invalid: -1 < 0");
  CHECK(fails(places({2, 0}, 2), ints({1}), ints({2, 2})) ==
        "[sparseFillEmptyRows] indices(0, 0) is invalid: 2 >= 2");
  CHECK_FALSE(fails(places({0, 0}, 2), ints({1, 2}), ints({2, 2})).empty());
  CHECK_FALSE(fails(places({0, 0}, 2), ints({1}), ints({})).empty());
  CHECK_FALSE(fails(places({0, 0}, 2), ints({1}), ints({-2, 2})).empty());
  CHECK_FALSE(fails(places({0, 0}, 2), ints({1}), ints({0, 2})).empty());
  CHECK_FALSE(fails(places({0, 0}, 2), Tensor::from({1.0F}, {1}), ints({2, 2})).empty());
}

TEST_CASE("sparseReshape", "[sparse]") {
  const Tensor at = places({0, 0, 0, 1, 2, 4}, 2);
  const Tensors moved = sparse_reshape(at, ints({3, 5}), ints({5, -1}));
  CHECK(moves::numbers(moved[0]) == Numbers{0, 0, 0, 1, 4, 2});
  CHECK(moves::numbers(moved[1]) == Numbers{5, 3});
  const auto fails = [&](const Tensor& from, const Tensor& to) {
    return error_of([&] { sparse_reshape(at, from, to); });
  };
  CHECK_FALSE(fails(ints({3, 5}), ints({-1, -1})).empty());
  CHECK(fails(ints({3, 5}), ints({2, -1})).find("multiple of 2") != std::string::npos);
  CHECK_FALSE(fails(ints({3, 5}), ints({0, -1})).empty());
  CHECK_FALSE(fails(ints({3, 4}), ints({12})).empty());
  CHECK_FALSE(fails(ints({-3, 5}), ints({15})).empty());
  constexpr std::int32_t kMaxInt32 = std::numeric_limits<std::int32_t>::max();
  CHECK(fails(ints({kMaxInt32, kMaxInt32}), ints({kMaxInt32, kMaxInt32, 2})).find("too many elements") !=
        std::string::npos);
  CHECK_FALSE(fails(ints({2147483647, 2147483647}), ints({2147483647, 2147483646})).empty());
  CHECK_FALSE(fails(ints({15}), ints({15})).empty());
  CHECK_FALSE(error_of([&] { sparse_reshape(places({0, 0}, 2), ints({0, 5}), ints({5, 0})); }).empty());
}

TEST_CASE("sparseSegmentSum and sparseSegmentMean", "[sparse]") {
  const Tensor data = Tensor::from({1, 2, 3, 4, -1, -2, -3, -4, 6, 7, 8, 9}, {3, 4});
  CHECK(moves::numbers(sparse_segment_sum(data, ints({0, 1, 2}), ints({0, 0, 2}))[0]) ==
        Numbers{0, 0, 0, 0, 0, 0, 0, 0, 6, 7, 8, 9});
  CHECK(moves::numbers(sparse_segment_mean(cast(data, {DType::kFloat32}), ints({0, 2}), ints({0, 0}))[0]) ==
        Numbers{3.5, 4.5, 5.5, 6.5});
  CHECK(moves::numbers(sparse_segment_mean(data, ints({1, 1, 0}), ints({0, 0, 0}))[0]) ==
        Numbers{0, 0, -1, -1});
  CHECK(sparse_segment_sum(data, ints({}), ints({}))[0].shape() == Shape{0, 4});
  const auto fails = [&](const Tensor& at, const Tensor& ids) {
    return error_of([&] { sparse_segment_sum(data, at, ids); });
  };
  CHECK(fails(ints({3}), ints({0})) == "[sparseSegmentSum] Bad: indices[0] == 3 out of range [0, 3)");
  CHECK_FALSE(fails(ints({0, 0}), ints({1, 0})).empty());
  CHECK(fails(ints({0}), ints({-1})) == "[sparseSegmentSum] segment ids must be >= 0");
  CHECK_FALSE(fails(ints({0}), ints({2147483647})).empty());
  CHECK_FALSE(fails(ints({0}), ints({0, 0})).empty());
}

TEST_CASE("raggedGather", "[ragged]") {
  // [[0, 1, 2], [], [3, 4, 5, 6], [7, 8]], each value a row of one number.
  const Tensor values = reshape(moves::counted({9}), {{9, 1}});
  const Tensors got = ragged_gather(values, ints({2, 1, 0, 3}), {ints({0, 3, 3, 7, 9})});
  CHECK(moves::numbers(got[0]) == Numbers{0, 4, 4, 7, 9});
  CHECK(moves::numbers(got[1]) == Numbers{3, 4, 5, 6, 0, 1, 2, 7, 8});
  CHECK(got[1].shape() == Shape{9, 1});
  const auto fails = [&](const Tensor& indices, const Tensor& splits) {
    return error_of([&] { ragged_gather(values, indices, {splits}); });
  };
  CHECK(fails(places({0, 10}, 2), ints({0, 9})) == "[raggedGather] indices[0,1] = 10 is not in [0, 1)");
  CHECK_FALSE(fails(ints({0}), ints({3, 2, 4})).empty());
  CHECK_FALSE(fails(ints({0}), ints({0, 10})).empty());
  CHECK_FALSE(fails(ints({0}), ints({-1, 2})).empty());
  CHECK_FALSE(fails(ints({}), ints({})).empty());
  CHECK_FALSE(
      error_of([&] { ragged_gather(values, ints({1}), {ints({0, 1, 3}), ints({0, 1, 2})}); }).empty());
  CHECK_FALSE(error_of([&] { ragged_gather(values, ints({}), TensorList(Tensors{})); }).empty());
  const Tensors scalar = ragged_gather(values, Tensor::scalar(2), {ints({0, 3, 3, 7, 9})});
  CHECK(scalar.size() == 1);
  CHECK(moves::numbers(scalar[0]) == Numbers{3, 4, 5, 6});
}

TEST_CASE("raggedRange", "[ragged]") {
  const Tensors got = ragged_range(ints({0, 5, 8}), ints({8, 7, 8}), ints({2, 1, 1}));
  CHECK(moves::numbers(got[0]) == Numbers{0, 4, 6, 6});
  CHECK(moves::numbers(got[1]) == Numbers{0, 2, 4, 6, 5, 6});
  CHECK_THROWS_AS(ragged_range(ints({0}), ints({8}), ints({0})), Error);
  CHECK_THROWS_AS(ragged_range(ints({0, 1}), ints({8}), ints({1})), Error);
  CHECK_THROWS_AS(ragged_range(Tensor::scalar(0.0F), Tensor::scalar(1e10F), Tensor::scalar(1.0F)), Error);
  CHECK_THROWS_AS(ragged_range(Tensor::scalar(0.0F), Tensor::scalar(NAN), Tensor::scalar(1.0F)), Error);
}

TEST_CASE("raggedTensorToTensor", "[ragged]") {
  const std::vector<std::int32_t> splits = {static_cast<std::int32_t>(RowPartition::kRowSplits)};
  const std::vector<std::int32_t> ids = {static_cast<std::int32_t>(RowPartition::kFirstDimSize),
                                         static_cast<std::int32_t>(RowPartition::kValueRowids)};
  const Tensor values = moves::counted({9});
  const Tensor other = Tensor::scalar(-1.0F);
  const Numbers expected = {0, 1, 2, -1, -1, -1, -1, -1, 3, 4, 5, 6, 7, 8, -1, -1};
  const Tensor got =
      ragged_tensor_to_tensor(ints({4, 4}), values, other, {ints({0, 3, 3, 7, 9})}, {splits})[0];
  CHECK(got.shape() == Shape{4, 4});
  CHECK(moves::numbers(got) == expected);
  const Tensor by_ids = ragged_tensor_to_tensor(Tensor::scalar(-1), values, other,
                                                {ints({4}), ints({0, 0, 0, 2, 2, 2, 2, 3, 3})}, {ids})[0];
  CHECK(by_ids.shape() == Shape{4, 4});
  CHECK(moves::numbers(by_ids) == expected);
  // The number of rows is untrusted: only the rows of the output are made.
  const Tensor few_of_many = ragged_tensor_to_tensor(
      ints({4, 4}), values, other,
      {ints({std::numeric_limits<std::int32_t>::max()}), ints({0, 0, 0, 2, 2, 2, 2, 3, 9})}, {ids})[0];
  CHECK(moves::numbers(few_of_many) == Numbers{0, 1, 2, -1, -1, -1, -1, -1, 3, 4, 5, 6, 7, -1, -1, -1});
  CHECK(moves::numbers(ragged_tensor_to_tensor(ints({2, 2}), values, other, {ints({0, 3, 3, 7, 9})},
                                               {splits})[0]) == Numbers{0, 1, -1, -1});
  const Tensor rows = moves::counted({3, 2});
  const Tensor dense = ragged_tensor_to_tensor(ints({-1, -1, 2}), rows, Tensor::from({8.0F, 9.0F}, {2}),
                                               {ints({0, 1, 3})}, {splits})[0];
  CHECK(moves::numbers(dense) == Numbers{0, 1, 8, 9, 2, 3, 4, 5});

  const auto fails = [&](const Tensor& shape, const Tensor& partition, const Tensor& fallback) {
    return error_of([&] { ragged_tensor_to_tensor(shape, values, fallback, {partition}, {splits}); });
  };
  CHECK(fails(ints({4}), ints({0, 9}), other).find("are incompatible") != std::string::npos);
  CHECK_FALSE(fails(ints({4, 4}), ints({0, 5, 3}), other).empty());
  CHECK_FALSE(fails(ints({4, 4}), ints({-1, 3}), other).empty());
  CHECK_FALSE(fails(ints({4, 4}), ints({0, 10}), other).empty());
  CHECK_FALSE(fails(ints({4, 4}), ints({}), other).empty());
  CHECK_FALSE(fails(ints({-2, 4}), ints({0, 9}), other).empty());
  CHECK_FALSE(fails(ints({4, 4}), ints({0, 9}), ints({1})).empty());
  CHECK_FALSE(error_of([&] {
                ragged_tensor_to_tensor(ints({4, 4}), values, other, {ints({4}), ints({0, 5, 5})}, {ids});
              }).empty());
}

}  // namespace
}  // namespace tenure
