import type { LayersModel as EngineModel } from '../generated/tenure.js';
import type { IOHandler, InferenceModel, ModelPredictConfig, SaveConfig, SaveResult } from '../io/types.js';
import { findSaveHandler } from '../io/resolve.js';
import { concatenateArrayBuffers } from '../io/buffers.js';
import { encodeWeights } from '../io/weights.js';
import { setCurrentOp, attributeFrees } from '../debug/ledger.js';
import { DisposedError } from '../runtime/errors.js';
import { kIdWords, raise, scratch, wasm, writeId } from '../runtime/runtime.js';
import { runInInternalScope, type Holder } from '../owner/scope.js';
import { syncCurrentScope } from '../runtime/async_scope_tracking.js';
import { takeResults } from '../tensor/create.js';
import { describeType } from '../tensor/input.js';
import { Tensor, describeTensor, type NamedTensorMap } from '../tensor/tensor.js';
import { registerClass } from '../train/serialization.js';
import { version_layers } from '../util/version.js';
import { Container, type ContainerArgs } from './container.js';
import { cast } from '../ops/math/cast.js';
import { concat } from '../ops/movement/concat.js';
import { slice } from '../ops/movement/slice.js';
import { singletonOrArray, toList } from './array_utils.js';
import type { SymbolicTensor } from './layers/symbolic_tensor.js';
import { printSummary } from './summary.js';

/** Number of characters of metadata above which save() warns. */
const kMaxMetadata = 1 << 20;

/** True if a value survives a round trip through JSON. */
function isJson(value: unknown): boolean {
  if (typeof value !== 'object' || value === null)
    return value === null || ['string', 'number', 'boolean'].includes(typeof value);
  if (Array.isArray(value)) return value.every(isJson);
  return Object.getPrototypeOf(value) === Object.prototype && Object.values(value).every(isJson);
}

/**
 * Model of layers. It owns its weights until it is disposed.
 * @example
 * const model = tf.sequential({ layers: [tf.layers.dense({ units: 1, inputShape: [2], kernelInitializer: 'ones' })] });
 * const y = tf.tidy(() => model.predict(tf.tensor([[1, 2]])).dataSync()); // [3]
 * tf.memory().numTensors; // 2: kernel and bias, which the model owns
 * model.dispose();
 */
export class LayersModel extends Container implements InferenceModel {
  static override readonly className: string = 'Model';
  /** @internal */
  userDefinedMetadata: Record<string, unknown> | undefined;
  /** @internal Holders that are disposed with the model, such as its training, by key. */
  readonly owned = new Map<string, Holder>();
  #session: EngineModel | undefined;

  constructor(args: ContainerArgs);
  /** @internal `number` is its handle if the engine has it already. */
  constructor(args: ContainerArgs, number?: number);
  constructor(args: ContainerArgs, number?: number) {
    super(args, number);
  }

  /**
   * Returns the outputs for one batch: a tensor, or an array if the model has several outputs. Inputs are a tensor, an array in
   * the order of `inputs`, or tensors by name. `batchSize` applies to a stateful model only, which is run batch by batch.
   */
  predict(x: Tensor | Tensor[] | NamedTensorMap, args?: ModelPredictConfig): Tensor | Tensor[] {
    const batchSize = args?.batchSize ?? undefined;
    if (batchSize !== undefined && !(Number.isInteger(batchSize) && batchSize > 0)) {
      throw new Error(`batchSize is required to be a positive integer, but got ${batchSize}`);
    }
    const session = this.session();
    const tensors = this.orderInputs(x);
    if (this.stateful && batchSize !== undefined && batchSize < tensors[0]!.shape[0])
      return this.predictInBatches(tensors, batchSize);
    if (!session || this.isHooked) return this.predictByLayers(tensors);
    syncCurrentScope();
    const words = scratch();
    for (let i = 0; i < tensors.length; i++) writeId(words, kIdWords * i, tensors[i]!.id);
    if (__DEBUG__) setCurrentOp('predict');
    const count = session.predictInScratch(tensors.length);
    if (count === -1) this.throwPredictError(tensors);
    return count === 1 ? takeResults(1)[0]! : takeResults(count);
  }

  /** Returns the outputs for one batch, as predict() does. */
  predictOnBatch(x: Tensor | Tensor[]): Tensor | Tensor[] {
    return this.predict(x);
  }

