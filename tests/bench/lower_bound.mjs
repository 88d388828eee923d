// Estimates a lower bound on the time of a direct computation on this machine: a workload's multiply-adds in registers, and the
// copies of its input from JavaScript and of its output. The cost of new memory varies: `arrays` workloads reach 0.98 of the
// bound.
import { randomFloats, sizeOf } from './random.mjs';

export const kChains = 12;
export const kLanes = 4;

/** An engine that measures the bound. prepare() returns undefined for workloads without a count of multiply-adds. */
export function lowerBoundEngine() {
  const { run } = new WebAssembly.Instance(new WebAssembly.Module(chainsModule())).exports;
  return {
    prepare({ multiplyAdds, arrays, inputs, outputs }) {
      if (!multiplyAdds) return undefined;
      const loops = Math.ceil(multiplyAdds / (kChains * kLanes));
      const values = arrays ? randomFloats(sizeOf(inputs[0]), 1) : new Float32Array(0);
      const heap = new Float32Array(Math.max(values.length, outputs));
      let last;
      const copy = () => {
        heap.set(values);
        last = heap.slice(0, outputs);
      };
      const multiply = () => void run(loops);
      return {
        // Timed separately: between computations, new memory costs more than in a row.
        parts: arrays ? [multiply, copy] : [multiply],
        call: multiply,
        result: () => last ?? [],
        end: () => {},
      };
    },
  };
}

/** Returns a module whose run(n) makes n multiply-adds of kLanes lanes in each of kChains independent chains. */
export function chainsModule() {
  const kI32 = 0x7f;
  const kF32 = 0x7d;
  const kV128 = 0x7b;
  const vector = (...code) => [0xfd, ...code];
  const [splat, firstLane, add, relaxedMadd] = [vector(0x13), vector(0x1f, 0), vector(0xe4, 0x01), vector(0x85, 0x02)];
  const get = (local) => [0x20, local];
  const set = (local) => [0x21, local];
  // Locals: the number of loops, the factors, and then the sums.
  const [loops, x, y] = [0, 1, 2];
  const sums = Array.from({ length: kChains }, (_, i) => 3 + i);
  const one = [0x43, 0, 0, 0x80, 0x3f, ...splat];
  const code = [
    ...[1, 2 + kChains, kV128],
    ...one,
    ...set(x),
    ...one,
    ...set(y),
    ...[0x03, 0x40],
    ...sums.flatMap((sum) => [...get(x), ...get(y), ...get(sum), ...relaxedMadd, ...set(sum)]),
    ...get(loops),
    ...[0x41, 1, 0x6b, 0x22, loops, 0x0d, 0, 0x0b],
    ...sums.flatMap((sum, i) => [...get(sum), ...(i > 0 ? add : [])]),
    ...firstLane,
    0x0b,
  ];
  const number = (value) => (value < 0x80 ? [value] : [(value & 0x7f) | 0x80, value >> 7]);
  const section = (id, ...content) => [id, ...number(content.length), ...content];
  const name = [...'run'].map((letter) => letter.charCodeAt(0));
  return Uint8Array.from([
    ...[0, 0x61, 0x73, 0x6d, 1, 0, 0, 0],
    ...section(1, 1, 0x60, 1, kI32, 1, kF32),
    ...section(3, 1, 0),
    ...section(7, 1, name.length, ...name, 0, 0),
    ...section(10, 1, ...number(code.length), ...code),
  ]);
}
