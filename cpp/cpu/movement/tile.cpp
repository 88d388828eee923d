#include "cpu/kernels.h"
#include "cpu/movement/repeat.h"

namespace tenure::cpu {
namespace {

/// Writes tiles recursively: each dimension repeats what the inner ones wrote.
class Tiler {
 public:
  Tiler(const Shape& shape, const Dims& reps, std::size_t element)
      : shape_(shape), reps_(reps), last_(shape.size()) {
    while (last_ > 0 && reps[last_ - 1] == 1) --last_;
    run_ = shape.elements(last_, shape.size()) * element;
  }

  std::uint8_t* write(int dimension, const std::uint8_t*& in, std::uint8_t* out) const {
    if (dimension == last_) {
      std::memcpy(out, in, run_);
      in += run_;
      return out + run_;
    }
    std::uint8_t* end = out;
    if (dimension + 2 == last_ && run_ == sizeof(float) && shape_[last_ - 1] == 1) {
      end = repeat_words(in, shape_[dimension], reps_[last_ - 1], end);
    } else if (dimension + 1 == last_) {
      const std::size_t row = run_ * static_cast<std::size_t>(shape_[dimension]);
      std::memcpy(out, in, row);
      in += row;
      end += row;
    } else {
      for (std::int32_t i = 0; i < shape_[dimension]; ++i) end = write(dimension + 1, in, end);
    }
    const auto count = static_cast<std::size_t>(reps_[dimension]);
    const auto bytes = static_cast<std::size_t>(end - out);
    repeat_block(out, bytes, count);
    return out + bytes * count;
  }

 private:
  /// Writes each of `words` contiguous words `count` times, as when one channel becomes several.
  static std::uint8_t* repeat_words(const std::uint8_t*& in, std::int32_t words, std::int32_t count,
                                    std::uint8_t* out) {
    for (std::int32_t i = 0; i < words; ++i, in += sizeof(float)) {
      float word;
      std::memcpy(&word, in, sizeof word);
      for (std::int32_t k = 0; k < count; ++k, out += sizeof word) std::memcpy(out, &word, sizeof word);
    }
    return out;
  }

  const Shape& shape_;
  const Dims& reps_;
  int last_;
  std::size_t run_;
};

}  // namespace

void tile(const KernelArgs& args) {
  const auto attrs = args.attrs.as<TileAttrs>();
  const Tensor& x = args.in[0];
  const auto* in = x.data<std::uint8_t>();
  Tiler(x.shape(), attrs.reps, element_size(x.dtype())).write(0, in, args.out.mutable_data<std::uint8_t>());
}

}  // namespace tenure::cpu
