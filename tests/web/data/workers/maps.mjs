// Functions that the tests' workers apply to elements.
import { setTimeout as wait } from 'node:timers/promises';

export default (x) => x * 2;

export function scaled({ x, n }) {
  return { x: x.map((value) => value * n), n: n + 1, bytes: x.byteLength };
}

/** Takes a tensor in its serialized form. */
export const doubled = ({ dtype, shape, values }) => ({
  y: { dtype, shape, values: values.map((value) => 2 * value) },
});

export function failsAt3(x) {
  if (x === 3) throw new RangeError('three is too many');
  return x;
}

export async function ends(x) {
  await wait(5);
  if (x === 2) process.exit(7);
  return x;
}

export const stays = () => new Promise(() => {});
export const gives = () => () => 1;
export const part = () => new Float32Array(1000).subarray(10, 12);
/** Returns bytes 4 to 7 of eight, in every kind of view. */
export function parts() {
  const bytes = () => Uint8Array.of(0, 1, 2, 3, 4, 5, 6, 7).buffer;
  return {
    data: new DataView(bytes(), 4, 4),
    floats: new Uint16Array(bytes(), 4, 2),
    clamped: new Uint8ClampedArray(bytes(), 4, 4),
    big: new BigInt64Array(Float64Array.of(0, 0, 0).buffer, 8, 1),
    whole: new DataView(bytes()),
    empty: new DataView(bytes(), 4, 0),
    ...(typeof Buffer === 'undefined' ? {} : { buffer: Buffer.from(bytes(), 4, 4) }),
  };
}

/** Returns a sum that takes a constant few milliseconds of CPU time. */
export function sums(x) {
  let sum = x;
  for (let i = 0; i < 8e6; i++) sum += Math.sqrt(i);
  return sum;
}
