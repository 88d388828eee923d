#include <algorithm>
#include <cmath>

#include "ops/cases/case.h"
#include "shape_util/conv.h"
#include "shape_util/quantized_blocks.h"

namespace tenure::cases {
namespace {

constexpr double kTolerance = 1e-4;

/// Returns int32 values from `low` to `high`, which is at least 40 more.
Input integers(const Shape& shape, int low, int high) {
  std::vector<double> values;
  constexpr int kCount = 97;
  for (int i = 0; i < kCount; ++i) {
    const int value = low + i * 61 % kCount * (high - low) / (kCount - 1);
    values.push_back(value);
  }
  return given(shape, values, DType::kInt32);
}

double unpack(const std::int32_t* bytes, int bits, int i) {
  const int bit = i * bits;
  return bytes[bit / 8] >> bit % 8 & ((1 << bits) - 1);
}

/// Returns the weights of the inputs from `first` on.
std::vector<double> dequantize(const Tensors& in, std::size_t first, const QuantizedBlocksAttrs& attrs) {
  const auto* packed = in[first].data<std::int32_t>();
  const auto* scales = in[first + 1].data<float>();
  const Tensor zeros = in.size() > first + 2 ? in[first + 2] : Tensor();
  const int blocks = count_blocks(attrs);
  std::vector<double> weights;
  for (int row = 0; row < in[first].dim(0); ++row) {
    for (int k = 0; k < attrs.k; ++k) {
      const int block = k / attrs.block_size;
      double zero = 1 << (attrs.bits - 1);
      if (zeros && zeros.dtype() == DType::kFloat32) zero = zeros.data<float>()[row * blocks + block];
      if (zeros && zeros.dtype() == DType::kInt32)
        zero = unpack(zeros.data<std::int32_t>() + row * zero_point_bytes(attrs), attrs.bits, block);
      const double value = unpack(packed + row * blocks * block_bytes(attrs), attrs.bits, k);
      weights.push_back(scales[row * blocks + block] * (value - zero));
    }
  }
  return weights;
}

enum class Zeros : std::uint8_t { kNone, kPacked, kFloat };

std::vector<Input> block_weights(int n, const QuantizedBlocksAttrs& attrs, Zeros zeros) {
  const int blocks = count_blocks(attrs);
  std::vector<Input> inputs = {integers({n, blocks, block_bytes(attrs)}, 0, 255),
                               floats({n, blocks}).within(0.01F, 0.1F).fixed()};
  if (zeros == Zeros::kPacked) inputs.push_back(integers({n, zero_point_bytes(attrs)}, 0, 255));
  if (zeros == Zeros::kFloat) inputs.push_back(floats({n, blocks}).within(0, 3).fixed());
  return inputs;
}

void add_blocks(Table& table, Shape a, int n, const QuantizedBlocksAttrs& attrs, Zeros zeros) {
  const std::vector<Input> weights = block_weights(n, attrs, zeros);
  table.add(Op::dequantize_blocks, weights, attrs,
            {.reference = [attrs](const Tensors& in) { return dequantize(in, 0, attrs); }});
  a.push_back(attrs.k);
  std::vector<Input> inputs = {floats(a).within(-2, 2)};
  inputs.insert(inputs.end(), weights.begin(), weights.end());
  const auto reference = [attrs, n](const Tensors& in) {
    const std::vector<double> b = dequantize(in, 1, attrs);
    std::vector<double> out;
    const auto depth = static_cast<std::size_t>(attrs.k);
    for (std::size_t row = 0; row < in[0].elements() / std::max<std::size_t>(depth, 1); ++row) {
      for (std::size_t column = 0; column < static_cast<std::size_t>(n); ++column) {
        double sum = 0;
        for (std::size_t k = 0; k < depth; ++k)
          sum += in[0].data<float>()[row * depth + k] * b[column * depth + k];
        out.push_back(sum);
      }
    }
    return out;
  };
  // Sums of many products of both signs.
  table.add(Op::mat_mul_n_bits, inputs, attrs,
            {.tolerance = kTolerance, .reference = reference, .exact = 1e-5, .least = 8});
}

void add_block_products(Table& table) {
  for (const int bits : {2, 4, 8}) {
    for (const int block : {16, 32, 128}) {
      for (const Zeros zeros : {Zeros::kNone, Zeros::kPacked, Zeros::kFloat}) {
        add_blocks(table, {1}, 3, {.bits = bits, .block_size = block, .k = 40}, zeros);
        add_blocks(table, {2, 5}, 9, {.bits = bits, .block_size = block, .k = 128}, zeros);
      }
    }
    add_blocks(table, {1}, 71, {.bits = bits, .block_size = 512, .k = 1100}, Zeros::kPacked);
    add_blocks(table, {300}, 67, {.bits = bits, .block_size = 32, .k = 96}, Zeros::kPacked);
  }
  add_blocks(table, {}, 5, {.k = 64}, Zeros::kNone);
}

double zero_point(const Tensors& in, std::size_t input, std::size_t i) {
  if (in.size() <= input || !in[input]) return 0;
  return in[input].data<std::int32_t>()[in[input].elements() == 1 ? 0 : i];
}

/// Returns a product of a matrix, or of a batch times one matrix, minus the zero points of the columns.
std::vector<double> multiply(const std::vector<double>& a, const Tensor& b,
                             const std::function<double(std::size_t)>& zero) {
  const auto depth = static_cast<std::size_t>(b.dim(0));
  const auto columns = static_cast<std::size_t>(b.dim(1));
  std::vector<double> out;
  for (std::size_t row = 0; row < a.size() / depth; ++row) {
    for (std::size_t column = 0; column < columns; ++column) {
      double sum = 0;
      for (std::size_t k = 0; k < depth; ++k)
        sum += a[row * depth + k] * (b.data<std::int32_t>()[k * columns + column] - zero(column));
      out.push_back(sum);
    }
  }
  return out;
}

std::vector<double> integer_product(const Tensors& in) {
  std::vector<double> a;
  const auto depth = static_cast<std::size_t>(in[1].dim(0));
  for (std::size_t i = 0; i < in[0].elements(); ++i)
    a.push_back(in[0].data<std::int32_t>()[i] - zero_point(in, 2, i / depth));
  return multiply(a, in[1], [&](std::size_t column) { return zero_point(in, 3, column); });
}

std::vector<double> dynamic_product(const Tensors& in) {
  float low = 0;
  float high = 0;
  for (const float x : in[0].values<float>()) {
    low = std::min(low, x);
    high = std::max(high, x);
  }
  const float scale = (high - low) / 255;
  const double zero = std::nearbyint(-low / scale);
  std::vector<double> a;
  for (const float x : in[0].values<float>())
    a.push_back(std::clamp(std::nearbyint(double{x / scale}) + zero, 0.0, 255.0) - zero);
  std::vector<double> out = multiply(a, in[1], [&](std::size_t column) { return zero_point(in, 3, column); });
  const auto columns = static_cast<std::size_t>(in[1].dim(1));
  for (std::size_t i = 0; i < out.size(); ++i) {
    const std::size_t column = i % columns;
    out[i] *= double{scale} * in[2].data<float>()[in[2].elements() == 1 ? 0 : column];
    if (in.size() > 4 && in[4]) out[i] += in[4].data<float>()[in[4].elements() == 1 ? 0 : column];
  }
  return out;
}

void add_integer_products(Table& table) {
  for (const int rows : {1, 3, 4, 9, 70}) {
    for (const int columns : {1, 7, 8, 41}) {
      for (const int depth : {1, 8, 24, 137}) {
        const Input a = integers({rows, depth}, 0, 255);
        const Input b = integers({depth, columns}, -128, 127);
        table.add(Op::mat_mul_integer, {a, b}, {}, {.reference = integer_product});
        table.add(Op::mat_mul_integer, {a, b, integers({rows}, 0, 255), integers({columns}, -128, 127)}, {},
                  {.reference = integer_product});
        // No element is halfway between two integers, which a device may round to the other one.
        const Input x = floats({rows, depth}).within(-3, 5.1F);
        table.add(Op::dynamic_quantize_mat_mul, {x, b, floats({columns}).within(0.01F, 0.1F)}, {},
                  {.reference = dynamic_product, .exact = 1e-5});
        table.add(Op::dynamic_quantize_mat_mul,
                  {x, integers({depth, columns}, 0, 255), floats({}).within(0.01F, 0.1F),
                   integers({columns}, 0, 255), floats({columns})},
                  {}, {.reference = dynamic_product, .exact = 1e-5});
      }
    }
  }
  table.add(Op::mat_mul_integer,
            {integers({2, 3, 20}, -128, 127), integers({20, 5}, 0, 255), missing(), integers({}, 0, 255)}, {},
            {.reference = integer_product});
  table.add(Op::mat_mul_integer,
            {integers({2, 1, 3, 20}, -128, 127), integers({3, 20, 5}, 0, 255), integers({}, 0, 255)}, {},
            {.shape = Shape{2, 3, 3, 5}});
  table.add(Op::dynamic_quantize_mat_mul, {floats({2, 3, 20}), integers({20, 5}, -128, 127), floats({})}, {},
            {.reference = dynamic_product, .shape = Shape{2, 3, 5}});
}

struct Convolution {
  Shape x;
  Shape filter;
  IntegerConvAttrs attrs;
};

std::vector<double> convolve(const Tensors& in, const IntegerConvAttrs& attrs) {
  const ConvGeometry g = conv2d_geometry(in[0].shape(), in[1].shape(), get_conv_attrs(attrs));
  const auto number = [](const Tensor& x, int i) -> double {
    return x.dtype() == DType::kInt32 ? x.data<std::int32_t>()[i] : x.data<float>()[i];
  };
  std::vector<double> out;
  for (int pixel = 0; pixel < g.batch * g.h.out * g.w.out; ++pixel) {
    const int image = pixel / (g.h.out * g.w.out);
    const int top = g.h.origin(pixel / g.w.out % g.h.out);
    const int left = g.w.origin(pixel % g.w.out);
    for (int column = 0; column < g.out_channels; ++column) {
      double sum = in.size() > 2 && in[2] ? number(in[2], in[2].elements() == 1 ? 0 : column) : 0;
      for (int tap = 0; tap < g.h.window * g.w.window; ++tap) {
        const int row = top + tap / g.w.window * g.h.dilation;
        const int at = left + tap % g.w.window * g.w.dilation;
        if (row < 0 || row >= g.h.in || at < 0 || at >= g.w.in) continue;
        const int first = column / g.group_out() * g.group_in();
        for (int c = 0; c < g.group_in(); ++c) {
          sum += number(in[0], ((image * g.h.in + row) * g.w.in + at) * g.in_channels + first + c) *
                 number(in[1], (tap * g.group_in() + c) * g.out_channels + column);
        }
      }
      if (in.size() > 3) {
        const float scaled =
            static_cast<float>(sum) * in[3].data<float>()[in[3].elements() == 1 ? 0 : column];
        sum = std::clamp(static_cast<double>(std::nearbyint(scaled)), double{attrs.low}, double{attrs.high});
      }
      out.push_back(sum);
    }
  }
  return out;
}

void add_integer_convolutions(Table& table) {
  const Convolution convolutions[] = {
      {{1, 5, 6, 3}, {3, 3, 3, 5}, {.padding = Padding::kSame}},
      {{2, 9, 7, 4}, {3, 2, 4, 9}, {.stride_h = 2, .stride_w = 2}},
      {{1, 4, 4, 8}, {1, 1, 8, 16}, {}},
      {{1, 4, 4, 6}, {1, 1, 6, 4}, {.stride_h = 2, .stride_w = 1}},
      {{1, 11, 12, 2},
       {3, 3, 2, 8},
       {.dilation_h = 2,
        .dilation_w = 3,
        .padding = Padding::kExplicit,
        .pad_top = 2,
        .pad_bottom = 1,
        .pad_left = 3}},
      {{3, 8, 8, 16}, {3, 3, 16, 12}, {.padding = Padding::kSame}},
      // Runs of 1, 3 and 9 elements, and taps of one that are dilated.
      {{1, 12, 5, 1}, {10, 1, 1, 7}, {.stride_h = 2, .padding = Padding::kSame}},
      {{2, 6, 7, 3}, {1, 1, 3, 9}, {}},
      {{1, 7, 7, 9}, {2, 1, 9, 8}, {}},
      {{1, 7, 9, 1}, {3, 3, 1, 10}, {.dilation_h = 1, .dilation_w = 2, .padding = Padding::kSame}},
      // A group for each input channel.
      {{2, 9, 7, 8}, {3, 3, 1, 8}, {.padding = Padding::kSame}},
      {{1, 9, 10, 21}, {3, 3, 1, 21}, {.stride_h = 2, .stride_w = 2, .padding = Padding::kSame}},
      {{1, 6, 11, 5}, {4, 1, 1, 15}, {.stride_h = 1, .stride_w = 2}},
      {{1, 9, 9, 4}, {2, 3, 1, 8}, {.dilation_h = 2, .dilation_w = 3, .padding = Padding::kSame}},
      {{1, 5, 6, 12}, {1, 1, 1, 12}, {}},
  };
  for (const auto& [x, filter, given_attrs] : convolutions) {
    const Input images = integers(x, -128, 127);
    const Input weights = integers(filter, -128, 127);
    const auto reference = [attrs = given_attrs](const Tensors& in) { return convolve(in, attrs); };
    table.add(Op::conv2d_integer, {images, weights}, given_attrs, {.reference = reference});
    IntegerConvAttrs attrs = given_attrs;
    attrs.low = -100;
    attrs.high = 120;
    const auto clamped = [attrs](const Tensors& in) { return convolve(in, attrs); };
    Input wholes = images;
    wholes.spec.dtype = DType::kFloat32;
    table.add(
        Op::conv2d_integer,
        {wholes, weights, integers({filter[3]}, -5000, 5000), floats({filter[3]}).within(0.0005F, 0.002F)},
        attrs, {.reference = clamped});
    table.add(Op::conv2d_integer, {images, weights, missing(), floats({}).within(0.0005F, 0.002F)}, attrs,
              {.reference = clamped});
  }
}

}  // namespace

void add_quantized(Table& table) {
  add_block_products(table);
  add_integer_products(table);
  add_integer_convolutions(table);
}

}  // namespace tenure::cases
