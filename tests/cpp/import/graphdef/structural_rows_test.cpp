#include "ops/ops.h"
#include "rows.h"

using namespace tenure;
using namespace tenure::test;

namespace {

Tensor ints_of(std::initializer_list<std::int32_t> values, const Shape& shape) {
  return Tensor::from(values, shape);
}
Tensor no_ints() { return vector(std::initializer_list<std::int32_t>()); }

/// Returns the float32 values 0, 1, 2 ...
Tensor iota(const Shape& shape) {
  Tensor tensor({shape, DType::kFloat32});
  for (std::size_t i = 0; i < tensor.elements(); ++i) tensor.mutable_data<float>()[i] = static_cast<float>(i);
  return tensor;
}

}  // namespace

TEST_CASE("Rows that move elements", "[model][graphdef][rows]") {
  const Tensor x = iota({2, 3});
  const Tensor zero = Tensor::scalar(0);
  const Tensor one = Tensor::scalar(1);
  check_row("Reshape", {x, vector({3, -1})}, {iota({3, 2})});
  check_row("ExpandDims", {x, one}, {iota({2, 1, 3})});
  check_row("Squeeze", {iota({1, 2, 1})}, {iota({2, 1})}, R"("squeeze_dims":{"list":{"i":["0"]}})");
  check_row("Squeeze", {iota({1, 2, 1})}, {iota({2})});
  check_row("Transpose", {x, vector({1, 0})}, {Tensor::from({0.0F, 3.0F, 1.0F, 4.0F, 2.0F, 5.0F}, {3, 2})});
  check_row("Slice", {x, vector({0, 1}), vector({2, -1})}, {Tensor::from({1.0F, 2.0F, 4.0F, 5.0F}, {2, 2})});
  check_row("StridedSlice", {x, vector({1, 2}), vector({2, 0}), vector({1, -1})}, {vector({5.0F, 4.0F})},
            R"("shrink_axis_mask":{"i":"1"})");
  check_row("StridedSlice", {x, vector({0, 0}), vector({1, 0}), vector({1, 1})}, {iota({1, 1, 3})},
            R"("new_axis_mask":{"i":"2"})");
  check_row("ConcatV2", {x, x, zero},
            {Tensor::from({0.0F, 1.0F, 2.0F, 3.0F, 4.0F, 5.0F, 0.0F, 1.0F, 2.0F, 3.0F, 4.0F, 5.0F}, {4, 3})},
            R"("N":{"i":"2"})");
  check_row("Concat", {one, x, iota({2, 1})},
            {Tensor::from({0.0F, 1.0F, 2.0F, 0.0F, 3.0F, 4.0F, 5.0F, 1.0F}, {2, 4})});
  check_row("Pack", {vector({1, 2}), vector({3, 4})}, {ints_of({1, 3, 2, 4}, {2, 2})}, R"("axis":{"i":"1"})");
  check_row("Unpack", {x}, {vector({0.0F, 3.0F}), vector({1.0F, 4.0F}), vector({2.0F, 5.0F})},
            R"("axis":{"i":"1"},"num":{"i":"3"})");
  check_row("Split", {one, x},
            {Tensor::from({0.0F, 3.0F}, {2, 1}), Tensor::from({1.0F, 4.0F}, {2, 1}),
             Tensor::from({2.0F, 5.0F}, {2, 1})},
            R"("num_split":{"i":"3"})");
  check_row("SplitV", {vector({5.0F, 6.0F, 7.0F}), vector({1, -1}), zero},
            {vector({5.0F}), vector({6.0F, 7.0F})});
  check_row("Tile", {vector({1, 2}), vector({2})}, {vector({1, 2, 1, 2})});
  check_row("Reverse", {vector({1, 2, 3}), vector({1})}, {vector({3, 2, 1})});
  check_row("ReverseV2", {x, vector({1})}, {Tensor::from({2.0F, 1.0F, 0.0F, 5.0F, 4.0F, 3.0F}, {2, 3})});
  check_row("ReverseV2", {x, no_ints()}, {x});
  check_row("BroadcastTo", {vector({1, 2}), vector({2, 2})}, {ints_of({1, 2, 1, 2}, {2, 2})});
  check_row("BroadcastArgs", {vector({3, 1}), vector({2})}, {vector({3, 2})});
  check_row("EnsureShape", {x, vector({-1, 3})}, {x});
  CHECK_THROWS_AS(run_row("EnsureShape", {x, vector({3, 3})}, "", 1, false), Error);
  check_row("Cast", {vector({1.9F, -1.9F})}, {vector({1, -1})}, R"("DstT":{"type":"DT_INT64"})");
}

