#include "shape_util/conv.h"
#include "ops/cases/case.h"

namespace tenure::cases {
namespace {

// Sums of products depend on the order of summation.
constexpr double kTolerance = 1e-4;

Input image(const Shape& shape) { return floats(shape).within(-2, 2); }

void add_image(Table& table, const Shape& x, const Shape& filter, const ConvAttrs& attrs, bool biased = true,
               double tolerance = kTolerance) {
  std::vector<Input> inputs = {image(x), image(filter)};
  if (biased) inputs.push_back(image({filter.back()}));
  table.add(Op::conv2d, inputs, attrs, {.tolerance = tolerance});
}

void add_conv2d(Table& table) {
  add_image(table, {1, 4, 5, 2}, {3, 2, 2, 3}, {.stride_h = 2, .padding = Padding::kSame});
  add_image(table, {1, 4, 5, 2}, {2, 2, 2, 1}, {.dilation_h = 2, .dilation_w = 3}, false);
  add_image(table, {1, 4, 5, 2}, {2, 2, 2, 2},
            {.stride_h = 2,
             .stride_w = 3,
             .padding = Padding::kExplicit,
             .pad_top = 1,
             .pad_right = 2,
             .rounding = Rounding::kCeil},
            false);
  add_image(table, {1, 3, 3, 4}, {2, 2, 2, 4}, {});
  add_image(table, {2, 3, 3, 6}, {2, 1, 2, 3}, {.stride_h = 2, .stride_w = 2});
  add_image(table, {1, 2, 3, 2}, {1, 1, 2, 3}, {.activation = Activation::kTanh});
  add_image(table, {1, 4, 4, 1}, {4, 4, 1, 2}, {});
  for (const Padding padding : {Padding::kSame, Padding::kValid}) {
    for (const auto& [in, out] : {std::pair{1, 1}, {3, 8}, {4, 5}, {8, 8}, {12, 20}, {17, 12}}) {
      for (const int window : {1, 2, 3, 5}) {
        for (const int stride : {1, 2, 3}) {
          add_image(table, {2, 9, 11, in}, {window, window, in, out},
                    {.stride_h = stride, .stride_w = stride, .padding = padding}, stride != 2);
        }
      }
    }
    for (const int channels : {2, 20}) {
      add_image(table, {1, 14, 15, channels}, {3, 3, channels, 12},
                {.dilation_h = 2, .dilation_w = 3, .padding = padding});
    }
  }
  for (const Rounding rounding : {Rounding::kFloor, Rounding::kRound, Rounding::kCeil}) {
    for (const int channels : {3, 24}) {
      ConvAttrs attrs = {.stride_h = 2,
                         .stride_w = 3,
                         .padding = Padding::kExplicit,
                         .pad_bottom = 3,
                         .pad_left = 2,
                         .pad_right = 1,
                         .rounding = rounding};
      add_image(table, {1, 8, 9, channels}, {3, 2, channels, 10}, attrs);
      attrs.pad_left = attrs.pad_top = 7;
      add_image(table, {1, 8, 9, channels}, {3, 2, channels, 12}, attrs);
      // A window of one pixel may also lie in the padding.
      attrs.stride_h = attrs.stride_w = 1;
      add_image(table, {1, 8, 9, channels}, {1, 1, channels, 8}, attrs);
    }
  }
  // Without padding, windows of an output that is rounded up leave the image.
  for (const int channels : {3, 8}) {
    add_image(table, {2, 5, 4, channels}, {1, 2, channels, 8},
              {.stride_w = 3, .padding = Padding::kExplicit, .rounding = Rounding::kCeil});
  }
  for (const auto& [in, depth, out] : {std::array{4, 2, 6}, {6, 1, 12}, {9, 3, 9}, {32, 8, 48}}) {
    add_image(table, {2, 6, 5, in}, {3, 3, depth, out}, {.padding = Padding::kSame});
    add_image(table, {2, 6, 5, in}, {1, 1, depth, out}, {.stride_w = 2});
  }
  for (const int out : {7, 8}) {
    for (int activation = 0; activation < kActivationCount; ++activation) {
      add_image(
          table, {1, 6, 6, 8}, {3, 3, 8, out},
          {.padding = Padding::kSame, .activation = static_cast<Activation>(activation), .alpha = 0.2F});
    }
    table.add(Op::conv2d, {image({1, 5, 5, 4}), image({1, 1, 4, out}), given({}, {2})}, ConvAttrs{},
              {.tolerance = kTolerance});
  }
  // Windows of audio samples.
  for (const int channels : {1, 3}) {
    add_image(table, {2, 2, 300, channels}, {2, 90, channels, 18}, {.stride_w = 35});
    add_image(table, {1, 1, 300, channels}, {1, 90, channels, 5},
              {.stride_w = 35, .padding = Padding::kSame});
  }
  add_image(table, {1, 65, 67, 3}, {3, 3, 3, 32}, {.stride_h = 2, .stride_w = 2, .padding = Padding::kSame});
  // The CPU uses Winograd tiles here, whose rounding errors are relative to the largest sum.
  add_image(table, {2, 28, 28, 64}, {3, 3, 64, 40},
            {.padding = Padding::kSame, .activation = Activation::kRelu}, true, 5e-4);
  add_image(table, {1, 28, 28, 128}, {1, 1, 128, 64}, {.activation = Activation::kRelu6});
  add_image(table, {1, 28, 28, 36}, {1, 1, 36, 22}, {});
}

void add_composed(Table& table) {
  table.add(Op::conv1d, {image({2, 7, 3}), image({3, 3, 4})},
            ConvAttrs{.stride_w = 2, .padding = Padding::kSame}, {.tolerance = kTolerance});
  table.add(Op::conv1d, {image({1, 7, 3}), image({2, 3, 4})}, ConvAttrs{.dilation_w = 2},
            {.tolerance = kTolerance});
  table.add(Op::separable_conv2d, {image({1, 5, 6, 2}), image({3, 3, 2, 2}), image({1, 1, 4, 3})},
            ConvAttrs{.padding = Padding::kSame}, {.tolerance = kTolerance});
}

void add_channels(Table& table, const Shape& x, const Shape& filter, const ConvAttrs& attrs,
                  bool biased = true) {
  std::vector<Input> inputs = {image(x), image(filter)};
  if (biased) inputs.push_back(image({filter[2] * filter[3]}));
  table.add(Op::depthwise_conv2d, inputs, attrs, {.tolerance = 2e-5});
}

void add_depthwise(Table& table) {
  add_channels(table, {1, 4, 5, 2}, {3, 3, 2, 2}, {.stride_h = 2, .stride_w = 2, .padding = Padding::kSame});
  add_channels(table, {1, 4, 5, 2}, {2, 3, 2, 1}, {.dilation_h = 2}, false);
  add_channels(table, {1, 2, 3, 2}, {1, 2, 2, 1}, {.activation = Activation::kSigmoid});
  const auto add_window = [&](int channels, int multiplier, int window, Padding padding) {
    for (const int stride : {1, 2, 3}) {
      add_channels(table, {2, 9, 14, channels}, {window, window, channels, multiplier},
                   {.stride_h = stride, .stride_w = stride, .padding = padding}, stride != 2);
    }
    add_channels(table, {1, 12, 13, channels}, {window, 3, channels, multiplier},
                 {.dilation_h = 2, .dilation_w = 3, .padding = padding});
  };
  for (const int window : {2, 3, 7}) {
    for (const auto& [channels, multiplier] : {std::pair{1, 1}, {3, 1}, {3, 2}, {24, 1}}) {
      add_channels(table, {1, 5, 37, channels}, {3, window, channels, multiplier},
                   {.padding = Padding::kSame, .activation = Activation::kRelu});
    }
  }
  for (const Padding padding : {Padding::kSame, Padding::kValid}) {
    for (const int window : {1, 2, 3, 5}) {
      for (const int channels : {1, 3, 4, 8, 20}) {
        for (const int multiplier : {1, 2, 3, 4}) add_window(channels, multiplier, window, padding);
      }
    }
    for (const int window : {1, 2, 3, 4, 5, 6}) {
      for (const int stride : {1, 2, 3}) {
        add_channels(table, {2, 31, 33, 32}, {3, window, 32, 1}, {.stride_w = stride, .padding = padding},
                     stride != 2);
        add_channels(table, {2, 31, 33, 32}, {window, 3, 32, 1},
                     {.dilation_h = stride, .padding = padding, .activation = Activation::kRelu6});
        add_channels(table, {2, 31, 33, 32}, {2, window, 32, 1},
                     {.dilation_w = stride + 1, .padding = padding});
      }
    }
  }
  for (const int channels : {3, 8}) {
    add_channels(table, {1, 6, 7, channels}, {3, 3, channels, 1},
                 {.stride_w = 2, .padding = Padding::kExplicit, .pad_top = 5, .pad_left = 4, .pad_right = 6});
    for (int activation = 0; activation < kActivationCount; ++activation) {
      add_channels(
          table, {1, 6, 6, channels}, {3, 3, channels, 1},
          {.padding = Padding::kSame, .activation = static_cast<Activation>(activation), .alpha = 0.2F});
    }
  }
}

void add_backwards(Table& table, const Shape& x, const Shape& filter, const ConvTransposeAttrs& attrs,
                   double tolerance = kTolerance) {
  table.add(Op::conv2d_transpose, {image(x), image(filter)}, attrs, {.tolerance = tolerance});
}

void add_transposed(Table& table) {
  add_backwards(table, {1, 3, 2, 3}, {3, 3, 2, 3},
                {.output_shape = {1, 5, 4, 2}, .stride_h = 2, .stride_w = 2, .padding = Padding::kSame});
  for (const Padding padding : {Padding::kSame, Padding::kValid}) {
    for (const int window : {1, 2, 3, 4, 5}) {
      for (const int stride : {1, 2, 3}) {
        for (const auto& [in, out] : {std::pair{1, 1}, {3, 5}, {8, 3}, {8, 12}}) {
          for (const int dilation : {1, 2}) {
            if (stride > 1 && dilation > 1) continue;
            const int reach = (window - 1) * dilation + 1;
            const auto size = [&](int from) {
              return padding == Padding::kSame ? from * stride : (from - 1) * stride + reach;
            };
            add_backwards(table, {2, 5, 4, in}, {window, window, out, in},
                          {.output_shape = {2, size(5), size(4), out},
                           .stride_h = stride,
                           .stride_w = stride,
                           .dilation_h = dilation,
                           .dilation_w = dilation,
                           .padding = padding});
          }
        }
        for (const auto& [in, out] : {std::pair{32, 24}, {31, 20}, {32, 18}}) {
          const auto size = [&](int from) {
            return padding == Padding::kSame ? from * stride - stride / 2 : (from - 1) * stride + window;
          };
          add_backwards(table, {2, 12, 15, in}, {window, window, out, in},
                        {.output_shape = {2, size(12), size(15), out},
                         .stride_h = stride,
                         .stride_w = stride,
                         .padding = padding},
                        5e-4);
        }
      }
    }
  }
  for (const auto& [top, left] : {std::pair{0, 1}, {2, 0}, {4, 3}, {7, 5}}) {
    add_backwards(table, {1, 14, 11, 32}, {4, 4, 16, 32},
                  {.output_shape = {1, 30 - top - 1, 34 - left - 2, 16},
                   .stride_h = 2,
                   .stride_w = 3,
                   .padding = Padding::kExplicit,
                   .pad_top = top,
                   .pad_bottom = 1,
                   .pad_left = left,
                   .pad_right = 2});
  }
}

/// Adds the ops that gradients consist of, with the strides, dilations and padding of `moving`.
void add_gradients(Table& table, const Shape& x, const Shape& filter, const Shape& channel_filter,
                   const ConvTransposeAttrs& moving) {
  const auto to = [&](const Shape& shape) {
    ConvTransposeAttrs attrs = moving;
    attrs.output_shape = shape;
    return attrs;
  };
  const ConvAttrs forward{.stride_h = moving.stride_h,
                          .stride_w = moving.stride_w,
                          .dilation_h = moving.dilation_h,
                          .dilation_w = moving.dilation_w,
                          .padding = moving.padding};
  const Options options{.tolerance = 5e-4};
  const Shape y = conv2d_geometry(x, filter, forward).output();
  const Shape z = depthwise_conv2d_geometry(x, channel_filter, forward).output();
  table.add(Op::conv2d_backprop_filter, {image(x), image(y)}, to(filter), options);
  table.add(Op::depthwise_conv2d_backprop_input, {image(z), image(channel_filter)}, to(x), options);
  table.add(Op::depthwise_conv2d_backprop_filter, {image(x), image(z)}, to(channel_filter), options);
}

}  // namespace

void add_conv(Table& table) {
  add_composed(table);
  add_conv2d(table);
  add_depthwise(table);
  add_transposed(table);
  add_gradients(table, {1, 4, 3, 2}, {2, 2, 2, 3}, {2, 2, 2, 2}, {.stride_h = 2, .padding = Padding::kSame});
  add_gradients(table, {2, 4, 3, 1}, {2, 1, 1, 2}, {2, 1, 1, 1}, {.dilation_h = 2});
  for (const int stride : {1, 2}) {
    for (const int channels : {3, 8, 20}) {
      add_gradients(table, {2, 11, 12, channels}, {3, 3, channels, 12}, {3, 3, channels, 1},
                    {.stride_h = stride, .stride_w = stride, .padding = Padding::kSame});
    }
  }
}

}  // namespace tenure::cases
