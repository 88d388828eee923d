#include <unistd.h>

#include <cmath>
#include <limits>
#include <string>
#include <string_view>

#include "cpu/kernels.h"
#include "cpu/simd/convert.h"

namespace tenure::cpu {
namespace {

std::uint64_t entropy() {
  // std::random_device would link the messages of all system errors.
  std::uint64_t bits = 0;
  check(getentropy(&bits, sizeof bits) == 0, "the system provides no random numbers");
  return bits;
}

/// J. Baagøe's Mash, a hash of texts into fractions that depends on the texts hashed before.
class Mash {
 public:
  /// Returns the 32 bits of the fraction.
  std::uint32_t operator()(std::string_view text) {
    for (const char c : text) {
      hash_ += static_cast<unsigned char>(c);
      double product = 0.02519603282416938 * hash_;
      hash_ = std::floor(product);
      product = (product - hash_) * hash_;
      hash_ = std::floor(product);
      hash_ += (product - hash_) * 0x1p32;
    }
    return static_cast<std::uint32_t>(static_cast<std::uint64_t>(hash_));
  }

 private:
  double hash_ = 0xefc8249d;
};

/// J. Baagøe's Alea, a multiply-with-carry generator, which TensorFlow.js uses: a seed produces the same
/// values in both.
class Generator {
 public:
  /// Seeds the generator. Equal seeds produce equal values; seed 0 is replaced by one that no two processes
  /// share.
  explicit Generator(std::int64_t seed)
      : Generator(seed == 0 ? fresh_seed() : text(seed == kSeedOfZero ? 0 : seed)) {}

  std::uint32_t next() {
    const std::uint64_t product = std::uint64_t{2091639} * state_[0] + carry_;
    state_[0] = state_[1];
    state_[1] = state_[2];
    state_[2] = static_cast<std::uint32_t>(product);
    carry_ = static_cast<std::uint32_t>(product >> 32);
    return state_[2];
  }

  /// Returns a number in [0, 1).
  double uniform() { return next() * 0x1p-32; }

 private:
  explicit Generator(const std::string& seed) {
    Mash mash;
    for (std::uint32_t& word : state_) word = mash(" ");
    for (std::uint32_t& word : state_) word -= mash(seed);
  }

  static std::string fresh_seed() {
    static Generator seeds(text(entropy()));
    const std::uint64_t high = seeds.next();
    return text(high << 32 | seeds.next());
  }

  std::uint32_t state_[3];
  std::uint32_t carry_ = 1;
};

/// Standard normal deviates of magnitude `most` at most, generated in pairs by G. Marsaglia's polar method.
class Normal {
 public:
  explicit Normal(std::int64_t seed, double most = std::numeric_limits<double>::infinity())
      : generator_(seed), most_(most) {}

  double next() {
    if (has_spare_) {
      has_spare_ = false;
      return spare_;
    }
    for (;;) {
      const double x = generator_.uniform() * 2 - 1;
      const double y = generator_.uniform() * 2 - 1;
      const double s = x * x + y * y;
      if (s >= 1 || s == 0) continue;
      const double scale = std::sqrt(-2 * std::log(s) / s);
      if (std::abs(x * scale) > most_) continue;
      spare_ = y * scale;
      has_spare_ = std::abs(spare_) <= most_;
      return x * scale;
    }
  }

 private:
  Generator generator_;
  double most_;
  double spare_ = 0;
  bool has_spare_ = false;
};

template <class Next>
void write_samples(const KernelArgs& args, const RandomAttrs& attrs, Next next) {
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
  Generator generator(get_seed(attrs));
  const double low = attrs.a;
  const double width = attrs.b - low;
  const std::size_t count = args.out.elements();
  if (attrs.dtype == DType::kFloat32) {
    auto* out = args.out.mutable_data<float>();
    // Rounding to float may reach the upper bound, which the interval excludes.
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
  Normal normal(get_seed(attrs));
  write_samples(args, attrs, [&] { return normal.next(); });
}

void truncated_normal(const KernelArgs& args) {
  const auto attrs = args.attrs.as<RandomAttrs>();
  Normal normal(get_seed(attrs), 2);
  write_samples(args, attrs, [&] { return normal.next(); });
}

// Draws gamma variates; attrs.b is a rate, as TensorFlow's beta is. G. Marsaglia, W. Tsang, A Simple Method
// for Generating Gamma Variables, 2000: for alpha below 1, a variate of alpha + 1 times a uniform number to
// the power of 1 / alpha.
void random_gamma(const KernelArgs& args) {
  auto attrs = args.attrs.as<RandomAttrs>();
  Generator uniform(get_seed(attrs));
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
  write_samples(args, attrs, next);
}

}  // namespace tenure::cpu
