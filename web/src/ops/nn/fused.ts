// tf.fused: ops with bias and activation in an epilogue.
import { call, kOmitted } from '../call.js';
import { Activation, kActivationNames, Op, writeActivate, writeConv, writeMatMul } from '../../generated/ops.js';
import { runInInternalScope } from '../../owner/scope.js';
import type { Input } from '../../tensor/input.js';
import { Tensor, type Tensor3D, type Tensor4D } from '../../tensor/tensor.js';
import type { TensorLike } from '../../runtime/types.js';
import { prelu } from '../math/binary.js';
import { cast } from '../math/cast.js';
import { transpose } from '../movement/transpose.js';
import {
  withNhwcBatch,
  padAttrs,
  strideAndDilationAttrs,
  type DataFormat,
  type Pad,
  type RoundingMode,
} from './window_args.js';

/** Name of an activation that a fused op applies to its result. */
type ActivationName = (typeof kActivationNames)[number] | 'prelu';
export type { ActivationName as Activation };

interface Epilogue {
  /** Bias, which broadcasts to the result: none by default. */
  bias?: Tensor | TensorLike;
  /** Activation of the result: none by default. */
  activation?: ActivationName | null;
  /** Slopes below 0 of the activation 'prelu'. */
  preluActivationWeights?: Tensor;
  /** Slope below 0 of the activation 'leakyrelu': 0.2 by default. */
  leakyreluAlpha?: number;
}

/** Arguments of fused.matMul(). */
export interface FusedMatMul<T extends Tensor> extends Epilogue {
  /** Matrices, [..., rows, inner]. */
  a: T | TensorLike;
  /** Matrices, [..., inner, columns]. */
  b: T | TensorLike;
  /** True if `a` is [..., inner, rows]. */
  transposeA?: boolean;
  /** True if `b` is [..., columns, inner]. */
  transposeB?: boolean;
}

/** Arguments of fused.conv2d() and fused.depthwiseConv2d(). */
export interface FusedConv<T extends Tensor3D | Tensor4D> extends Epilogue {
  /** Images, [batch, height, width, in], or one without the batch dimension. */
  x: T | TensorLike;
  /** Filter, [filterHeight, filterWidth, in, out], or for depthwiseConv2d() [filterHeight, filterWidth, in, multiplier]. */
  filter: Tensor4D | TensorLike;
  /** Strides in pixels, [height, width] or one for both. */
  strides: [number, number] | number;
  /** 'valid', 'same', or padding in pixels: one for all sides, or `[before, after]` for each dimension. */
  pad: Pad;
  /** Order of the dimensions of `x`: 'NHWC' by default. */
  dataFormat?: 'NHWC' | 'NCHW';
  /** Dilations of the filter in pixels, [height, width] or one for both: 1 by default. */
  dilations?: [number, number] | number;
  /** Rounding of the output's size, for padding in pixels: 'floor' by default. */
  dimRoundingMode?: RoundingMode;
}

/**
 * Computes activation(a x b + bias), where a x b is the matrix product over the last two dimensions.
 * @example
 * const a = tf.tensor2d([[1, 2]]);
 * const b = tf.tensor2d([[3], [4]]);
 * tf.fused.matMul({ a, b, bias: tf.tensor1d([1]), activation: 'relu' }); // [[12]]
 */
export function matMul<T extends Tensor>(options: FusedMatMul<T>): T {
  const { a, b, transposeA = false, transposeB = false } = options;
  const attrs = { transposeA, transposeB, ...activationAttrs(options) };
  return withPrelu(options, () => withBias(options, (bias) => call(Op.matMul, [a, b, bias], writeMatMul, attrs)));
}

/**
 * Computes activation(conv2d(x, filter) + bias).
 * @example
 * const [x, filter] = [tf.ones([2, 2, 1]), tf.ones([2, 2, 1, 1])];
 * tf.fused.conv2d({ x, filter, strides: 1, pad: 'valid', bias: tf.tensor1d([1]), activation: 'relu' }); // [[[5]]]
 */
export function conv2d<T extends Tensor3D | Tensor4D>(options: FusedConv<T>): T {
  return convolve(Op.conv2d, 'conv2d', options);
}

/**
 * Computes activation(depthwiseConv2d(x, filter) + bias).
 * @example
 * const [x, filter] = [tf.ones([2, 2, 1]), tf.ones([2, 2, 1, 1])];
 * tf.fused.depthwiseConv2d({ x, filter, strides: 1, pad: 'valid', bias: tf.tensor1d([1]) }); // [[[5]]]
 */
export function depthwiseConv2d<T extends Tensor3D | Tensor4D>(options: FusedConv<T>): T {
  return convolve(Op.depthwiseConv2d, 'depthwiseConv2d', options);
}

function convolve<T extends Tensor3D | Tensor4D>(op: Op, name: string, options: FusedConv<T>): T {
  const { x, filter, strides, pad, dataFormat = 'NHWC', dilations = 1, dimRoundingMode } = options;
  const attrs = {
    ...strideAndDilationAttrs(strides, dilations),
    ...padAttrs(pad, dimRoundingMode, `fused ${name}`, dataFormat),
    ...activationAttrs(options),
  };
  // The epilogue of the kernels takes a bias for each channel only; any other is added afterwards.
  const once = (images: Input): T =>
    withBias(options, (bias) => {
      if (!(bias instanceof Tensor && bias.rank > 1)) return call(op, [images, filter, bias], writeConv, attrs);
      return runInInternalScope(() => {
        const linear = call(op, [images, filter, kOmitted], writeConv, { ...attrs, activation: Activation.linear });
        const last = dataFormat === 'NCHW' && bias.rank >= 3 ? channelsLast(bias) : bias;
        return call(Op.addAndActivate, [linear, last], writeActivate, activationAttrs(options));
      });
    });
  return withNhwcBatch(x, `fused ${name}`, dataFormat, (images) => withPrelu(options, () => once(images), dataFormat));
}

function activationAttrs({ activation, leakyreluAlpha }: Epilogue): { activation: Activation; alpha: number } {
  // TensorFlow.js's layers pass null for no activation.
  const row = kActivationNames.indexOf(activation === 'prelu' ? 'linear' : (activation ?? 'linear'));
  if (row === -1) throw new Error(`Unknown fused activation ${activation}.`);
  const code: Activation = row;
  return { activation: code, alpha: code === Activation.leakyRelu ? (leakyreluAlpha ?? 0.2) : 1 };
}

/** Runs `body` with the bias cast to float32, as ops do with integers beside floats. */
function withBias<T extends Tensor>({ bias }: Epilogue, body: (bias: Tensor | TensorLike | typeof kOmitted) => T): T {
  if (bias === undefined || bias === null) return body(kOmitted);
  if (bias instanceof Tensor ? bias.dtype === 'float32' : bias instanceof Float32Array) return body(bias);
  return runInInternalScope(() => body(cast(bias, 'float32')));
}

/** Applies a 'prelu' activation to the result of `run`: its slopes are a tensor, which no kernel's epilogue takes. */
function withPrelu<T extends Tensor>(
  { activation, preluActivationWeights: weights }: Epilogue,
  run: () => T,
  dataFormat: DataFormat = 'NHWC',
): T {
  if (activation !== 'prelu') return run();
  return runInInternalScope(() =>
    prelu(run(), dataFormat === 'NCHW' && weights!.rank >= 3 ? channelsLast(weights!) : weights!),
  );
}

function channelsLast(x: Tensor): Tensor {
  return transpose(x, x.rank === 3 ? [1, 2, 0] : [0, 2, 3, 1]);
}
