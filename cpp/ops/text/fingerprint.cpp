#include "ops/text/fingerprint.h"

#include <bit>
#include <cstring>
#include <utility>

namespace tenure {
namespace {

using U64 = std::uint64_t;

constexpr U64 k0 = 0xc3a5c85c97cb3127;
constexpr U64 k1 = 0xb492b66fbe98f273;
constexpr U64 k2 = 0x9ae16a3b2f90404f;

struct Pair {
  U64 first = 0;
  U64 second = 0;
};

// All targets are little endian.
static_assert(std::endian::native == std::endian::little);
template <class T>
U64 fetch(const char* at) {
  T value;
  std::memcpy(&value, at, sizeof value);
  return value;
}
U64 fetch64(const char* at) { return fetch<U64>(at); }
U64 fetch32(const char* at) { return fetch<std::uint32_t>(at); }

U64 shift_mix(U64 x) { return x ^ (x >> 47); }

U64 mix(U64 u, U64 v, U64 mul) { return shift_mix((v ^ shift_mix((u ^ v) * mul)) * mul) * mul; }

U64 hash_0_to_16(const char* s, U64 size) {
  if (size >= 8) {
    const U64 mul = k2 + size * 2;
    const U64 a = fetch64(s) + k2;
    const U64 b = fetch64(s + size - 8);
    return mix(std::rotr(b, 37) * mul + a, (std::rotr(a, 25) + b) * mul, mul);
  }
  if (size >= 4) return mix(size + (fetch32(s) << 3), fetch32(s + size - 4), k2 + size * 2);
  if (size == 0) return k2;
  const auto byte = [&](U64 i) { return U64{static_cast<std::uint8_t>(s[i])}; };
  const U64 y = byte(0) + (byte(size / 2) << 8);
  const U64 z = size + (byte(size - 1) << 2);
  return shift_mix((y * k2) ^ (z * k0)) * k2;
}

U64 hash_17_to_32(const char* s, U64 size) {
  const U64 mul = k2 + size * 2;
  const U64 a = fetch64(s) * k1;
  const U64 b = fetch64(s + 8);
  const U64 c = fetch64(s + size - 8) * mul;
  const U64 d = fetch64(s + size - 16) * k2;
  return mix(std::rotr(a + b, 43) + std::rotr(c, 30) + d, a + std::rotr(b + k2, 18) + c, mul);
}

U64 hash_33_to_64(const char* s, U64 size) {
  const U64 mul = k2 + size * 2;
  const U64 a = fetch64(s) * k2;
  const U64 b = fetch64(s + 8);
  const U64 c = fetch64(s + size - 8) * mul;
  const U64 d = fetch64(s + size - 16) * k2;
  const U64 y = std::rotr(a + b, 43) + std::rotr(c, 30) + d;
  const U64 z = mix(y, a + std::rotr(b + k2, 18) + c, mul);
  const U64 e = fetch64(s + 16) * mul;
  const U64 f = fetch64(s + 24);
  const U64 g = (y + fetch64(s + size - 32)) * mul;
  const U64 h = (z + fetch64(s + size - 24)) * mul;
  return mix(std::rotr(e + f, 43) + std::rotr(g, 30) + h, e + std::rotr(f + a, 18) + g, mul);
}

Pair weak_hash_32(const char* s, U64 a, U64 b) {
  const U64 z = fetch64(s + 24);
  a += fetch64(s);
  b = std::rotr(b + a + z, 21);
  const U64 c = a;
  a += fetch64(s + 8);
  a += fetch64(s + 16);
  b += std::rotr(a, 44);
  return {a + z, b + c};
}

/// Hash state of an input longer than 64 bytes, which is read 64 bytes at a time.
struct HashState {
  U64 x;
  U64 y;
  U64 z;
  Pair v;
  Pair w;

  // The last round uses other factors.
  void update(const char* s, U64 mul, U64 by) {
    x = std::rotr(x + y + v.first + fetch64(s + 8), 37) * mul;
    y = std::rotr(y + v.second + fetch64(s + 48), 42) * mul;
    x ^= w.second * by;
    y += v.first * by + fetch64(s + 40);
    z = std::rotr(z + w.first, 33) * mul;
    v = weak_hash_32(s, v.second * mul, x + w.first);
    w = weak_hash_32(s + 32, z + w.second, y + fetch64(s + 16));
    std::swap(z, x);
  }
};

}  // namespace

std::uint64_t fingerprint64(std::string_view bytes) {
  const char* s = bytes.data();
  const U64 size = bytes.size();
  if (size <= 16) return hash_0_to_16(s, size);
  if (size <= 32) return hash_17_to_32(s, size);
  if (size <= 64) return hash_33_to_64(s, size);
  constexpr U64 kSeed = 81;
  constexpr U64 kY = kSeed * k1 + 113;
  HashState state{kSeed * k2 + fetch64(s), kY, shift_mix(kY * k2 + 113) * k2, {}, {}};
  const char* const last = s + size - 64;
  for (U64 left = size; left > 64; left -= 64, s += 64) state.update(s, k1, 1);
  const U64 mul = k1 + ((state.z & 0xff) << 1);
  state.w.first += (size - 1) & 63;
  state.v.first += state.w.first;
  state.w.first += state.v.first;
  state.update(last, mul, 9);
  const auto& [x, y, z, v, w] = state;
  return mix(mix(v.first, w.first, mul) + shift_mix(y) * k0 + z, mix(v.second, w.second, mul) + x, mul);
}

}  // namespace tenure
