import type { LayersModel as EngineModel } from '../generated/tenure.js';
import type { InferenceModel, LoadOptions, ModelArtifacts, ModelPredictConfig, ModelSource } from '../io/types.js';
import { resolveArtifacts } from '../io/resolve.js';
import { doing, ended } from '../debug/ledger.js';
import { DisposedError } from '../runtime/errors.js';
import { load } from '../runtime/loader.js';
import { kIdWords, raise, scratch, told, wasm, writeId } from '../runtime/runtime.js';
import { Holder } from '../owner/scope.js';
import { follow } from '../runtime/scope_following.js';
import { takeResults } from '../tensor/create.js';
import { Tensor, nameOf, type NamedTensorMap } from '../tensor/tensor.js';
import { kDataTypes, type DataType, type Shape } from '../runtime/types.js';
import { encodeString } from '../util/numbers.js';
import { withBytes } from '../runtime/bytes.js';

/** What flows into or out of a model. */
export interface SymbolicTensor {
  readonly name: string;
  readonly shape: Shape;
  readonly dtype: DataType;
}

/** A layer of a loaded model. */
export interface LayerDescription {
  readonly name: string;
  readonly outputShape: Shape;
  readonly weights: LayerVariable[];
  getClassName(): string;
  countParams(): number;
}

/** A weight; its tensor belongs to the model. */
export interface LayerVariable {
  readonly name: string;
  readonly shape: number[];
  readonly dtype: DataType;
  readonly trainable: boolean;
  read(): Tensor;
}

interface Port {
  name: string;
  shape: Shape;
  dtype: number;
}
interface Description {
  name: string;
  inputs: Port[];
  outputs: Port[];
  layers: { name: string; className: string; outputShapes: Shape[][]; parameters: number }[];
  weights: { id: number; name: string; shape: number[]; dtype: number; trainable: boolean }[];
}

/** A Keras model in TensorFlow.js's layers format. It owns its weights until it is disposed. */
export class LayersModel extends Holder implements InferenceModel {
  readonly name: string;
  readonly inputs: SymbolicTensor[];
  readonly outputs: SymbolicTensor[];
  readonly layers: LayerDescription[];
  readonly weights: LayerVariable[];
  #engine: EngineModel | undefined;

  private constructor(engine: EngineModel) {
    super();
    this.#engine = engine;
    const description = JSON.parse(told(engine.describe())) as Description;
    this.name = description.name;
    this.inputs = description.inputs.map(symbolic);
    this.outputs = description.outputs.map(symbolic);
    this.weights = description.weights.map((weight) => {
      const tensor = new Tensor(weight.id, weight.shape, kDataTypes[weight.dtype]!);
      const { name, trainable } = weight;
      return { name, trainable, shape: tensor.shape, dtype: tensor.dtype, read: () => tensor };
    });
    this.layers = description.layers.map(({ name, className, outputShapes, parameters }) => ({
      name,
      outputShape: outputShapes[0]?.[0] ?? [],
      weights: this.weights.filter((weight) => weight.name.startsWith(`${name}/`)),
      getClassName: () => className,
      countParams: () => parameters,
    }));
  }

  /** Makes a model of the parts of its files; throws, naming the layer or weight that is not right. */
  static fromArtifacts({ modelTopology, weightSpecs, weightData }: ModelArtifacts): LayersModel {
    // By our own allocator, which knows where memory ends: Embind's strings do not.
    const topology = encodeString(JSON.stringify(modelTopology ?? null));
    const specs = encodeString(JSON.stringify(weightSpecs ?? []));
    const engine = withBytes('loadLayersModel', [weightData ?? [], topology, specs].flat(), (address, length) => {
      return wasm.LayersModel.load(address, length - topology.length - specs.length, topology.length, specs.length);
    });
    if (!engine) raise();
    try {
      return new LayersModel(engine);
    } catch (error) {
      engine.delete();
      throw error;
    }
  }

