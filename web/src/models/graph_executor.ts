// The graph of a GraphModel in the engine: its handle, its compiled programs, and their runs.
import { setCurrentOp, attributeFrees } from '../debug/ledger.js';
import { prelinkKernels } from '../device/backend.js';
import type { ModelArtifacts } from '../io/types.js';
import { scopeAsync } from '../owner/scope_async.js';
import { dispose } from '../owner/scope.js';
import { scope } from '../owner/scope_object.js';
import { copyBytes, withBytes } from '../runtime/wasm_memory.js';
import { DisposedError } from '../runtime/errors.js';
import { readJson, raise, wasm } from '../runtime/runtime.js';
import { syncCurrentScope } from '../runtime/async_scope_tracking.js';
import { takeResults } from '../tensor/create.js';
import { describeType } from '../tensor/input.js';
import { writeTensorIds } from '../tensor/scratch_ids.js';
import { Tensor, describeTensor, type NamedTensorMap } from '../tensor/tensor.js';
import { isPromise } from '../util/checks.js';
import { encodeString } from '../util/numbers.js';
import { jsonText } from './json_text.js';
import { toList } from '../util/array_utils.js';
import type { GraphDescription, GraphPort, RawNode, Topology } from './graph_description.js';
import { getExecutor, getHostOps } from './graph_model/registered_ops.js';

/** State of a run: the number of its outputs, or the number of the run while it waits for a registered op. */
type RunState = { readonly isDone: true; readonly outputs: number } | { readonly isDone: false; readonly run: number };

/** Numbers of tensors that stand for a tensor, and for an optional value without an element. */
const kTensor = -1;
const kAbsent = -2;
/** An input or output: a tensor, the tensors of a sequence, or null for an optional value without an element. */
export type GraphValue = Tensor | Tensor[] | null;
type Container = GraphPort['container'];

/** Handle of a graph and its weights in the engine, which it owns until dispose(). */
export class GraphExecutor {
  readonly description: GraphDescription;
  /** The graph as its file has it; of formats without JSON, the nodes that run outside the engine. */
  readonly topology: Topology;
  readonly #number: number;
  readonly #programs = new Map<string, number>();
  /** The containers of the inputs of each program with inputs or outputs that are not tensors. */
  readonly #containers = new Map<number, Container[]>();
  #disposed = false;

  /** Takes the handle of a graph that a call of the engine has loaded; -1 stands for its error, which is thrown. */
  constructor(handle: number, topology?: Topology) {
    if (handle === -1) raise();
    this.#number = handle;
    this.description = this.describe();
    this.topology = topology ?? this.description.file?.topology ?? { node: [] };
  }

  /** Loads a TensorFlow graph and its weights. Throws an error that names the invalid node or weight. */
  static load({ modelTopology, weightSpecs, weightData }: ModelArtifacts): GraphExecutor {
    const topology = jsonText(modelTopology);
    const specs = jsonText(weightSpecs ?? []);
    const ops = jsonText(getHostOps());
    const handle = withBytes('loadGraphModel', [topology, specs, ops], (text) => {
      const { address, length } = copyBytes('loadGraphModel', weightData ?? []);
      return wasm._tn_graph_load(address, length, text, topology.length, specs.length, ops.length);
    });
    return new GraphExecutor(handle, modelTopology as Topology);
  }

