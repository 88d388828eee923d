import { readBytes } from '../../io/bytes.js';
import type { ModelTensorInfo } from '../../io/types.js';
import { isModuleLoaded, loadPart } from '../../runtime/lazy_modules.js';
import { wasm } from '../../runtime/runtime.js';
import { copyBytes, withBytes } from '../../runtime/wasm_memory.js';
import { encodeString } from '../../util/numbers.js';
import type { GraphPort } from '../graph_description.js';
import { GraphExecutor } from '../graph_executor.js';
import { FileModel, readFile, takeGraph, toInfo, type Bytes } from './file_model.js';

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
export class OnnxModel extends FileModel<OnnxTensorInfo> {
  readonly #options: OnnxLoadOptions;

  constructor(source: string | Bytes | OnnxHandler, options: OnnxLoadOptions = {}) {
    super(source, 'ONNX');
    this.#options = options;
  }

  /** Loads the model. Rejects with an error that names the file, or the invalid node or tensor. */
  override async load(): Promise<boolean> {
    const { externalData = [], freeDimensions = {} } = this.#options;
    const [file, external] = await Promise.all([
      readFile(this, 'onnx', this.#options),
      Promise.all(externalData.map((one) => readExternal(one, this.#options))),
    ]);
    const graph = await loadGraph(file, external, freeDimensions);
    const { inputs, outputs } = graph.description;
    takeGraph(this, graph, {
      signature: undefined,
      inputs: inputs.map(toOnnxInfo),
      outputs: outputs.map(toOnnxInfo),
      inputNodes: inputs.map(({ name }) => name),
      outputNodes: outputs.map(({ name }) => name),
    });
    return true;
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

async function loadGraph(
  file: Bytes,
  external: { path: string; data: Bytes }[],
  freeDimensions: Record<string, number>,
): Promise<GraphExecutor> {
  const options = encodeString(
    JSON.stringify({
      model: file.byteLength,
      files: external.map(({ path, data }) => [path, data.byteLength]),
      dimensions: Object.entries(freeDimensions),
    }),
  );
  const block = copyBytes('loadOnnxModel', [file, ...external.map(({ data }) => data)]);
  try {
    if (!isModuleLoaded('onnx_rare') && wasm._tn_onnx_has_rare_ops(block.address, file.byteLength) === 1)
      await loadPart('onnx_rare');
  } catch (error) {
    wasm._tn_deallocate(block.address, block.length);
    throw error;
  }
  const handle = withBytes('loadOnnxModel', options, (text, length) =>
    wasm._tn_onnx_load(block.address, block.length, text, length),
  );
  return new GraphExecutor(handle);
}

function toOnnxInfo(port: GraphPort): OnnxTensorInfo {
  return { ...toInfo(port), symbols: port.symbols };
}
