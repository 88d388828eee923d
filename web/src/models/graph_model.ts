import { doing, ended } from '../debug/ledger.js';
import { resolveArtifacts, resolveSaving } from '../io/resolve.js';
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
} from '../io/types.js';
import { encodeWeights } from '../io/weights.js';
import { Holder } from '../owner/scope.js';
import { scope } from '../owner/scope_object.js';
import { withBytes } from '../runtime/bytes.js';
import { loadWith } from '../runtime/loader.js';
import { DisposedError } from '../runtime/errors.js';
import { kIdWords, raise, scratch, told, wasm, writeId } from '../runtime/runtime.js';
import { follow } from '../runtime/scope_following.js';
import { kDataTypes, type DataType, type Shape } from '../runtime/types.js';
import { takeResults } from '../tensor/create.js';
import { Tensor, nameOf, type NamedTensorMap } from '../tensor/tensor.js';
import { isPromise } from '../util/checks.js';
import { encodeString } from '../util/numbers.js';
import { singletonOrArray, toList } from './lists.js';
import { attributesOf, getRegisteredOp, registeredNames } from './registered_ops.js';

/** The weights of a graph by name; a list of one each, as an op may give several tensors. */
export type NamedTensorsMap = Record<string, Tensor[]>;

interface SignatureEntry {
  name?: string;
  resourceId?: number;
}
/** What a graph is called with and gives, by the names that its makers chose. */
export interface ModelSignature {
  inputs?: Record<string, SignatureEntry>;
  outputs?: Record<string, SignatureEntry>;
}
type RawNode = { name: string; op: string; attr?: Parameters<typeof attributesOf>[0] };
interface Topology {
  versions?: { producer?: number | string; minConsumer?: number | string };
  node: RawNode[];
  library?: { function?: { nodeDef?: RawNode[] }[] };
}

interface Description {
  inputs: { name: string; shape: Shape | null; dtype: number | null }[];
  leaves: string[];
  weights: { id: number; name: string; shape: number[]; dtype: number }[];
}
type Inputs = Tensor | Tensor[] | NamedTensorMap;

/** A TensorFlow graph in TensorFlow.js's format. It owns its weights until it is disposed. */
export class GraphModel extends Holder implements InferenceModel {
  readonly inputs: ModelTensorInfo[];
  readonly outputs: ModelTensorInfo[];
  /** The keys of `inputs` that a call by name uses: those of the signature, or the names of the nodes. */
  readonly inputNodes: string[];
  readonly outputNodes: string[];
  readonly weights: NamedTensorsMap = {};
  readonly modelVersion: string;
  readonly modelSignature: ModelSignature | undefined;
  readonly modelStructuredOutputKeys: object | undefined;
  readonly #artifacts: ModelArtifacts;
  readonly #engine: number;
  readonly #programs = new Map<string, number>();
  #disposed = false;

