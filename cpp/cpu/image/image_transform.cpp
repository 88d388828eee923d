#include <algorithm>
#include <cmath>

#include "cpu/kernels.h"
#include "cpu/threads/parallel.h"

namespace tenure::cpu {
namespace {

/// Rounds halves up, as Math.round does.
double round_half_up(double x) { return std::floor(x + 0.5); }

/// Returns the offset in elements of pixel (x, y), which must lie inside, in an image with rows of `width`
/// pixels.
std::size_t pixel_offset(double y, double x, std::int32_t width, std::int32_t channels) {
  const auto row = static_cast<std::size_t>(static_cast<std::int32_t>(y)) * static_cast<std::size_t>(width);
  return (row + static_cast<std::size_t>(static_cast<std::int32_t>(x))) * static_cast<std::size_t>(channels);
}

/// Mapping from positions of a crop to an axis of its image, as in TensorFlow's crop_and_resize_op.cc.
struct CropAxis {
  CropAxis(double first, double last, std::int32_t in, std::int32_t out)
      : end(in - 1),
        start(out > 1 ? first * end : 0.5 * (first + last) * end),
        length(out > 1 ? (last - first) * end : 0),
        steps(out > 1 ? out - 1 : 1) {}
  /// Returns the position of output o. That of the last is the end of the box: rounding must not move it out
  /// of the image.
  double position(std::int32_t o) const { return start + o * length / steps; }
  /// True if the position is inside the image; false for NaN.
  bool is_inside(double position) const { return position >= 0 && position <= end; }
  double end;
  double start;
  double length;
  double steps;
};

/// Writer of the rows of a crop.
template <class T>
class CropRow {
 public:
  CropRow(const Tensor& image, std::int32_t which, const CropAttrs& attrs)
      : pixels_(image.data<T>() + static_cast<std::size_t>(which) * image.shape().elements(1, 4)),
        width_(image.dim(2)),
        channels_(image.dim(3)),
        attrs_(attrs) {}

  void write(const CropAxis& rows, const CropAxis& columns, std::int32_t i, float* out) const {
    const double y = rows.position(i);
    for (std::int32_t j = 0; j < attrs_.width; ++j, out += channels_) {
      const double x = columns.position(j);
      if (!rows.is_inside(y) || !columns.is_inside(x)) {
        std::fill_n(out, channels_, attrs_.outside);
      } else if (attrs_.nearest != 0) {
        const T* from = pixel(round_half_up(y), round_half_up(x));
        for (std::int32_t c = 0; c < channels_; ++c) out[c] = static_cast<float>(from[c]);
      } else {
        blend(y, x, out);
      }
    }
  }

 private:
  const T* pixel(double y, double x) const { return pixels_ + pixel_offset(y, x, width_, channels_); }
  void blend(double y, double x, float* out) const {
    const double top = std::floor(y);
    const double left = std::floor(x);
    const T* corners[] = {pixel(top, left), pixel(top, std::ceil(x)), pixel(std::ceil(y), left),
                          pixel(std::ceil(y), std::ceil(x))};
    for (std::int32_t c = 0; c < channels_; ++c) {
      const auto at = [&](int k) { return static_cast<double>(corners[k][c]); };
      const double above = at(0) + (at(1) - at(0)) * (x - left);
      const double below = at(2) + (at(3) - at(2)) * (x - left);
      out[c] = static_cast<float>(above + (below - above) * (y - top));
    }
  }

