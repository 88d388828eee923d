// Conversion between float32 and float16.

/** Returns the bits of the nearest half of each value, ties to even, as onnxruntime's converter rounds. */
export function toHalves(values) {
  const words = new Uint32Array(Float32Array.from(values).buffer);
  return Uint16Array.from(words, (word) => {
    const sign = (word >>> 16) & 0x8000;
    const magnitude = word & 0x7fffffff;
    if (magnitude > 0x7f800000) return sign | 0x7e00;
    if (magnitude >= 0x477ff000) return sign | 0x7c00;
    // Below the smallest normal half, the unit is 2^-24.
    if (magnitude < 0x38800000) {
      const scaled = Math.abs(new Float32Array(Uint32Array.of(word).buffer)[0]) * 2 ** 24;
      const low = Math.floor(scaled);
      const rest = scaled - low;
      return sign | (rest > 0.5 || (rest === 0.5 && low % 2 === 1) ? low + 1 : low);
    }
    return sign | ((magnitude - 0x38000000 + 0xfff + ((magnitude >>> 13) & 1)) >>> 13);
  });
}

/** Returns the values of halves. */
export function fromHalves(halves) {
  return Float32Array.from(halves, (half) => {
    const sign = half & 0x8000 ? -1 : 1;
    const exponent = (half >>> 10) & 31;
    const fraction = half & 0x3ff;
    if (exponent === 31) return fraction ? NaN : sign * Infinity;
    return exponent === 0 ? sign * fraction * 2 ** -24 : sign * (1 + fraction / 1024) * 2 ** (exponent - 15);
  });
}
