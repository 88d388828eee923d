import { readBytes } from '../../io/bytes.js';
import type { ModelTensorInfo, SaveResult } from '../../io/types.js';
import { loadForModels } from '../../runtime/loader.js';
import { wasm } from '../../runtime/runtime.js';
import { kDataTypes } from '../../runtime/types.js';
import { copyBytes, withBytes } from '../../runtime/wasm_memory.js';
import { encodeString } from '../../util/numbers.js';
import { GraphExecutor, type GraphPort } from '../graph_executor.js';
import { GraphModel, setGraph } from './graph_model.js';

type Bytes = ArrayBuffer | Uint8Array;

/** A file beside an .onnx file, with the bytes of some of its tensors. */
export interface OnnxExternalData {
  /** Path of the file, as the model names it. */
  path: string;
  /** Bytes of the file, or its URL or, in Node, path. */
  data: Bytes | string;
}

/** A source of an .onnx file. */
export interface OnnxHandler {
  /** Returns the bytes of the file. */
  load(): Bytes | Promise<Bytes>;
}

/** Options of loadOnnxModel(). */
export interface OnnxLoadOptions {
  /** Files with the tensors that are not in the .onnx file. */
  externalData?: OnnxExternalData[];
  /** Values of dimensions by their names in the model, such as `{ batch: 1 }`. */
  freeDimensions?: Record<string, number>;
  /** Called with the fraction of the .onnx file that has been read, from 0 to 1. */
  onProgress?: (fraction: number) => void;
  /** Options of every request. */
  requestInit?: RequestInit;
  /** Called in place of the platform's fetch(). */
  fetchFunc?: typeof fetch;
}

/** An input or output of an ONNX model. `dtype` is what it is computed in, `shape` has -1 for unknown extents. */
export interface OnnxTensorInfo extends ModelTensorInfo {
  /** Element type that the file declares, such as 'float16' or 'int64'. */
  type: string;
  /** Names of the dimensions, '' for those without; empty if no dimension has a name. */
  symbols: string[];
}

/** Model of an .onnx file, as loadOnnxModel() returns it. It owns its weights until it is disposed. */
export class OnnxModel extends GraphModel {
  #inputs: OnnxTensorInfo[] = [];
  #outputs: OnnxTensorInfo[] = [];
  readonly #source: string | Bytes | OnnxHandler;
  readonly #options: OnnxLoadOptions;

  constructor(source: string | Bytes | OnnxHandler, options: OnnxLoadOptions = {}) {
    super(typeof source === 'string' ? source : 'the bytes of an ONNX model');
    this.#source = source;
    this.#options = options;
  }

  /** Loads the model. Rejects with an error that names the file, or the invalid node or tensor. */
  override async load(): Promise<boolean> {
    const [file, external] = await Promise.all([
      readSource(this.#source, this.#options),
      Promise.all((this.#options.externalData ?? []).map((one) => readExternal(one, this.#options))),
      loadForModels('onnx', 'graph'),
    ]);
    const { freeDimensions = {} } = this.#options;
    const graph = loadGraph(file, external, freeDimensions);
    try {
      const { inputs, outputs } = graph.description;
      const ports = { inputs: inputs.map(toInfo), outputs: outputs.map(toInfo) };
      setGraph(
        this,
        graph,
        {},
        {
          signature: undefined,
          ...ports,
          inputNodes: inputs.map(({ name }) => name),
          outputNodes: outputs.map(({ name }) => name),
        },
      );
      this.#inputs = ports.inputs;
      this.#outputs = ports.outputs;
      return true;
    } catch (error) {
      graph.dispose();
      throw error;
    }
  }

  /** The inputs, in the order in which predict() takes them. */
  override get inputs(): OnnxTensorInfo[] {
    return this.#inputs;
  }

  /** The outputs, in the order in which predict() returns them. */
  override get outputs(): OnnxTensorInfo[] {
    return this.#outputs;
  }

  /** Rejects: ONNX models cannot be saved. */
  override save(): Promise<SaveResult> {
    return Promise.reject(new Error('An ONNX model cannot be saved: keep its .onnx file.'));
  }
}

/**
 * Loads an .onnx model from a URL, a path in Node, bytes, or a handler `{load}` that returns bytes. int64 values are computed
 * as int32, and float16 and double ones as float32; `inputs` and `outputs` tell the types that the file declares. Rejects with
 * an error that names the node for an op that is not supported.
 * @example
 * // An ONNX file with the node y = Neg(x):
 * const file = Uint8Array.from(atob('CAg6JgoLCgF4EgF5IgNOZWcSAWdaCQoBeBIECgIIAWIJCgF5EgQKAggBQgIQEQ=='), (byte) => byte.charCodeAt(0));
 * const model = await tf.loadOnnxModel(file);
 * model.predict(tf.tensor([1, 3])); // [-1, -3]
 * model.dispose();
 */
export async function loadOnnxModel(
  source: string | ArrayBuffer | Uint8Array | OnnxHandler,
  options: OnnxLoadOptions = {},
): Promise<OnnxModel> {
  const model = new OnnxModel(source, options);
  await model.load();
  return model;
}

async function readSource(source: string | Bytes | OnnxHandler, options: OnnxLoadOptions): Promise<Bytes> {
  if (typeof source === 'string') return readBytes(source, options);
  if (source !== null && typeof source === 'object' && 'load' in source) return source.load();
  return source;
}

async function readExternal(
  { path, data }: OnnxExternalData,
  { requestInit, fetchFunc }: OnnxLoadOptions,
): Promise<{ path: string; data: Bytes }> {
  if (typeof data !== 'string') return { path, data };
  return {
    path,
    data: await readBytes(data, { ...(requestInit && { requestInit }), ...(fetchFunc && { fetchFunc }) }),
  };
}

function loadGraph(
  file: Bytes,
  external: { path: string; data: Bytes }[],
  freeDimensions: Record<string, number>,
): GraphExecutor {
  const options = encodeString(
    JSON.stringify({
      model: file.byteLength,
      files: external.map(({ path, data }) => [path, data.byteLength]),
      dimensions: Object.entries(freeDimensions),
    }),
  );
  const handle = withBytes('loadOnnxModel', options, (text, length) => {
    const block = copyBytes('loadOnnxModel', [file, ...external.map(({ data }) => data)]);
    return wasm._tn_onnx_load(block.address, block.length, text, length);
  });
  return new GraphExecutor(handle);
}

function toInfo({ name, shape, dtype, type, symbols }: GraphPort): OnnxTensorInfo {
  return {
    name,
    ...(shape && { shape: shape.map((extent) => extent ?? -1) }),
    dtype: (dtype === null ? undefined : kDataTypes[dtype]) ?? 'float32',
    type,
    symbols,
  };
}
