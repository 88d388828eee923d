import { noteCall, runAsCalled } from '../../debug/ledger.js';
import { ENV } from '../../device/environment.js';
import { checkTopology, findLoadHandler, findSaveHandler, withWeightData } from '../../io/resolve.js';
import type {
  IOHandler,
  IOHandlerSync,
  InferenceModel,
  LoadOptions,
  ModelArtifacts,
  ModelJSON,
  ModelPredictConfig,
  ModelSource,
  ModelTensorInfo,
  SaveResult,
} from '../../io/types.js';
import { encodeWeights } from '../../io/weights.js';
import { Holder, dispose, keep } from '../../owner/scope.js';
import { DisposedError } from '../../runtime/errors.js';
import { loadForModels } from '../../runtime/loader.js';
import { kDataTypes } from '../../runtime/types.js';
import { describeType } from '../../tensor/input.js';
import { Tensor, type NamedTensorMap } from '../../tensor/tensor.js';
import { isPromise } from '../../util/checks.js';
import { getEntry, setEntry } from '../../util/entries.js';
import type { RawNode } from '../graph_description.js';
import { GraphExecutor } from '../graph_executor.js';
import { getCaptures, getInterface, type GraphInterface, type ModelSignature } from './graph_signature.js';
import { ModelLoad } from './model_load.js';
import { singletonOrArray, toList } from '../../util/array_utils.js';

export type { ModelSignature };

/** Tensors of nodes by name: an array for each node, as an op may have several outputs. */
export type NamedTensorsMap = Record<string, Tensor[]>;
type Inputs = Tensor | Tensor[] | NamedTensorMap;
type Handler = IOHandler | IOHandlerSync;
type Url = string | Handler;
/** Result of load(): a promise unless the handler is synchronous. */
type Loading<ModelURL extends Url> = (ModelURL extends string ? IOHandler : ModelURL) extends IOHandlerSync
  ? boolean
  : Promise<boolean>;

/** State of a loaded model. */
interface Loaded extends GraphInterface {
  graph: GraphExecutor;
  /** Artifacts without the bytes of the weights, which the engine has. */
  artifacts: ModelArtifacts;
  weights: NamedTensorsMap;
}

/**
 * Compiles the GPU's kernels for predictions of one example if possible, for importers of other formats. Disposes the model if it
 * fails.
 */
export let prelink: (model: GraphModel, load: ModelLoad, plansOnCpu?: boolean) => Promise<void>;
/** Runs a load of a model, which disposing of the model aborts with a DisposedError. */
export let runLoad: <T>(model: GraphModel, body: (load: ModelLoad) => Promise<T>) => Promise<T>;
/** Makes a model own a graph, for importers of other formats. Throws, and leaves it to the caller, if it cannot run. */
export let setGraph: (
  model: GraphModel,
  graph: GraphExecutor,
  artifacts: ModelArtifacts,
  ports: GraphInterface,
) => void;

/**
 * Model of a TensorFlow graph in TensorFlow.js's format. It owns its weights until it is disposed. A model created with `new`
 * is empty until load(), or until loadSync() with the artifacts of its handler.
 * @example
 * const node = (name, op, input = []) => ({ name, op, input, attr: { dtype: { type: 'DT_FLOAT' }, T: { type: 'DT_FLOAT' } } });
 * const modelTopology = { node: [node('x', 'Placeholder'), node('s', 'Square', ['x']), node('y', 'Neg', ['s'])] };
 * const model = await tf.loadGraphModel({ load: async () => ({ modelTopology, weightSpecs: [], weightData: new ArrayBuffer(0) }) });
 * model.execute({ x: tf.tensor([1, 3]) }, 's'); // [1, 9]: any node by its name
 * model.dispose();
 */
export class GraphModel<ModelURL extends Url = string | IOHandler> extends Holder implements InferenceModel {
  /** URL of the model; undefined if it comes from a handler. */
  readonly modelUrl: string | undefined;
  /** Handler that loads the model. It is dropped once the model is loaded, as it may hold the bytes of the weights. */
  handler: Handler | undefined;
  readonly #loadOptions: LoadOptions;
  /** The options, with the signal of the last load. */
  #requestOptions: LoadOptions;
  readonly #loads = new Set<ModelLoad>();
  #loaded: Loaded | undefined;
  #intermediate: NamedTensorsMap = {};

