import { runInInternalScope } from '../../owner/scope.js';
import type { DataType, Shape } from '../../runtime/types.js';
import { Tensor } from '../../tensor/tensor.js';
import type { ConfigDict, Serializable, SerializableConstructor } from '../../util/serialization.js';
import type { Regularizer } from './regularizers.js';
import { LayerWeights } from './layer_weights.js';
import { checkSpec, type InputSpec } from './input_spec.js';
import { toShapeList, singletonOrArray, toList } from '../../util/array_utils.js';
import { toSnakeCase } from '../config_case.js';
import { getUid, nameScope } from '../names.js';
import { Node, SymbolicTensor, type Kwargs } from './symbolic_tensor.js';

/** Arguments of all layers. */
export interface LayerArgs {
  /** Shape of the input without the batch dimension, for the first layer of a sequential model. */
  inputShape?: Shape;
  /** Shape of the input with the batch dimension; used instead of `inputShape`. */
  batchInputShape?: Shape;
  /** Extent of the batch dimension, for use with `inputShape`: any by default. */
  batchSize?: number;
  /** Type of the input: float32 by default. */
  dtype?: DataType;
  /** Name of the layer: made of its class by default. */
  name?: string;
  /** False to keep training from updating the weights. */
  trainable?: boolean;
  /** Initial values of the weights. */
  weights?: Tensor[];
  /** Type of the input, if `dtype` is not given. */
  inputDType?: DataType;
}

/** Result of running a layer on tensors: its outputs, and a mask or null for each. */
export interface LayerResult {
  outputs: Tensor[];
  masks: (Tensor | null)[];
}

/** Inputs or outputs of a layer's call. */
export type LayerInputs = Tensor | Tensor[] | SymbolicTensor | SymbolicTensor[];

/** Result of dispose(). */
export interface DisposeResult {
  /** References that are left; the weights are freed at 0. */
  refCountAfterDispose: number | null;
  /** Number of variables that were freed. */
  numDisposedVariables: number;
}

let nextLayerId = 0;

/**
 * Base class of layers: weights, and a function of tensors. apply() calls the function, or records the call if it is given
 * symbolic tensors. Subclasses define build() with addWeight(), call(), computeOutputShape() and getConfig(). A layer owns its
 * weights until it is disposed.
 * @example
 * class Square extends tf.layers.Layer {
 *   static className = 'Square';
 *   call(inputs) { return tf.square(inputs[0] ?? inputs); }
 * }
 * new Square().apply(tf.tensor([[1, 2]])); // [[1, 4]]
 */
export class Layer extends LayerWeights {
  /** @internal True once any layer has had a call hook. */
  static isAnyHooked = false;
  /** Unique number of the layer. */
  readonly id = nextLayerId++;
  /** True if the layer accepts masks. */
  supportsMasking = false;
  /** Requirements of the inputs, or null. */
  inputSpec: InputSpec[] | null = null;
  /** Regularizer of the output, or null. */
  activityRegularizer: Regularizer | null = null;
  /** Shape of the input, batch dimension first, if it was given. */
  batchInputShape?: Shape;
  /** Type of the input, if its shape was given. */
  dtype?: DataType;
  /** Values that the weights get when the layer is built, or null. */
  initialWeights: Tensor[] | null;
  /** The layer's symbolic calls. */
  inboundNodes: Node[] = [];
  /** The symbolic calls that take outputs of the layer. */
  outboundNodes: Node[] = [];
  protected _stateful = false;
  /** References that dispose() has to release, one for each symbolic call; null before the first call. */
  protected _refCount: number | null = null;
  /** Number of models that contain the layer. */
  private models = 0;
  private _callHook: ((inputs: unknown, kwargs: Kwargs) => void) | null = null;

  constructor(args: LayerArgs = {}) {
    super(args.trainable ?? true);
    const className = this.getClassName();
    this.name = args.name || `${toSnakeCase(className)}_${getUid(className)}`;
    const shape = args.batchInputShape ?? (args.inputShape && [args.batchSize ?? null, ...args.inputShape]);
    if (shape) {
      this.batchInputShape = shape;
      this.dtype = args.dtype ?? args.inputDType ?? 'float32';
    }
    this.initialWeights = args.weights ?? null;
  }

