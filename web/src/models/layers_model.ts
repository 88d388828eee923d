import type { LayersModel as EngineModel } from '../generated/tenure.js';
import type { IOHandler, InferenceModel, ModelPredictConfig, SaveConfig, SaveResult } from '../io/types.js';
import { findSaveHandler } from '../io/resolve.js';
import { concatenateArrayBuffers } from '../io/buffers.js';
import { encodeWeights } from '../io/weights.js';
import { setCurrentOp, attributeFrees } from '../debug/ledger.js';
import { prelinkKernels } from '../device/backend.js';
import { DisposedError } from '../runtime/errors.js';
import { raise, wasm } from '../runtime/runtime.js';
import { runInInternalScope, type Holder } from '../owner/scope.js';
import { syncCurrentScope } from '../runtime/async_scope_tracking.js';
import { takeResults } from '../tensor/create.js';
import { describeType } from '../tensor/input.js';
import { writeTensorIds } from '../tensor/scratch_ids.js';
import { Tensor, describeTensor, type NamedTensorMap, type Scalar } from '../tensor/tensor.js';
import { registerClass } from '../util/serialization.js';
import { version_layers } from '../util/version.js';
import { Container, type ContainerArgs } from './container.js';
import { cast } from '../ops/math/cast.js';
import { concat } from '../ops/movement/concat.js';
import { slice } from '../ops/movement/slice.js';
import { scalar } from '../ops/movement/tensor_creation.js';
import { singletonOrArray, toList } from '../util/array_utils.js';
import type { SymbolicTensor } from './layers/symbolic_tensor.js';
import { printSummary } from './summary.js';
import { checkInputs, isJsonObject, warnAboutLargeMetadata } from './model_checks.js';
import { toTrainingConfig } from './training_config.js';
import type { History } from '../train/callbacks.js';
import { evaluate, fit, trainOnBatch, type ModelEvaluateArgs, type ModelFitArgs } from '../train/fit.js';
import {
  evaluateDataset,
  fitDataset,
  type BatchIterator,
  type DatasetLike,
  type ModelEvaluateDatasetArgs,
  type ModelFitDatasetArgs,
} from '../train/fit_dataset.js';
import type { Optimizer } from '../train/optimizer.js';
import type { ClassWeight, PerOutput, Samples } from '../train/samples.js';
import type { TrainableModel } from '../train/trainable_model.js';
import { Trainer, type ModelCompileArgs } from '../train/trainer.js';

/**
 * Model of layers. It owns its weights until it is disposed.
 * @example
 * const model = tf.sequential({ layers: [tf.layers.dense({ units: 1, inputShape: [2], kernelInitializer: 'ones' })] });
 * const y = tf.tidy(() => model.predict(tf.tensor([[1, 2]])).dataSync()); // [3]
 * tf.memory().numTensors; // 2: kernel and bias, which the model owns
 * model.dispose();
 */
export class LayersModel extends Container implements InferenceModel, TrainableModel {
  static override readonly className: string = 'Model';
  /** @internal */
  userDefinedMetadata: Record<string, unknown> | undefined;
  /** @internal Holders that are disposed with the model, such as its training, by key. */
  readonly owned = new Map<string, Holder>();
  #session: EngineModel | undefined;
  /** Trainer of the last compile(), which stays readable when the model is disposed. */
  #trainer: Trainer | undefined;

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
    writeTensorIds(0, tensors);
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

