#include <algorithm>
#include <bit>
#include <cmath>
#include <numbers>
#include <utility>

#include "cpu/kernels.h"
#include "cpu/threads/scratch.h"

namespace tenure::cpu {
namespace {

/// Complex number in double, so that results have full float32 precision.
struct Complex {
  double re;
  double im;
};

Complex operator+(Complex a, Complex b) { return {a.re + b.re, a.im + b.im}; }
Complex operator-(Complex a, Complex b) { return {a.re - b.re, a.im - b.im}; }
Complex operator*(Complex a, Complex b) { return {a.re * b.re - a.im * b.im, a.re * b.im + a.im * b.re}; }
Complex conjugate(Complex z) { return {z.re, -z.im}; }

/// Returns exp(-2 pi i k / n).
Complex root_of_unity(std::size_t k, std::size_t n) {
  const double angle = -2 * std::numbers::pi * static_cast<double>(k) / static_cast<double>(n);
  return {std::cos(angle), std::sin(angle)};
}

/// In-place FFT of a power-of-two size (Cooley and Tukey).
class Radix2 {
 public:
  explicit Radix2(std::size_t size) : size_(size), roots_(size / 2 + 1) {
    for (std::size_t k = 0; k < size / 2; ++k) roots_[k] = root_of_unity(k, size);
  }

  void run(Complex* x) {
    for (std::size_t i = 1, j = 0; i < size_; ++i) {
      std::size_t bit = size_ / 2;
      for (; j & bit; bit /= 2) j ^= bit;
      j ^= bit;
      if (i < j) std::swap(x[i], x[j]);
    }
    for (std::size_t half = 1; half < size_; half *= 2) {
      const std::size_t step = size_ / 2 / half;
      for (std::size_t first = 0; first < size_; first += 2 * half) {
        for (std::size_t k = 0; k < half; ++k) {
          Complex& low = x[first + k];
          Complex& high = x[first + half + k];
          const Complex turned = roots_[k * step] * high;
          high = low - turned;
          low = low + turned;
        }
      }
    }
  }

 private:
  std::size_t size_;
  Scratch<Complex> roots_;
};

/// In-place FFT of any size; padded_size() values are needed, of which those past the size are scratch. A
/// size that is not a power of two becomes a convolution of a size that is (Bluestein).
class Fft {
 public:
  explicit Fft(std::size_t size)
      : size_(size),
        padded_size_(std::has_single_bit(size) ? size : std::bit_ceil(2 * size - 1)),
        radix2_(padded_size_),
        chirp_(uses_bluestein() ? size : 0),
        kernel_(uses_bluestein() ? padded_size_ : 0) {
    if (!uses_bluestein()) return;
    std::fill_n(kernel_.data(), padded_size_, Complex{0, 0});
    for (std::size_t k = 0; k < size; ++k) {
      // The square is reduced first, so that the angle keeps its precision.
      const std::uint64_t square = std::uint64_t{k} * k % (2 * std::uint64_t{size});
      chirp_[k] = root_of_unity(static_cast<std::size_t>(square), 2 * size);
      kernel_[k] = conjugate(chirp_[k]);
      if (k > 0) kernel_[padded_size_ - k] = kernel_[k];
    }
    radix2_.run(kernel_.data());
  }

  std::size_t padded_size() const { return padded_size_; }

  void run(Complex* x) {
    if (!uses_bluestein()) return radix2_.run(x);
    for (std::size_t k = 0; k < size_; ++k) x[k] = x[k] * chirp_[k];
    std::fill(x + size_, x + padded_size_, Complex{0, 0});
    radix2_.run(x);
    // With conjugation before and after, the transform is the inverse one but for a factor.
    for (std::size_t k = 0; k < padded_size_; ++k) x[k] = conjugate(x[k] * kernel_[k]);
    radix2_.run(x);
    const double scale = 1 / static_cast<double>(padded_size_);
    for (std::size_t k = 0; k < size_; ++k) {
      x[k] = conjugate(x[k]) * chirp_[k] * Complex{scale, 0};
    }
  }

 private:
  bool uses_bluestein() const { return padded_size_ != size_; }

  std::size_t size_;
  std::size_t padded_size_;
  Radix2 radix2_;
  Scratch<Complex> chirp_;
  Scratch<Complex> kernel_;
};

void fft_rows(const KernelArgs& args, bool inverse) {
  const auto size = static_cast<std::size_t>(args.out.shape().back());
  Fft transform(size);
  Scratch<Complex> row(transform.padded_size());
  const double scale = inverse ? 1 / static_cast<double>(size) : 1;
  const double sign = inverse ? -1 : 1;
  const auto* in = args.in[0].data<float>();
  auto* out = args.out.mutable_data<float>();
  for (std::size_t rows = args.out.elements() / size; rows > 0; --rows, in += 2 * size, out += 2 * size) {
    for (std::size_t k = 0; k < size; ++k) row[k] = {in[2 * k], sign * in[2 * k + 1]};
    transform.run(row.data());
    for (std::size_t k = 0; k < size; ++k) {
      out[2 * k] = static_cast<float>(row[k].re * scale);
      out[2 * k + 1] = static_cast<float>(row[k].im * scale * sign);
    }
  }
}

}  // namespace

void fft(const KernelArgs& args) { fft_rows(args, false); }
void ifft(const KernelArgs& args) { fft_rows(args, true); }

}  // namespace tenure::cpu
