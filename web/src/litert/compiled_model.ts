import { dispose, TFLiteModel, tensor, tidy, type Tensor as EngineTensor, type TFLiteTensorInfo } from '../index.js';
import { getDefaultEnvironment, type Environment } from './environment.js';
import { Tensor, TensorBufferType, toArray, type DType } from './tensor.js';

type Inputs = Tensor | Tensor[] | Record<string, Tensor>;
type Outputs = Tensor[] | Record<string, Tensor>;

/** Options of loadAndCompile(). Programs may pass LiteRT.js's options for GPUs and WebNN, which have no effect. */
export interface CompileOptions {
  /** Ignored, with a warning unless it is 'wasm': models run on the backend of `tenure`. */
  accelerator?: 'wasm' | 'webgpu' | 'webnn';
  /** Environment of the model and of its results. */
  environment?: Environment;
  /** Ignored: tf.setThreadsCount() of `tenure` sets the number of threads of the engine. */
  cpuOptions?: {
    /** Number of threads. */
    numThreads?: number;
  };
  /** Ignored. */
  gpuOptions?: object;
  /** Ignored. */
  webNNOptions?: object;
}

/** An input or output of a model. */
export interface TensorDetails {
  /** Name in the signature, or of the tensor in a file without signatures. */
  readonly name: string;
  /** Position among the inputs or outputs. */
  readonly index: number;
  /** Element type. */
  readonly dtype: DType;
  /** Shape, with -1 for unknown extents. */
  readonly shape: Int32Array;
  /** Kinds of memory that it may have. */
  readonly supportedBufferTypes: ReadonlySet<TensorBufferType>;
}

/** A signature of a model, which runs as the model does. */
export interface SignatureRunner {
  /** Key of the signature. */
  readonly key: string;
  /** Options of the model. */
  readonly options: Required<CompileOptions>;
  /** Returns the inputs, in the order of run(). */
  getInputDetails(): readonly TensorDetails[];
  /** Returns the outputs, in the order of run(). */
  getOutputDetails(): readonly TensorDetails[];
  /** Resolves to the outputs: a list for a tensor or a list, and by names for inputs by names. */
  run(input: Tensor | Tensor[]): Promise<Tensor[]>;
  run(input: Record<string, Tensor>): Promise<Record<string, Tensor>>;
}

/** Names of the inputs and outputs of a model, in its order. */
interface PortNames {
  inputNodes: string[];
  outputNodes: string[];
}

/** Runs one signature of a file: a model of the engine, which it owns until dispose(). */
class Runner implements SignatureRunner {
  readonly #model: TFLiteModel;
  readonly #inputs: TensorDetails[];
  readonly #outputs: TensorDetails[];
  /** Types in the engine of the inputs. */
  readonly #dtypes: TFLiteTensorInfo['dtype'][];

  /**
   * Takes ownership of a model.
   * @param key Key of the signature; '' if the file has none.
   * @param options Options of the model.
   * @param model Model of the signature, or of the file's main graph.
   * @param names Names of the signature, if the model is that of the main graph and has the names of its tensors.
   */
  constructor(
    readonly key: string,
    readonly options: Required<CompileOptions>,
    model: TFLiteModel,
    { inputNodes, outputNodes }: PortNames = model,
  ) {
    this.#model = model;
    this.#inputs = model.inputs.map((info, i) => toDetails(info, inputNodes[i]!, i));
    this.#outputs = model.outputs.map((info, i) => toDetails(info, outputNodes[i]!, i));
    this.#dtypes = model.inputs.map(({ dtype }) => dtype);
  }

  getInputDetails(): readonly TensorDetails[] {
    return this.#inputs;
  }

  getOutputDetails(): readonly TensorDetails[] {
    return this.#outputs;
  }

