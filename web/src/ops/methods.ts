// Ops as methods of tensors: x.add(y) is add(x, y). kMethods lists them, and determines the methods' types.
import { cast } from './math/cast.js';
import { broadcastTo } from './movement/tile.js';
import { clone, expandDims, reshape, squeeze } from './movement/reshape.js';
import { transpose } from './movement/transpose.js';
import { fft, ifft, irfft, rfft } from './math/spectral.js';
import * as binary from './math/binary.js';
import * as unary from './math/unary.js';
import * as parametric from './math/parametric.js';
import { resizeBilinear, resizeNearestNeighbor } from './image/resize.js';
import { concat, stack } from './movement/concat.js';
import { split, unstack } from './movement/split.js';
import { conv1d, conv2d, conv2dTranspose, depthwiseConv2d, separableConv2d } from './nn/conv.js';
import { dot, matMul } from './math/matmul.js';
import { all, any, argMax, argMin, logSumExp, max, mean, min, prod, sum } from './math/reduce.js';
import { euclideanNorm, norm } from './math/norm.js';
import { avgPool, maxPool, pool } from './nn/pool.js';
import { batchNorm } from './nn/batch_norm.js';
import { logSoftmax, softmax } from './math/softmax.js';
import { gather, unsortedSegmentSum } from './movement/gather.js';
import { slice, stridedSlice } from './movement/slice.js';
import { mirrorPad, pad } from './movement/pad.js';
import { reverse } from './movement/reverse.js';
import { tile } from './movement/tile.js';
import { oneHot, onesLike, zerosLike } from './movement/create.js';
import { where } from './movement/where.js';
import { cumprod, cumsum } from './math/cumulative.js';
import { topk, unique } from './math/sort.js';
import { batchToSpaceND, depthToSpace, spaceToBatchND } from './movement/batch_to_space.js';
import { dilation2d, localResponseNormalization } from './nn/dilation_lrn.js';
import type * as functions from './method_modules.js';
import {
  Tensor,
  type Scalar,
  type Tensor1D,
  type Tensor2D,
  type Tensor3D,
  type Tensor4D,
  type Tensor5D,
} from '../tensor/tensor.js';
import { TensorBuffer } from '../tensor/buffer.js';
import { copyToBuffer, type GPUData } from '../tensor/gpu_data.js';
import type { ShapeMap, TensorLike } from '../runtime/types.js';
import { assert } from '../util/checks.js';

type Others<T extends Tensor> = T | TensorLike | (T | TensorLike)[];

/** Methods that are not functions of `tf`, or have other arguments. */
const kExtraMethods = {
  /** Casts the tensor to another dtype. */
  asType: cast,
  /** Casts the tensor to bool: true for values other than 0. */
  toBool: (x: Tensor) => cast(x, 'bool'),
  /** Casts the tensor to float32. */
  toFloat: (x: Tensor) => cast(x, 'float32'),
  /** Casts the tensor to int32 by truncation. */
  toInt: (x: Tensor) => cast(x, 'int32'),

  /** Returns the elements as a vector. */
  flatten: (x: Tensor): Tensor1D => reshape(x, [x.size]),
  /** Returns the elements in the shape of another tensor. Throws if the number of elements differs. */
  reshapeAs: (x: Tensor, other: Tensor) => reshape(x, other.shape),
  /** Returns the only element as a scalar. Throws if there are others. */
  asScalar(x: Tensor): Scalar {
    assert(x.size === 1, () => 'The array must have only 1 element.');
    return reshape(x, []);
  },
  /** Returns the elements as a vector. */
  as1D: (x: Tensor): Tensor1D => reshape(x, [x.size]),
  /** Returns the elements as a matrix of these extents. Throws if the number of elements differs. */
  as2D: (x: Tensor, ...shape: ShapeMap['R2']): Tensor2D => reshape(x, shape),
  /** Returns the elements in three dimensions of these extents. Throws if the number of elements differs. */
  as3D: (x: Tensor, ...shape: ShapeMap['R3']): Tensor3D => reshape(x, shape),
  /** Returns the elements in four dimensions of these extents. Throws if the number of elements differs. */
  as4D: (x: Tensor, ...shape: ShapeMap['R4']): Tensor4D => reshape(x, shape),
  /** Returns the elements in five dimensions of these extents. Throws if the number of elements differs. */
  as5D: (x: Tensor, ...shape: ShapeMap['R5']): Tensor5D => reshape(x, shape),

  /**
   * Copies the elements to a GPUBuffer of the backend 'webgpu', for the program's own commands. The result's `tensorRef` owns the
   * buffer. Throws an Error on other backends, and for strings and complex numbers.
   */
  dataToGPU: (x: Tensor): GPUData => copyToBuffer(x),

  /** Concatenates this tensor and others along an axis, the first by default. */
  concat: (x: Tensor, others: Others<Tensor>, axis?: number) => concat(listOf(x, others), axis),
  /** Stacks this tensor and others of its shape along a new axis, the first by default. */
  stack: (x: Tensor, others: Others<Tensor>, axis?: number) => stack(listOf(x, others), axis),
  /** Returns this tensor's elements where a condition is true, and those of another tensor elsewhere. */
  where: (x: Tensor, condition: Tensor | TensorLike, other: Tensor | TensorLike) => where(condition, x, other),
};

