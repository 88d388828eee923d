// The base class of models that are read from one file, whatever its format.
import { openBytes, type ByteStream, type ReadOptions } from '../../io/bytes.js';
import type { ModelTensorInfo, SaveResult } from '../../io/types.js';
import { kDataTypes } from '../../runtime/types.js';
import { toUint8Array } from '../../runtime/wasm_memory.js';
import type { GraphPort } from '../graph_description.js';
import type { GraphExecutor } from '../graph_executor.js';
import { GraphModel, runLoad, setGraph } from './graph_model.js';
import type { GraphInterface } from './graph_signature.js';
import type { ModelLoad } from './model_load.js';

export type Bytes = ArrayBuffer | Uint8Array;
/** A source of a file: a URL, a path in Node, bytes, or an object that returns bytes. */
export type FileSource = string | Bytes | { load(): Bytes | Promise<Bytes> };

/** The load of a model's file. */
export interface FileLoad<Options> {
  load: ModelLoad;
  /** Options whose requests are aborted with the load. */
  options: Options;
  /** Calls a function that reads bytes of the file. Its errors begin with the file's address, if it has one. */
  parse: <T>(read: () => T) => T;
}

/** Loads a model's file in a function that disposing of the model ends. Resolves to true. */
export let loadFile: <Info extends ModelTensorInfo, Options extends ReadOptions>(
  model: FileModel<Info>,
  options: Options,
  body: (file: FileLoad<Options>) => Promise<void>,
) => Promise<boolean>;
/** Opens a model's file for the function `where`. Rejects with an error that names the file, or the function. */
export let openFile: <Info extends ModelTensorInfo>(
  model: FileModel<Info>,
  where: string,
  file: FileLoad<ReadOptions>,
) => Promise<ByteStream>;
/** Makes a model own a graph. Throws, and frees the graph, if it cannot run. */
export let takeGraph: <Info extends ModelTensorInfo>(
  model: FileModel<Info>,
  graph: GraphExecutor,
  ports: GraphInterface & { inputs: Info[]; outputs: Info[] },
) => void;

/** Model of a file that an importer of the engine reads. */
export abstract class FileModel<Info extends ModelTensorInfo> extends GraphModel {
  #inputs: Info[] = [];
  #outputs: Info[] = [];
  readonly #source: FileSource;
  readonly #format: string;

  static {
    loadFile = (model, options, body) =>
      runLoad(model, async (load) => {
        const source = model.#source;
        const parse = <T>(read: () => T) => (typeof source === 'string' ? withAddress(source, read) : read());
        await body({ load, options: load.withSignal(options), parse });
        return true;
      });
    openFile = async (model, where, { load, options }) => {
      const source = model.#source;
      if (typeof source === 'string') return load.open(openBytes(source, options));
      const loaded =
        'load' in Object(source) ? (source as { load(): Bytes | Promise<Bytes> }).load() : (source as Bytes);
      return toStream(where, await load.wait(loaded));
    };
    takeGraph = (model, graph, ports) => {
      try {
        setGraph(model, graph, {}, ports);
        model.#inputs = ports.inputs;
        model.#outputs = ports.outputs;
      } catch (error) {
        graph.dispose();
        throw error;
      }
    };
  }

  /** `format` is the format's name in messages. */
  constructor(source: FileSource, format: string) {
    super(typeof source === 'string' ? source : `the bytes of a model of ${format}`);
    this.#source = source;
    this.#format = format;
  }

  /** The inputs, in the order in which predict() takes them. */
  override get inputs(): Info[] {
    return this.#inputs;
  }

  /** The outputs, in the order in which predict() returns them. */
  override get outputs(): Info[] {
    return this.#outputs;
  }

  /** Rejects: models of this format cannot be saved. */
  override save(): Promise<SaveResult> {
    return Promise.reject(new Error(`A model of ${this.#format} cannot be saved: keep its file.`));
  }
}

/** Returns what `read` does. Begins the message of its error with the address of the file that it reads. */
function withAddress<T>(address: string, read: () => T): T {
  try {
    return read();
  } catch (error) {
    // Concurrent calls may share a LoadError, which is of the engine's files.
    if (error instanceof Error && error.name !== 'LoadError') {
      const { message, stack } = error;
      error.message = `${address}: ${message}`;
      // The stack repeats the message in most engines.
      if (stack?.includes(message)) error.stack = stack.replace(message, () => error.message);
    }
    throw error;
  }
}

/** Returns bytes as a stream. Throws an error that names the function `where` if `bytes` is of another type. */
export function toStream(where: string, bytes: Bytes): ByteStream {
  const chunk = toUint8Array(bytes, where);
  return { length: chunk.length, chunks: [chunk] };
}

/** Returns the description of an input or output for programs. */
export function toInfo({ name, shape, dtype, type }: GraphPort): ModelTensorInfo & { type: string } {
  return {
    name,
    ...(shape && { shape: shape.map((extent) => extent ?? -1) }),
    dtype: (dtype === null ? undefined : kDataTypes[dtype]) ?? 'float32',
    type,
  };
}
