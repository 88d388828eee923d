import { callWith } from './call.js';
import { Op, writeAxes, writeMirrorPad, writePad, writeTile } from '../generated/ops.js';
import { inputOf, type Given } from '../tensor/input.js';
import type { Tensor, Tensor1D, Tensor2D, Tensor3D, Tensor4D } from '../tensor/tensor.js';
import type { TensorLike } from '../tensor/types.js';
import { assert } from '../util/checks.js';
import { axesOf, integers } from './integers.js';

type Paddings = readonly (readonly [number, number])[];

/** `[before, after]` elements of a constant around each dimension. */
export function pad<T extends Tensor>(x: T | TensorLike, paddings: Paddings, constantValue = 0): T {
  return callWith(Op.pad, x, writePad, { ...sides(paddings), value: constantValue }) as T;
}

/** The border filled by mirroring: 'reflect' leaves out the outermost element, 'symmetric' repeats it. */
export function mirrorPad<T extends Tensor>(x: T | TensorLike, paddings: Paddings, mode: 'reflect' | 'symmetric'): T {
  assert(
    mode === 'reflect' || mode === 'symmetric',
    () => `Invalid mode. Mode must be either reflect or symmetric. Got ${mode as string}.`,
  );
  return callWith(Op.mirrorPad, x, writeMirrorPad, { ...sides(paddings), symmetric: mode === 'symmetric' }) as T;
}

function sides(paddings: Paddings): { before: readonly number[]; after: readonly number[] } {
  assert(
    paddings.every((pair) => pair.length === 2),
    () => 'Invalid number of paddings. Must be length of 2 each.',
  );
  return {
    before: integers(paddings.map((pair) => pair[0]), 'paddings'),
    after: integers(paddings.map((pair) => pair[1]), 'paddings'),
  };
}

/** pad() of a vector, its padding not in a list. */
export function pad1d(x: Tensor1D | TensorLike, paddings: [number, number], constantValue = 0): Tensor1D {
  return pad(x as Tensor1D, [paddings], constantValue);
}
function padOfRank<T extends Tensor>(rank: number) {
  return (x: T | TensorLike, paddings: [number, number][], constantValue = 0): T => {
    assert(
      paddings.length === rank,
      () => 'Invalid number of paddings. Must be length of 2 each.',
    );
    return pad<T>(x, paddings, constantValue);
  };
}
/** pad() of a matrix. */
export const pad2d = padOfRank<Tensor2D>(2);
/** pad() of rank 3. */
export const pad3d = padOfRank<Tensor3D>(3);
/** pad() of rank 4. */
export const pad4d = padOfRank<Tensor4D>(4);

/** The tensor repeated `reps[i]` times along dimension i. */
export function tile<T extends Tensor>(x: Given, reps: readonly number[]): T {
  const input = inputOf(x, 'x', 'tile', 'string_or_numeric');
  assert(
    input.rank === reps.length,
    () => `Error in transpose: rank of input ${input.rank} must match length of reps ${reps}.`,
  );
  return callWith(Op.tile, input, writeTile, { reps: integers(reps, 'reps') }) as T;
}

/** The elements in reverse order along the given axes; without any, along all. */
export function reverse<T extends Tensor>(x: T | TensorLike, axis?: number | number[]): T {
  return callWith(Op.reverse, x, writeAxes, { axes: axesOf(axis) }) as T;
}
function reverseOfRank<T extends Tensor>(rank: number) {
  return (x: T | TensorLike, axis?: number | number[]): T => {
    const input = inputOf(x, 'x', 'reverse');
    assert(
      input.rank === rank,
      () => `Error in reverse${rank}D: x must be rank ${rank} but got rank ${input.rank}.`,
    );
    return reverse(input as T, axis);
  };
}
/** reverse() of a vector. */
export const reverse1d = reverseOfRank<Tensor1D>(1);
/** reverse() of a matrix. */
export const reverse2d = reverseOfRank<Tensor2D>(2);
/** reverse() of rank 3. */
export const reverse3d = reverseOfRank<Tensor3D>(3);
/** reverse() of rank 4. */
export const reverse4d = reverseOfRank<Tensor4D>(4);