  /** Returns the name of the class, as files store it. */
  getClassName(): string {
    return (this.constructor as unknown as SerializableConstructor<never>).className;
  }
  /** Creates a layer from its class and configuration. */
  static fromConfig(cls: unknown, config: ConfigDict): Serializable {
    return new (cls as new (config: unknown) => Layer)(config);
  }
  /** @internal */
  static nodeKey(layer: Layer, nodeIndex: number): string {
    return `${layer.name}_ib-${nodeIndex}`;
  }

  private nodeAt(index: number, what: string): Node {
    if (this.inboundNodes.length === 0) {
      throw new Error(`The layer has never been called and thus has no defined ${what}.`);
    }
    const node = this.inboundNodes[index];
    if (node) return node;
    throw new Error(
      `Asked to get ${what} at node ${index}, but the layer has only ${this.inboundNodes.length} inbound nodes.`,
    );
  }
  /** Returns the inputs of the layer's symbolic call `nodeIndex`. Throws if there is no such call. */
  getInputAt(nodeIndex: number): SymbolicTensor | SymbolicTensor[] {
    return singletonOrArray(this.nodeAt(nodeIndex, 'input').inputTensors);
  }
  /** Returns the outputs of the layer's symbolic call `nodeIndex`. Throws if there is no such call. */
  getOutputAt(nodeIndex: number): SymbolicTensor | SymbolicTensor[] {
    return singletonOrArray(this.nodeAt(nodeIndex, 'output').outputTensors);
  }
  /** The inputs of the layer's symbolic call. Throws unless there is exactly one. */
  get input(): SymbolicTensor | SymbolicTensor[] {
    if (this.inboundNodes.length > 1) throw this.multipleNodesError('input');
    if (this.inboundNodes.length === 0) throw new Error(`Layer ${this.name} is not connected, no input to return.`);
    return this.getInputAt(0);
  }
  /** The outputs of the layer's symbolic call. Throws unless there is exactly one. */
  get output(): SymbolicTensor | SymbolicTensor[] {
    if (this.inboundNodes.length === 0) throw new Error(`Layer ${this.name} has no inbound nodes.`);
    if (this.inboundNodes.length > 1) throw this.multipleNodesError('output');
    return this.getOutputAt(0);
  }
  private multipleNodesError(what: 'input' | 'output'): Error {
    const method = what === 'input' ? 'getInputAt' : 'getOutputAt';
    return new Error(
      `Layer ${this.name} has multiple inbound nodes, hence the notion of "layer ${what}" is ill-defined. Use \`${method}(nodeIndex)\` instead.`,
    );
  }
  /** The shape of the output, or of each output. Throws unless all symbolic calls have the same. */
  get outputShape(): Shape | Shape[] {
    const [first, ...others] = this.inboundNodes.map(({ outputShapes }) => outputShapes);
    if (!first) throw new Error(`The layer ${this.name} has never been called and thus has no defined output shape.`);
    if (others.some((shapes) => JSON.stringify(shapes) !== JSON.stringify(first))) {
      throw new Error(
        `The layer ${this.name} has multiple inbound nodes with different output shapes. Hence the notion of "output shape" is ill-defined for the layer.`,
      );
    }
    return singletonOrArray(first);
  }

  /** True if the layer keeps states between batches. */
  get stateful(): boolean {
    return this._stateful;
  }
  /** Resets the states kept between batches. Throws if the layer is not stateful. */
  resetStates(_states?: Tensor | Tensor[]): void {
    if (!this.stateful) throw new Error('Cannot call the resetStates() method of a non-stateful Layer object.');
  }

  /** Creates the weights for inputs of a shape, or of several shapes. */
  build(_inputShape?: Shape | Shape[]): void {
    this.built = true;
  }
  /** Computes the outputs. Subclasses override it; the base class returns the inputs. */
  call(inputs: Tensor | Tensor[], _kwargs: Kwargs): Tensor | Tensor[] {
    return inputs;
  }
  /** Returns the shape of the output, or of each output, for inputs of a shape; null is an unknown extent. */
  computeOutputShape(inputShape: Shape | Shape[]): Shape | Shape[] {
    return inputShape;
  }
  /** Returns the mask of the output, or of each output. Throws if a layer that does not support masks is given one. */
  computeMask(_inputs: Tensor | Tensor[], mask?: Tensor | (Tensor | null)[] | null): Tensor | (Tensor | null)[] | null {
    if (this.supportsMasking) return mask ?? null;
    if (mask && toList(mask).some(Boolean)) {
      throw new TypeError(`Layer ${this.name} does not support masking, but was passed an inputMask.`);
    }
    return null;
  }
  /** Sets a function that is called with the inputs of each call of the layer, except those of fit(). */
  setCallHook(callHook: (inputs: unknown, kwargs: Kwargs) => void): void {
    this._callHook = callHook;
    Layer.isAnyHooked = true;
  }
  /** Removes the function set by setCallHook(). */
  clearCallHook(): void {
    this._callHook = null;
  }
  /** @internal True if the layer, or one inside, has a call hook: predict() then runs layer by layer. */
  get isHooked(): boolean {
    return this._callHook !== null;
  }
  protected invokeCallHook(inputs: unknown, kwargs: Kwargs): void {
    this._callHook?.(inputs, kwargs);
  }

