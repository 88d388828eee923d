import { runInInternalScope } from '../owner/scope.js';
import { wasm } from '../runtime/runtime.js';
import { kDataTypes, type Shape } from '../runtime/types.js';
import type { NamedTensorMap, Tensor } from '../tensor/tensor.js';
import type { ConfigDict } from '../util/serialization.js';
import { version_layers } from '../util/version.js';
import { buildGraph, toRefList, type FunctionalConfig, type TensorRef } from './functional_config.js';
import { checked, inferOutputShapes, runInEngine, withJson } from './layers/layer_bindings.js';
import { convertTsToPythonic } from './config_case.js';
import { findGraph, getCalledLayer, getSourceLayer, type ModelGraph } from './layer_graph.js';
import { InputLayer } from './layers/input_layer.js';
import { Layer, type DisposeResult, type LayerResult } from './layers/layer.js';
import type { LayerVariable } from './layers/layer_variable.js';
import { toShapeList, singletonOrArray, toList } from '../util/array_utils.js';
import { loadNamedWeights } from './named_weights.js';
import { getUid } from './names.js';
import { Node, type Kwargs, type SymbolicTensor } from './layers/symbolic_tensor.js';

/** Arguments of tf.model(). */
export interface ContainerArgs {
  /** Symbolic inputs of the model. */
  inputs: SymbolicTensor | SymbolicTensor[];
  /** Symbolic outputs of the model, which the inputs determine. */
  outputs: SymbolicTensor | SymbolicTensor[];
  /** Name of the model. */
  name?: string;
}

/** Layers and the calls that connect them. A container is a layer itself, so that models nest. */
export class Container extends Layer {
  /** Name of the class in saved configurations. */
  static readonly className: string = 'Container';
  /** Symbolic inputs of the model. */
  inputs: SymbolicTensor[];
  /** Symbolic outputs of the model. */
  outputs: SymbolicTensor[];
  /** Layers of the model, by decreasing distance from the outputs. */
  layers: Layer[] = [];
  /** Names of the input layers. */
  inputNames: string[] = [];
  /** Names of the layers that produce the outputs. */
  outputNames: string[] = [];
  /** @internal Keys of the calls that are part of the model. */
  containerNodes = new Set<string>();
  /** @internal */
  protected graph: ModelGraph = { nodes: [], layers: [], nodesByDepth: new Map() };
  #number: number | undefined;
  /** True while the model's creator holds a reference that dispose() has not released. */
  #hasCreator = true;

  constructor(args: ContainerArgs);
  /** @internal `number` is its handle if the engine has it already. */
  constructor(args: ContainerArgs, number?: number);
  constructor({ inputs, outputs, name }: ContainerArgs, number?: number) {
    super({ name: name ?? '-' });
    if (name === undefined || name === null) this.name = getUid(this.getClassName().toLowerCase());
    this.#number = number;
    this.inputs = [...toList(inputs)];
    this.outputs = [...toList(outputs)];
    this.checkDuplicates(this.inputs, 'inputs');
    this.checkDuplicates(this.outputs, 'outputs');
    if (this.outputs.length > 0) this.connect();
    this._refCount = 1;
  }

  private checkDuplicates(tensors: SymbolicTensor[], what: 'inputs' | 'outputs'): void {
    if (new Set(tensors).size === tensors.length) return;
    const names = tensors.map((x) => x.name);
    if (what === 'inputs')
      throw new Error(
        `The list of inputs passed to the model is redundant. All inputs should only appear once. Found: ${names}`,
      );
    console.warn(
      `The list of outputs passed to the model is redundant. All outputs should only appear once. Found: ${names}`,
    );
  }

  /** @internal Finds the layers and calls between inputs and outputs. Throws TensorFlow.js's messages if they form no model. */
  protected connect(): void {
    for (const [i, x] of this.inputs.entries()) {
      const sourceLayer = getSourceLayer(x);
      if (sourceLayer instanceof InputLayer) continue;
      throw new TypeError(
        `Input layers to a LayersModel must be InputLayer objects. Received inputs: ${this.inputs.map(({ name }) => name)}. Input ${i} (0-based) originates from layer type ${sourceLayer.getClassName()}.`,
      );
    }
    const graph = findGraph(this.inputs, this.outputs);
    this.checkNames(graph.layers);
    this.graph = graph;
    this.retainLayers();
    this.updateNames();
  }