  static {
    setGraph = (model, ...graph) => model.#setGraph(...graph);
    prelink = (model, load, plansOnCpu) => model.#prelink(load, plansOnCpu);
    runLoad = (model, body) => model.#runLoad(body);
  }

  constructor(source: ModelURL, loadOptions: LoadOptions = {}) {
    super();
    if (typeof source === 'string') this.modelUrl = source;
    else this.handler = source;
    this.#loadOptions = this.#requestOptions = loadOptions;
  }

  /** Finds the handler that loads the model. Throws if there is none for its URL. */
  findIOHandler(): void {
    this.handler = findLoadHandler((this.handler as IOHandler | undefined) ?? this.modelUrl, this.#requestOptions);
  }

  /**
   * Loads the model. Returns true, or a promise of true unless the handler is synchronous. The promise rejects with DisposedError
   * if the model is disposed while it is loaded.
   */
  load(): Loading<ModelURL> {
    if (__DEBUG__) noteCall(this);
    const load = new ModelLoad();
    this.#requestOptions = load.withSignal(this.#loadOptions);
    // The handler of an earlier load sends its requests with the signal of that load.
    if (this.modelUrl !== undefined) this.handler = undefined;
    let artifacts: ReturnType<NonNullable<Handler['load']>> | undefined;
    try {
      this.findIOHandler();
      artifacts = this.handler!.load!();
    } finally {
      if (!isPromise(artifacts)) load.finish();
    }
    if (!isPromise(artifacts)) return this.loadSync(artifacts) as Loading<ModelURL>;
    return this.#runLoad(() => this.#loadAsync(load, artifacts), load) as Loading<ModelURL>;
  }

  async #loadAsync(load: ModelLoad, artifacts: Promise<ModelArtifacts>): Promise<boolean> {
    const parts = loadForModels('graph');
    // Its error is thrown below, where it is awaited.
    parts.catch(() => {});
    const whole = await withWeightData(await load.wait(artifacts), this.modelUrl, (step) => load.wait(step));
    await load.wait(parts);
    this.loadSync(whole);
    await this.#prelink(load);
    return true;
  }