  /** Calls the layer on tensors, or on symbolic tensors, which returns symbolic tensors. The first call builds the layer. */
  apply(inputs: Tensor | Tensor[], kwargs?: Kwargs): Tensor | Tensor[];
  apply(inputs: SymbolicTensor | SymbolicTensor[], kwargs?: Kwargs): SymbolicTensor | SymbolicTensor[];
  apply(inputs: LayerInputs, kwargs?: Kwargs): LayerInputs;
  apply(inputs: LayerInputs, kwargs?: Kwargs): LayerInputs {
    this.assertNotDisposed();
    if (this.activityRegularizer) {
      throw new Error('Layer invocation in the presence of activity regularizer(s) is not supported yet.');
    }
    const list = toList(inputs as Tensor | Tensor[]);
    const symbolic = list.filter((x) => x instanceof SymbolicTensor);
    if (symbolic.length > 0 && symbolic.length < list.length) {
      throw new Error('Arguments to apply() must be all SymbolicTensors or all Tensors');
    }
    const wasBuilt = this.built;
    return nameScope(this.name, () => {
      try {
        this.assertInputCompatibility(list);
        if (!wasBuilt) this.buildFor(list);
        if (symbolic.length > 0)
          return this.applySymbolically(inputs as SymbolicTensor | SymbolicTensor[], kwargs ?? {});
        this._refCount ??= 1;
        return this.applyEagerly(inputs as Tensor | Tensor[], kwargs ?? {});
      } catch (error) {
        if (!wasBuilt) this.forgetWeights();
        throw error;
      }
    });
  }

  private buildFor(inputs: (Tensor | SymbolicTensor)[]): void {
    this.build(singletonOrArray(inputs.map(({ shape }) => shape)));
    this.built = true;
    if (this.initialWeights) this.setWeights(this.initialWeights);
    this.assertInputCompatibility(inputs);
  }

  /** Throws if a call() written in JavaScript returned something other than tensors. */
  private checkOutput(output: Tensor | Tensor[]): void {
    for (const one of toList<unknown>(output)) {
      if (one instanceof Tensor) continue;
      throw new Error(`call() of layer "${this.name}" must return tensors, got ${String(one)}`);
    }
  }

  private applyEagerly(inputs: Tensor | Tensor[], kwargs: Kwargs): Tensor | Tensor[] {
    const list = toList(inputs);
    return runInInternalScope(() => {
      const output = this.call(inputs, kwargs);
      this.checkOutput(output);
      return singletonOrArray(toList(output).map((x) => (list.includes(x) ? x.clone() : x)));
    });
  }

  /** @internal Frees the weights after a first call that failed, so that the call can be repeated. */
  protected override forgetWeights(): void {
    super.forgetWeights();
    this._refCount = null;
  }

  private applySymbolically(
    inputs: SymbolicTensor | SymbolicTensor[],
    kwargs: Kwargs,
  ): SymbolicTensor | SymbolicTensor[] {
    const list = toList(inputs);
    const shapes = list.map(({ shape }) => shape);
    const outputShape = this.computeOutputShape(Array.isArray(inputs) ? shapes : shapes[0]!);
    this.warnOnIncompatibleInputShape(shapes[0]!);
    const outputs = toShapeList(outputShape).map(
      (shape, i) => new SymbolicTensor('float32', shape, this, list, kwargs, this.name, i),
    );
    this.addInboundNode(list, outputs, kwargs);
    this._refCount = (this._refCount ?? 0) + 1;
    return Array.isArray(outputShape[0]) ? outputs : outputs[0]!;
  }