  private checkNames(layers: Layer[]): void {
    const names = layers.map(({ name }) => name);
    const repeated = names.find((name, i) => names.indexOf(name) !== i);
    if (repeated !== undefined) {
      const count = names.filter((name) => name === repeated).length;
      throw new Error(
        `The name "${repeated}" is used ${count} times in the model. All layer names should be unique. Layer names: ${JSON.stringify(names)}`,
      );
    }
  }

  /** @internal Retains the layers of the graph for the model. */
  protected retainLayers(): void {
    this.layers = this.graph.layers;
    for (const layer of this.layers) layer.retain();
    this.inboundNodes = [];
    this.outboundNodes = [];
    new Node({ outboundLayer: this, inputTensors: this.inputs, outputTensors: this.outputs }, {}, true);
    this.built = true;
  }

  /** @internal */
  protected updateNames(): void {
    this.inputNames = this.inputs.map(({ sourceLayer }) => sourceLayer.name);
    this.outputNames = this.outputs.map(({ sourceLayer }) => sourceLayer.name);
    this.containerNodes = new Set(
      this.graph.nodes.map((node) =>
        Layer.nodeKey(getCalledLayer(node), getCalledLayer(node).inboundNodes.indexOf(node)),
      ),
    );
  }

  /** Layer of each input. */
  get inputLayers(): Layer[] {
    return this.inputs.map(getSourceLayer);
  }
  /** Layer of each output. */
  get outputLayers(): Layer[] {
    return this.outputs.map(getSourceLayer);
  }
  /** @internal */
  get nodesByDepth(): Map<number, Node[]> {
    return this.graph.nodesByDepth;
  }

