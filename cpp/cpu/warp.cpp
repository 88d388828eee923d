#include <algorithm>
#include <cmath>

#include "cpu/kernels.h"

namespace tenure::cpu {
namespace {

/// Halves go up, as Math.round's do.
double round_half_up(double x) { return std::floor(x + 0.5); }

/// How the positions of a crop lie on one axis of its image; TensorFlow's crop_and_resize_op.cc.
struct CropAxis {
  CropAxis(double first, double last, std::int32_t in, std::int32_t out)
      : end(in - 1),
        start(out > 1 ? first * end : 0.5 * (first + last) * end),
        step(out > 1 ? (last - first) * end / (out - 1) : 0) {}
  double position(std::int32_t o) const { return start + o * step; }
  /// False for a NaN, too.
  bool is_inside(double position) const { return position >= 0 && position <= end; }
  double end;
  double start;
  double step;
};

template <class T>
void crop(const KernelArgs& args) {
  const auto attrs = args.attrs.as<CropAttrs>();
  const Tensor& image = args.in[0];
  const std::int32_t channels = image.dim(3);
  const float* box = args.in[1].data<float>();
  float* out = args.out.mutable_data<float>();
  for (std::int32_t n = 0; n < args.out.dim(0); ++n, box += 4) {
    const std::int32_t which = args.in[2].data<std::int32_t>()[n];
    if (which < 0 || which >= image.dim(0)) {
      out = std::fill_n(out, args.out.shape().elements(1, 4), 0.0F);
      continue;
    }
    const T* pixels = image.data<T>() + static_cast<std::size_t>(which) * image.shape().elements(1, 4);
    const auto pixel = [&](double y, double x) {
      return pixels + static_cast<std::size_t>((y * image.dim(2) + x) * channels);
    };
    const CropAxis rows(box[0], box[2], image.dim(1), attrs.height);
    const CropAxis columns(box[1], box[3], image.dim(2), attrs.width);
    for (std::int32_t i = 0; i < attrs.height; ++i) {
      const double y = rows.position(i);
      for (std::int32_t j = 0; j < attrs.width; ++j) {
        const double x = columns.position(j);
        if (!rows.is_inside(y) || !columns.is_inside(x)) {
          out = std::fill_n(out, channels, attrs.outside);
        } else if (attrs.nearest != 0) {
          const T* from = pixel(round_half_up(y), round_half_up(x));
          for (std::int32_t c = 0; c < channels; ++c) *out++ = static_cast<float>(from[c]);
        } else {
          const double top = std::floor(y);
          const double left = std::floor(x);
          const T* corners[] = {pixel(top, left), pixel(top, std::ceil(x)), pixel(std::ceil(y), left),
                                pixel(std::ceil(y), std::ceil(x))};
          for (std::int32_t c = 0; c < channels; ++c) {
            const auto at = [&](int k) { return static_cast<double>(corners[k][c]); };
            const double above = at(0) + (at(1) - at(0)) * (x - left);
            const double below = at(2) + (at(3) - at(2)) * (x - left);
            *out++ = static_cast<float>(above + (below - above) * (y - top));
          }
        }
      }
    }
  }
}

/// A coordinate as one of the image; TensorFlow's image_ops.h. One beyond the edges stays there for kConstant
/// only.
double on_image(double x, std::int32_t length, FillMode mode) {
  const double size = length;
  if (mode == FillMode::kConstant) return x;
  if (length > 1 && mode == FillMode::kReflect) {
    const double period = 2 * size;
    if (x < 0) {
      x += period * std::trunc(-x / period);
      x = x < -size ? x + period : -x - 1;
    } else if (x > size - 1) {
      x -= period * std::trunc(x / period);
      if (x >= size) x = period - x - 1;
    }
  } else if (length > 1 && mode == FillMode::kWrap) {
    if (x < 0) {
      x += size * (std::trunc(-x / (size - 1)) + 1);
    } else if (x > size - 1) {
      x -= size * std::trunc(x / (size - 1));
    }
  }
  return std::min(std::max(x, 0.0), size - 1);
}

struct Image {
  const float* pixels;
  std::int32_t height;
  std::int32_t width;
  std::int32_t channels;
  float fill;

  float read(double y, double x, std::int32_t c) const {
    if (!(y >= 0 && y < height && x >= 0 && x < width)) return fill;
    return pixels[static_cast<std::size_t>((y * width + x) * channels) + static_cast<std::size_t>(c)];
  }
  float nearest(double y, double x, std::int32_t c) const {
    return read(round_half_up(y), round_half_up(x), c);
  }
  float bilinear(double y, double x, std::int32_t c) const {
    const double top = std::floor(y);
    const double left = std::floor(x);
    const auto row = [&](double at) {
      return (left + 1 - x) * read(at, left, c) + (x - left) * read(at, left + 1, c);
    };
    return static_cast<float>((top + 1 - y) * row(top) + (y - top) * row(top + 1));
  }
};

}  // namespace

void crop_and_resize(const KernelArgs& args) {
  args.in[0].dtype() == DType::kInt32 ? crop<std::int32_t>(args) : crop<float>(args);
}

void transform(const KernelArgs& args) {
  const auto attrs = args.attrs.as<TransformAttrs>();
  const Shape& shape = args.in[0].shape();
  Image image{args.in[0].data<float>(), shape[1], shape[2], shape[3], attrs.fill};
  const float* t = args.in[1].data<float>();
  float* out = args.out.mutable_data<float>();
  for (std::int32_t n = 0; n < shape[0]; ++n, image.pixels += shape.elements(1, 4)) {
    for (std::int32_t i = 0; i < attrs.height; ++i) {
      for (std::int32_t j = 0; j < attrs.width; ++j) {
        const double depth = double{t[6]} * j + double{t[7]} * i + 1;
        if (depth == 0) {
          out = std::fill_n(out, shape[3], attrs.fill);
          continue;
        }
        const double x =
            on_image((double{t[0]} * j + double{t[1]} * i + t[2]) / depth, shape[2], attrs.fill_mode);
        const double y =
            on_image((double{t[3]} * j + double{t[4]} * i + t[5]) / depth, shape[1], attrs.fill_mode);
        for (std::int32_t c = 0; c < shape[3]; ++c)
          *out++ = attrs.bilinear != 0 ? image.bilinear(y, x, c) : image.nearest(y, x, c);
      }
    }
    if (args.in[1].dim(0) > 1) t += 8;
  }
}

}  // namespace tenure::cpu
