#include <unistd.h>

#include <cmath>

#include "cpu/convert.h"
#include "cpu/kernels.h"

namespace tenure::cpu {
namespace {

/// xoshiro128++ (D. Blackman, S. Vigna, prng.di.unimi.it), its state filled by their splitmix64.
class Generator {
 public:
  explicit Generator(std::uint64_t seed) {
    for (int i = 0; i < 4; i += 2) {
      seed += 0x9e3779b97f4a7c15U;
      std::uint64_t z = seed;
      z = (z ^ z >> 30) * 0xbf58476d1ce4e5b9U;
      z = (z ^ z >> 27) * 0x94d049bb133111ebU;
      z ^= z >> 31;
      state_[i] = static_cast<std::uint32_t>(z);
      state_[i + 1] = static_cast<std::uint32_t>(z >> 32);
    }
  }

  std::uint32_t next() {
    const std::uint32_t result = rotate(state_[0] + state_[3], 7) + state_[0];
    const std::uint32_t shifted = state_[1] << 9;
    state_[2] ^= state_[0];
    state_[3] ^= state_[1];
    state_[1] ^= state_[2];
    state_[0] ^= state_[3];
    state_[2] ^= shifted;
    state_[3] = rotate(state_[3], 11);
    return result;
  }

  /// In [0, 1).
  double uniform() { return next() * 0x1p-32; }

 private:
  static std::uint32_t rotate(std::uint32_t x, int by) { return x << by | x >> (32 - by); }
  std::uint32_t state_[4];
};

std::uint64_t entropy() {
  // std::random_device would bring the texts of all system errors.
  std::uint64_t bits = 0;
  check(getentropy(&bits, sizeof bits) == 0, "the system has no random numbers to give");
  return bits;
}

// The same seed gives the same values; 0 takes the next ones of a generator that no two processes share.
Generator generator_for(std::int32_t seed) {
  if (seed != 0) return Generator(static_cast<std::uint32_t>(seed));
  static Generator seeds(entropy());
  return Generator(std::uint64_t{seeds.next()} << 32 | seeds.next());
}

/// Standard normal deviates, two at a time, by G. Marsaglia's polar method.
class Normal {
 public:
  explicit Normal(std::int32_t seed) : generator_(generator_for(seed)) {}

  double next() {
    if (has_spare_) {
      has_spare_ = false;
      return spare_;
    }
    float x = 0;
    float y = 0;
    float s = 0;
    do {
      x = static_cast<float>(generator_.uniform() * 2 - 1);
      y = static_cast<float>(generator_.uniform() * 2 - 1);
      s = x * x + y * y;
    } while (s >= 1 || s == 0);
    const float scale = std::sqrt(-2 * std::log(s) / s);
    spare_ = y * scale;
    has_spare_ = true;
    return x * scale;
  }

 private:
  Generator generator_;
  float spare_ = 0;
  bool has_spare_ = false;
};

template <class Next>
void write_drawn(const KernelArgs& args, const RandomAttrs& attrs, Next next) {
  const double mean = attrs.a;
  const double deviation = attrs.b;
  if (attrs.dtype == DType::kFloat32) {
    auto* out = args.out.mutable_data<float>();
    for (std::size_t i = 0; i < args.out.elements(); ++i)
      out[i] = static_cast<float>(mean + deviation * next());
  } else {
    auto* out = args.out.mutable_data<std::int32_t>();
    for (std::size_t i = 0; i < args.out.elements(); ++i)
      out[i] = to_int32(std::round(mean + deviation * next()));
  }
}

}  // namespace

void random_uniform(const KernelArgs& args) {
  const auto attrs = args.attrs.as<RandomAttrs>();
  Generator generator = generator_for(attrs.seed);
  const double low = attrs.a;
  const double width = attrs.b - low;
  const std::size_t count = args.out.elements();
  if (attrs.dtype == DType::kFloat32) {
    auto* out = args.out.mutable_data<float>();
    // Rounding to float may reach the end that the interval excludes.
    const float last = std::nextafter(attrs.b, attrs.a);
    for (std::size_t i = 0; i < count; ++i) {
      const auto value = static_cast<float>(low + width * generator.uniform());
      out[i] = value == attrs.b ? last : value;
    }
  } else if (attrs.dtype == DType::kInt32) {
    auto* out = args.out.mutable_data<std::int32_t>();
    for (std::size_t i = 0; i < count; ++i) out[i] = to_int32(std::floor(low + width * generator.uniform()));
  } else {
    auto* out = args.out.mutable_data<std::uint8_t>();
    for (std::size_t i = 0; i < count; ++i) out[i] = std::floor(low + width * generator.uniform()) != 0;
  }
}

void random_normal(const KernelArgs& args) {
  const auto attrs = args.attrs.as<RandomAttrs>();
  Normal normal(attrs.seed);
  write_drawn(args, attrs, [&] { return normal.next(); });
}

void truncated_normal(const KernelArgs& args) {
  const auto attrs = args.attrs.as<RandomAttrs>();
  Normal normal(attrs.seed);
  write_drawn(args, attrs, [&] {
    double value = normal.next();
    while (std::abs(value) > 2) value = normal.next();
    return value;
  });
}

// b is a rate, as TensorFlow's beta is. G. Marsaglia, W. Tsang, A Simple Method for Generating Gamma
// Variables, 2000: for an alpha below 1, one of alpha + 1 times a uniform number to the 1 / alpha.
void random_gamma(const KernelArgs& args) {
  auto attrs = args.attrs.as<RandomAttrs>();
  Generator uniform = generator_for(attrs.seed);
  Normal normal(static_cast<std::int32_t>(uniform.next() | 1));
  const double alpha = attrs.a;
  const double d = (alpha < 1 ? alpha + 1 : alpha) - 1.0 / 3;
  const double c = 1 / std::sqrt(9 * d);
  const auto next = [&] {
    for (;;) {
      const double x = normal.next();
      const double root = 1 + c * x;
      const double v = root * root * root;
      if (root > 0 && std::log(1 - uniform.uniform()) < 0.5 * x * x + d * (1 - v + std::log(v)))
        return alpha < 1 ? d * v * std::pow(1 - uniform.uniform(), 1 / alpha) : d * v;
    }
  };
  attrs.a = 0;
  attrs.b = 1 / attrs.b;
  write_drawn(args, attrs, next);
}

}  // namespace tenure::cpu