  const T* pixels_;
  std::int32_t width_;
  std::int32_t channels_;
  const CropAttrs& attrs_;
};

/// Cost of a pixel per channel, in units of grain_size().
constexpr std::size_t kWorkPerChannel = 40;

template <class T>
void crop(const KernelArgs& args) {
  const auto attrs = args.attrs.as<CropAttrs>();
  const Tensor& image = args.in[0];
  const std::size_t row = args.out.shape().elements(2, 4);
  const auto height = static_cast<std::size_t>(attrs.height);
  const float* boxes = args.in[1].data<float>();
  const auto* images = args.in[2].data<std::int32_t>();
  float* out = args.out.mutable_data<float>();
  parallel_for(static_cast<std::size_t>(args.out.dim(0)) * height, grain_size(row * kWorkPerChannel),
               [&](std::size_t begin, std::size_t end) {
                 for (std::size_t i = begin; i < end; ++i) {
                   const std::size_t n = i / height;
                   if (images[n] < 0 || images[n] >= image.dim(0)) {
                     std::fill_n(out + i * row, row, 0.0F);
                     continue;
                   }
                   const float* box = boxes + n * 4;
                   const CropAxis rows(box[0], box[2], image.dim(1), attrs.height);
                   const CropAxis columns(box[1], box[3], image.dim(2), attrs.width);
                   CropRow<T>(image, images[n], attrs)
                       .write(rows, columns, static_cast<std::int32_t>(i % height), out + i * row);
                 }
               });
}

/// Maps a coordinate to the image by the fill mode, as in TensorFlow's image_ops.h. Only for kConstant may
/// the result lie beyond the edges.
double map_coordinate(double x, std::int32_t length, FillMode mode) {
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

/// Source image of a projective transform.
class Image {
 public:
  Image(const float* pixels, const Shape& shape, const TransformAttrs& attrs)
      : pixels_(pixels), height_(shape[1]), width_(shape[2]), channels_(shape[3]), attrs_(attrs) {}

  /// Writes row i of the projection with the eight coefficients `t`.
  void write(const float* t, std::int32_t i, float* out) const {
    for (std::int32_t j = 0; j < attrs_.width; ++j, out += channels_) {
      const double depth = double{t[6]} * j + double{t[7]} * i + 1;
      if (depth == 0) {
        std::fill_n(out, channels_, attrs_.fill);
        continue;
      }
      // Most projections are affine, and divisions are slow.
      const auto seen = [&](double position) { return depth == 1 ? position : position / depth; };
      const double x =
          map_coordinate(seen(double{t[0]} * j + double{t[1]} * i + t[2]), width_, attrs_.fill_mode);
      const double y =
          map_coordinate(seen(double{t[3]} * j + double{t[4]} * i + t[5]), height_, attrs_.fill_mode);
      attrs_.bilinear != 0 ? bilinear(y, x, out) : nearest(y, x, out);
    }
  }

 private:
  void nearest(double y, double x, float* out) const {
    const float* from = pixel(round_half_up(y), round_half_up(x));
    if (from) {
      std::copy_n(from, channels_, out);
    } else {
      std::fill_n(out, channels_, attrs_.fill);
    }
  }
  void bilinear(double y, double x, float* out) const {
    const double top = std::floor(y);
    const double left = std::floor(x);
    const float* corners[] = {pixel(top, left), pixel(top, left + 1), pixel(top + 1, left),
                              pixel(top + 1, left + 1)};
    for (std::int32_t c = 0; c < channels_; ++c) {
      const auto row = [&](int first) {
        const auto at = [&](int k) { return corners[k] ? corners[k][c] : attrs_.fill; };
        return (left + 1 - x) * at(first) + (x - left) * at(first + 1);
      };
      out[c] = static_cast<float>((top + 1 - y) * row(0) + (y - top) * row(2));
    }
  }
  /// Returns the address of a pixel; null beyond the edges, and for NaN.
  const float* pixel(double y, double x) const {
    if (!(y >= 0 && y < height_ && x >= 0 && x < width_)) return nullptr;
    return pixels_ + pixel_offset(y, x, width_, channels_);
  }

  const float* pixels_;
  std::int32_t height_;
  std::int32_t width_;
  std::int32_t channels_;
  const TransformAttrs& attrs_;
};

}  // namespace

void crop_and_resize(const KernelArgs& args) {
  args.in[0].dtype() == DType::kInt32 ? crop<std::int32_t>(args) : crop<float>(args);
}

void transform(const KernelArgs& args) {
  const auto attrs = args.attrs.as<TransformAttrs>();
  const Shape& shape = args.in[0].shape();
  const std::size_t row = args.out.shape().elements(2, 4);
  const auto height = static_cast<std::size_t>(attrs.height);
  const std::size_t step = args.in[1].dim(0) > 1 ? 8 : 0;
  const float* pixels = args.in[0].data<float>();
  const float* projections = args.in[1].data<float>();
  float* out = args.out.mutable_data<float>();
  parallel_for(static_cast<std::size_t>(shape[0]) * height, grain_size(row * kWorkPerChannel),
               [&](std::size_t begin, std::size_t end) {
                 for (std::size_t i = begin; i < end; ++i) {
                   const std::size_t n = i / height;
                   const Image image(pixels + n * shape.elements(1, 4), shape, attrs);
                   image.write(projections + n * step, static_cast<std::int32_t>(i % height), out + i * row);
                 }
               });
}

}  // namespace tenure::cpu
