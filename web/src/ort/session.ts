import type { InferenceSession, InferenceSessionHandler, SessionHandler as Handler, Tensor } from 'onnxruntime-common';
import { DisposedError, dispose, getBackend, tidy, type OnnxModel, type Tensor as EngineTensor } from '../index.js';
import type { EngineValues } from './element_types.js';
import { SessionValue } from './session_values.js';

type Feeds = Handler.FeedsType;
type Fetches = Handler.FetchesType;
type Results = Handler.ReturnType;
/** The location of all outputs, or of each by its name. */
type OutputLocations = InferenceSession.SessionOptions['preferredOutputLocation'];

/**
 * A session of onnxruntime-common over an ONNX model, which it owns until dispose(). Between runs it keeps nothing in the engine
 * but the weights and the plans. A run computes before it first awaits, so runs at the same time do not meet.
 */
export class SessionHandler implements InferenceSessionHandler {
  readonly inputNames: readonly string[];
  readonly outputNames: readonly string[];
  readonly inputMetadata: readonly InferenceSession.ValueMetadata[];
  readonly outputMetadata: readonly InferenceSession.ValueMetadata[];
  readonly #inputs: ReadonlyMap<string, SessionValue>;
  readonly #outputs: ReadonlyMap<string, SessionValue>;
  readonly #source: string;
  readonly #locations: OutputLocations;
  #model: OnnxModel | undefined;

  /** Takes ownership of the model, also if it throws. */
  constructor(model: OnnxModel, source: string, locations: OutputLocations) {
    try {
      this.#inputs = new Map(model.inputs.map((info) => [info.name, new SessionValue(info, 'input')]));
      this.#outputs = new Map(model.outputs.map((info) => [info.name, new SessionValue(info, 'output')]));
    } catch (error) {
      model.dispose();
      throw error;
    }
    this.#model = model;
    this.#source = source;
    this.#locations = locations;
    this.inputNames = [...this.#inputs.keys()];
    this.outputNames = [...this.#outputs.keys()];
    this.inputMetadata = Array.from(this.#inputs.values(), ({ metadata }) => metadata);
    this.outputMetadata = Array.from(this.#outputs.values(), ({ metadata }) => metadata);
  }

  /**
   * Computes the outputs that `fetches` names, into its tensors where it has them. Rejects with DisposedError after dispose(), and
   * with an error that names the input if it has a wrong type, shape or value.
   */
  async run(feeds: Feeds, fetches: Fetches): Promise<Results> {
    const model = this.#model;
    if (!model) throw new DisposedError(`[InferenceSession.run] The session of ${this.#source} is released.`);
    const names = Object.keys(fetches);
    // The tensors of the wasm backend are read at once: none but those that stay lives until the next turn of the event loop.
    if (getBackend() === 'wasm')
      return tidy(() => this.#write(fetches, this.#execute(model, feeds, names), (each) => each.dataSync()));
    const outputs = tidy(() => this.#execute(model, feeds, names));
    try {
      const read = outputs.filter((each, i) => !this.#stays(names[i]!, fetches, each));
      const values = new Map(await Promise.all(read.map(async (each) => [each, await each.data()] as const)));
      return this.#write(fetches, outputs, (each) => values.get(each));
    } finally {
      dispose(outputs);
    }
  }

  /** Frees the model. Does nothing if it is freed. */
  dispose(): Promise<void> {
    this.#model?.dispose();
    this.#model = undefined;
    return Promise.resolve();
  }

  /** Does nothing, as in onnxruntime-web: tf.profile() records the ops of runs. */
  startProfiling(): void {}

  /** Does nothing, as there is nothing that startProfiling() has started. */
  endProfiling(): void {}

  #execute(model: OnnxModel, feeds: Feeds, names: string[]): EngineTensor[] {
    const given = Object.entries(feeds).map(([name, value]) => {
      const port = this.#inputs.get(name);
      if (!port)
        throw new Error(
          `[InferenceSession.run] The model has no input "${name}": its inputs are ${this.inputNames.join(', ')}.`,
        );
      return [name, port.read(value)] as const;
    });
    const results = model.execute(Object.fromEntries(given), names);
    return Array.isArray(results) ? results : [results];
  }

  /**
   * True if an output is to stay in the engine, and can. One without elements does not, as in onnxruntime-web:
   * programs dispose only what is on the GPU.
   */
  #stays(name: string, fetches: Fetches, { size, dtype }: EngineTensor): boolean {
    const location = typeof this.#locations === 'string' ? this.#locations : this.#locations?.[name];
    return location === 'gpu-buffer' && size > 0 && !fetches[name] && this.#outputs.get(name)?.canStay(dtype) === true;
  }

  #write(fetches: Fetches, outputs: EngineTensor[], read: (output: EngineTensor) => EngineValues | undefined): Results {
    const results: [string, Tensor][] = [];
    try {
      for (const [i, [name, target]] of Object.entries(fetches).entries()) {
        const [port, output] = [this.#outputs.get(name), outputs[i]];
        if (port && output && this.#stays(name, fetches, output)) {
          results.push([name, port.retain(output)]);
          continue;
        }
        const values = output && read(output);
        if (!port || !values) throw new Error(`[InferenceSession.run] The model has no output "${name}".`);
        results.push([name, port.write(values, output, target)]);
      }
      return Object.fromEntries(results);
    } catch (error) {
      for (const [, value] of results) if (value.location === 'gpu-buffer') value.dispose();
      throw error;
    }
  }
}
