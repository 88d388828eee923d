#include "cpu/kernels.h"
#include "cpu/movement/repeat.h"
#include "cpu/simd/convert.h"

namespace tenure::cpu {
namespace {

/// Padding of a tensor. Trailing dimensions without padding are collapsed into one run of bytes.
struct Padding {
  Padding(const Tensor& in, const Tensor& out, const Dims& before_, const Dims& after_)
      : before(before_), after(after_), in_shape(in.shape()), rank(in.rank()) {
    while (rank > 1 && before[rank - 1] == 0 && after[rank - 1] == 0) --rank;
    block[rank - 1] = out.shape().elements(rank, out.rank()) * element_size(out.dtype());
    for (int i = rank - 1; i > 0; --i) block[i - 1] = block[i] * static_cast<std::size_t>(out.dim(i));
  }
  std::size_t pad_before(int i) const { return block[i] * static_cast<std::size_t>(before[i]); }
  std::size_t pad_after(int i) const { return block[i] * static_cast<std::size_t>(after[i]); }
  std::size_t inside(int i) const { return block[i] * static_cast<std::size_t>(in_shape[i]); }

  const Dims& before;
  const Dims& after;
  const Shape& in_shape;
  int rank;
  /// Bytes per index of each dimension of the output.
  std::size_t block[kMaxRank];
};

/// Writes dimension `i` and the inner ones at `out`: the input, then its borders. border(padding, dimension,
/// out) fills what is before and after the input.
template <class Border>
void write_padded(const Padding& p, int i, const std::uint8_t*& in, std::uint8_t* out, const Border& border) {
  std::uint8_t* inside = out + p.pad_before(i);
  if (i == p.rank - 1) {
    std::memcpy(inside, in, p.inside(i));
    in += p.inside(i);
  } else {
    for (std::int32_t k = 0; k < p.in_shape[i]; ++k) {
      write_padded(p, i + 1, in, inside + static_cast<std::size_t>(k) * p.block[i], border);
    }
  }
  border(p, i, out);
}

}  // namespace

void pad(const KernelArgs& args) {
  const auto attrs = args.attrs.as<PadAttrs>();
  const Padding padding(args.in[0], args.out, attrs.before, attrs.after);
  const auto* in = args.in[0].data<std::uint8_t>();
  const std::size_t size = element_size(args.out.dtype());
  AnyElement value = 0;
  store_as(args.out.dtype(), attrs.value, &value);
  auto* out = args.out.mutable_data<std::uint8_t>();
  // Between rows this short, filling many gaps takes longer than filling the whole output.
  constexpr std::size_t kShort = 512;
  if (padding.rank > 1 && padding.inside(padding.rank - 1) < kShort) {
    fill_elements(out, &value, size, args.out.elements());
    return write_padded(padding, 0, in, out, [](const Padding&, int, std::uint8_t*) {});
  }
  write_padded(padding, 0, in, out, [&](const Padding& p, int i, std::uint8_t* out) {
    fill_elements(out, &value, size, p.pad_before(i) / size);
    fill_elements(out + p.pad_before(i) + p.inside(i), &value, size, p.pad_after(i) / size);
  });
}

void mirror_pad(const KernelArgs& args) {
  const auto attrs = args.attrs.as<MirrorPadAttrs>();
  const Padding padding(args.in[0], args.out, attrs.before, attrs.after);
  const auto* in = args.in[0].data<std::uint8_t>();
  const std::size_t gap = attrs.symmetric ? 0 : 1;
  write_padded(padding, 0, in, args.out.mutable_data<std::uint8_t>(),
               [gap](const Padding& p, int i, std::uint8_t* out) {
                 const std::size_t block = p.block[i];
                 std::uint8_t* first = out + p.pad_before(i);
                 std::uint8_t* end = first + p.inside(i);
                 for (std::size_t k = 0; k < static_cast<std::size_t>(p.before[i]); ++k) {
                   std::memcpy(first - (k + 1) * block, first + (k + gap) * block, block);
                 }
                 for (std::size_t k = 0; k < static_cast<std::size_t>(p.after[i]); ++k) {
                   std::memcpy(end + k * block, end - (k + 1 + gap) * block, block);
                 }
               });
}

}  // namespace tenure::cpu
