import type { TrainableModel } from './trainable_model.js';
import { wasm } from '../runtime/runtime.js';
import { tensorsIn } from '../owner/scope.js';
import { createTensor } from '../tensor/create.js';
import type { Tensor } from '../tensor/tensor.js';
import { createShuffledIndices } from '../util/random.js';
import { lossesByName } from './metric_names.js';
import {
  standardizeInputs,
  toClassIndices,
  countSamples,
  toPerOutput,
  toTensorSpecs,
  computeClassWeights,
  type Batch,
  type ClassWeight,
  type PerOutput,
  type TensorSpec,
  type Samples,
} from './samples.js';
import type { Trainer } from './trainer.js';

/** Samples, targets and weights for training or evaluation. It owns the tensors that it creates until free(). */
export class TrainingData {
  readonly inputs: Tensor[];
  readonly targets: Tensor[];
  readonly count: number;
  readonly #weights: (Tensor | undefined)[] = [];
  readonly #outputs: string[];
  readonly #made: Tensor[] = [];
  #order: Tensor | undefined;

  /** Arranges samples for a model. Throws, with TensorFlow.js's messages, if they do not fit the model. */
  constructor(
    model: TrainableModel,
    private readonly training: Trainer,
    x: Samples,
    y: Samples,
  ) {
    this.#outputs = model.outputNames;
    training.held.add(this);
    try {
      this.inputs = standardizeInputs(x, toTensorSpecs(model.inputNames, model.inputs), 'input', this.#made);
      this.targets = standardizeInputs(y, getTargetSpecs(model, training), 'target', this.#made);
      this.count = countSamples(this.inputs, this.targets);
      checkTargets(this.targets, model, training);
      for (const { id } of this.#made) wasm._tn_hold(id);
    } catch (error) {
      this.free();
      throw error;
    }
  }

  /** Sets the weights of the samples. */
  setSampleWeights(samples: PerOutput<Tensor> | null | undefined): void {
    toPerOutput(samples, this.#outputs, 'sampleWeight').forEach((weights, i) => {
      this.#weights[i] = weights && this.#checked(weights);
    });
  }
  /** Sets the weights of the samples: the given ones, those of their classes, or the product of both. */
  async computeSampleWeights(
    samples: PerOutput<Tensor> | null | undefined,
    classes: PerOutput<ClassWeight> | null | undefined,
  ): Promise<void> {
    const ofSamples = toPerOutput(samples, this.#outputs, 'sampleWeight');
    const ofClasses = toPerOutput(classes, this.#outputs, 'classWeight');
    for (const [i, y] of this.targets.entries())
      this.#weights[i] = await this.#combineWeights(y, ofSamples[i], ofClasses[i]);
  }

  /** Shuffles the order of the first `count` samples, until resetOrder(). */
  shuffle(count: number): void {
    this.resetOrder();
    this.#order = createTensor(Int32Array.from(createShuffledIndices(count)), [count], 'int32');
    wasm._tn_hold(this.#order.id);
  }
  /** Restores the order of the samples. */
  resetOrder(): void {
    this.#order?.dispose();
    this.#order = undefined;
  }

  /** Returns a batch of `count` samples from `first`, in the current order. */
  batch(first: number, count: number): Batch {
    const { inputs, targets } = this;
    return { inputs, targets, weights: this.#weights, first, count, ...(this.#order && { order: this.#order }) };
  }

  /** Takes ownership of tensors, which free() then frees. */
  adopt(tensors: unknown): void {
    this.#made.push(...tensorsIn(tensors));
  }
  free(): void {
    this.training.held.delete(this);
    this.resetOrder();
    for (const tensor of this.#made.splice(0)) tensor.dispose();
  }

  #checked(weights: Tensor): Tensor {
    if (weights.rank === 1 && weights.shape[0] === this.count) return weights;
    throw new Error(
      `sampleWeight must have the shape [${this.count}], one weight for each sample, got [${weights.shape.join()}]`,
    );
  }
  async #combineWeights(
    y: Tensor,
    samples: Tensor | undefined,
    classes: ClassWeight | undefined,
  ): Promise<Tensor | undefined> {
    if (samples) this.#checked(samples);
    if (!classes) return samples;
    const numbers = toClassIndices(y);
    wasm._tn_hold(numbers.id);
    const weights = computeClassWeights(await numbers.data().finally(() => numbers.dispose()), classes);
    const ofSamples = await samples?.data();
    if (ofSamples) weights.forEach((weight, i) => (weights[i] = weight * (ofSamples[i] as number)));
    const tensor = createTensor(weights, [this.count], 'float32');
    wasm._tn_hold(tensor.id);
    this.#made.push(tensor);
    return tensor;
  }
}

/** Returns the names and shapes of the targets: those of the outputs, with one class index per sample for a sparse loss. */
function getTargetSpecs(model: TrainableModel, { objective }: Trainer): TensorSpec[] {
  return toTensorSpecs(model.outputNames, model.outputs).map(({ name, shape }, i) => {
    const isSparse = objective.losses[i]!.fn === lossesByName.sparseCategoricalCrossentropy;
    return { name, shape: isSparse ? [...shape.slice(0, -1), 1] : shape };
  });
}

function checkTargets(targets: Tensor[], { outputs }: TrainableModel, { objective }: Trainer): void {
  const { meanSquaredError, binaryCrossentropy, categoricalCrossentropy } = lossesByName;
  for (const [i, { shape }] of targets.entries()) {
    const { fn } = objective.losses[i]!;
    if (fn === categoricalCrossentropy && shape.at(-1) === 1) {
      throw new Error(
        `You are passing a target array of shape ${shape.join()} while using a loss 'categorical_crossentropy'. ` +
          `'categorical_crossentropy'expects targets to be binary matrices (1s and 0s) of shape [samples, classes].`,
      );
    }
    const wanted = outputs[i]!.shape;
    const isSame = shape.every(
      (extent, d) => d === 0 || wanted[d] === null || wanted[d] === undefined || wanted[d] === extent,
    );
    if (!isSame && [meanSquaredError, binaryCrossentropy, categoricalCrossentropy].includes(fn)) {
      throw new Error(
        `A target Tensor with shape ${shape.join()} was passed for an output of shape ${wanted.join()}, while using a loss ` +
          `function that expects targets to have the same shape as the output.`,
      );
    }
  }
}