  /** @internal Compiles the GPU's kernels for the prediction of one example if possible. */
  async prelink(): Promise<void> {
    if (!this.isHooked) await prelinkKernels(() => this.session()?.prelink());
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

  /** Configures the model for training. The model owns an optimizer that is given by name. */
  compile(args: ModelCompileArgs): void {
    if (this.#trainer?.isTraining) {
      this.#trainer.compile(args);
      return;
    }
    // Builds a sequential model, which has no outputs before.
    this.session();
    const trainer = new Trainer(this, args);
    this.#trainer?.[Symbol.dispose]();
    this.#trainer = trainer;
    this.owned.set('training', trainer);
  }
  /** @internal Makes the model own its optimizer. */
  ownOptimizer(): void {
    this.getTrainer().ownOptimizer();
  }

  /**
   * Trains for a number of epochs on batches of samples. Returns the losses and metrics of each epoch.
   * @param x Samples of the inputs.
   * @param y Targets of the outputs.
   * @param args Epochs, batch size, validation and callbacks.
   */
  async fit(x: Samples, y: Samples, args: ModelFitArgs = {}): Promise<History> {
    // Awaited, so that the debug build attributes tensors to 'fit'.
    return await fit(this, this.getTrainer(), x, y, args);
  }
  /** Trains for a number of epochs on the batches `{xs, ys}` of a dataset. Returns the losses and metrics of each epoch. */
  async fitDataset<T>(dataset: DatasetLike<T>, args: ModelFitDatasetArgs<T>): Promise<History> {
    return await fitDataset(this, this.getTrainer(), dataset, args);
  }
  /**
   * Runs one training step on one batch. Returns the loss, or an array of the loss and the metrics.
   * @param x Samples of the inputs.
   * @param y Targets of the outputs.
   * @param sampleWeight Weight of each sample.
   * @param classWeight Weight of each class.
   */
  async trainOnBatch(
    x: Samples,
    y: Samples,
    sampleWeight?: PerOutput<Tensor>,
    classWeight?: PerOutput<ClassWeight>,
  ): Promise<number | number[]> {
    return singletonOrArray(await trainOnBatch(this, this.getTrainer(), x, y, sampleWeight, classWeight));
  }
  /**
   * Returns the loss over samples, or an array of the loss and the metrics, as scalars.
   * @param x Samples of the inputs.
   * @param y Targets of the outputs.
   * @param args Batch size and weights of the samples.
   */
  evaluate(x: Samples, y: Samples, args: ModelEvaluateArgs = {}): Scalar | Scalar[] {
    return toScalars(evaluate(this, this.getTrainer(), x, y, args));
  }
  /** Returns the loss over the batches of a dataset, or an array of the loss and the metrics, as scalars. */
  async evaluateDataset(
    dataset: DatasetLike | BatchIterator,
    args: ModelEvaluateDatasetArgs = {},
  ): Promise<Scalar | Scalar[]> {
    return toScalars(await evaluateDataset(this, this.getTrainer(), dataset, args));
  }

  /** Optimizer of compile(). An optimizer that is assigned stays the caller's. */
  get optimizer(): Optimizer {
    return this.readTrainer(({ optimizer }) => optimizer);
  }
  set optimizer(optimizer: Optimizer) {
    this.getTrainer().setOptimizer(optimizer);
  }
  /** The `loss` argument of compile(). */
  get loss(): ModelCompileArgs['loss'] {
    return this.#trainer?.args.loss;
  }
  /** The `metrics` argument of compile(). */
  get metrics(): ModelCompileArgs['metrics'] {
    return this.#trainer?.args.metrics;
  }
  /** Names of the values of a step: the total loss, the losses of several outputs, the metrics. */
  get metricsNames(): string[] {
    return this.readTrainer(({ objective }) => [...objective.names]);
  }
  /** Losses and metrics of the last fit(). */
  get history(): History {
    return this.readTrainer(({ history }) => history);
  }
  /** True while fit() or fitDataset() runs. */
  get isTraining(): boolean {
    return this.readTrainer(({ isTraining }) => isTraining);
  }
  /** Set to true to end training after the current batch. */
  get stopTraining(): boolean {
    return this.readTrainer(({ stopTraining }) => stopTraining);
  }
  set stopTraining(stopTraining: boolean) {
    this.getTrainer().stopTraining = stopTraining;
  }
  private getTrainer(): Trainer {
    if (this.#trainer) return this.#trainer;
    throw new Error('You must compile a model before training/testing. Use LayersModel.compile(modelCompileArgs).');
  }
  /** Returns a property of the trainer; undefined before compile(), although TensorFlow.js's types do not say so. */
  private readTrainer<T>(get: (trainer: Trainer) => T | undefined): T {
    return (this.#trainer && get(this.#trainer)) as T;
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
    warnAboutLargeMetadata(this.name, this.userDefinedMetadata);
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
    if (!this.#trainer) return undefined;
    const { args, optimizer } = this.#trainer;
    const trainingConfig = toTrainingConfig(args, optimizer);
    const weights = await optimizer.getWeights();
    return {
      trainingConfig,
      // The number of updates comes first, as a new tensor.
      ...(await encodeWeights(weights, 'optimizer').finally(() => weights[0]!.tensor.dispose())),
    };
  }

  /** Sets the metadata that are saved with the model. Throws unless they are a JSON object. */
  setUserDefinedMetadata(userDefinedMetadata: Record<string, unknown>): void {
    if (!isJsonObject(userDefinedMetadata))
      throw new Error('User-defined metadata is expected to be a JSON object, but is not.');
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

/** Returns losses and metrics as tensors. */
function toScalars(values: readonly (number | Scalar)[]): Scalar | Scalar[] {
  return runInInternalScope(() =>
    singletonOrArray(values.map((value) => (typeof value === 'number' ? scalar(value) : value))),
  );
}
