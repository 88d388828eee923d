// Samples for fit(), evaluate() and trainOnBatch(), in the order of a model's inputs and outputs.
import { cast } from '../ops/math/cast.js';
import { runInInternalScope } from '../owner/scope.js';
import { expandDims } from '../ops/movement/reshape.js';
import { describeType } from '../tensor/input.js';
import { isTensor, Tensor, type NamedTensorMap } from '../tensor/tensor.js';
import { assert } from '../util/checks.js';

/** Samples of a model's inputs or outputs: one tensor, an array in their order, or tensors by name. */
export type Samples = Tensor | Tensor[] | NamedTensorMap;

/** Name and shape of a model's input or output. */
export interface TensorSpec {
  readonly name: string;
  readonly shape: readonly (number | null)[];
}

/** Returns the names and shapes of a model's inputs or outputs. */
export function toTensorSpecs(
  names: readonly string[],
  ends: readonly { shape: readonly (number | null)[] }[],
): TensorSpec[] {
  return names.map((name, i) => ({ name, shape: ends[i]!.shape }));
}

/** Throws unless a batch size is a positive integer. */
export function checkBatchSize(batchSize: number): void {
  assert(
    batchSize > 0 && Number.isInteger(batchSize),
    () => `batchSize is required to be a positive integer, but got ${batchSize}`,
  );
}

/** Throws, with TensorFlow.js's message, if the last batch of a stateful model would be smaller than the others. */
export function checkWholeBatches(
  { stateful }: { readonly stateful: boolean },
  count: number,
  batchSize: number,
): void {
  assert(
    !stateful || count % batchSize === 0,
    () =>
      'In a stateful network, you should only pass inputs with a number of samples that is divisible by the batch size ' +
      `${batchSize}. Found: ${count} sample(s).`,
  );
}

/**
 * Returns one tensor for each input or output. Vectors are reshaped to columns; these new tensors are appended to `made`.
 * Throws, with TensorFlow.js's messages, if the number of tensors or a shape does not match. The batch size may be any.
 */
export function standardizeInputs(
  data: Samples,
  specs: readonly TensorSpec[],
  what: 'input' | 'target',
  made: Tensor[],
): Tensor[] {
  const given = orderTensors(data, specs, what);
  return given.map((x, i) => {
    if (!isTensor(x))
      throw new Error(`Error when checking ${what}: expected ${specs[i]!.name} to be a Tensor, got ${describeType(x)}`);
    x.throwIfDisposed();
    let tensor = x;
    if (x.rank === 1) made.push((tensor = expandDims(x, 1)));
    checkShape(tensor, specs[i]!, what);
    return tensor;
  });
}

function orderTensors(data: Samples, specs: readonly TensorSpec[], what: string): Tensor[] {
  if (data instanceof Tensor) {
    if (specs.length > 1) {
      throw new Error(
        `The model ${what} expects ${specs.length} Tensor(s), but only received one Tensor. ` +
          `Found: Tensor with shape ${data.shape.join()}`,
      );
    }
    return [data];
  }
  if (Array.isArray(data)) {
    if (data.length !== specs.length) {
      throw new Error(
        `Error when checking model ${what}: the Array of Tensors that you are passing to your model is not the size the ` +
          `model expected. Expected to see ${specs.length} Tensor(s), but instead got the following list of Tensor(s): ` +
          data.map((x) => `[${String((x as Tensor | undefined)?.shape)}]`).join(),
      );
    }
    return data;
  }
  const names = specs.map(({ name }) => name);
  return names.map((name) => {
    const x = data?.[name];
    if (!x) throw new Error(`No data provided for "${name}". Need data for each key in: ${names.join()}`);
    return x;
  });
}

function checkShape({ shape }: Tensor, { name, shape: wanted }: TensorSpec, what: string): void {
  if (shape.length !== wanted.length) {
    throw new Error(
      `Error when checking ${what}: expected ${name} to have ${wanted.length} dimension(s). but got array with shape ${shape.join()}`,
    );
  }
  for (let i = 1; i < shape.length; i++) {
    if (wanted[i] === null || wanted[i] === shape[i]) continue;
    const each = wanted.slice(1).join();
    throw new Error(
      `${what} expected a batch of elements where each example has shape [${each}] (i.e.,tensor shape [*,${each}]) ` +
        `but the ${what} received an input with ${shape[0]} examples, each with shape [${shape.slice(1).join()}] ` +
        `(tensor shape [${shape.join()}])`,
    );
  }
}

