// Compares two outcomes of a call, within the rounding errors of its arithmetic.
const kEpsilon = 2 ** -24;
const kLargest = 3.4028234663852886e38;
const kMinSubnormal = 2 ** -149;
const kArrays = { float32: Float32Array, int32: Int32Array, bool: Uint8Array, string: Array };

/** Returns the distance from a float32 to the next. */
export function ulp(value) {
  const size = Math.abs(value);
  if (!Number.isFinite(size)) return Infinity;
  return Math.max(2 ** (Math.floor(Math.log2(size)) - 23), kMinSubnormal) || kMinSubnormal;
}

/**
 * Returns the difference between two outcomes as {kind, words, ...}, or undefined. `magnitude()` returns the outcome of the
 * same call with positive numbers, which bounds the cancellation in sums.
 */
export async function difference(ours, theirs, tolerance, magnitude) {
  if (ours.hurt && !theirs.hurt) return { kind: 'ownership', words: ours.hurt };
  if (ours.left !== 0) return { kind: 'ownership', words: `${ours.left} tensors left` };
  if (ours.error && theirs.error) return undefined;
  if (ours.error) return { kind: 'refused', words: `only Tenure throws: ${ours.error.message}` };
  if (theirs.error) return { kind: 'taken', words: `only TensorFlow.js throws: ${theirs.error.message}` };
  const pairs = [];
  const shapes = structure(ours.result, theirs.result, '', pairs);
  if (shapes) return shapes;
  let sizes;
  for (const [at, a, b, place] of pairs) {
    if (tolerance.random) continue;
    for (let i = 0; i < b.values.length; i++) {
      const [x, y] = b.dtype === 'string' ? [a.values[i], b.values[i]] : [Number(a.values[i]), Number(b.values[i])];
      if (isClose(x, y, tolerance)) continue;
      if (tolerance.sums || tolerance.squares) {
        sizes ??= flat((await magnitude()).result);
        if (!sizes[place] || withinSums(x, y, sizes[place].values[i], tolerance)) continue;
      }
      return { kind: 'value', x, y, dtype: b.dtype, words: `${at}element ${i} is ${x}, and ${y} of TensorFlow.js` };
    }
  }
  if (theirs.left !== 0) return { kind: 'left', words: `TensorFlow.js leaves ${theirs.left} tensors` };
  return undefined;
}

/** Compares everything except the tensors' numbers, and collects those. */
function structure(a, b, at, pairs) {
  if (isValues(a) && isValues(b)) {
    if (a.dtype !== b.dtype)
      return { kind: 'dtype', words: `${at}dtype is ${a.dtype}, and ${b.dtype} of TensorFlow.js` };
    if (String(a.shape) !== String(b.shape) || a.shape.length !== b.shape.length) {
      return { kind: 'shape', words: `${at}shape is [${a.shape}], and [${b.shape}] of TensorFlow.js` };
    }
    // TensorFlow.js returns some results of a cast in the array type of the former dtype.
    if (a.values.constructor !== kArrays[a.dtype] || a.values.length !== b.values.length) {
      return { kind: 'form', words: `${at}values are a ${a.values.constructor.name}[${a.values.length}]` };
    }
    pairs.push([at, a, b, pairs.length]);
    return undefined;
  }
  if (ArrayBuffer.isView(a) && ArrayBuffer.isView(b)) {
    const differ =
      a.constructor.name !== b.constructor.name || a.length !== b.length || a.some((one, i) => !Object.is(one, b[i]));
    return differ ? { kind: 'form', words: `${at}${describe(a)}, and ${describe(b)} of TensorFlow.js` } : undefined;
  }
  const isObject = (one) => typeof one === 'object' && one !== null;
  if (isObject(a) && isObject(b) && Array.isArray(a) === Array.isArray(b)) {
    const names = Object.keys(a);
    if (String(names) !== String(Object.keys(b)))
      return { kind: 'form', words: `${at}parts ${names}, and ${Object.keys(b)} of TensorFlow.js` };
    for (const name of names) {
      const found = structure(a[name], b[name], `${at}${name}: `, pairs);
      if (found) return found;
    }
    return undefined;
  }
  if (Object.is(a, b)) return undefined;
  return { kind: 'form', words: `${at}${describe(a)}, and ${describe(b)} of TensorFlow.js` };
}

function flat(result) {
  const pairs = [];
  structure(result, result, '', pairs);
  return pairs.map(([, one]) => one);
}

function isValues(one) {
  return typeof one === 'object' && one !== null && 'dtype' in one && 'values' in one;
}

function describe(value) {
  const words =
    typeof value === 'string'
      ? JSON.stringify(value)
      : ArrayBuffer.isView(value)
        ? `${value.constructor.name}[${value}]`
        : String(value);
  return words.length > 300 ? `${words.slice(0, 300)}...` : words;
}

function isClose(x, y, { ulps = 1, relative = 0, absolute = 0 }) {
  if (Object.is(x, y) || x === y) return true;
  if (Number.isNaN(x) || Number.isNaN(y)) return false;
  const bound = Math.max(ulps * ulp(y), relative * Math.abs(y), absolute);
  if (!Number.isFinite(x) || !Number.isFinite(y)) {
    // One of two close values may be just beyond the largest float32.
    return bound > 0 && Math.sign(x) === Math.sign(y) && Math.min(Math.abs(x), Math.abs(y)) > kLargest * 0.999999;
  }
  return Math.abs(x - y) <= bound;
}

function withinSums(x, y, size, { rounds = 24, squares = false, relative = 0 }) {
  // TensorFlow.js sums in float64, and stays finite where a float32 sum overflows on the way.
  if (size > kLargest / 64 && !Number.isNaN(size)) return true;
  if (Number.isNaN(x) || Number.isNaN(y) || !Number.isFinite(x)) return false;
  return Math.abs(x - y) <= Math.max(rounds * kEpsilon, squares ? 2e-5 : 0, relative) * Math.abs(size);
}
