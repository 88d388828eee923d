// float16 values: a Float16Array where the engine has it, else a Uint16Array of their bits, as in onnxruntime-common.

/** onnxruntime-common types both as Uint16Array. */
type Float16ArrayConstructor = new (values: ArrayLike<number>) => Uint16Array;

const words = new Uint32Array(1);
const floats = new Float32Array(words.buffer);

/** Returns the values of bits of float16, or of a Float16Array. */
export function halfToFloat(half: ArrayLike<number>): Float32Array {
  return half instanceof Uint16Array ? Float32Array.from(half, decode) : Float32Array.from(half);
}

/** Returns values rounded to the nearest float16, ties to even. */
export function floatToHalf(values: ArrayLike<number>): Uint16Array {
  const Float16Array = getFloat16Array();
  return Float16Array ? new Float16Array(values) : Uint16Array.from(values, encode);
}

function getFloat16Array(): Float16ArrayConstructor | undefined {
  return Reflect.get(globalThis, 'Float16Array') as Float16ArrayConstructor | undefined;
}

function decode(bits: number): number {
  const sign = bits & 0x8000 ? -1 : 1;
  const exponent = (bits >> 10) & 31;
  const fraction = bits & 1023;
  if (exponent === 31) return fraction === 0 ? sign * Infinity : NaN;
  return exponent === 0 ? sign * fraction * 2 ** -24 : sign * (1024 + fraction) * 2 ** (exponent - 25);
}

function encode(value: number): number {
  floats[0] = value;
  const word = words[0]!;
  const sign = (word >>> 16) & 0x8000;
  const magnitude = word & 0x7fffffff;
  if (magnitude > 0x7f800000) return sign | 0x7e00;
  // 65520 and more round to infinity.
  if (magnitude >= 0x477ff000) return sign | 0x7c00;
  if (magnitude < 0x38800000) {
    // A subnormal result: Math.abs(value) is exact in multiples of 2^-24 after scaling, and is rounded here.
    const scaled = Math.abs(floats[0]) * 2 ** 24;
    const below = Math.floor(scaled);
    const rest = scaled - below;
    return sign | (rest > 0.5 || (rest === 0.5 && below % 2 === 1) ? below + 1 : below);
  }
  const rounded = magnitude + 0xfff + ((magnitude >>> 13) & 1);
  return sign | ((rounded - 0x38000000) >>> 13);
}
