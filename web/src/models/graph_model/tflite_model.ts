import { noteCall } from '../../debug/ledger.js';
import { readChunks } from '../../io/bytes.js';
import type { ModelTensorInfo } from '../../io/types.js';
import { zeros } from '../../ops/movement/create.js';
import { dispose, keep } from '../../owner/scope.js';
import { isModuleLoaded, loadPart } from '../../runtime/lazy_modules.js';
import { loadForModels } from '../../runtime/loader.js';
import { wasm } from '../../runtime/runtime.js';
import { kDataTypes } from '../../runtime/types.js';
import { copyBytes, withBytes } from '../../runtime/wasm_memory.js';
import type { NamedTensorMap, Tensor } from '../../tensor/tensor.js';
import { singletonOrArray, toList } from '../../util/array_utils.js';
import { encodeString } from '../../util/numbers.js';
import { GraphExecutor } from '../graph_executor.js';
import type { GraphFile, GraphPort, TFLiteQuantization, TFLiteSignature } from '../graph_description.js';
import { FileModel, loadFile, openFile, takeGraph, toInfo, type Bytes, type FileLoad } from './file_model.js';
import { prelink } from './graph_model.js';
import { getHostOps } from './registered_ops.js';

type Inputs = Tensor | Tensor[] | NamedTensorMap;

const kWhere = 'loadTFLiteModel';
/** Result of the engine for a file that needs a part which is not loaded. */
const kNeedsRarePart = -2;

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

/** Options of loadTFLiteModel(), and those that only the library passes. */
interface InternalLoadOptions extends TFLiteLoadOptions {
  /** Called with the bytes of the file, in chunks. */
  onRead?: (chunks: Uint8Array[]) => void;
}

/** An input or output of a TensorFlow Lite model. `dtype` is what predict() takes, `shape` has -1 for unknown extents. */
export interface TFLiteTensorInfo extends ModelTensorInfo {
  /** Element type that the file declares, such as 'int8' or 'float16'. */
  type: string;
  /** Meaning of the integers of a quantized input or output; undefined for others. */
  quantization?: TFLiteQuantization;
}

/**
 * Model of a .tflite file, as loadTFLiteModel() returns it. It owns its weights, and the values of its variables, until it is
 * disposed.
 */
export class TFLiteModel extends FileModel<TFLiteTensorInfo> {
  #file: GraphFile | undefined;
  /** Present values of the variables. */
  #values: NamedTensorMap = {};
  readonly #options: InternalLoadOptions;
  #isDisposed = false;

  constructor(source: string | Bytes | TFLiteHandler, options: TFLiteLoadOptions = {}) {
    super(source, 'TensorFlow Lite');
    this.#options = options;
  }

  /**
   * Loads the model. Rejects with an error that names the file, or the invalid node or tensor, and with DisposedError if the model
   * is disposed while it is loaded.
   */
  override load(): Promise<boolean> {
    if (__DEBUG__) noteCall(this);
    return loadFile(this, this.#options, async (file) => {
      const { load, parse } = file;
      const [chunks] = await Promise.all([
        openFile(this, kWhere, file).then(readChunks),
        load.wait(loadForModels('tflite', 'files', 'graph', 'quant', 'quant_conv', 'half')),
      ]);
      this.#options.onRead?.(chunks);
      const graph = await loadGraph(chunks, file);
      parse(() => this.#take(graph));
      await prelink(this, load, true);
    });
  }

  /** Takes ownership of a graph. Throws, and frees it, if it cannot run. */
  #take(graph: GraphExecutor): void {
    const { inputs, outputs, file } = graph.description;
    const infos = (ports: GraphPort[], known: (TFLiteQuantization | null)[]) =>
      known.map((quantization, i) => ({ ...toInfo(ports[i]!), ...(quantization && { quantization }) }));
    takeGraph(this, graph, {
      ...file!,
      inputs: infos(inputs, file!.inputs),
      outputs: infos(outputs, file!.outputs),
      inputNodes: [...file!.inputNodes, ...file!.states.map(({ name }) => name)],
    });
    this.#file = file!;
    this.#isDisposed = false;
    try {
      this.resetStates();
    } catch (error) {
      this.dispose();
      throw error;
    }
  }

  /** Names of the inputs in a call by name. */
  override get inputNodes(): string[] {
    return this.#file?.inputNodes ?? super.inputNodes;
  }

  /** The signatures of the file. The option `signature` chooses one. */
  get signatures(): TFLiteSignature[] {
    return this.#file?.signatures ?? [];
  }

  /** Sets the variables of the model, such as the states of recurrent layers, to their first values, which are 0 for most. */
  resetStates(): void {
    if (this.#isDisposed) throw new Error('The graph model is already disposed.');
    const first = this.#states.map(({ name, initial, dtype, shape }): [string, Tensor] => [
      name,
      this.weights[initial]?.[0]?.clone() ?? zeros(shape, kDataTypes[dtype]),
    ]);
    this.#keep(Object.fromEntries(first));
  }

  override execute(inputs: Inputs, outputs: string | string[] = this.outputNodes): Tensor | Tensor[] {
    return this.#takeStates(super.execute(...this.#withStates(inputs, outputs)));
  }

  override async executeAsync(
    inputs: Inputs,
    outputs: string | string[] = this.outputNodes,
  ): Promise<Tensor | Tensor[]> {
    return this.#takeStates(await super.executeAsync(...this.#withStates(inputs, outputs)));
  }

  /** Frees the weights, the variables and the plans. */
  override dispose(): void {
    this.#isDisposed = true;
    this.#keep({});
    super.dispose();
  }

  get #states() {
    return this.#file?.states ?? [];
  }

  #keep(values: NamedTensorMap): void {
    dispose(this.#values);
    this.#values = keep(values);
    // The model may have been disposed while it ran.
    if (this.#isDisposed) dispose(values);
  }

  #withStates(inputs: Inputs, outputs: string | string[]): [NamedTensorMap, string[]] {
    const next = this.#states.map((state) => state.next);
    return [{ ...this.toNamedInputs(inputs), ...this.#values }, [...toList(outputs), ...next]];
  }

  /** Takes the next values of the variables from the end of the results. */
  #takeStates(found: Tensor | Tensor[]): Tensor | Tensor[] {
    const results = toList(found);
    const next = results.splice(results.length - this.#states.length);
    this.#keep(Object.fromEntries(this.#states.map(({ name }, i) => [name, next[i]!])));
    return singletonOrArray(results);
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

async function loadGraph(
  chunks: Uint8Array[],
  { load, options: { signature = '', quantized = false }, parse }: FileLoad<TFLiteLoadOptions>,
): Promise<GraphExecutor> {
  const { address, length } = copyBytes(kWhere, chunks);
  const names = encodeString(JSON.stringify([signature, ...getHostOps()]));
  const readFile = () =>
    withBytes(kWhere, names, (text, textLength) =>
      wasm._tn_tflite_load(address, length, text, textLength, Number(quantized), Number(isModuleLoaded('tflite_rare'))),
    );
  try {
    let handle = readFile();
    if (handle === kNeedsRarePart) {
      await load.wait(loadPart('tflite_rare'));
      handle = readFile();
    }
    return parse(() => new GraphExecutor(handle));
  } finally {
    wasm._tn_deallocate(address, length);
  }
}
