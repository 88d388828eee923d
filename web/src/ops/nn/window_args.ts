// Arguments that convolutions and poolings share: strides, padding, and images without a batch dimension.
import { Padding, Rounding } from '../../generated/ops.js';
import { asTensor, toInput, type TensorOrLike, type Input } from '../../tensor/input.js';
import { runInInternalScope } from '../../owner/scope.js';
import type { Tensor } from '../../tensor/tensor.js';
import { assert } from '../../util/checks.js';
import { integer } from '../../util/integers.js';
import { transpose } from '../movement/transpose.js';
import { reshape } from '../movement/reshape.js';

export type Pad = 'valid' | 'same' | number | ExplicitPadding;
export type ExplicitPadding = [[number, number], [number, number], [number, number], [number, number]];
export type DataFormat = 'NHWC' | 'NCHW';
export type RoundingMode = 'floor' | 'round' | 'ceil';

interface PadAttrs {
  padding: Padding;
  padTop?: number;
  padBottom?: number;
  padLeft?: number;
  padRight?: number;
  rounding?: Rounding;
}

/** Dimensions of images. */
const kSides = [0, 1, 2, 3];
const kRoundings = { floor: Rounding.floor, round: Rounding.round, ceil: Rounding.ceil };

/** Returns padding and rounding as attributes. Throws if a rounding comes without numeric padding, or the padding is unknown. */
export function padAttrs(
  pad: Pad,
  rounding: RoundingMode | undefined | null,
  name: string,
  dataFormat: DataFormat = 'NHWC',
): PadAttrs {
  if (rounding !== undefined && rounding !== null) checkNumericPadding(pad, rounding, name);
  if (pad === 'valid') return { padding: Padding.valid };
  if (pad === 'same') return { padding: Padding.same };
  const given = typeof pad === 'number' ? kSides.map(() => [pad, pad]) : Array.isArray(pad) ? pad : [];
  const [rows, columns] = dataFormat === 'NCHW' ? given.slice(2) : given.slice(1);
  if (rows?.length !== 2 || columns?.length !== 2)
    throw new Error(`Unknown padding parameter: ${typeof pad === 'string' ? pad : JSON.stringify(pad)}`);
  return {
    padding: Padding.explicit,
    padTop: integer(rows[0]!, 'pad'),
    padBottom: integer(rows[1]!, 'pad'),
    padLeft: integer(columns[0]!, 'pad'),
    padRight: integer(columns[1]!, 'pad'),
    rounding: rounding ? kRoundings[rounding] : Rounding.floor,
  };
}

function checkNumericPadding(pad: Pad, rounding: RoundingMode, name: string): void {
  if (!(rounding in kRoundings)) throw new Error(`Unknown roundingMode ${rounding}`);
  const words = `Error in ${name}: pad must be an integer when using dimRoundingMode ${rounding} but got pad`;
  if (typeof pad === 'string') throw new Error(`${words} ${pad}.`);
  for (const one of [pad].flat(2)) assert(Number.isInteger(one), () => `${words} ${one}.`);
}

/** Converts an argument, one number or [height, width], to a pair. Throws unless they are integers. */
export function pair(given: number | readonly number[], argument: string): [number, number] {
  const [height, width] =
    typeof given === 'number' ? [given, given] : given.length === 1 ? [given[0], given[0]] : given;
  return [integer(height!, argument), integer(width!, argument)];
}

/** Returns strides and dilations, each one number or [height, width], as attributes. */
export function strideAndDilationAttrs(
  strides: number | readonly number[],
  dilations: number | readonly number[] | null = 1,
): { strideH: number; strideW: number; dilationH: number; dilationW: number } {
  const [strideH, strideW] = pair(strides, 'strides');
  const [dilationH, dilationW] = pair(dilations ?? 1, 'dilations');
  return { strideH, strideW, dilationH, dilationW };
}

/** Runs `body` on images with a batch dimension. It is added to a single image, of rank `rank`, and removed from its result. */
export function withBatchDim<T extends Tensor = Tensor>(
  x: TensorOrLike,
  name: string,
  body: (images: Input) => T,
  argument = 'x',
  rank = 3,
): T {
  const input = toInput(x, argument, name);
  if (input.rank !== rank) return body(input);
  return runInInternalScope(() => {
    const result = body(reshape(asTensor(input), [1, ...input.shape] as [number, number, number, number]));
    return reshape(result, result.shape.slice(1)) as T;
  });
}

/** Runs `body` on NHWC images with a batch dimension. NCHW images are transposed, and so is the result. */
export function withNhwcBatch<T extends Tensor = Tensor>(
  x: TensorOrLike,
  name: string,
  dataFormat: DataFormat,
  body: (images: Input) => T,
): T {
  checkDataFormat(dataFormat, ['NHWC', 'NCHW'], name);
  const floats = toInput(x, 'x', name.replace('fused ', ''), 'float32');
  if (dataFormat === 'NHWC') return withBatchDim(floats, name, body);
  return withBatchDim(floats, name, (images) => {
    if (images.rank !== 4) return body(images);
    return runInInternalScope(() => transpose(body(transpose(asTensor(images), [0, 2, 3, 1])), [0, 3, 1, 2]));
  });
}

/** Returns `outputShape` with a batch dimension, for the body of withBatchDim(). Throws if its rank is not that of `x`. */
export function toBatchedShape(x: Input, outputShape: readonly number[], name: string, rank = 3): number[] {
  assert(
    outputShape.length === x.rank,
    () =>
      `Error in ${name}: expected an outputShape of ${x.rank} sizes for x of shape [${x.shape}], but got [${outputShape}].`,
  );
  return x.rank === rank ? [1, ...outputShape] : [...outputShape];
}

/** Throws unless the order of dimensions is one of `expected`. */
export function checkDataFormat(dataFormat: string, expected: readonly string[], name: string): void {
  assert(
    expected.includes(dataFormat),
    () =>
      `Error in ${name}: got dataFormat of ${dataFormat} but only ${expected.join(' and ')} is currently supported.`,
  );
}