TEST_CASE("Rows that pad and fold", "[model][graphdef][rows]") {
  const Tensor x = vector({1.0F, 2.0F, 3.0F});
  const Tensor pads = ints_of({1, 2}, {1, 2});
  check_row("Pad", {x, pads}, {vector({0.0F, 1.0F, 2.0F, 3.0F, 0.0F, 0.0F})});
  check_row("PadV2", {x, pads, Tensor::scalar(9.0F)}, {vector({9.0F, 1.0F, 2.0F, 3.0F, 9.0F, 9.0F})});
  check_row("MirrorPad", {x, pads}, {vector({2.0F, 1.0F, 2.0F, 3.0F, 2.0F, 1.0F})},
            R"("mode":{"s":"UkVGTEVDVA=="})");
  check_row("MirrorPad", {x, pads}, {vector({1.0F, 1.0F, 2.0F, 3.0F, 3.0F, 2.0F})},
            R"("mode":{"s":"U1lNTUVUUklD"})");
  const Tensor blocks = iota({1, 2, 2, 1});
  const Tensor none = ints_of({0, 0, 0, 0}, {2, 2});
  check_row("SpaceToBatchND", {blocks, vector({2, 2}), none}, {iota({4, 1, 1, 1})});
  check_row("BatchToSpaceND", {iota({4, 1, 1, 1}), vector({2, 2}), none}, {blocks});
  check_row("DepthToSpace", {iota({1, 1, 1, 4})}, {blocks}, R"("block_size":{"i":"2"})");
}

TEST_CASE("Rows that gather and scatter", "[model][graphdef][rows]") {
  const Tensor x = iota({3, 2});
  const Tensor places = ints_of({2, 0}, {2, 1});
  check_row("GatherV2", {x, vector({2, 0}), Tensor::scalar(0)},
            {Tensor::from({4.0F, 5.0F, 0.0F, 1.0F}, {2, 2})});
  check_row("GatherV2", {x, vector({1.0F}), Tensor::scalar(1)}, {Tensor::from({1.0F, 3.0F, 5.0F}, {3, 1})});
  check_row("Gather", {x, Tensor::scalar(1)}, {vector({2.0F, 3.0F})});
  check_row("GatherNd", {x, ints_of({2, 1, 0, 0}, {2, 2})}, {vector({5.0F, 0.0F})});
  check_row("ScatterNd", {places, vector({7, 8}), vector({4})}, {vector({8, 0, 7, 0})});
  check_row("TensorScatterUpdate", {vector({1, 2, 3}), places, vector({7, 8})}, {vector({8, 2, 7})});
  check_row("SparseToDense", {vector({2, 0}), vector({3}), vector({7.0F, 8.0F}), Tensor::scalar(-1.0F)},
            {vector({8.0F, -1.0F, 7.0F})});
}

TEST_CASE("Rows that reduce", "[model][graphdef][rows]") {
  const Tensor x = iota({2, 3});
  const Tensor rows = vector({1});
  check_row("Sum", {x, rows}, {vector({3.0F, 12.0F})});
  check_row("Mean", {x, rows}, {Tensor::from({1.0F, 4.0F}, {2, 1})}, R"("keep_dims":{"b":true})");
  check_row("Max", {x, vector({0, 1})}, {Tensor::scalar(5.0F)});
  check_row("Min", {x, no_ints()}, {x});
  check_row("Prod", {x, vector({-1})}, {vector({0.0F, 60.0F})});
  check_row("All", {truths({true, false}), vector({0})}, {Tensor::from<bool>({false}, {})});
  check_row("Any", {truths({true, false}), vector({0})}, {Tensor::from<bool>({true}, {})});
  check_row("ArgMax", {x, Tensor::scalar(1)}, {vector({2, 2})});
  check_row("ArgMin", {x}, {vector({0, 0, 0})});
  check_row("EuclideanNorm", {vector({3.0F, 4.0F}), vector({0})}, {Tensor::scalar(5.0F)});
  check_row("Cumsum", {vector({1.0F, 2.0F, 3.0F}), Tensor::scalar(0)}, {vector({0.0F, 1.0F, 3.0F})},
            R"("exclusive":{"b":true})");
  check_row("Cumprod", {vector({1.0F, 2.0F, 3.0F}), Tensor::scalar(0)}, {vector({6.0F, 6.0F, 3.0F})},
            R"("reverse":{"b":true})");
  const Tensor no_weights = vector(std::initializer_list<float>());
  check_row("Bincount", {vector({1, 3, 1}), Tensor::scalar(4), no_weights},
            {vector({0.0F, 2.0F, 0.0F, 1.0F})});
  check_row("DenseBincount", {vector({1, 3, 1}), Tensor::scalar(4), no_weights},
            {vector({0.0F, 1.0F, 0.0F, 1.0F})}, R"("binary_output":{"b":true})");
}

