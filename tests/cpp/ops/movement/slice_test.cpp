#include <limits>

#include "ops/moves.h"

namespace tenure {
namespace {

using moves::counted;
using moves::error_of;
using moves::numbers;

constexpr std::int32_t kMinInt32 = std::numeric_limits<std::int32_t>::min();
constexpr std::int32_t kMaxInt32 = std::numeric_limits<std::int32_t>::max();

TEST_CASE("slice takes what is left for a size of -1", "[slice]") {
  const Tensor x = counted({4, 5});
  CHECK(numbers(slice(counted({5}), {{2}, {-1}})) == std::vector<double>{2, 3, 4});
  CHECK(slice(counted({5}), {{5}, {-1}}).shape() == Shape{0});
  CHECK(numbers(slice(x, {{2, 1}, {-1, 2}})) == std::vector<double>{11, 12, 16, 17});
  CHECK(slice(x, {{3}, {}}).shape() == Shape{1, 5});
}

TEST_CASE("slice refuses to leave the input", "[slice]") {
  const Tensor x = counted({4, 5});
  const Tensor scalar = counted({});
  const auto error = [&](const Dims& begin, const Dims& size) {
    return error_of([&] { slice(x, {begin, size}); });
  };
  CHECK(error({0, 3}, {4, 3}) == "[slice] begin[1] + size[1] (6) would overflow input.shape[1] (5)");
  CHECK(error({5}, {-1}) == "[slice] begin[0] + size[0] (5) would overflow input.shape[0] (4)");
  CHECK(error({kMaxInt32}, {kMaxInt32}) ==
        "[slice] begin[0] + size[0] (4294967294) would overflow input.shape[0] (4)");
  CHECK(error({-1, 0}, {1, 1}) == "[slice] slice() does not support negative begin indexing, got [-1,0].");
  CHECK(error({0, 0}, {1, -2}) ==
        "[slice] Negative size values should be exactly -1 but got -2 for the slice() size at index 1.");
  CHECK(error({0, 0, 0}, {1}) == "[slice] Length of begin 3 must match the rank of the array (2).");
  CHECK(error({0}, {1, 1, 1}) == "[slice] Length of size 3 must match the rank of the array (2).");
  CHECK(error_of([&] { slice(scalar); }) == "[slice] Slicing scalar is not possible");
  Dims hostile;
  hostile.rank = -1;
  CHECK_THROWS_AS(slice(x, {hostile, {}}), Error);
  CHECK_THROWS_AS(slice(x, {{}, hostile}), Error);
}

/// NumPy expression x[...] and its result for an array of 0, 1, 2 ... of shape `in`.
struct StridedCase {
  const char* numpy;
  Shape in;
  StridedSliceAttrs attrs;
  Shape out;
  std::vector<double> values;
};

TEST_CASE("stridedSlice follows strides, masks and negative numbers", "[slice]") {
  const StridedCase cases[] = {
      {"[1:3]", {5}, {.begin = {1}, .end = {3}, .strides = {1}}, {2}, {1, 2}},
      {"[0:5:2]", {5}, {.begin = {0}, .end = {5}, .strides = {2}}, {3}, {0, 2, 4}},
      {"[4:0:-2]", {5}, {.begin = {4}, .end = {0}, .strides = {-2}}, {2}, {4, 2}},
      {"[-3:-1]", {5}, {.begin = {-3}, .end = {-1}, .strides = {1}}, {2}, {2, 3}},
      {"[::-1]",
       {5},
       {.begin = {0}, .end = {0}, .strides = {-1}, .begin_mask = 1, .end_mask = 1},
       {5},
       {4, 3, 2, 1, 0}},
      {"[-100:100]", {3}, {.begin = {-100}, .end = {100}, .strides = {1}}, {3}, {0, 1, 2}},
      {"[100:-100:-1]", {3}, {.begin = {100}, .end = {-100}, .strides = {-1}}, {3}, {2, 1, 0}},
      {"[3:1]", {5}, {.begin = {3}, .end = {1}, .strides = {1}}, {0}, {}},
      {"[least:most:most]",
       {3},
       {.begin = {kMinInt32}, .end = {kMaxInt32}, .strides = {kMaxInt32}},
       {1},
       {0}},
      {"[most:least:least]",
       {3},
       {.begin = {kMaxInt32}, .end = {kMinInt32}, .strides = {kMinInt32}},
       {1},
       {2}},
      {"[1:2]", {2, 3}, {.begin = {1}, .end = {2}, .strides = {1}}, {1, 3}, {3, 4, 5}},
      {"[:, ::2]",
       {2, 3},
       {.begin = {0, 0}, .end = {0, 0}, .strides = {1, 2}, .begin_mask = 3, .end_mask = 3},
       {2, 2},
       {0, 2, 3, 5}},
      {"[1]", {2, 3}, {.begin = {1}, .end = {2}, .strides = {1}, .shrink_axis_mask = 1}, {3}, {3, 4, 5}},
      {"[-1]", {2, 3}, {.begin = {-1}, .end = {0}, .strides = {1}, .shrink_axis_mask = 1}, {3}, {3, 4, 5}},
      {"[1, 2]", {2, 3}, {.begin = {1, 2}, .end = {2, 3}, .strides = {1, 1}, .shrink_axis_mask = 3}, {}, {5}},
      {"[..., 1]",
       {2, 2, 2},
       {.begin = {0, 1}, .end = {0, 2}, .strides = {1, 1}, .ellipsis_mask = 1, .shrink_axis_mask = 2},
       {2, 2},
       {1, 3, 5, 7}},
      {"[0, ..., ::-1]",
       {2, 2, 2},
       {.begin = {0, 0, 0},
        .end = {1, 0, 0},
        .strides = {1, 1, -1},
        .begin_mask = 4,
        .end_mask = 4,
        .ellipsis_mask = 2,
        .shrink_axis_mask = 1},
       {2, 2},
       {1, 0, 3, 2}},
      {"[newaxis, 1:]",
       {3},
       {.begin = {0, 1}, .end = {0, 0}, .strides = {1, 1}, .end_mask = 2, .new_axis_mask = 1},
       {1, 2},
       {1, 2}},
      {"[..., newaxis]",
       {2},
       {.begin = {0, 0}, .end = {0, 0}, .strides = {1, 1}, .ellipsis_mask = 1, .new_axis_mask = 2},
       {2, 1},
       {0, 1}},
      {"[...] of all dimensions named",
       {2},
       {.begin = {0, 0}, .end = {0, 1}, .strides = {1, 1}, .ellipsis_mask = 1},
       {1},
       {0}},
      {"[]", {2, 2}, {.begin = {}, .end = {}, .strides = {}}, {2, 2}, {0, 1, 2, 3}},
      {"[()] of a scalar", {}, {.begin = {}, .end = {}, .strides = {}}, {}, {0}},
  };
  for (const StridedCase& c : cases) {
    CAPTURE(c.numpy);
    const Tensor x = counted(c.in, DType::kInt32);
    const Tensor out = strided_slice(x, c.attrs);
    CHECK(out.shape() == c.out);
    CHECK(numbers(out) == c.values);
  }
}

TEST_CASE("stridedSlice refuses what selects nothing sensible", "[slice]") {
  const Tensor x = counted({2, 3});
  const auto error = [&](const StridedSliceAttrs& attrs) {
    return error_of([&] { strided_slice(x, attrs); });
  };
  CHECK(error({.begin = {0, 0}, .end = {1, 1}, .strides = {1, 0}}) ==
        "[stridedSlice] strides[1] must be non-zero");
  CHECK(error({.begin = {2}, .end = {3}, .strides = {1}, .shrink_axis_mask = 1}) ==
        "[stridedSlice] slice index 2 of dimension 0 out of bounds.");
  CHECK(error({.begin = {kMinInt32}, .end = {3}, .strides = {1}, .shrink_axis_mask = 1}) ==
        "[stridedSlice] slice index -2147483648 of dimension 0 out of bounds.");
  CHECK(error({.begin = {0}, .end = {1}, .strides = {-1}, .shrink_axis_mask = 1}) ==
        "[stridedSlice] only stride 1 allowed on non-range indexing.");
  CHECK(error({.begin = {0, 0}, .end = {1, 1}, .strides = {1, 1}, .ellipsis_mask = 3}) ==
        "[stridedSlice] Multiple ellipses in slice is not allowed.");
  CHECK(error({.begin = {0, 0, 0}, .end = {1, 1, 1}, .strides = {1, 1, 1}}) ==
        "[stridedSlice] Index out of range using input dim 2; input has only 2 dims");
  CHECK(error({.begin = {0}, .end = {1, 1}, .strides = {1}}) ==
        "[stridedSlice] expected begin, end and strides of one length, got 1, 2 and 1");
  StridedSliceAttrs hostile;
  hostile.begin.rank = hostile.end.rank = hostile.strides.rank = 4096;
  CHECK_THROWS_AS(strided_slice(x, hostile), Error);
}

}  // namespace
}  // namespace tenure