/** Returns the number of samples. Throws unless all tensors have the same. */
export function countSamples(inputs: readonly Tensor[], targets: readonly Tensor[]): number {
  const shapes = (tensors: readonly Tensor[]) => JSON.stringify(tensors.map(({ shape }) => shape));
  const counts = (tensors: readonly Tensor[]) => new Set(tensors.map(({ shape }) => shape[0]));
  const [ofInputs, ofTargets] = [counts(inputs), counts(targets)];
  if (ofInputs.size > 1) {
    throw new Error(
      `All input Tensors (x) should have the same number of samples. Got array shapes: ${shapes(inputs)}`,
    );
  }
  if (ofTargets.size > 1) {
    throw new Error(
      `All target Tensors (y) should have the same number of samples. Got array shapes: ${shapes(targets)}`,
    );
  }
  const [count] = ofInputs;
  const [targetCount] = ofTargets;
  if (targetCount !== undefined && count !== targetCount) {
    throw new Error(
      `Input Tensors should have the same number of samples as target Tensors. ` +
        `Found ${count} input sample(s) and ${targetCount} target sample(s).`,
    );
  }
  return count ?? 0;
}

/** One batch of samples: `count` rows of the tensors from `first`, in `order` if given. */
export interface Batch {
  inputs: readonly Tensor[];
  targets: readonly Tensor[];
  /** Weights of the samples for each output; undefined for an output without weights. */
  weights?: readonly (Tensor | undefined)[];
  order?: Tensor;
  first: number;
  count: number;
}

/** Value for a single output or for all, or one for each output by index or by name. */
export type PerOutput<T> = T | T[] | Record<string, T>;

/** Weight of each class, by its number. */
export type ClassWeight = Record<number, number>;
/** Class weights for each output of a model, by name. */
export type ClassWeightMap = Record<string, ClassWeight>;

/**
 * Returns the value for each output, undefined for those without one. Throws if there are several outputs and `given` is neither
 * an array of their number nor an object with their names.
 */
export function toPerOutput<T>(
  given: PerOutput<T> | null | undefined,
  names: string[],
  what: string,
): (T | undefined)[] {
  if (given === null || given === undefined) return names.map(() => undefined);
  if (Array.isArray(given)) {
    if (given.length === 0) return names.map(() => undefined);
    if (given.length === names.length) return given;
    throw new Error(
      `Provided ${what} is an array of ${given.length} element(s), but the model has ${names.length} outputs. ` +
        `Make sure a set of weights is provided for each model output.`,
    );
  }
  const named = given as Record<string, T>;
  const isByName = !(given instanceof Tensor) && names.some((name) => name in named);
  if (isByName) return names.map((name) => named[name]);
  if (names.length === 1) return [given as T];
  throw new Error(
    `The model has multiple (${names.length}) outputs, so ${what} must be either an array with ${names.length} elements ` +
      `or an object with ${names.join()} keys. Provided ${what} not understood: ${JSON.stringify(given)}`,
  );
}

/** Returns the class of each target as int32: the value of a vector or column, or the argmax of each row. */
export function toClassIndices(y: Tensor): Tensor {
  if (y.rank === 1) return cast(y, 'int32');
  if (y.rank !== 2) {
    throw new Error(
      `Unexpected rank of target (y) tensor (${y.rank}) during handling of class weights. The rank is expected to be 1 or 2.`,
    );
  }
  return runInInternalScope(() => (y.shape[1] === 1 ? cast(y.reshape([y.shape[0]]), 'int32') : y.argMax(1)));
}

/** Returns the weight of each sample from the weights of the classes. Throws if a class has none. */
export function computeClassWeights(classes: ArrayLike<number>, weights: ClassWeight): Float32Array {
  return Float32Array.from(classes, (one) => {
    const weight = weights[one];
    if (weight === undefined || weight === null) {
      throw new Error(
        `classWeight must contain all classes in the training data. The class ${one} exists in the data but not in classWeight`,
      );
    }
    return weight;
  });
}