  /**
   * Runs the initializer graph, which fills the lookup tables. Each capture is the name of a placeholder and of the
   * initializer's output that is bound to it.
   */
  initialize(initializer: object, captures: (string | undefined)[][]): void {
    const topology = jsonText(initializer);
    const pairs = jsonText(captures);
    const status = withBytes('loadGraphModel', [topology, pairs], (address) =>
      wasm._tn_graph_initialize(this.#number, address, topology.length, pairs.length),
    );
    if (status === -1) raise();
  }

  /** Returns the handle of the program that computes nodes from other nodes, both by name. Programs are cached. */
  program(inputs: string[], outputs: string[]): number {
    const names = JSON.stringify([inputs, outputs]);
    const known = this.#programs.get(names);
    if (known !== undefined) return known;
    const program = withBytes('execute', encodeString(names), (address, length) =>
      wasm._tn_graph_compile(this.#number, address, length),
    );
    if (program === -1) raise();
    this.#programs.set(names, program);
    const { inputs: from, outputs: to } = this.description;
    const [taken, given] = [findContainers(from, inputs), findContainers(to, outputs)];
    if ([...taken, ...given].some((container) => container !== '')) this.#containers.set(program, taken);
    return program;
  }

  /** Compiles the GPU's kernels for a program and a batch of one if possible; with `plansOnCpu`, plans it on the CPU, too. */
  prelink(program: number, plansOnCpu?: boolean): Promise<void> {
    return prelinkKernels(() => void wasm._tn_graph_prelink(this.#number, program), plansOnCpu);
  }

  /**
   * Runs a program and returns its outputs. `given` has the inputs in the program's order; its keys are used in messages only.
   * With `keeps`, the outputs of all nodes are retained for takeIntermediates(). Sequences are arrays of tensors, and optional
   * values without an element are null, whatever the types say. Programs that have such inputs or outputs retain nothing: with
   * `keeps`, they throw.
   */
  run(program: number, given: NamedTensorMap, keeps = false): Tensor[] {
    if (this.#containers.has(program)) return this.runContainers(program, given, keeps) as Tensor[];
    let state = this.start(program, given, keeps);
    while (!state.isDone) state = this.runRegisteredOp(state.run);
    return takeResults(state.outputs);
  }

  /** Runs a program like run(), but awaits registered ops that return promises; they run in their own scope. */
  async runAsync(program: number, given: NamedTensorMap, keeps = false): Promise<Tensor[]> {
    if (this.#containers.has(program)) return this.runContainers(program, given, keeps) as Tensor[];
    let state = this.start(program, given, keeps);
    if (state.isDone) return takeResults(state.outputs);
    return scopeAsync('registered ops', async () => {
      while (!state.isDone) state = await this.runRegisteredOpAsync(state.run);
      return takeResults(state.outputs);
    });
  }

  /** Returns the retained outputs of each node of the last completed run, as tensors of the current scope. */
  takeIntermediates(): [name: string, tensors: Tensor[]][] {
    const names = readJson<string[]>(wasm._tn_graph_kept(this.#number));
    return names.reverse().map((name) => {
      const count = wasm._tn_graph_take_kept(this.#number);
      if (count === -1) raise();
      return [name, takeResults(count)];
    });
  }

  checkAlive(): void {
    if (this.#disposed) throw new Error('The graph model is already disposed.');
  }

  dispose(): void {
    if (this.#disposed) return;
    this.#disposed = true;
    wasm._tn_graph_dispose(this.#number);
    if (__DEBUG__) attributeFrees('a graph model');
  }

  private describe(): GraphDescription {
    try {
      return readJson<GraphDescription>(wasm._tn_graph_describe(this.#number));
    } catch (error) {
      this.dispose();
      throw error;
    }
  }

  /** Starts a run, which ends or waits for a registered op. */
  private start(program: number, given: NamedTensorMap, keeps: boolean): RunState {
    syncCurrentScope();
    const inputs = Object.entries(given).map(([name, tensor]) => {
      if (tensor instanceof Tensor) return tensor;
      throw new Error(`The graph model expects a Tensor for its input ${name}, but got ${describeType(tensor)}`);
    });
    writeTensorIds(0, inputs);
    if (__DEBUG__) setCurrentOp('execute');
    const status = wasm._tn_graph_run(this.#number, program, inputs.length, keeps ? 1 : 0);
    if (status === -1) raiseFor(inputs);
    return decodeRunStatus(status);
  }

  /** Runs a program, some of whose inputs or outputs are not tensors. */
  private runContainers(program: number, given: Record<string, GraphValue>, keeps: boolean): GraphValue[] {
    if (keeps) {
      throw new Error(
        'KEEP_INTERMEDIATE_TENSORS is not supported for a model that takes or returns sequences or optional values.',
      );
    }
    syncCurrentScope();
    const counts: number[] = [];
    const tensors: Tensor[] = [];
    for (const [i, [name, value]] of Object.entries(given).entries()) {
      const list = toTensors(name, value, this.#containers.get(program)![i]!);
      counts.push(value === null ? kAbsent : value instanceof Tensor ? kTensor : list.length);
      tensors.push(...list);
    }
    if (__DEBUG__) setCurrentOp('execute');
    const status = withBytes('execute', new Uint8Array(Int32Array.from(counts).buffer), (address) => {
      writeTensorIds(0, tensors);
      return wasm._tn_graph_run_containers(this.#number, program, address, counts.length, tensors.length);
    });
    if (status === -1) raiseFor(tensors);
    const results = takeResults(status);
    try {
      return readJson<number[]>(wasm._tn_graph_counts(this.#number)).map((count) => {
        if (count === kAbsent) return null;
        return count === kTensor ? results.shift()! : results.splice(0, count);
      });
    } catch (error) {
      dispose(results);
      throw error;
    }
  }

  /** Calls the registered op that a run waits for, in its own scope, and resumes the run. */
  private runRegisteredOp(run: number): RunState {
    const own = scope('registered op');
    try {
      const results = own.run(() => this.call(run));
      if (isPromise(results)) {
        throw new Error(
          `The execution of the op '${this.nodeAt(run).op}' returned a promise. Please use model.executeAsync() instead.`,
        );
      }
      return this.resume(run, results);
    } catch (error) {
      wasm._tn_graph_drop(this.#number, run);
      throw error;
    } finally {
      own.close();
    }
  }

  private async runRegisteredOpAsync(run: number): Promise<RunState> {
    try {
      return this.resume(run, await this.call(run));
    } catch (error) {
      wasm._tn_graph_drop(this.#number, run);
      throw error;
    }
  }

  private call(run: number): Tensor | Tensor[] | Promise<Tensor | Tensor[]> {
    const { op, attr } = this.nodeAt(run);
    const execute = getExecutor(op);
    if (!execute) throw new TypeError(`Custom op ${op} is not registered.`);
    const count = wasm._tn_graph_waiting_inputs(this.#number, run);
    if (count === -1) raise();
    return execute(takeResults(count), attr);
  }

  private nodeAt(run: number): RawNode {
    const { name, of } = readJson<{ name: string; of: string }>(wasm._tn_graph_waiting(this.#number, run));
    const { node, library } = this.topology;
    const owner = library?.function?.find(({ signature }) => signature.name === of);
    // Names of nodes are unique only within the main graph or within one function.
    const nodes = of === '' ? node : (owner!.nodeDef ?? owner!.node_def)!;
    return nodes.find((one) => one.name === name)!;
  }

  private resume(run: number, results: Tensor | Tensor[]): RunState {
    syncCurrentScope();
    const list = toList(results);
    for (const tensor of list as unknown[]) {
      if (!(tensor instanceof Tensor))
        throw new Error(`The op '${this.nodeAt(run).op}' must return tensors, but returned ${describeType(tensor)}`);
    }
    writeTensorIds(0, list);
    return decodeRunStatus(wasm._tn_graph_supply(this.#number, run, list.length));
  }
}

/** Returns the containers of ports by their names, '' for tensors and for nodes that are not ports. */
function findContainers(ports: readonly GraphPort[], names: readonly string[]): Container[] {
  return names.map((name) => ports.find((port) => port.name === name)?.container ?? '');
}

/** Returns the tensors of an input. Throws an error that says what was expected if it is something else. */
function toTensors(name: string, value: unknown, container: Container): Tensor[] {
  const [isSequence, isOptional] = [container.endsWith('sequence'), container.startsWith('optional')];
  if (isOptional && value === null) return [];
  const list: unknown[] = toList(value);
  const hasForm = Array.isArray(value) === isSequence;
  if (hasForm && list.every((one) => one instanceof Tensor)) return list as Tensor[];
  const wrong = hasForm ? list.find((one) => !(one instanceof Tensor)) : value;
  throw new Error(
    `The graph model expects ${isSequence ? 'an array of Tensors' : 'a Tensor'}${isOptional ? ' or null' : ''} for its input ` +
      `${name}, but got ${hasForm && isSequence ? 'an array with ' : ''}${describeType(wrong)}`,
  );
}

/** Throws the error of a run: a DisposedError if one of its inputs is disposed. */
function raiseFor(inputs: readonly Tensor[]): never {
  const disposed = inputs.find((tensor) => tensor.isDisposed);
  if (disposed) throw new DisposedError(`[execute] Tensor is disposed: ${describeTensor(disposed)}`);
  raise();
}

/** Returns the state of a run for the status of a call that started or resumed it. Throws the call's error. */
function decodeRunStatus(status: number): RunState {
  if (status === -1) raise();
  return status >= 0 ? { isDone: true, outputs: status } : { isDone: false, run: -2 - status };
}