  /** @internal */
  addInboundNode(inputTensors: SymbolicTensor[], outputTensors: SymbolicTensor[], kwargs: Kwargs = {}): Node {
    const node = new Node({ outboundLayer: this, inputTensors, outputTensors }, kwargs);
    for (const [i, output] of outputTensors.entries()) {
      output.sourceLayer = this;
      output.nodeIndex = this.inboundNodes.length - 1;
      output.tensorIndex = i;
    }
    return node;
  }

  private warnOnIncompatibleInputShape(inputShape: Shape): void {
    const wanted = this.batchInputShape;
    if (!wanted) return;
    if (inputShape.length !== wanted.length) {
      console.warn(
        `The rank of the input tensor provided (shape: ${JSON.stringify(inputShape)}) does not match that of the batchInputShape (${JSON.stringify(wanted)}) of the layer ${this.name}`,
      );
    } else if (wanted.some((extent, i) => extent !== null && inputShape[i] !== null && inputShape[i] !== extent)) {
      console.warn(
        `The shape of the input tensor (${JSON.stringify(inputShape)}) does not match the expectation of layer ${this.name}: ${JSON.stringify(wanted)}`,
      );
    }
  }

  /** Throws, with TensorFlow.js's messages, if the inputs do not match inputSpec. */
  protected assertInputCompatibility(inputs: (Tensor | SymbolicTensor)[]): void {
    const specs = this.inputSpec;
    if (!specs?.length) return;
    if (inputs.length !== specs.length) {
      throw new Error(
        `Layer ${this.name} expects ${specs.length} inputs, but it received ${inputs.length} input tensors.`,
      );
    }
    for (const [i, x] of inputs.entries()) checkSpec(`Input ${i} is incompatible with layer ${this.name}`, x, specs[i]);
  }

  /** @internal Returns the outputs and masks for tensors and their masks; the caller's scope frees them. */
  run(inputs: Tensor[], masks: (Tensor | null)[], kwargs: Kwargs): LayerResult {
    const mask = inputs.length === 1 ? (masks[0] ?? null) : masks;
    const outputs = toList(this.call(inputs, masks.some(Boolean) ? { mask, ...kwargs } : kwargs));
    this.checkOutput(outputs);
    // As in TensorFlow.js, a layer inside a model that does not support masks drops them silently.
    return { outputs, masks: this.supportsMasking ? toList(this.computeMask(inputs, mask)) : [] };
  }
  /** @internal Returns the handle of the engine's layer; undefined for a layer that is written in JavaScript. */
  engineHandle(): number | undefined {
    return undefined;
  }

  /** Returns the layer's arguments as JSON values. */
  getConfig(): ConfigDict {
    const config: ConfigDict = { name: this.name, trainable: this.trainable };
    if (this.batchInputShape) config['batchInputShape'] = this.batchInputShape;
    if (this.dtype) config['dtype'] = this.dtype;
    return config;
  }

  /** Throws if the layer is disposed. */
  protected assertNotDisposed(): void {
    if (this._refCount === 0) throw new Error(`Layer '${this.name}' is already disposed.`);
  }
  /** Releases one reference. The last one frees the weights. Throws if the layer is not built, or was never called. */
  dispose(): DisposeResult {
    if (!this.built) throw new Error(`Cannot dispose Layer ${this.name} because it has not been built yet.`);
    if (this._refCount === null) throw new Error(`Cannot dispose Layer ${this.name} because it has not been used yet.`);
    this.assertNotDisposed();
    const numDisposedVariables = --this._refCount === 0 ? this.disposeWeights() : 0;
    return { refCountAfterDispose: this._refCount, numDisposedVariables };
  }
  override [Symbol.dispose](): void {
    if (this._refCount) this.dispose();
  }

  /** @internal Retains the layer for a model. */
  retain(): void {
    this.models++;
  }
  /** @internal Releases a model's reference without freeing the layer, which returns to its creator. */
  releaseToCreator(): void {
    this.models--;
  }
  /** @internal Releases a model's reference; the last one frees the layer. Returns the number of variables freed. */
  release(): number {
    this.models--;
    return this.models > 0 || !this.built ? 0 : this.free();
  }
  /** @internal */
  protected free(): number {
    if (this._refCount === 0) return 0;
    this._refCount = 0;
    return this.disposeWeights();
  }
  /** @internal Frees a layer that no caller has a reference to, unless a model contains it. */
  freeUnretained(): void {
    if (!this.isRetained) this.forgetWeights();
  }
  /** @internal */
  protected get isRetained(): boolean {
    return this.models > 0;
  }
}