TEST_CASE("Rows of matrices and norms", "[model][graphdef][rows]") {
  const Tensor a = random_values({3, 4});
  const Tensor b = random_values({4, 5}, 2);
  const Tensor bt = transpose(b, {.perm = {1, 0}});
  check_row("MatMul", {a, b}, {mat_mul(a, b)});
  check_row("MatMul", {a, bt}, {mat_mul(a, b)}, R"("transpose_b":{"b":true})");
  const Tensor batch = random_values({2, 3, 4}, 3);
  const Tensor other = random_values({2, 4, 5}, 4);
  check_row("BatchMatMul", {batch, other}, {mat_mul(batch, other)});
  check_row("BatchMatMulV2", {batch, b}, {mat_mul(batch, b)}, R"("adj_x":{"b":false})");
  check_row("_FusedMatMul", {a, b, random_values({5}, 5)}, {relu(add(mat_mul(a, b), random_values({5}, 5)))},
            R"("num_args":{"i":"1"},"fused_ops":{"list":{"s":["Qmlhc0FkZA==","UmVsdQ=="]}})");
  check_row("Einsum", {a, b}, {mat_mul(a, b)}, R"("equation":{"s":"aWosamstPmlr"})");
  check_row("Einsum", {a}, {transpose(a, {.perm = {1, 0}})}, R"("equation":{"s":"aWotPmpp"})");
  check_row("MatrixBandPart", {iota({2, 2}), Tensor::scalar(0), Tensor::scalar(-1)},
            {Tensor::from({0.0F, 1.0F, 0.0F, 3.0F}, {2, 2})});
  check_row("Softmax", {a}, {softmax(a)});
  check_row("LogSoftmax", {a}, {log_softmax(a)});
  const Tensor image = random_values({2, 3, 3, 4}, 6);
  const Tensor scale = random_values({4}, 7);
  const Tensor offset = random_values({4}, 8);
  const Tensor mean = random_values({4}, 9);
  const Tensor variance = square(random_values({4}, 10));
  const Tensor normalized =
      add(mul(mul(sub(image, mean), rsqrt(add(variance, Tensor::scalar(0.5F)))), scale), offset);
  for (const char* op : {"FusedBatchNorm", "FusedBatchNormV2", "FusedBatchNormV3"})
    check_row(op, {image, scale, offset, mean, variance}, {normalized}, R"("epsilon":{"f":0.5})");
  // Each channel is divided by the square root of 1 plus the squares of itself and its two neighbours.
  const Tensor row = Tensor::from({1.0F, 2.0F, 3.0F}, {1, 1, 1, 3});
  check_row("LRN", {row}, {div(row, sqrt(Tensor::from({6.0F, 15.0F, 14.0F}, {1, 1, 1, 3})))},
            R"("depth_radius":{"i":"1"})");
}

TEST_CASE("Rows of lists of values", "[model][graphdef][rows]") {
  check_row("TopKV2", {vector({3.0F, 9.0F, 5.0F}), Tensor::scalar(2)},
            {vector({9.0F, 5.0F}), vector({1, 2})});
  check_row("Unique", {vector({3, 1, 3})}, {vector({3, 1}), vector({0, 1, 0})});
  check_row("UniqueV2", {ints_of({1, 1, 1, 1}, {2, 2}), vector({1})},
            {ints_of({1, 1}, {2, 1}), vector({0, 0})});
  check_row("LowerBound", {ints_of({1, 3, 5}, {1, 3}), ints_of({3, 6}, {1, 2})}, {ints_of({1, 3}, {1, 2})});
  check_row("UpperBound", {ints_of({1, 3, 5}, {1, 3}), ints_of({3, 6}, {1, 2})}, {ints_of({2, 3}, {1, 2})});
  check_row("Where", {Tensor::from<bool>({true, false, false, true}, {2, 2})},
            {ints_of({0, 0, 1, 1}, {2, 2})});
  check_row("Where", {vector({0, 7})}, {ints_of({1}, {1, 1})});
  check_row("ListDiff", {vector({4, 5, 6}), vector({5})}, {vector({4, 6}), vector({0, 2})});
}