  /**
   * Returns the values of symbolic tensors inside the model for one batch, by their names, as in `layer.output.name`: a tensor
   * for one name, an array for an array. Inputs are those of predict(). Throws if there is no such name.
   */
  execute(inputs: Tensor | Tensor[] | NamedTensorMap, outputs: string | string[]): Tensor | Tensor[] {
    const names = toList(outputs);
    if (names.length === 0) throw new Error('`outputs` is an empty Array, which is not allowed.');
    if (!this.built) this.build();
    const key = `outputs ${JSON.stringify(names)}`;
    const part =
      (this.owned.get(key) as LayersModel | undefined) ??
      new LayersModel({ inputs: this.inputs, outputs: this.findOutputs(names) });
    this.owned.set(key, part);
    const results = toList(
      part.predict(Array.isArray(inputs) || inputs instanceof Tensor ? inputs : this.orderInputs(inputs)),
    );
    return Array.isArray(outputs) ? results : results[0]!;
  }
  private findOutputs(names: string[]): SymbolicTensor[] {
    const inside = this.graph.nodes.flatMap(({ outputTensors }) => outputTensors);
    const found = names.map((name) => inside.find((x) => x.name === name));
    if (found.every((x) => x !== undefined)) return found;
    const absent = names.filter((_, i) => !found[i]);
    throw new Error(`Cannot find SymbolicTensors for output name(s): ${JSON.stringify(absent)}`);
  }

  /** @internal Returns the engine's model; undefined if a layer is written in JavaScript. */
  session(): EngineModel | undefined {
    return this.#session ?? this.openSession();
  }
  private openSession(): EngineModel | undefined {
    this.assertNotDisposed();
    const number = this.engineHandle();
    if (number === undefined) return undefined;
    const session = wasm.LayersModel.of(number);
    if (!session) raise();
    this.#session = session;
    return session;
  }

  /** @internal Plans the prediction of one example if possible, so that the first one does not wait for weights to be packed. */
  prepare(): void {
    if (this.isHooked) return;
    try {
      this.session()?.prepare();
    } catch {
      // predict() reports the error.
    }
  }

  /** Predicts batch by batch: a stateful model passes its states from one batch to the next. */
  private predictInBatches(tensors: Tensor[], batchSize: number): Tensor | Tensor[] {
    return runInInternalScope(() => {
      const parts: Tensor[][] = [];
      for (let first = 0; first < tensors[0]!.shape[0]; first += batchSize) {
        const part = tensors.map((x) => slice(x, first, Math.min(batchSize, x.shape[0] - first)));
        parts.push(toList(this.predict(part)));
      }
      return singletonOrArray(parts[0]!.map((_, i) => concat(parts.map((outputs) => outputs[i]!))));
    });
  }
  private predictByLayers(tensors: Tensor[]): Tensor | Tensor[] {
    checkInputs(tensors, this.inputs, this.inputNames);
    return runInInternalScope(() =>
      singletonOrArray(
        this.run(this.castInputs(tensors), [], {}).outputs.map((y) => (tensors.includes(y) ? y.clone() : y)),
      ),
    );
  }

  /** @internal Returns tensors cast to the dtypes of the inputs: the engine does so only for models that it runs as a whole. */
  castInputs(tensors: Tensor[]): Tensor[] {
    return tensors.map((x, i) => (x.dtype === this.inputs[i]!.dtype ? x : cast(x, this.inputs[i]!.dtype)));
  }

  /** @internal */
  protected override dropEngine(): void {
    this.#session?.delete();
    this.#session = undefined;
    super.dropEngine();
  }

  /**
   * Prints the layers, their shapes and numbers of parameters, line by line.
   * @param lineLength Characters in a line: 90 for a chain of layers, else 115 by default.
   * @param positions Ends of the columns, in characters or as fractions of the line.
   * @param printFn Function that prints a line.
   */
  summary(
    lineLength?: number,
    positions?: number[],
    printFn: (message?: unknown, ...others: unknown[]) => void = console.log,
  ): void {
    printSummary(this, lineLength, positions, printFn);
  }

  /** Saves topology and weights to a URL with a registered handler, or with the given handler. */
  async save(handlerOrURL: IOHandler | string, config?: SaveConfig): Promise<SaveResult> {
    const handler = findSaveHandler('LayersModel', handlerOrURL);
    this.warnAboutLargeMetadata();
    const weights = config?.trainableOnly ? this.trainableWeights : this.weights;
    const named = weights.map((weight) => ({ name: weight.originalName, tensor: weight.read() }));
    const [ofModel, training] = await Promise.all([
      encodeWeights(named),
      config?.includeOptimizer ? this.encodeTraining() : undefined,
    ]);
    return handler.save({
      modelTopology: this.toJSON(null, false) as Record<string, unknown>,
      format: 'layers-model',
      generatedBy: `TensorFlow.js tfjs-layers v${version_layers}`,
      convertedBy: null,
      ...(this.userDefinedMetadata ? { userDefinedMetadata: this.userDefinedMetadata } : {}),
      ...(training ? { trainingConfig: training.trainingConfig } : {}),
      weightData: training ? concatenateArrayBuffers([ofModel.data, training.data]) : ofModel.data,
      weightSpecs: [...ofModel.specs, ...(training?.specs ?? [])],
    });
  }
  private async encodeTraining() {
    const parts = await this.trainingParts();
    if (!parts) return undefined;
    const { trainingConfig, iterations, slots } = parts;
    return {
      trainingConfig,
      ...(await encodeWeights([iterations, ...slots], 'optimizer').finally(() => iterations.tensor.dispose())),
    };
  }

