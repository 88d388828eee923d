// Measures the errors of a backend's functions in units in the last place. Runs in Node and in pages.
import { ulp } from '../random/compare.mjs';
import { Random } from '../random/random.mjs';
import { binary, unary } from './functions.mjs';

// A prime stride, so that all exponents, signs and low bits of the significand occur.
const kStep = 40009;
const kPairs = 100_000;
/** A GPU may flush values below 2^-126 to 0, also in intermediate results. */
const kMinSize = 2 ** -120;
const kLargest = 3.4028234663852886e38;

/** Returns `{ name: { ulps, at } }`: the largest error of each function, and the arguments that cause it. */
export function measure(tf) {
  const xs = allFloats();
  const pairs = somePairs();
  const found = {};
  for (const [name, exact] of Object.entries(unary)) found[name] = worst(applied(tf, name, [xs]), exact, [xs]);
  for (const [name, exact] of Object.entries(binary)) found[name] = worst(applied(tf, name, pairs), exact, pairs);
  return found;
}

function applied(tf, name, columns) {
  return tf.tidy(() => tf[name](...columns.map((column) => tf.tensor1d(column))).dataSync());
}

/** Returns the largest error over the arguments whose result is a normal float. */
function worst(got, exact, columns) {
  const found = { ulps: 0, at: [] };
  for (let i = 0; i < got.length; i++) {
    const at = columns.map((column) => column[i]);
    const expected = exact(...at);
    const size = Math.abs(expected);
    if (!(size >= kMinSize && size <= kLargest) && expected !== 0) continue;
    const error = Math.abs(got[i] - expected);
    const ulps = error === 0 ? 0 : expected === 0 ? error / kMinSize : error / ulp(expected);
    if (!(ulps <= found.ulps)) Object.assign(found, { ulps: Number.isFinite(ulps) ? ulps : Infinity, at });
  }
  return found;
}

function allFloats() {
  const bits = new Uint32Array(2 ** 32 / kStep + 1).map((_, i) => i * kStep);
  return new Float32Array(bits.buffer).filter((x) => Math.abs(x) >= kMinSize && Number.isFinite(x));
}

/** Returns pairs of numbers of both signs from 2^-20 to 2^20. */
function somePairs() {
  const r = new Random(1, 0);
  const column = () => Float32Array.from({ length: kPairs }, () => (r.chance(0.5) ? -1 : 1) * 2 ** r.real(-20, 20));
  return [column(), column()];
}