  run(input: Tensor | Tensor[]): Promise<Tensor[]>;
  run(input: Record<string, Tensor>): Promise<Record<string, Tensor>>;
  async run(input: Inputs): Promise<Outputs> {
    const isNamed = !(input instanceof Tensor || Array.isArray(input));
    const given = isNamed ? this.#byName(input) : input instanceof Tensor ? [input] : input;
    if (given.length !== this.#inputs.length)
      throw new Error(`[run] The model has ${this.#inputs.length} inputs, got ${given.length}.`);
    const results = await this.#compute(given);
    return isNamed ? Object.fromEntries(this.#outputs.map(({ name }, i) => [name, results[i]!])) : results;
  }

  dispose(): void {
    this.#model.dispose();
  }

  #byName(input: Record<string, Tensor>): Tensor[] {
    const names = this.#inputs.map(({ name }) => name);
    const unknown = Object.keys(input).find((name) => !names.includes(name));
    if (unknown !== undefined)
      throw new Error(`[run] The model has no input "${unknown}": its inputs are ${names.join(', ')}.`);
    const missing = names.find((name) => !(name in input));
    if (missing !== undefined) throw new Error(`[run] The input "${missing}" is missing.`);
    return names.map((name) => input[name]!);
  }

  /** Computes before it first awaits, so that runs at the same time do not meet. */
  async #compute(given: Tensor[]): Promise<Tensor[]> {
    const outputs = tidy(() => {
      const inputs = given.map((each, i) => toEngine(each, this.#inputs[i]!, this.#dtypes[i]));
      const results = this.#model.execute(inputs);
      return Array.isArray(results) ? results : [results];
    });
    try {
      const values = await Promise.all(outputs.map((each) => each.data()));
      return outputs.map(
        ({ shape }, i) => new Tensor(toArray(this.#outputs[i]!.dtype, values[i]!), shape, this.options.environment),
      );
    } finally {
      dispose(outputs);
    }
  }
}

/**
 * Returns the key of the signature that the main graph of a model runs; undefined if there is none, or if others have the same
 * names, so that it is unknown which one it is.
 */
function findMainSignature({ modelSignature, signatures }: TFLiteModel): string | undefined {
  const toText = (inputs: string[], outputs: string[]) => JSON.stringify([[...inputs].sort(), [...outputs].sort()]);
  const namesOf = (ports?: object) => Object.keys(ports ?? {});
  const names = toText(namesOf(modelSignature?.inputs), namesOf(modelSignature?.outputs));
  const found = signatures.filter(({ inputs, outputs }) => toText(inputs, outputs) === names);
  return found.length === 1 ? found[0]!.key : undefined;
}

/** Returns the names that the signature of a model's main graph has for its inputs and outputs. */
function getSignatureNames({ inputs, outputs, modelSignature }: TFLiteModel): PortNames {
  const rename = (infos: TFLiteTensorInfo[], ports: Record<string, { name?: string }> = {}) => {
    const left = Object.entries(ports);
    return infos.map(({ name }) => {
      const at = left.findIndex(([, port]) => port.name === name);
      return at < 0 ? name : left.splice(at, 1)[0]![0];
    });
  };
  return {
    inputNodes: rename(inputs, modelSignature?.inputs),
    outputNodes: rename(outputs, modelSignature?.outputs),
  };
}

function toDetails({ type, shape = [] }: TFLiteTensorInfo, name: string, index: number): TensorDetails {
  const isKept = type === 'uint8' || type === 'int8' || type === 'int32';
  const dtype = isKept ? type : /^(?:u?int|bool)/.test(type) ? 'int32' : 'float32';
  const shapes = Int32Array.from(shape);
  return { name, index, dtype, shape: shapes, supportedBufferTypes: new Set([TensorBufferType.HOST_MEMORY]) };
}

function toEngine(given: Tensor, { name, dtype }: TensorDetails, engineType = 'float32'): EngineTensor {
  if (!(given instanceof Tensor)) throw new TypeError(`[run] The input "${name}" must be a Tensor of tenure/litert.`);
  const { type } = given;
  if (type.dtype !== dtype) throw new TypeError(`[run] The input "${name}" is ${dtype}, got ${type.dtype}.`);
  const values = given.toTypedArray();
  const dims = Array.from(type.layout.dimensions);
  if (engineType === 'bool')
    return tensor(
      Uint8Array.from(values, (value) => Number(value !== 0)),
      dims,
      'bool',
    );
  const data = values instanceof Float32Array || values instanceof Int32Array ? values : Int32Array.from(values);
  return tensor(data, dims, dtype === 'float32' ? 'float32' : 'int32');
}

/** A model of LiteRT.js over a TFLiteModel, whose weights it owns until delete(). */
export class CompiledModel {
  readonly #runners: Map<string, Runner>;
  readonly #first: Runner;
  readonly #source: string;
  readonly #onDelete: (model: CompiledModel) => void;
  #isDeleted = false;

  /** @internal Use loadAndCompile(). */
  constructor(runners: Map<string, Runner>, source: string, onDelete: (model: CompiledModel) => void) {
    this.#runners = runners;
    this.#first = [...runners.values()][0]!;
    this.#source = source;
    this.#onDelete = onDelete;
  }

  /**
   * @internal Loads a model and its signatures. Rejects as loadTFLiteModel() does.
   * @param source URL or bytes of the file.
   * @param options Options of the model.
   * @param loading Set that has the models of the engine while they are loaded. Disposing of one ends the load.
   * @param onDelete Called when the model is deleted.
   */
  static async load(
    source: string | Uint8Array,
    options: CompileOptions,
    loading: Set<TFLiteModel>,
    onDelete: (model: CompiledModel) => void,
  ): Promise<CompiledModel> {
    const all = { ...kDefaults, environment: getDefaultEnvironment(), ...options };
    // The file is read once. The models keep `load` and `onRead`, so the bytes are dropped when all models are loaded.
    const isBytes = typeof source !== 'string';
    let chunks = isBytes ? [source] : [];
    const load = () => (chunks.length === 1 ? chunks[0]! : new Blob(chunks as Uint8Array<ArrayBuffer>[]).arrayBuffer());
    const onRead = (read: Uint8Array[]) => (chunks = read);
    const track = async (model: TFLiteModel, load: Promise<unknown>) => {
      loading.add(model);
      try {
        await load;
      } finally {
        loading.delete(model);
      }
    };
    // The debug build knows this function as one that loads models, not functions within it.
    const readOptions = { quantized: true, onRead };
    const main = new TFLiteModel(isBytes ? { load } : source, readOptions);
    await track(main, main.load());
    const keys = main.signatures.map(({ key }) => key);
    const own = findMainSignature(main);
    const runners = new Map<string, Runner>();
    if (keys.length === 0) runners.set('', new Runner('', all, main));
    else if (own === undefined) main.dispose();
    try {
      for (const key of keys) {
        const isMain = key === own;
        const model = isMain ? main : new TFLiteModel({ load }, { quantized: true, signature: key });
        if (!isMain) await track(model, model.load());
        runners.set(key, new Runner(key, all, model, isMain ? getSignatureNames(main) : model));
      }
    } catch (error) {
      for (const runner of runners.values()) runner.dispose();
      main.dispose();
      throw error;
    } finally {
      chunks = [];
    }
    return new CompiledModel(runners, typeof source === 'string' ? source : 'the given bytes', onDelete);
  }

  /** Key of the first signature, which run() runs; '' if the file has none. */
  get key(): string {
    return this.#first.key;
  }

  /** Options of the model. */
  get options(): Required<CompileOptions> {
    return this.#first.options;
  }

  /** The signatures by key. */
  get signatures(): Record<string, SignatureRunner> {
    return Object.fromEntries(this.#runners);
  }

  /** Returns the inputs, in the order of run(). */
  getInputDetails(): readonly TensorDetails[] {
    return this.#first.getInputDetails();
  }

  /** Returns the outputs, in the order of run(). */
  getOutputDetails(): readonly TensorDetails[] {
    return this.#first.getOutputDetails();
  }

  /**
   * Resolves to the outputs of a signature, the first by default: a list for a tensor or a list, and by names for inputs by names.
   * Rejects after delete(), and with an error that names the input if it is missing or has a wrong type or shape.
   */
  run(input: Tensor | Tensor[]): Promise<Tensor[]>;
  run(input: Record<string, Tensor>): Promise<Record<string, Tensor>>;
  run(signatureName: string, input: Tensor | Tensor[]): Promise<Tensor[]>;
  run(signatureName: string, input: Record<string, Tensor>): Promise<Record<string, Tensor>>;
  async run(first: Inputs | string, second?: Inputs): Promise<Outputs> {
    if (this.#isDeleted) throw new Error(`[run] The model of ${this.#source} is deleted.`);
    if (typeof first !== 'string') return this.#first.run(first as Tensor[]);
    const runner = this.#runners.get(first);
    if (!runner) {
      const keys = [...this.#runners.keys()].filter(Boolean).join(', ');
      throw new Error(`[run] The model has no signature "${first}"${keys && `: its signatures are ${keys}`}.`);
    }
    return runner.run(second as Tensor[]);
  }

  /** True: no op is left to a slower runtime. */
  get isFullyAccelerated(): boolean {
    return true;
  }

  /** True after delete(). */
  get deleted(): boolean {
    return this.#isDeleted;
  }

  /** Frees the model. Does nothing if it is freed. */
  delete(): void {
    if (this.#isDeleted) return;
    this.#isDeleted = true;
    for (const runner of this.#runners.values()) runner.dispose();
    this.#onDelete(this);
  }
}

const kDefaults = { accelerator: 'wasm' as const, cpuOptions: {}, gpuOptions: {}, webNNOptions: {} };
