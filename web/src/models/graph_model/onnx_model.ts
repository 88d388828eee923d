import { noteCall } from '../../debug/ledger.js';
import { isFilePath, openBytes, readChunks, type ByteStream } from '../../io/bytes.js';
import type { ModelPredictConfig, ModelTensorInfo } from '../../io/types.js';
import { weightPath } from '../../io/weight_paths.js';
import type { Part } from '../../generated/parts.js';
import { loadPart } from '../../runtime/lazy_modules.js';
import { load, loadForModels } from '../../runtime/loader.js';
import { readJson, wasm } from '../../runtime/runtime.js';
import { allocateBlock, copyBytes, withBytes } from '../../runtime/wasm_memory.js';
import type { Tensor, NamedTensorMap } from '../../tensor/tensor.js';
import { findExistingPath } from '../../util/file_url.js';
import { encodeString } from '../../util/numbers.js';
import type { GraphPort, PortContainer } from '../graph_description.js';
import { GraphExecutor, type GraphValue } from '../graph_executor.js';
import { prelink } from './graph_model.js';
import { FileModel, loadFile, openFile, takeGraph, toInfo, toStream, type Bytes, type FileLoad } from './file_model.js';
import { OnnxSplitter, type FileBlock } from './onnx_splitter.js';

/** Name of the function in errors. */
const kWhere = 'loadOnnxModel';

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
  /**
   * Files with the tensors that are not in the .onnx file. In Node, those of an .onnx file that is given by its path are read from
   * its folder if they are not listed here.
   */
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
  /**
   * Set if the value is not a tensor, but an array of such tensors ('sequence'), a tensor or null ('optional'), or an array or null
   * ('optional sequence').
   */
  container?: PortContainer;
}

/** A value that an ONNX model takes: a tensor, an array of tensors for a sequence, or null for an empty optional. */
export type OnnxValue = GraphValue;
/** Inputs of an ONNX model: a value, an array of values in the order of `inputNodes`, or values by name. */
export type OnnxInputs = OnnxValue | OnnxValue[] | Record<string, OnnxValue>;

/** Model of an .onnx file, as loadOnnxModel() returns it. It owns its weights until it is disposed. */
export class OnnxModel extends FileModel<OnnxTensorInfo> {
  readonly #options: OnnxLoadOptions;
  /** Path of the file, if it is one in Node. */
  readonly #path: string | undefined;

  constructor(source: string | Bytes | OnnxHandler, options: OnnxLoadOptions = {}) {
    super(source, 'ONNX');
    this.#options = options;
    this.#path = typeof source === 'string' && isFilePath(source, options) ? source : undefined;
  }

  /**
   * Loads the model. Rejects with an error that names the file, or the invalid node or tensor, and with DisposedError if the model
   * is disposed while it is loaded.
   */
  override load(): Promise<boolean> {
    if (__DEBUG__) noteCall(this);
    return loadFile(this, this.#options, async (file) => {
      const parts = loadForModels('onnx', 'files', 'graph');
      // Its error is thrown below, where it is awaited.
      parts.catch(() => {});
      // The engine has the memory that the file is read into.
      const [stream] = await Promise.all([openFile(this, kWhere, file), file.load.wait(load())]);
      const graph = await loadGraph(stream, parts, file, this.#path);
      const { inputs, outputs } = graph.description;
      file.parse(() =>
        takeGraph(this, graph, {
          signature: undefined,
          inputs: inputs.map(toOnnxInfo),
          outputs: outputs.map(toOnnxInfo),
          inputNodes: inputs.map(({ name }) => name),
          outputNodes: outputs.map(({ name }) => name),
        }),
      );
      await prelink(this, file.load);
    });
  }

  /**
   * Returns the model's outputs as GraphModel.predict() does. A sequence is an array of tensors, and an optional value without an
   * element is null; a single input that is a sequence is one array.
   */
  override predict(inputs: OnnxInputs, config?: ModelPredictConfig): Tensor | Tensor[] | NamedTensorMap {
    return super.predict(inputs as NamedTensorMap, config);
  }

  /** Returns the outputs of any nodes as GraphModel.execute() does, with the values of predict(). */
  override execute(inputs: OnnxInputs, outputs?: string | string[]): Tensor | Tensor[] {
    return super.execute(inputs as NamedTensorMap, outputs);
  }

  /** Returns the model's outputs as GraphModel.predictAsync() does, with the values of predict(). */
  override predictAsync(inputs: OnnxInputs, config?: ModelPredictConfig): Promise<Tensor | Tensor[] | NamedTensorMap> {
    return super.predictAsync(inputs as NamedTensorMap, config);
  }

  /** Returns the outputs of any nodes as GraphModel.executeAsync() does, with the values of predict(). */
  override executeAsync(inputs: OnnxInputs, outputs?: string | string[]): Promise<Tensor | Tensor[]> {
    return super.executeAsync(inputs as NamedTensorMap, outputs);
  }