  /**
   * The outputs for one batch: a tensor, or an array where the model has several outputs. Inputs are given as a tensor,
   * an array in the order of `inputs`, or by name.
   */
  predict(x: Tensor | Tensor[] | NamedTensorMap, args?: ModelPredictConfig): Tensor | Tensor[] {
    const batchSize = args?.batchSize;
    if (batchSize !== undefined && !(Number.isInteger(batchSize) && batchSize > 0)) {
      throw new Error(`batchSize is required to be a positive integer, but got ${batchSize}`);
    }
    const engine = this.engine();
    follow();
    const tensors = this.inOrder(x);
    const words = scratch();
    for (let i = 0; i < tensors.length; i++) writeId(words, kIdWords * i, tensors[i]!.id);
    if (__DEBUG__) doing('predict');
    const count = engine.predict(tensors.length);
    if (count === -1) this.explain(tensors);
    return count === 1 ? takeResults(1)[0]! : takeResults(count);
  }

  /** The same: every batch is predicted whole. */
  predictOnBatch(x: Tensor | Tensor[]): Tensor | Tensor[] {
    return this.predict(x);
  }

  /** Prints the layers, their shapes and numbers of parameters, a line at a time. */
  summary(lineLength?: number, _positions?: number[], printFn: (line: string) => void = console.log): void {
    const text = told(this.engine().summary(lineLength ?? 0));
    for (const line of text.replace(/\n$/, '').split('\n')) printFn(line);
  }

  getWeights(trainableOnly = false): Tensor[] {
    return this.weights.filter(({ trainable }) => trainable || !trainableOnly).map((weight) => weight.read());
  }

  /** By name, or by its place. */
  getLayer(nameOrIndex: string | number, index?: number): LayerDescription {
    if (typeof nameOrIndex === 'number') index = nameOrIndex;
    if (index !== undefined) {
      const layer = this.layers[index];
      if (!layer) throw new Error(`Was asked to retrieve layer at index ${index}, but model only has ${this.layers.length} layer(s).`);
      return layer;
    }
    const layer = this.layers.find(({ name }) => name === nameOrIndex);
    if (!layer) throw new Error(`No such layer: ${nameOrIndex}`);
    return layer;
  }

  countParams(): number {
    return this.layers.reduce((sum, layer) => sum + layer.countParams(), 0);
  }

  /** Frees the weights and the plans. */
  dispose(): { refCountAfterDispose: number; numDisposedVariables: number } {
    this.engine().delete();
    if (__DEBUG__) ended(`model "${this.name}"`);
    this.#engine = undefined;
    return { refCountAfterDispose: 0, numDisposedVariables: this.weights.length };
  }

  override [Symbol.dispose](): void {
    if (this.#engine) this.dispose();
  }

  private engine(): EngineModel {
    if (!this.#engine) throw new Error(`LayersModel '${this.name}' is already disposed.`);
    return this.#engine;
  }

  private inOrder(x: Tensor | Tensor[] | NamedTensorMap): Tensor[] {
    if (x instanceof Tensor) return [x];
    const given = Array.isArray(x) ? x : this.inputs.map(({ name }) => x[name]);
    return given.map((tensor, i) => {
      if (tensor instanceof Tensor) return tensor;
      const name = this.inputs[i]?.name ?? i;
      throw new Error(`The model '${this.name}' expects a Tensor for its input ${name}, but got '${tensor}'`);
    });
  }

  private explain(tensors: Tensor[]): never {
    const disposed = tensors.find((tensor) => tensor.isDisposed);
    if (disposed) throw new DisposedError(`[predict] Tensor is disposed: ${nameOf(disposed)}`);
    raise();
  }
}

/** Loads a model from a URL, a path in Node, or an IO handler such as `{load}`. */
export async function loadLayersModel(source: ModelSource, options?: LoadOptions): Promise<LayersModel> {
  const [artifacts] = await Promise.all([resolveArtifacts(source, options), load()]);
  if (isGraph(artifacts)) {
    const name = typeof source === 'string' ? source : 'The IO handler';
    throw new Error(`${name} has a graph model, which loadLayersModel() does not read: it reads models of layers.`);
  }
  return LayersModel.fromArtifacts(artifacts);
}

/** Whether it is a TensorFlow graph, in TensorFlow.js's other format. */
function isGraph({ format, modelTopology }: ModelArtifacts): boolean {
  return format === 'graph-model' || Array.isArray((modelTopology as { node?: unknown } | undefined)?.node);
}

function symbolic({ name, shape, dtype }: Port): SymbolicTensor {
  return { name, shape, dtype: kDataTypes[dtype]! };
}