  override get trainable(): boolean {
    return this.trainable_;
  }
  override set trainable(trainable: boolean) {
    for (const layer of this.layers) for (const weight of layer._trainableWeights) weight.trainable = trainable;
    this.trainable_ = trainable;
    if (this.#number !== undefined) checked(wasm._tn_set_trainable(this.#number, trainable ? 1 : 0));
  }
  override get trainableWeights(): LayerVariable[] {
    return this.trainable_ ? this.layers.flatMap((layer) => layer.trainableWeights) : [];
  }
  override get nonTrainableWeights(): LayerVariable[] {
    const frozen = this.layers.flatMap((layer) => layer.nonTrainableWeights);
    return this.trainable_ ? frozen : [...this.layers.flatMap((layer) => layer.trainableWeights), ...frozen];
  }
  override get stateful(): boolean {
    return this.layers.some((layer) => layer.stateful);
  }
  override resetStates(): void {
    for (const layer of this.layers) if (layer.stateful) layer.resetStates();
  }
  /** @internal */
  override get hasAddedLosses(): boolean {
    return super.hasAddedLosses || this.layers.some((layer) => layer.hasAddedLosses);
  }
  override calculateLosses(): Tensor[] {
    return runInInternalScope(() => this.layers.flatMap((layer) => layer.calculateLosses()));
  }

  /** Returns a layer by its name or its index. Throws if there is none. */
  getLayer(name: string): Layer;
  getLayer(index: number): Layer;
  getLayer(name: string, index: number): Layer;
  getLayer(nameOrIndex?: string | number, index?: number): Layer {
    const place = index ?? (typeof nameOrIndex === 'number' ? nameOrIndex : undefined);
    if (place !== undefined) return this.layerAt(place);
    if (nameOrIndex === undefined || nameOrIndex === null)
      throw new Error('Provide either a layer name or layer index');
    const layer = this.layers.find(({ name }) => name === nameOrIndex);
    if (!layer) throw new Error(`No such layer: ${nameOrIndex}`);
    return layer;
  }
  private layerAt(index: number): Layer {
    const layer = this.layers[index];
    if (layer) return layer;
    throw new Error(
      `Was asked to retrieve layer at index ${index}, but model only has ${this.layers.length} layer(s).`,
    );
  }

  /** @internal */
  override get isHooked(): boolean {
    return Layer.isAnyHooked && (super.isHooked || this.layers.some((layer) => layer.isHooked));
  }

  /** @internal Returns the handle of the engine's network; undefined if a layer is written in JavaScript. */
  override engineHandle(): number | undefined {
    this.#number ??= this.makeNetwork();
    return this.#number;
  }
  /** @internal */
  protected dropEngine(): void {
    if (this.#number !== undefined) wasm._tn_drop_layer(this.#number);
    this.#number = undefined;
  }
  private makeNetwork(): number | undefined {
    const layers = this.graph.layers.filter((layer) => !(layer instanceof InputLayer));
    const numbers = layers.map((layer) => layer.engineHandle());
    if (numbers.includes(undefined)) return undefined;
    const { nodes } = this.graph;
    const place = new Map(nodes.map((node, i) => [node, i]));
    const refOf = ({ sourceLayer, nodeIndex, tensorIndex }: SymbolicTensor) => {
      return [place.get(sourceLayer.inboundNodes[nodeIndex]!)!, tensorIndex];
    };
    const json = {
      class_name: this.getClassName() === 'Sequential' ? 'Sequential' : 'Functional',
      name: this.name,
      layers: numbers,
      calls: nodes.map((node) => {
        const { inputTensors, inboundLayers } = node;
        const layer = getCalledLayer(node);
        const refs = inboundLayers.length === 0 ? [] : inputTensors.map(refOf);
        return [layers.indexOf(layer), layer.inboundNodes.indexOf(node), refs];
      }),
      inputs: this.inputs.map((x) => [x.sourceLayer.name, x.shape, kDataTypes.indexOf(x.dtype), refOf(x)[0]]),
      outputs: this.outputs.map((x) => [x.sourceLayer.name, refOf(x)]),
    };
    const number = checked(withJson(json, (address, length) => wasm._tn_make_network(address, length)));
    if (!this.trainable_) checked(wasm._tn_set_trainable(number, 0));
    return number;
  }

  override computeOutputShape(inputShape: Shape | Shape[]): Shape | Shape[] {
    const shapes = toShapeList(inputShape);
    if (shapes.length !== this.inputs.length) {
      throw new Error(
        `Invalid inputShape argument ${String(inputShape)}: model has ${this.inputs.length} tensor inputs.`,
      );
    }
    const number = this.engineHandle();
    if (number !== undefined) return singletonOrArray(inferOutputShapes(number, shapes));
    const known = new Map<SymbolicTensor, Shape>(this.inputs.map((x, i) => [x, shapes[i]!]));
    for (const node of this.graph.nodes) {
      const { inputTensors, outputTensors, inboundLayers } = node;
      if (inboundLayers.length === 0) continue;
      const given = inputTensors.map((x) => known.get(x)!);
      const made = toShapeList(getCalledLayer(node).computeOutputShape(singletonOrArray(given)));
      for (const [i, x] of outputTensors.entries()) known.set(x, made[i]!);
    }
    return singletonOrArray(this.outputs.map((x) => known.get(x)!));
  }

  /**
   * Copies tensors to the weights of the same names. The caller keeps the tensors. Throws if a shape differs or, if `strict`, if
   * a tensor or a weight has no counterpart.
   */
  loadWeights(weights: NamedTensorMap, strict = true): void {
    loadNamedWeights(this, weights, strict);
  }

  override call(inputs: Tensor | Tensor[], kwargs: Kwargs): Tensor | Tensor[] {
    const { mask } = kwargs as { mask?: Tensor | (Tensor | null)[] };
    return runInInternalScope(() => this.run(toList(inputs), mask ? toList(mask) : [], kwargs).outputs);
  }

  /** @internal */
  override run(inputs: Tensor[], masks: (Tensor | null)[], kwargs: Kwargs): LayerResult {
    const number = this.isHooked ? undefined : this.engineHandle();
    if (number !== undefined) return runInEngine(number, this.name, inputs, masks, kwargs['training'] === true);
    const others = { ...kwargs };
    delete others['mask'];
    const known = new Map<SymbolicTensor, { tensor: Tensor; mask: Tensor | null }>();
    for (const [i, x] of this.inputs.entries()) known.set(x, { tensor: inputs[i]!, mask: masks[i] ?? null });
    for (const node of this.graph.nodes) {
      if (node.inboundLayers.length === 0) continue;
      const given = node.inputTensors.map((x) => known.get(x)!);
      const run = getCalledLayer(node).run(
        given.map(({ tensor }) => tensor),
        given.map(({ mask }) => mask),
        { ...node.callArgs, ...others },
      );
      for (const [i, x] of node.outputTensors.entries())
        known.set(x, { tensor: run.outputs[i]!, mask: run.masks[i] ?? null });
    }
    const results = this.outputs.map((x) => known.get(x)!);
    return { outputs: results.map(({ tensor }) => tensor), masks: results.map(({ mask }) => mask) };
  }

  override getConfig(): ConfigDict {
    const kept = this.getNodeIndices();
    const layers = this.layers.map((layer) => ({
      name: layer.name,
      className: layer.getClassName(),
      config: layer.getConfig(),
      inboundNodes: layer.inboundNodes
        .filter((node, i) => node.inboundLayers.length > 0 && kept.has(Layer.nodeKey(layer, i)))
        .map((node) => node.inputTensors.map((x) => [...toRef(x, kept), serializeArgs(node.callArgs)])),
    }));
    return {
      name: this.name,
      layers,
      inputLayers: this.inputs.map((x) => toRef(x, kept)),
      outputLayers: this.outputs.map((x) => toRef(x, kept)),
    } as unknown as ConfigDict;
  }

  /**
   * Returns, by key, the index of each layer's call among those that are part of the model. It starts at 1 for a nested model,
   * whose creation counts as a call.
   */
  private getNodeIndices(): Map<string, number> {
    const kept = new Map<string, number>();
    for (const layer of this.layers) {
      let next = layer instanceof Container ? 1 : 0;
      for (let i = 0; i < layer.inboundNodes.length; i++) {
        const key = Layer.nodeKey(layer, i);
        if (this.containerNodes.has(key)) kept.set(key, next++);
      }
    }
    return kept;
  }

  static override fromConfig(cls: unknown, config: ConfigDict, customObjects?: object): Layer {
    const { name, inputLayers, outputLayers, layers } = config as unknown as FunctionalConfig;
    const made = buildGraph(layers, customObjects);
    const tensorOf = ([layer, node, tensor]: TensorRef) => made.get(layer)!.inboundNodes[node]!.outputTensors[tensor]!;
    return new (cls as typeof Container)({
      inputs: toRefList(inputLayers).map(tensorOf),
      outputs: toRefList(outputLayers).map(tensorOf),
      name,
    });
  }

  /** Returns the topology in the format of model.json, as text or, without `returnString`, as an object. */
  toJSON(_unused?: unknown, returnString = true): string | Record<string, unknown> {
    const config = convertTsToPythonic({
      className: this.getClassName(),
      config: this.getConfig(),
      kerasVersion: `tfjs-layers ${version_layers}`,
      backend: 'TensorFlow.js',
    }) as Record<string, unknown>;
    return returnString ? JSON.stringify(config) : config;
  }

  protected override assertNotDisposed(): void {
    if (this._refCount === 0) throw new Error(`Container '${this.name}' is already disposed.`);
  }
  override dispose(): DisposeResult {
    this.assertNotDisposed();
    // An enclosing model still uses the layers.
    if (this.isRetained) {
      this.releaseCreator();
      return { refCountAfterDispose: this._refCount, numDisposedVariables: 0 };
    }
    return { numDisposedVariables: this.free(), refCountAfterDispose: 0 };
  }
  /** @internal Releases the creator's reference: only enclosing models then have references. */
  releaseCreator(): void {
    this.#hasCreator = false;
  }
  /**
   * @internal Releases an enclosing model's reference, which frees the model unless its creator holds it. Returns the number of
   * variables freed.
   */
  releaseNested(): number {
    if (!this.#hasCreator) return this.release();
    this.releaseToCreator();
    return 0;
  }
  /** @internal */
  override freeUnretained(): void {
    if (!this.isRetained) this.free();
  }
  /** @internal */
  protected releaseLayer(layer: Layer): number {
    return layer.release();
  }
  /** @internal */
  protected override free(): number {
    if (this._refCount === 0) return 0;
    this._refCount = 0;
    const count = this.layers.reduce((sum, layer) => sum + this.releaseLayer(layer), 0);
    this.dropEngine();
    return count;
  }
}

function toRef(x: SymbolicTensor, kept: Map<string, number>): [string, number, number] {
  const layer = getSourceLayer(x);
  return [layer.name, kept.get(Layer.nodeKey(layer, x.nodeIndex)) ?? 0, x.tensorIndex];
}

function serializeArgs(kwargs: Kwargs): Kwargs {
  return Object.fromEntries(
    Object.entries(kwargs).filter(([, value]) => ['number', 'boolean', 'string'].includes(typeof value)),
  );
}
