import { readBytes } from '../../io/bytes.js';
import type { ModelTensorInfo, SaveResult } from '../../io/types.js';
import { zeros } from '../../ops/movement/create.js';
import { dispose, keep } from '../../owner/scope.js';
import { loadForModels } from '../../runtime/loader.js';
import { wasm } from '../../runtime/runtime.js';
import { kDataTypes } from '../../runtime/types.js';
import { copyBytes, withBytes } from '../../runtime/wasm_memory.js';
import type { NamedTensorMap, Tensor } from '../../tensor/tensor.js';
import { singletonOrArray, toList } from '../../util/array_utils.js';
import { encodeString } from '../../util/numbers.js';
import { GraphExecutor, type GraphFile, type GraphPort } from '../graph_executor.js';
import { GraphModel, setGraph } from './graph_model.js';
import type { ModelSignature } from './graph_signature.js';
import { getHostOps } from './registered_ops.js';

type Bytes = ArrayBuffer | Uint8Array;
type Inputs = Tensor | Tensor[] | NamedTensorMap;

/** A source of a .tflite file. */
export interface TFLiteHandler {
  /** Returns the bytes of the file. */
  load(): Bytes | Promise<Bytes>;
}

/** Options of loadTFLiteModel(). */
export interface TFLiteLoadOptions {
  /** Key of the signature to run. Its names then stand for the inputs and outputs. By default, the file's main graph runs. */
  signature?: string;
  /**
   * True if quantized inputs and outputs are to be the integers that the file stores, as int32 tensors, as their `quantization`
   * says. By default they are float32: real numbers, which are quantized where they enter and dequantized where they leave.
   */
  quantized?: boolean;
  /** Called with the fraction of the file that has been read, from 0 to 1. */
  onProgress?: (fraction: number) => void;
  /** Options of the request. */
  requestInit?: RequestInit;
  /** Called in place of the platform's fetch(). */
  fetchFunc?: typeof fetch;
}

/** Meaning of stored integers: real = scale * (stored - zeroPoint). */
export interface TFLiteQuantization {
  /** Distance of two neighboring values. */
  scale: number;
  /** Integer that stands for 0. */
  zeroPoint: number;
}

/** An input or output of a TensorFlow Lite model. `dtype` is what predict() takes, `shape` has -1 for unknown extents. */
export interface TFLiteTensorInfo extends ModelTensorInfo {
  /** Element type that the file declares, such as 'int8' or 'float16'. */
  type: string;
  /** Meaning of the integers of a quantized input or output; undefined for others. */
  quantization?: TFLiteQuantization;
}

/** A signature of a TensorFlow Lite model: the names of its inputs and outputs. */
export interface TFLiteSignature {
  /** Key of the signature, such as 'serving_default'. */
  key: string;
  /** Names of the inputs. */
  inputs: string[];
  /** Names of the outputs. */
  outputs: string[];
}

/**
 * Model of a .tflite file, as loadTFLiteModel() returns it. It owns its weights, and the values of its variables, until it is
 * disposed.
 */
export class TFLiteModel extends GraphModel {
  #inputs: TFLiteTensorInfo[] = [];
  #outputs: TFLiteTensorInfo[] = [];
  #signatures: TFLiteSignature[] = [];
  /** Names of variables and of their next values, and their present values. */
  #variables: { name: string; next: string; shape: number[] }[] = [];
  #values: Tensor[] = [];
  readonly #source: string | Bytes | TFLiteHandler;
  readonly #options: TFLiteLoadOptions;

  constructor(source: string | Bytes | TFLiteHandler, options: TFLiteLoadOptions = {}) {
    super(typeof source === 'string' ? source : 'the bytes of a TensorFlow Lite model');
    this.#source = source;
    this.#options = options;
  }