const kMethods = {
  ...unary,
  ...parametric,
  ...binary,
  all,
  any,
  argMax,
  argMin,
  avgPool,
  batchNorm,
  batchToSpaceND,
  broadcastTo,
  cast,
  clone,
  conv1d,
  conv2d,
  conv2dTranspose,
  cumprod,
  cumsum,
  depthToSpace,
  depthwiseConv2d,
  dilation2d,
  dot,
  euclideanNorm,
  expandDims,
  fft,
  gather,
  ifft,
  irfft,
  localResponseNormalization,
  logSoftmax,
  logSumExp,
  matMul,
  max,
  maxPool,
  mean,
  min,
  mirrorPad,
  norm,
  oneHot,
  onesLike,
  pad,
  pool,
  prod,
  resizeBilinear,
  resizeNearestNeighbor,
  reverse,
  rfft,
  separableConv2d,
  slice,
  softmax,
  spaceToBatchND,
  split,
  squeeze,
  stridedSlice,
  sum,
  tile,
  topk,
  transpose,
  unique,
  unsortedSegmentSum,
  unstack,
  zerosLike,
  ...kExtraMethods,
};

function bufferSync(x: Tensor): TensorBuffer {
  return new TensorBuffer(x.shape, x.dtype as 'float32', x.dataSync<'float32'>());
}
async function buffer(x: Tensor): Promise<TensorBuffer> {
  return new TensorBuffer(x.shape, x.dtype as 'float32', await x.data<'float32'>());
}

/** Returns a tensor and the other operands of its method, one or an array, as an array. */
function listOf(x: Tensor, others: Others<Tensor>): (Tensor | TensorLike)[] {
  return [x, ...(others instanceof Tensor || !Array.isArray(others) ? [others] : others)];
}

// One signature for all ranks of a method: TypeScript cannot call a union of generic signatures.
type Method<F> = F extends (x: never, ...rest: infer A) => infer R
  ? [R] extends [Tensor]
    ? <T extends R = R>(...args: A) => T
    : (...args: A) => R
  : never;

// Mapped from the modules rather than from kMethods, whose properties have no docstrings.
type MethodsOf<Functions, Names extends keyof Functions> = { [Name in Names]: Method<Functions[Name]> };
type Shared = Exclude<keyof typeof kMethods, keyof typeof kExtraMethods>;

/** Methods of tensors that run ops. */
export type Methods = MethodsOf<typeof functions, Shared> &
  MethodsOf<typeof kExtraMethods, keyof typeof kExtraMethods> & {
    /** Returns the elements in another shape, of which one extent may be -1. Throws if the number of elements differs. */
    reshape<T extends Tensor>(shape: number[]): T;
  };

/** Adds the methods to Tensor.prototype. */
export function installMethods(): void {
  for (const [name, op] of Object.entries<(...args: never[]) => unknown>({
    ...kMethods,
    reshape,
    bufferSync,
    buffer,
  })) {
    // The method is a function with its own name, for stack traces.
    const { [name]: method } = {
      [name](this: Tensor, ...args: unknown[]) {
        return op(...([this, ...args] as never[]));
      },
    };
    Object.defineProperty(Tensor.prototype, name, { value: method, writable: true, configurable: true });
  }
}