  private warnAboutLargeMetadata(): void {
    const { length } = JSON.stringify(this.userDefinedMetadata ?? '');
    if (length <= kMaxMetadata) return;
    console.warn(
      `User-defined metadata of model "${this.name}" is too large in size (length=${length} when serialized). It is not recommended to store such large objects in user-defined metadata. Please make sure its serialized length is <= ${kMaxMetadata}.`,
    );
  }

  /** Sets the metadata that are saved with the model. Throws unless they are a JSON object. */
  setUserDefinedMetadata(userDefinedMetadata: Record<string, unknown>): void {
    if (
      !isJson(userDefinedMetadata) ||
      typeof userDefinedMetadata !== 'object' ||
      userDefinedMetadata === null ||
      Array.isArray(userDefinedMetadata)
    ) {
      throw new Error('User-defined metadata is expected to be a JSON object, but is not.');
    }
    this.userDefinedMetadata = userDefinedMetadata;
  }
  /** Returns the metadata from setUserDefinedMetadata() or from the model's file; undefined if there are none. */
  getUserDefinedMetadata(): Record<string, unknown> | undefined {
    return this.userDefinedMetadata;
  }

  /** @internal */
  protected override free(): number {
    const { numTensors } = wasm.memory();
    for (const one of this.owned.values()) one[Symbol.dispose]();
    this.owned.clear();
    // As in TensorFlow.js, the tensors of the optimizer are counted too.
    const ofOptimizer = numTensors - wasm.memory().numTensors;
    const count = ofOptimizer + super.free();
    if (__DEBUG__) attributeFrees(`model "${this.name}"`);
    return count;
  }

  private orderInputs(x: Tensor | Tensor[] | NamedTensorMap): Tensor[] {
    if (x instanceof Tensor) return [x];
    const given = Array.isArray(x) ? x : this.inputNames.map((name, i) => x[name] ?? x[this.inputs[i]!.name]);
    return given.map((tensor, i) => {
      if (tensor instanceof Tensor) return tensor;
      const name = this.inputNames[i] ?? i;
      throw new Error(
        `The model '${this.name}' expects a Tensor for its input ${name}, but got ${describeType(tensor)}`,
      );
    });
  }

  private throwPredictError(tensors: Tensor[]): never {
    const disposed = tensors.find((tensor) => tensor.isDisposed);
    if (disposed) throw new DisposedError(`[predict] Tensor is disposed: ${describeTensor(disposed)}`);
    raise();
  }
}

/** Model of layers under the class name that files of newer versions of Keras use. */
export class Functional extends LayersModel {
  static override readonly className: string = 'Functional';
}

registerClass(LayersModel as never);
registerClass(Functional as never);

/**
 * Creates a model of the layers between symbolic inputs and outputs.
 * @example
 * const a = tf.input({ shape: [2] });
 * const b = tf.input({ shape: [2] });
 * const model = tf.model({ inputs: [a, b], outputs: tf.layers.add().apply([a, b]) });
 * model.predict([tf.tensor([[1, 2]]), tf.tensor([[3, 4]])]); // [[4, 6]]
 */
export const model = (args: ContainerArgs): LayersModel => new LayersModel(args);

/** Throws if the number or a shape of the inputs is wrong; the engine checks this itself for models that it runs as a whole. */
function checkInputs(tensors: Tensor[], inputs: SymbolicTensor[], names: string[]): void {
  if (tensors.length !== inputs.length) {
    throw new Error(
      `Error when checking model : the Array of Tensors that you are passing to your model is not the size the the model expected. Expected to see ${inputs.length} Tensor(s), but instead got ${tensors.length} Tensors(s).`,
    );
  }
  for (const [i, { shape }] of inputs.entries()) {
    const given = tensors[i]!.shape;
    if (given.length !== shape.length) {
      throw new Error(
        `Error when checking : expected ${names[i]} to have ${shape.length} dimension(s). but got array with shape ${given}`,
      );
    }
    if (shape.some((extent, d) => d > 0 && extent !== null && extent !== given[d])) {
      throw new Error(
        `Error when checking : expected ${names[i]} to have shape [${shape}], but got array with shape [${given}].`,
      );
    }
  }
}