  /** Loads the model. Rejects with an error that names the file, or the invalid node or tensor. */
  override async load(): Promise<boolean> {
    const [file] = await Promise.all([readSource(this.#source, this.#options), loadForModels('tflite', 'graph')]);
    const graph = loadGraph(file, this.#options);
    try {
      this.#take(graph, this.#options.signature);
      return true;
    } catch (error) {
      graph.dispose();
      throw error;
    }
  }

  #take(graph: GraphExecutor, key: string | undefined): void {
    const { inputs, outputs, file } = graph.description;
    const found = file ?? kNoFacts;
    const count = inputs.length - found.states;
    const wanted = outputs.length - found.states;
    const ports = {
      inputs: inputs.slice(0, count).map((port, i) => toInfo(port, found.inputs[i])),
      outputs: outputs.slice(0, wanted).map((port, i) => toInfo(port, found.outputs[i])),
    };
    const signature = toSignature(found, key);
    const names = (list: Record<string, unknown> | undefined, infos: TFLiteTensorInfo[]) =>
      list && key !== undefined ? Object.keys(list) : infos.map(({ name }) => name);
    const variables = inputs.slice(count).map(({ name, shape }, i) => ({
      name,
      next: outputs[wanted + i]!.name,
      shape: (shape ?? []).map((extent) => extent ?? 1),
    }));
    const withVariables = variables.map(({ name }) => name);
    setGraph(
      this,
      graph,
      {},
      {
        signature,
        inputs: ports.inputs,
        outputs: ports.outputs,
        inputNodes: [...names(signature?.inputs, ports.inputs), ...withVariables],
        outputNodes: names(signature?.outputs, ports.outputs),
      },
    );
    this.#variables = variables;
    this.#inputs = ports.inputs;
    this.#outputs = ports.outputs;
    this.#signatures = found.signatures.map((one) => ({
      key: one.key,
      inputs: one.inputs.map(([name]) => name),
      outputs: one.outputs.map(([name]) => name),
    }));
    this.resetStates();
  }

  /** The inputs, in the order in which predict() takes them. */
  override get inputs(): TFLiteTensorInfo[] {
    return this.#inputs;
  }

  /** The outputs, in the order in which predict() returns them. */
  override get outputs(): TFLiteTensorInfo[] {
    return this.#outputs;
  }