  /** Makes a model of the parts of its files; throws, naming the node or weight that is not right. */
  constructor(artifacts: ModelArtifacts) {
    super();
    const { modelTopology, weightSpecs, weightData, ...rest } = artifacts;
    const topology = encodeString(JSON.stringify(modelTopology ?? null));
    const specs = encodeString(JSON.stringify(weightSpecs ?? []));
    const ops = encodeString(JSON.stringify(registeredNames()));
    const sizes = [topology.length, specs.length, ops.length] as const;
    this.#engine = withBytes('loadGraphModel', [weightData ?? [], topology, specs, ops].flat(), (address, length) =>
      wasm._tn_graph_load(address, length - sizes.reduce((a, b) => a + b), ...sizes),
    );
    if (this.#engine === -1) raise();
    // The bytes are in the engine now.
    this.#artifacts = { modelTopology, weightSpecs: weightSpecs ?? [], ...rest };
    try {
      const { inputs, leaves, weights } = JSON.parse(told(wasm._tn_graph_describe(this.#engine))) as Description;
      for (const { id, name, shape, dtype } of weights) this.weights[name] = [new Tensor(id, shape, kDataTypes[dtype]!)];
      const { versions } = modelTopology as Topology;
      this.modelVersion = `${versions?.producer}.${versions?.minConsumer}`;
      const metadata = artifacts.userDefinedMetadata;
      this.modelSignature = (metadata?.['signature'] ?? artifacts.signature);
      this.modelStructuredOutputKeys = metadata?.['structuredOutputKeys'] as object | undefined;

      const byName = new Map(inputs.map((input) => [input.name, input]));
      const named = (entries: Record<string, SignatureEntry> | undefined, otherwise: string[]) => {
        const signed = Object.entries(entries ?? {}).flatMap(([key, { name, resourceId }]) =>
          name && typeof resourceId !== 'number' ? [{ key, node: nodeOf(name) }] : [],
        );
        return signed.length > 0 ? signed : otherwise.map((node) => ({ key: node, node }));
      };
      const info = ({ node }: { node: string }): ModelTensorInfo => {
        const found = byName.get(node);
        const shape = found?.shape?.map((extent) => extent ?? -1) as Shape | undefined;
        const dtype = typeof found?.dtype === 'number' ? kDataTypes[found.dtype] : undefined;
        return { name: node, shape: shape!, dtype: dtype as DataType };
      };
      this.initialize(artifacts);
      const given = named(this.modelSignature?.inputs, inputs.map(({ name }) => name));
      const wanted = named(this.modelSignature?.outputs, leaves);
      this.inputs = given.map(info);
      this.inputNodes = given.map(({ key }) => key);
      this.outputs = wanted.map(info);
      this.outputNodes = wanted.map(({ key }) => key);
      // What cannot run is to be known now.
      this.program(this.inputNodes, this.outputNodes);
    } catch (error) {
      wasm._tn_graph_dispose(this.#engine);
      throw error;
    }
  }

  get metadata(): Record<string, unknown> | undefined {
    return this.#artifacts.userDefinedMetadata;
  }

  /**
   * The model's outputs: a tensor, an array where there are several, or an object where the model names them. Inputs are
   * given as a tensor, an array in the order of `inputNodes`, or by name.
   */
  predict(inputs: Inputs, _config?: ModelPredictConfig): Tensor | Tensor[] | NamedTensorMap {
    return this.named(this.execute(inputs, this.outputNodes));
  }

  /** The same. */
  async predictAsync(inputs: Inputs, _config?: ModelPredictConfig): Promise<Tensor | Tensor[] | NamedTensorMap> {
    return this.named(await this.executeAsync(inputs, this.outputNodes));
  }

  /** The outputs of any nodes, given any others: 'node', 'node:1', or names of the signature. */
  execute(inputs: Inputs, outputs: string | string[] = this.outputNodes): Tensor | Tensor[] {
    let status = this.start(inputs, outputs);
    while (status < 0) status = this.answer(-2 - status);
    return resultsOf(status);
  }

  /** The same, and waits for registered ops that give promises. */
  async executeAsync(inputs: Inputs, outputs: string | string[] = this.outputNodes): Promise<Tensor | Tensor[]> {
    let status = this.start(inputs, outputs);
    while (status < 0) status = await this.answerAsync(-2 - status);
    return resultsOf(status);
  }

  /** Writes the model to a URL or an IO handler, its weights as they are used. */
  async save(target: string | IOHandler): Promise<SaveResult> {
    const handler = resolveSaving('GraphModel', target);
    const tensors = Object.entries(this.weights).map(([name, [tensor]]) => ({ name, tensor: tensor! }));
    const { data, specs } = await encodeWeights(tensors);
    return handler.save({ ...this.#artifacts, weightSpecs: specs, weightData: data });
  }

  /** Frees the weights and the plans. */
  dispose(): void {
    if (this.#disposed) return;
    this.#disposed = true;
    wasm._tn_graph_dispose(this.#engine);
    if (__DEBUG__) ended('a graph model');
  }

  override [Symbol.dispose](): void {
    this.dispose();
  }

  /** Fills the tables that the graph looks things up in. */
  private initialize({ modelInitializer, initializerSignature }: ModelArtifacts): void {
    if (!(modelInitializer as { node?: unknown } | undefined)?.node) return;
    const made = Object.values((initializerSignature as ModelSignature | undefined)?.outputs ?? {});
    const captures = Object.values(this.modelSignature?.inputs ?? {}).flatMap(({ name, resourceId }) => {
      const output = typeof resourceId === 'number' && made.find((entry) => entry.resourceId === resourceId);
      return output ? [[name, output.name]] : [];
    });
    const topology = encodeString(JSON.stringify(modelInitializer));
    const pairs = encodeString(JSON.stringify(captures));
    const status = withBytes('loadGraphModel', [topology, pairs], (address) =>
      wasm._tn_graph_initialize(this.#engine, address, topology.length, pairs.length),
    );
    if (status === -1) raise();
  }

  private start(inputs: Inputs, outputs: string | string[]): number {
    if (this.#disposed) throw new Error('The graph model is already disposed.');
    follow();
    const given = this.byName(inputs);
    const names = Object.keys(given);
    const program = this.program(names, toList(outputs));
    const words = scratch();
    names.forEach((name, i) => {
      const tensor = given[name] as unknown;
      if (!(tensor instanceof Tensor)) throw new Error(`The graph model expects a Tensor for its input ${name}, but got '${String(tensor)}'`);
      writeId(words, kIdWords * i, tensor.id);
    });
    if (__DEBUG__) doing('execute');
    const status = wasm._tn_graph_run(this.#engine, program, names.length);
    if (status === -1) {
      const disposed = names.map((name) => given[name]!).find((tensor) => tensor.isDisposed);
      if (disposed) throw new DisposedError(`[execute] Tensor is disposed: ${nameOf(disposed)}`);
      raise();
    }
    return status;
  }

  /** Calls the registered op that a run waits for, in a scope of its own, and goes on; gives what start() does. */
  private answer(run: number): number {
    const own = scope('registered op');
    try {
      const results = own.run(() => this.call(run));
      if (isPromise(results)) {
        throw new Error(
          `The execution of the op '${this.nodeAt(run).op}' returned a promise. Please use model.executeAsync() instead.`,
        );
      }
      return this.supply(run, results);
    } finally {
      own.close();
    }
  }

  private async answerAsync(run: number): Promise<number> {
    const own = scope('registered op');
    try {
      return this.supply(run, await own.run(() => this.call(run)));
    } finally {
      own.close();
    }
  }

  private call(run: number): Tensor | Tensor[] | Promise<Tensor | Tensor[]> {
    try {
      const { op, attr } = this.nodeAt(run);
      const mapper = getRegisteredOp(op);
      if (!mapper) throw new TypeError(`Custom op ${op} is not registered.`);
      const count = wasm._tn_graph_waiting_inputs(this.#engine, run);
      if (count === -1) raise();
      return mapper.customExecutor({ inputs: takeResults(count), attrs: attributesOf(attr) });
    } catch (error) {
      wasm._tn_graph_drop(this.#engine, run);
      throw error;
    }
  }

  private nodeAt(run: number): RawNode {
    const name = told(wasm._tn_graph_waiting(this.#engine, run));
    const { node, library } = this.#artifacts.modelTopology as Topology;
    const nodes = [node, ...(library?.function ?? []).map(({ nodeDef }) => nodeDef ?? [])].flat();
    return nodes.find((one) => one.name === name)!;
  }

  private supply(run: number, results: Tensor | Tensor[]): number {
    follow();
    try {
      const list = toList(results);
      const words = scratch();
      list.forEach((tensor, i) => {
        if (!(tensor instanceof Tensor)) throw new Error(`The op '${this.nodeAt(run).op}' must give tensors, but gave '${String(tensor)}'`);
        writeId(words, kIdWords * i, tensor.id);
      });
      const status = wasm._tn_graph_supply(this.#engine, run, list.length);
      if (status === -1) raise();
      return status;
    } catch (error) {
      wasm._tn_graph_drop(this.#engine, run);
      throw error;
    }
  }

  private byName(inputs: Inputs): NamedTensorMap {
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

  private program(inputs: string[], outputs: string[]): number {
    const names = JSON.stringify([
      inputs.map((name) => this.modelSignature?.inputs?.[name]?.name ?? name),
      outputs.map((name) => this.modelSignature?.outputs?.[name]?.name ?? name),
    ]);
    const known = this.#programs.get(names);
    if (known !== undefined) return known;
    const program = withBytes('execute', encodeString(names), (address, length) =>
      wasm._tn_graph_compile(this.#engine, address, length),
    );
    if (program === -1) raise();
    this.#programs.set(names, program);
    return program;
  }
}

/** Loads a model from a URL, a path in Node, or an IO handler such as `{load}`. */
export async function loadGraphModel(source: ModelSource, options: LoadOptions = {}): Promise<GraphModel> {
  if (source === null || source === undefined) {
    throw new Error(
      'modelUrl in loadGraphModel() cannot be null. Please provide a url or an IOHandler that loads the model',
    );
  }
  const onHub = options?.fromTFHub && typeof source === 'string';
  const url = onHub ? `${source.replace(/\/?$/, '/')}model.json?tfjs-format=file` : source;
  const [artifacts] = await Promise.all([resolveArtifacts(url, options ?? {}), loadWith('graph', 'models')]);
  return new GraphModel(artifacts);
}

/** Makes a model of a handler that needs no waiting for, of artifacts, or of a model.json and its weights. */
export function loadGraphModelSync(source: IOHandlerSync | ModelArtifacts | [ModelJSON, ArrayBuffer]): GraphModel {
  if (source === null || source === undefined) {
    throw new Error(
      'modelUrl in loadGraphModelSync() cannot be null. Please provide model artifacts or an IOHandler that loads the model',
    );
  }
  if (Array.isArray(source)) {
    const [json, weights] = source;
    if (!json) throw new Error('modelJSON must be the first element of the array');
    if (!(weights instanceof ArrayBuffer)) throw new Error('An ArrayBuffer of weights must be the second element of the array');
    if (!('modelTopology' in json)) throw new Error("Model JSON is missing 'modelTopology'");
    if (!json.weightsManifest) throw new Error("Model JSON is missing 'weightsManifest'");
    const { weightsManifest, ...description } = json;
    return new GraphModel({
      ...description,
      weightSpecs: weightsManifest.flatMap((group) => group.weights),
      weightData: weights,
    });
  }
  if ('load' in source && source.load) return new GraphModel(source.load());
  if ('modelTopology' in source) return new GraphModel(source);
  throw new Error('Unknown model format');
}

function resultsOf(count: number): Tensor | Tensor[] {
  return singletonOrArray(takeResults(count));
}

function nodeOf(name: string): string {
  return name.split(':')[0]!;
}