  async #runLoad<T>(body: (load: ModelLoad) => Promise<T>, load = new ModelLoad()): Promise<T> {
    this.#loads.add(load);
    try {
      return await body(load);
    } catch (error) {
      load.abort(error as Error);
      throw error;
    } finally {
      this.#loads.delete(load);
      load.finish();
    }
  }

  /** Creates the model from the parts of its files. Returns true. Throws an error that names the invalid node or weight. */
  loadSync(artifacts: ModelArtifacts): boolean {
    checkTopology(artifacts, this.modelUrl);
    const graph = GraphExecutor.load(artifacts);
    try {
      const { description } = graph;
      const { modelInitializer, initializerSignature, userDefinedMetadata } = artifacts;
      const signature = userDefinedMetadata?.['signature'] ?? artifacts.signature;
      if (
        typeof modelInitializer === 'object' &&
        modelInitializer &&
        'node' in modelInitializer &&
        modelInitializer.node
      ) {
        graph.initialize(modelInitializer, getCaptures(signature, initializerSignature));
      }
      const kept = { ...artifacts, weightSpecs: artifacts.weightSpecs ?? [] };
      delete kept.weightData;
      this.#setGraph(graph, kept, getInterface(description, signature));
      this.handler = undefined;
      return true;
    } catch (error) {
      graph.dispose();
      throw error;
    }
  }

  /** Takes ownership of a graph. Throws, and leaves it to the caller, if it cannot run. */
  #setGraph(graph: GraphExecutor, artifacts: ModelArtifacts, ports: GraphInterface): void {
    const weights = __DEBUG__ ? runAsCalled(this, () => getWeights(graph)) : getWeights(graph);
    const loaded = { graph, artifacts, weights, ...ports };
    // A graph that cannot run fails here instead of at the first call.
    getMainProgram(loaded);
    this.#loaded?.graph.dispose();
    this.#loaded = loaded;
  }

  async #prelink(load: ModelLoad, plansOnCpu?: boolean): Promise<void> {
    try {
      await load.wait(this.loaded.graph.prelink(getMainProgram(this.loaded), plansOnCpu));
    } catch (error) {
      // A model that was disposed may be loading again.
      if (!load.isAborted) this.dispose();
      throw error;
    }
  }

  /** The inputs, in the order in which predict() takes them. */
  get inputs(): ModelTensorInfo[] {
    return this.loaded.inputs;
  }
  /** The outputs, in the order in which predict() returns them. */
  get outputs(): ModelTensorInfo[] {
    return this.loaded.outputs;
  }
  /** Names of the inputs in a call by name: the keys of the signature, or else the names of the nodes. */
  get inputNodes(): string[] {
    return this.loaded.inputNodes;
  }
  /** Names of the outputs: the keys of the signature, or else the names of the nodes. */
  get outputNodes(): string[] {
    return this.loaded.outputNodes;
  }
  /** The weights by name; the model keeps owning them. */
  get weights(): NamedTensorsMap {
    return this.loaded.weights;
  }
  /** Versions of the graph's format, such as '1087.0': that of the producer, and the minimum of a consumer. */
  get modelVersion(): string {
    const { versions } = this.loaded.graph.topology;
    return `${versions?.producer}.${versions?.minConsumer}`;
  }
  /** Signature of the graph: the inputs and outputs by their names in TensorFlow; undefined if the file has none. */
  get modelSignature(): ModelSignature | undefined {
    return this.loaded.signature;
  }
  /** Names of the outputs of TensorFlow's function; undefined unless the converter stored them. */
  get modelStructuredOutputKeys(): object | undefined {
    return this.metadata?.['structuredOutputKeys'] as object | undefined;
  }
  /** The file's userDefinedMetadata; undefined if it has none. */
  get metadata(): Record<string, unknown> | undefined {
    return this.loaded.artifacts.userDefinedMetadata;
  }

  /** The model's artifacts without the bytes of the weights; undefined before the model is loaded. */
  get artifacts(): ModelArtifacts | undefined {
    return this.#loaded?.artifacts;
  }
  /** The nodes of the graph by name, for programs that read TensorFlow.js's executor; undefined before the model is loaded. */
  get executor():
    | {
        /** Graph of the model. */
        graph: {
          /** Nodes by name. */
          nodes: Record<string, RawNode>;
        };
      }
    | undefined {
    if (!this.#loaded) return undefined;
    return { graph: { nodes: Object.fromEntries(this.#loaded.graph.topology.node.map((node) => [node.name, node])) } };
  }

  /**
   * Returns the model's outputs: a tensor, an array if there are several, or an object if the model names them. Inputs are a
   * tensor, an array in the order of `inputNodes`, or tensors by name.
   */
  predict(inputs: Inputs, _config?: ModelPredictConfig): Tensor | Tensor[] | NamedTensorMap {
    return this.named(this.execute(inputs, this.outputNodes));
  }

  /** Returns the model's outputs as predict() does, but awaits registered ops that return promises. */
  async predictAsync(inputs: Inputs, _config?: ModelPredictConfig): Promise<Tensor | Tensor[] | NamedTensorMap> {
    return this.named(await this.executeAsync(inputs, this.outputNodes));
  }

  /**
   * Returns the outputs of any nodes for given inputs, which may be outputs of other nodes. Names are 'node', 'node:1', or those of
   * the signature.
   */
  execute(inputs: Inputs, outputs: string | string[] = this.outputNodes): Tensor | Tensor[] {
    const { graph } = this.loaded;
    const keeps = this.shouldKeepIntermediates();
    const results = graph.run(...this.prepare(inputs, outputs), keeps);
    if (keeps) this.storeIntermediates(results);
    return singletonOrArray(results);
  }

  /** Returns the outputs of any nodes as execute() does, but awaits registered ops that return promises. */
  async executeAsync(inputs: Inputs, outputs: string | string[] = this.outputNodes): Promise<Tensor | Tensor[]> {
    const { graph } = this.loaded;
    const keeps = this.shouldKeepIntermediates();
    const results = await graph.runAsync(...this.prepare(inputs, outputs), keeps);
    if (keeps) this.storeIntermediates(results);
    return singletonOrArray(results);
  }

  /**
   * Returns the outputs of each node of the last call by name, inputs and weights included, if the flag
   * KEEP_INTERMEDIATE_TENSORS is set. The model owns them until the next call or disposeIntermediateTensors(). Such calls run
   * node by node, and take longer.
   */
  getIntermediateTensors(): NamedTensorsMap {
    return this.#intermediate;
  }

  /** Frees the tensors that getIntermediateTensors() returns. */
  disposeIntermediateTensors(): void {
    dispose(this.#intermediate);
    this.#intermediate = {};
  }

  /** Saves the model to a URL or with an IO handler. Its weights are saved as they are computed with, not quantized. */
  async save(target: string | IOHandler): Promise<SaveResult> {
    const handler = findSaveHandler('GraphModel', target);
    const tensors = Object.entries(this.weights).map(([name, [tensor]]) => ({ name, tensor: tensor! }));
    const { data, specs } = await encodeWeights(tensors);
    return handler.save({ ...this.loaded.artifacts, weightSpecs: specs, weightData: data });
  }

  /** Frees the weights and the plans. Ends a load() in progress, which rejects with DisposedError. */
  dispose(): void {
    const source = this.modelUrl ?? 'the IO handler';
    for (const load of this.#loads)
      load.abort(new DisposedError(`The model from ${source} was disposed while it was loaded.`));
    this.disposeIntermediateTensors();
    this.#loaded?.graph.dispose();
  }

  override [Symbol.dispose](): void {
    this.dispose();
  }

  private get loaded(): Loaded {
    if (!this.#loaded) throw new Error('The graph model is not loaded: call and await its load() first.');
    return this.#loaded;
  }

  private shouldKeepIntermediates(): boolean {
    this.disposeIntermediateTensors();
    return ENV.getBool('KEEP_INTERMEDIATE_TENSORS');
  }

  private storeIntermediates(results: Tensor[]): void {
    try {
      this.#intermediate = keep(Object.fromEntries(this.loaded.graph.takeIntermediates()));
    } catch (error) {
      dispose(results);
      throw error;
    }
  }

  /** Returns the program for a call, and the call's inputs. */
  private prepare(inputs: Inputs, outputs: string | string[]): [program: number, given: NamedTensorMap] {
    const { graph } = this.loaded;
    graph.checkAlive();
    const given = this.toNamedInputs(inputs);
    return [graph.program(...resolveNodeNames(this.loaded, Object.keys(given), toList(outputs))), given];
  }

  protected toNamedInputs(inputs: Inputs): NamedTensorMap {
    if (inputs === null || typeof inputs !== 'object') {
      throw new Error(
        `The graph model expects a Tensor, an array of inputs or inputs by name, but got ${describeType(inputs)}`,
      );
    }
    if (!(inputs instanceof Tensor) && !Array.isArray(inputs)) return inputs;
    const list = toList(inputs);
    if (list.length !== this.inputNodes.length) {
      throw new Error(
        `Input tensor count mismatch, the graph model has ${this.inputNodes.length} non-resource placeholders, ` +
          `while there are ${list.length} input tensors provided.`,
      );
    }
    return Object.fromEntries(this.inputNodes.map((name, i) => [name, list[i]!]));
  }

  private named(outputs: Tensor | Tensor[]): Tensor | Tensor[] | NamedTensorMap {
    const keys = this.modelStructuredOutputKeys as string[] | undefined;
    if (!keys) return outputs;
    return Object.fromEntries(toList(outputs).map((tensor, i) => [keys[i], tensor])) as NamedTensorMap;
  }
}

/**
 * Loads a graph model from a URL, a path in Node, or an IO handler such as `{load}`.
 * @example
 * const node = (name, op, input = []) => ({ name, op, input, attr: { dtype: { type: 'DT_FLOAT' }, T: { type: 'DT_FLOAT' } } });
 * const modelTopology = { node: [node('x', 'Placeholder'), node('y', 'Square', ['x'])] };
 * const model = await tf.loadGraphModel({ load: async () => ({ modelTopology, weightSpecs: [], weightData: new ArrayBuffer(0) }) });
 * model.predict(tf.tensor([1, 3])); // [1, 9]
 * model.dispose();
 */
export async function loadGraphModel(source: ModelSource, options: LoadOptions = {}): Promise<GraphModel> {
  if (source === null || source === undefined) {
    throw new Error(
      'modelUrl in loadGraphModel() cannot be null. Please provide a url or an IOHandler that loads the model',
    );
  }
  const onHub = options?.fromTFHub && typeof source === 'string';
  const model = new GraphModel(
    onHub ? `${source.replace(/\/?$/, '/')}model.json?tfjs-format=file` : source,
    options ?? {},
  );
  await model.load();
  return model;
}

/**
 * Creates a graph model from a synchronous handler, from artifacts, or from a model.json and its weights.
 * @example
 * const node = (name, op, input = []) => ({ name, op, input, attr: { dtype: { type: 'DT_FLOAT' }, T: { type: 'DT_FLOAT' } } });
 * const modelTopology = { node: [node('x', 'Placeholder'), node('y', 'Square', ['x'])] };
 * await tf.init(); // models are a part of the engine that is loaded when it is needed
 * const model = tf.loadGraphModelSync({ load: () => ({ modelTopology, weightSpecs: [], weightData: new ArrayBuffer(0) }) });
 * model.outputs.map(({ name }) => name); // ['y']
 * model.dispose();
 */
export function loadGraphModelSync(
  source: IOHandlerSync | ModelArtifacts | [ModelJSON, ArrayBuffer],
): GraphModel<IOHandlerSync> {
  if (source === null || source === undefined) {
    throw new Error(
      'modelUrl in loadGraphModelSync() cannot be null. Please provide model artifacts or an IOHandler that loads the model',
    );
  }
  if (Array.isArray(source)) {
    const [json, weights] = source;
    if (!json) throw new Error('modelJSON must be the first element of the array');
    if (!(weights instanceof ArrayBuffer))
      throw new Error('An ArrayBuffer of weights must be the second element of the array');
    if (!('modelTopology' in json)) throw new Error("Model JSON is missing 'modelTopology'");
    if (!json.weightsManifest) throw new Error("Model JSON is missing 'weightsManifest'");
    const { weightsManifest, ...description } = json;
    const weightSpecs = weightsManifest.flatMap((group) => group.weights);
    return made({ ...description, weightSpecs, weightData: weights });
  }
  if ('load' in source && source.load) return made(source.load());
  if ('modelTopology' in source) return made(source);
  throw new Error('Unknown model format');
}

function getWeights({ description }: GraphExecutor): NamedTensorsMap {
  const weights: NamedTensorsMap = {};
  for (const { id, name, shape, dtype } of description.weights)
    setEntry(weights, name, [new Tensor(id, shape, kDataTypes[dtype]!)]);
  return weights;
}

function made(artifacts: ModelArtifacts): GraphModel<IOHandlerSync> {
  const model = new GraphModel<IOHandlerSync>({ load: () => artifacts });
  model.loadSync(artifacts);
  return model;
}

/** Returns the program that computes the outputs from the inputs. */
function getMainProgram(loaded: Loaded): number {
  return loaded.graph.program(...resolveNodeNames(loaded, loaded.inputNodes, loaded.outputNodes));
}

/** Converts the names of a call, which may be keys of the signature, to names of the graph's nodes. */
function resolveNodeNames(
  { signature }: GraphInterface,
  inputs: string[],
  outputs: string[],
): [inputs: string[], outputs: string[]] {
  return [
    inputs.map((name) => getEntry(signature?.inputs, name)?.name ?? name),
    outputs.map((name) => getEntry(signature?.outputs, name)?.name ?? name),
  ];
}