  /** Names of the inputs in a call by name. */
  override get inputNodes(): string[] {
    const names = super.inputNodes;
    return names.slice(0, names.length - this.#variables.length);
  }

  /** The signatures of the file. The option `signature` chooses one. */
  get signatures(): TFLiteSignature[] {
    return this.#signatures;
  }

  /** Sets the variables of the model, such as the states of recurrent layers, to 0. Each call leaves them to the next one. */
  resetStates(): void {
    dispose(this.#values);
    this.#values = this.#variables.map(({ shape }) => keep(zeros(shape)));
  }

  override execute(inputs: Inputs, outputs: string | string[] = this.outputNodes): Tensor | Tensor[] {
    if (this.#variables.length === 0) return super.execute(inputs, outputs);
    const results = super.execute(this.#withStates(inputs), [...toList(outputs), ...this.#nextStates()]);
    return singletonOrArray(this.#keepStates(toList(results)));
  }

  override async executeAsync(
    inputs: Inputs,
    outputs: string | string[] = this.outputNodes,
  ): Promise<Tensor | Tensor[]> {
    if (this.#variables.length === 0) return super.executeAsync(inputs, outputs);
    const results = await super.executeAsync(this.#withStates(inputs), [...toList(outputs), ...this.#nextStates()]);
    return singletonOrArray(this.#keepStates(toList(results)));
  }

  /** Rejects: TensorFlow Lite models cannot be saved. */
  override save(): Promise<SaveResult> {
    return Promise.reject(new Error('A TensorFlow Lite model cannot be saved: keep its .tflite file.'));
  }

  /** Frees the weights, the variables and the plans. */
  override dispose(): void {
    dispose(this.#values);
    this.#values = [];
    super.dispose();
  }

  #withStates(inputs: Inputs): NamedTensorMap {
    const given = this.toNamedInputs(inputs);
    const values = this.#variables.map(({ name }, i) => [name, this.#values[i]!] as const);
    return { ...given, ...Object.fromEntries(values) };
  }

  #nextStates(): string[] {
    return this.#variables.map(({ next }) => next);
  }

  /** Takes the next values of the variables from the end of the results. */
  #keepStates(results: Tensor[]): Tensor[] {
    const count = results.length - this.#variables.length;
    const before = this.#values;
    this.#values = keep(results.slice(count));
    dispose(before);
    return results.slice(0, count);
  }
}

/**
 * Loads a .tflite model (TensorFlow Lite, LiteRT) from a URL, a path in Node, bytes, or a handler `{load}` that returns bytes.
 * Quantized inputs and outputs are float32 real numbers unless the option `quantized` asks for the stored integers. Custom ops
 * run if registerOp() has added them before; `attrs.custom_options` has the bytes of their options. Rejects with an error that
 * names the node for an op that is not supported.
 * @example
 * // A TensorFlow Lite file with the node y = Neg(x):
 * const text =
 *   'CAAAAFRGTDOl////EAAAAAQAAAABAAAAIwAAAAEAAAAKAAAABgAFAAQABgAAADsMABQABAAIAAwAEAAMAAAAGAAAAD4AAAAy' +
 *   'AAAABAAAAAEAAAAaAAAAAgAAAEsAAAAqAAAACgAMAAAABAAIAAoAAAAQAAAABAAAAAEAAAABAAAAAQAAAAAAAADv////KgAA' +
 *   'AAQAAAABAAAAeQwADAAEAAAAAAAIAAwAAAANAAAABAAAAAEAAAB4AQAAAAIAAAA=';
 * const file = Uint8Array.from(atob(text), (byte) => byte.charCodeAt(0));
 * const model = await tf.loadTFLiteModel(file);
 * model.predict(tf.tensor([1, 3])); // [-1, -3]
 * model.dispose();
 */
export async function loadTFLiteModel(
  source: string | ArrayBuffer | Uint8Array | TFLiteHandler,
  options: TFLiteLoadOptions = {},
): Promise<TFLiteModel> {
  const model = new TFLiteModel(source, options);
  await model.load();
  return model;
}

const kNoFacts: GraphFile = { inputs: [], outputs: [], signatures: [], nodes: [], states: 0 };

async function readSource(source: string | Bytes | TFLiteHandler, options: TFLiteLoadOptions): Promise<Bytes> {
  if (typeof source === 'string') return readBytes(source, options);
  if (source !== null && typeof source === 'object' && 'load' in source) return source.load();
  return source;
}

function loadGraph(file: Bytes, { signature = '', quantized = false }: TFLiteLoadOptions): GraphExecutor {
  const options = encodeString(JSON.stringify({ signature, quantized, custom: getHostOps() }));
  const handle = withBytes('loadTFLiteModel', options, (text, length) => {
    const block = copyBytes('loadTFLiteModel', file);
    return wasm._tn_tflite_load(block.address, block.length, text, length);
  });
  return new GraphExecutor(handle);
}

/** Returns the names of a signature's inputs and outputs; of the file's only one if no key is given. */
function toSignature({ signatures }: GraphFile, key: string | undefined): ModelSignature | undefined {
  const found = signatures.find((one) =>
    key === undefined ? one.inputs.every(([, tensor]) => tensor) : one.key === key,
  );
  if (!found) return undefined;
  const entries = (list: [string, string][]) =>
    Object.fromEntries(list.map(([name, tensor]) => [name, { name: tensor }]));
  return { inputs: entries(found.inputs), outputs: entries(found.outputs) };
}

function toInfo(
  { name, shape, dtype, type }: GraphPort,
  quantization: TFLiteQuantization | null | undefined,
): TFLiteTensorInfo {
  return {
    name,
    ...(shape && { shape: shape.map((extent) => extent ?? -1) }),
    dtype: (dtype === null ? undefined : kDataTypes[dtype]) ?? 'float32',
    type,
    ...(quantization && { quantization }),
  };
}