  protected override toNamedInputs(inputs: OnnxInputs): NamedTensorMap {
    const [only, ...others] = this.inputs;
    const isSingle = only?.container !== undefined && others.length === 0;
    const isList = Array.isArray(inputs) && !inputs.some((one) => one === null || Array.isArray(one));
    if (isSingle && (inputs === null || (isList && only.container !== 'optional')))
      return { [only.name]: inputs } as unknown as NamedTensorMap;
    return super.toNamedInputs(inputs as NamedTensorMap);
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

/** The parts of the engine and the other files that loading a file needs. */
interface Requirements {
  parts: Part[];
  external: [path: string, offset: number, length: number | null][];
}

async function loadGraph(
  { length, chunks }: ByteStream,
  parts: Promise<unknown>,
  file: FileLoad<OnnxLoadOptions>,
  path: string | undefined,
): Promise<GraphExecutor> {
  const { load, options, parse } = file;
  const { freeDimensions = {} } = options;
  // Paths of the file are given without ./ too.
  const externalData = (options.externalData ?? []).map(({ path, data }) => ({
    path: path.replace(/^(\.\/)+/, ''),
    data,
  }));
  const splitter = new OnnxSplitter(length);
  const { blocks } = splitter;
  try {
    for await (const chunk of chunks) parse(() => splitter.write(chunk));
    const main = copyBytes(
      kWhere,
      parse(() => splitter.end()),
    );
    blocks.unshift({ ...main, path: '', offset: 0 });
    await load.wait(parts);
    const { parts: needed, external } = parse(() =>
      readJson<Requirements>(wasm._tn_onnx_requirements(main.address, main.length)),
    );
    const beside = path === undefined ? [] : await load.wait(findBeside(path, external, externalData));
    for (const one of [...externalData, ...beside]) await readExternal(one, external, file, blocks);
    await load.wait(Promise.all(needed.map(loadPart)));
    const files = blocks.slice(1).map(({ path, offset }) => [path, offset]);
    const text = encodeString(JSON.stringify({ files, dimensions: Object.entries(freeDimensions) }));
    const table = new Uint8Array(Uint32Array.from(blocks.flatMap((block) => [block.address, block.length])).buffer);
    const handle = withBytes(kWhere, [table, text], (address) =>
      // It takes the blocks, also if it throws.
      wasm._tn_onnx_load(address, blocks.splice(0).length, address + table.length, text.length),
    );
    return parse(() => new GraphExecutor(handle));
  } finally {
    for (const { address, length } of blocks) wasm._tn_deallocate(address, length);
  }
}

/** Returns the files of external data in the folder of a model's file, without those that the program gives. Rejects outside of it. */
function findBeside(
  file: string,
  external: Requirements['external'],
  given: OnnxExternalData[],
): Promise<OnnxExternalData[]> {
  const paths = new Set(external.map(([path]) => path));
  // The splitter refers to data of the file itself by ''.
  for (const path of ['', ...given.map((one) => one.path)]) paths.delete(path);
  const model = findExistingPath(file);
  const remedy = 'pass it by the option externalData';
  return Promise.all(Array.from(paths, async (path) => ({ path, data: await weightPath(path, model, {}, remedy) })));
}

/** Reads the ranges of a file that have data of tensors, each to a block, or all of the file to one if they cannot be told apart. */
async function readExternal(
  { path, data }: OnnxExternalData,
  external: Requirements['external'],
  { load, options, parse }: FileLoad<OnnxLoadOptions>,
  blocks: FileBlock[],
): Promise<void> {
  // Progress is that of the .onnx file.
  const stream =
    typeof data === 'string'
      ? await load.open(openBytes(data, { ...options, onProgress() {} }))
      : toStream(kWhere, data);
  const ranges = findRanges(path, external, stream.length ?? 0);
  if (!ranges) {
    blocks.push({ ...copyBytes(kWhere, await readChunks(stream)), path, offset: 0 });
    return;
  }
  let position = 0;
  let next = 0;
  for await (const chunk of stream.chunks) {
    const end = position + chunk.length;
    for (; next < ranges.length && ranges[next]!.offset < end; next++) {
      const { offset, length } = ranges[next]!;
      if (offset >= position) blocks.push({ ...allocateBlock(length), path, offset });
      const from = Math.max(offset, position);
      const bytes = chunk.subarray(from - position, offset + length - position);
      wasm.HEAPU8.set(bytes, blocks.at(-1)!.address + from - offset);
      if (offset + length > end) break;
    }
    position = end;
  }
  if (next === ranges.length) return;
  const { offset, length } = ranges[next]!;
  parse(() => {
    throw new Error(
      `[${kWhere}] the file "${path}" has ${position} bytes, but a tensor needs ${length} bytes at offset ${offset}`,
    );
  });
}

/** Returns the ranges of a file in order, or undefined if they overlap, are unknown or exceed its `size`. */
function findRanges(path: string, external: Requirements['external'], size: number) {
  const ranges = external
    .filter(([name]) => name === path)
    .map(([, offset, length]) => ({ offset, length: length ?? 0 }))
    .sort((a, b) => a.offset - b.offset);
  const isValid = ranges.every(
    ({ offset, length }, i) => length > 0 && offset + length <= Math.min(ranges[i + 1]?.offset ?? size, size),
  );
  return ranges.length > 0 && isValid ? ranges : undefined;
}

function toOnnxInfo(port: GraphPort): OnnxTensorInfo {
  return { ...toInfo(port), symbols: port.symbols, ...(port.container && { container: port.container }) };
}
