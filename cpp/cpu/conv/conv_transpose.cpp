#include <algorithm>
#include <vector>

#include "cpu/gemm/gemm.h"
#include "cpu/kernels.h"
#include "cpu/threads/scratch.h"
#include "shape_util/conv.h"

namespace tenure::cpu {
namespace {

// Output positions of one axis that are a stride apart, and therefore meet the same taps. For them a
// transposed convolution is an ordinary one of stride 1 with those taps only.
struct Phase {
  std::int32_t first;  // position
  std::int32_t count;  // positions, `stride` apart
  std::vector<std::int32_t> taps;
};

std::vector<Phase> get_phases(const WindowAxis& axis) {
  std::vector<Phase> phases;
  for (std::int32_t p = 0; p < std::min(axis.stride, axis.in); ++p) {
    Phase phase = {p, (axis.in - p + axis.stride - 1) / axis.stride, {}};
    for (std::int32_t tap = 0; tap < axis.window; ++tap) {
      if ((p + axis.pad_before - tap * axis.dilation) % axis.stride == 0) phase.taps.push_back(tap);
    }
    phases.push_back(std::move(phase));
  }
  return phases;
}

// Returns the input position that `tap` reads for an output position; -1 if there is none.
std::int32_t input_position(const WindowAxis& axis, std::int32_t position, std::int32_t tap) {
  const std::int32_t reach = position + axis.pad_before - tap * axis.dilation;
  const std::int32_t at = reach / axis.stride;
  return reach >= 0 && at < axis.out ? at : -1;
}

class Transposed {
 public:
  explicit Transposed(const KernelArgs& args)
      : g_(conv2d_transpose_geometry(args.in[0].shape(), args.in[1].shape(),
                                     args.attrs.as<ConvTransposeAttrs>())),
        x_(args.in[0].data<float>()),
        filter_(args.in[1].data<float>()),
        out_(args.out.mutable_data<float>()),
        zeros_(static_cast<std::size_t>(depth())) {
    std::fill_n(zeros_.data(), zeros_.size(), 0.0F);
  }

  void run() {
    const std::vector<Phase> columns = get_phases(g_.w);
    for (const Phase& rows : get_phases(g_.h)) {
      for (const Phase& column : columns) run(rows, column);
    }
  }

 private:
  // The channels of the transposed convolution's input: outputs of the ordinary convolution that g_
  // describes.
  int depth() const { return g_.out_channels; }

  gemm::PackedB pack(const Phase& rows, const Phase& columns) const {
    const auto size = static_cast<std::size_t>(g_.in_channels) * static_cast<std::size_t>(depth());
    const auto taps = static_cast<int>(rows.taps.size() * columns.taps.size());
    gemm::PackedB packed(taps * depth(), g_.in_channels);
    int k = 0;
    for (const std::int32_t ky : rows.taps) {
      for (const std::int32_t kx : columns.taps) {
        const float* weights = filter_ + static_cast<std::size_t>(ky * g_.w.window + kx) * size;
        packed.fill(k, depth(), weights, static_cast<std::size_t>(depth()), true);
        k += depth();
      }
    }
    return packed;
  }

  void run(const Phase& rows, const Phase& columns) {
    const gemm::PackedB packed = pack(rows, columns);
    const auto taps = rows.taps.size() * columns.taps.size();
    constexpr std::size_t kTableSize = 1 << 14;
    const std::size_t block =
        std::clamp<std::size_t>(kTableSize / std::max<std::size_t>(taps, 1), gemm::kMR, gemm::kMC);
    Scratch<const float*> in(taps, block);
    float* out[gemm::kMC];
    std::size_t filled = 0;
    const auto flush = [&] {
      const gemm::IndirectionBuffer matrix = {in.data(), block, static_cast<int>(taps),
                                              depth(),   out,   static_cast<int>(filled)};
      if (filled > 0) gemm::multiply(matrix, packed.panels(), {});
      filled = 0;
    };
    for (std::int32_t n = 0; n < g_.batch; ++n) {
      for (std::int32_t i = 0; i < rows.count; ++i) {
        for (std::int32_t j = 0; j < columns.count; ++j) {
          const std::int32_t y = rows.first + i * g_.h.stride;
          const std::int32_t x = columns.first + j * g_.w.stride;
          out[filled] = out_ + pixel(n, y, x, g_.h.in, g_.w.in) * static_cast<std::size_t>(g_.in_channels);
          add(rows, columns, n, y, x, in.data() + filled, block);
          if (++filled == block) flush();
        }
      }
    }
    flush();
  }

  void add(const Phase& rows, const Phase& columns, std::int32_t n, std::int32_t y, std::int32_t x,
           const float** in, std::size_t block) const {
    for (const std::int32_t ky : rows.taps) {
      const std::int32_t from_y = input_position(g_.h, y, ky);
      for (const std::int32_t kx : columns.taps) {
        const std::int32_t from_x = input_position(g_.w, x, kx);
        const bool inside = from_y >= 0 && from_x >= 0;
        *in = inside ? x_ + pixel(n, from_y, from_x, g_.h.out, g_.w.out) * static_cast<std::size_t>(depth())
                     : zeros_.data();
        in += block;
      }
    }
  }

  static std::size_t pixel(std::int32_t n, std::int32_t y, std::int32_t x, std::int32_t height,
                           std::int32_t width) {
    return (static_cast<std::size_t>(n) * static_cast<std::size_t>(height) + static_cast<std::size_t>(y)) *
               static_cast<std::size_t>(width) +
           static_cast<std::size_t>(x);
  }

  ConvGeometry g_;
  const float* x_;
  const float* filter_;
  float* out_;
  Scratch<float> zeros_;
};

}  // namespace

void conv2d_transpose(const KernelArgs& args) { Transposed(args).run(); }

}  // namespace tenure::cpu
