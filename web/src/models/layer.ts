import { composed } from '../owner/scope.js';
import type { DataType, Shape } from '../runtime/types.js';
import { Tensor } from '../tensor/tensor.js';
import type { ConfigDict, Serializable, SerializableConstructor } from '../train/serialization.js';
import type { Regularizer } from './regularizers.js';
import { LayerWeights } from './layer_weights.js';
import { checkSpec, type InputSpec } from './input_spec.js';
import { shapeList, singletonOrArray, toList } from './lists.js';
import { toSnakeCase } from './config_case.js';
import { getUid, nameScope } from './names.js';
import { Node, SymbolicTensor, type Kwargs } from './symbolic_tensor.js';

/** What every layer takes. */
export interface LayerArgs {
  inputShape?: Shape;
  batchInputShape?: Shape;
  batchSize?: number;
  dtype?: DataType;
  name?: string;
  trainable?: boolean;
  weights?: Tensor[];
  inputDType?: DataType;
}

/** What a layer gives for tensors: outputs, and for each a mask, or null. */
export interface Run {
  outputs: Tensor[];
  masks: (Tensor | null)[];
}

/** What a layer is called on, and gives. */
export type LayerInputs = Tensor | Tensor[] | SymbolicTensor | SymbolicTensor[];

export interface DisposeResult {
  refCountAfterDispose: number | null;
  numDisposedVariables: number;
}

let nextLayerId = 0;

/**
 * A layer: weights, and a function over tensors, which apply() calls, or, given symbolic tensors, remembers. Subclasses
 * define build() with addWeight(), call(), computeOutputShape() and getConfig(). It owns its weights until it is disposed.
 * @example
 * class Square extends tf.layers.Layer {
 *   static className = 'Square';
 *   call(inputs) { return tf.square(inputs[0] ?? inputs); }
 * }
 * new Square().apply(tf.tensor([[1, 2]])); // [[1, 4]]
 */
export class Layer extends LayerWeights {
  /** @internal Whether any layer was ever given a call hook. */
  static isAnyHooked = false;
  /** A number of its own. */
  readonly id = nextLayerId++;
  /** Whether it takes masks. */
  supportsMasking = false;
  /** What its inputs must be like. */
  inputSpec: InputSpec[] | null = null;
  /** What its output adds to a loss. */
  activityRegularizer: Regularizer | null = null;
  /** The shape of its input, batch first, where it was given. */
  batchInputShape?: Shape;
  /** The type of its weights. */
  dtype?: DataType;
  /** Weights that it takes when it is built. */
  initialWeights: Tensor[] | null;
  /** Its calls. */
  inboundNodes: Node[] = [];
  /** The calls that take what it gives. */
  outboundNodes: Node[] = [];
  protected _stateful = false;
  /** How many calls and models it is in; null before the first. */
  protected _refCount: number | null = null;
  /** How many models it is part of. */
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

  /** The name of its class, as files have it. */
  getClassName(): string {
    return (this.constructor as unknown as SerializableConstructor<never>).className;
  }
  /** A layer of a class and its configuration. */
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
    throw new Error(`Asked to get ${what} at node ${index}, but the layer has only ${this.inboundNodes.length} inbound nodes.`);
  }
  /** What its call of a number took. */
  getInputAt(nodeIndex: number): SymbolicTensor | SymbolicTensor[] {
    return singletonOrArray(this.nodeAt(nodeIndex, 'input').inputTensors);
  }
  /** What its call of a number gave. */
  getOutputAt(nodeIndex: number): SymbolicTensor | SymbolicTensor[] {
    return singletonOrArray(this.nodeAt(nodeIndex, 'output').outputTensors);
  }
  /** What it was called with. Throws unless it was called once. */
  get input(): SymbolicTensor | SymbolicTensor[] {
    if (this.inboundNodes.length > 1) throw this.hasSeveralNodes('input');
    if (this.inboundNodes.length === 0) throw new Error(`Layer ${this.name} is not connected, no input to return.`);
    return this.getInputAt(0);
  }
  /** What the call gave. Throws unless there was one. */
  get output(): SymbolicTensor | SymbolicTensor[] {
    if (this.inboundNodes.length === 0) throw new Error(`Layer ${this.name} has no inbound nodes.`);
    if (this.inboundNodes.length > 1) throw this.hasSeveralNodes('output');
    return this.getOutputAt(0);
  }
  private hasSeveralNodes(what: 'input' | 'output'): Error {
    const method = what === 'input' ? 'getInputAt' : 'getOutputAt';
    return new Error(
      `Layer ${this.name} has multiple inbound nodes, hence the notion of "layer ${what}" is ill-defined. Use \`${method}(nodeIndex)\` instead.`,
    );
  }
  /** The shape of its output. Throws unless all calls give the same one. */
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

  /** Whether it remembers something from batch to batch. */
  get stateful(): boolean {
    return this._stateful;
  }
  /** Forgets what it remembers from batch to batch. Throws for a layer that is not stateful. */
  resetStates(_states?: Tensor | Tensor[]): void {
    if (!this.stateful) throw new Error('Cannot call the resetStates() method of a non-stateful Layer object.');
  }

  /** Declares the weights for inputs of this shape, or of these. */
  build(_inputShape?: Shape | Shape[]): void {
    this.built = true;
  }
  /** What it computes; subclasses say what. */
  call(inputs: Tensor | Tensor[], _kwargs: Kwargs): Tensor | Tensor[] {
    return inputs;
  }
  /** The shape of its output, or of each, for inputs of a shape; null stands for an extent that is not known. */
  computeOutputShape(inputShape: Shape | Shape[]): Shape | Shape[] {
    return inputShape;
  }
  /** The mask of the output, or of each. */
  computeMask(_inputs: Tensor | Tensor[], mask?: Tensor | (Tensor | null)[] | null): Tensor | (Tensor | null)[] | null {
    if (this.supportsMasking) return mask ?? null;
    if (mask && toList(mask as Tensor | null).some(Boolean)) {
      throw new TypeError(`Layer ${this.name} does not support masking, but was passed an inputMask.`);
    }
    return null;
  }
  /** Lets a function see the inputs of each call, but for those of fit(). */
  setCallHook(callHook: (inputs: unknown, kwargs: Kwargs) => void): void {
    this._callHook = callHook;
    Layer.isAnyHooked = true;
  }
  /** No such function any more. */
  clearCallHook(): void {
    this._callHook = null;
  }
  /** @internal Whether a function wants to see its calls, or those of a layer inside: predict() then runs layer by layer. */
  get isHooked(): boolean {
    return this._callHook !== null;
  }
  protected invokeCallHook(inputs: unknown, kwargs: Kwargs): void {
    this._callHook?.(inputs, kwargs);
  }

  /** Calls it on tensors, or symbolically, which gives symbolic tensors; the first call builds it. */
  apply(inputs: Tensor | Tensor[], kwargs?: Kwargs): Tensor | Tensor[];
  apply(inputs: SymbolicTensor | SymbolicTensor[], kwargs?: Kwargs): SymbolicTensor | SymbolicTensor[];
  apply(inputs: LayerInputs, kwargs?: Kwargs): LayerInputs;
  apply(inputs: LayerInputs, kwargs?: Kwargs): LayerInputs {
    this.assertNotDisposed();
    if (this.activityRegularizer) {
      throw new Error('Layer invocation in the presence of activity regularizer(s) is not supported yet.');
    }
    const list = toList(inputs as Tensor | Tensor[]) as (Tensor | SymbolicTensor)[];
    const symbolic = list.filter((x) => x instanceof SymbolicTensor);
    if (symbolic.length > 0 && symbolic.length < list.length) {
      throw new Error('Arguments to apply() must be all SymbolicTensors or all Tensors');
    }
    const wasBuilt = this.built;
    return nameScope(this.name, () => {
      try {
        this.assertInputCompatibility(list);
        if (!wasBuilt) this.buildFor(list);
        if (symbolic.length > 0) return this.applySymbolically(inputs as SymbolicTensor | SymbolicTensor[], kwargs ?? {});
        this._refCount ??= 1;
        return this.applyAtOnce(inputs as Tensor | Tensor[], kwargs ?? {});
      } catch (error) {
        if (!wasBuilt) this.forgetWeights();
        throw error;
      }
    });
  }

  private buildFor(inputs: (Tensor | SymbolicTensor)[]): void {
    this.build(singletonOrArray(inputs.map(({ shape }) => shape as Shape)));
    this.built = true;
    if (this.initialWeights) this.setWeights(this.initialWeights);
    this.assertInputCompatibility(inputs);
  }

  /** Throws where what a call() in JavaScript gave is no tensor. */
  private checkOutput(output: Tensor | Tensor[]): void {
    for (const one of toList<unknown>(output)) {
      if (one instanceof Tensor) continue;
      throw new Error(`call() of layer "${this.name}" must give tensors, got ${String(one)}`);
    }
  }

  private applyAtOnce(inputs: Tensor | Tensor[], kwargs: Kwargs): Tensor | Tensor[] {
    const list = toList(inputs);
    return composed(() => {
      const output = this.call(inputs, kwargs);
      this.checkOutput(output);
      return singletonOrArray(toList(output).map((x) => (list.includes(x) ? x.clone() : x)));
    });
  }

  /** After a first call that failed: what it made is freed, and it may be tried again. */
  protected override forgetWeights(): void {
    super.forgetWeights();
    this._refCount = null;
  }

  private applySymbolically(inputs: SymbolicTensor | SymbolicTensor[], kwargs: Kwargs): SymbolicTensor | SymbolicTensor[] {
    const list = toList(inputs);
    const shapes = list.map(({ shape }) => shape);
    const outputShape = this.computeOutputShape(Array.isArray(inputs) ? shapes : shapes[0]!);
    this.warnOnIncompatibleInputShape(shapes[0]!);
    const outputs = shapeList(outputShape).map(
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

  /** Throws, with TensorFlow.js's words, for inputs that are not as inputSpec says. */
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

  /** @internal What it gives for tensors and their masks; freed by the scope of the caller. */
  run(inputs: Tensor[], masks: (Tensor | null)[], kwargs: Kwargs): Run {
    const mask = inputs.length === 1 ? (masks[0] ?? null) : masks;
    const outputs = toList(this.call(inputs, masks.some(Boolean) ? { mask, ...kwargs } : kwargs));
    this.checkOutput(outputs);
    // As in TensorFlow.js, a mask ends silently in a model at a layer that knows of none.
    return { outputs, masks: this.supportsMasking ? toList(this.computeMask(inputs, mask) as Tensor | null) : [] };
  }
  /** @internal The engine's layer behind it; undefined for one that is written in JavaScript. */
  engineNumber(): number | undefined {
    return undefined;
  }

  /** What describes it: its arguments, as JSON has them. */
  getConfig(): ConfigDict {
    const config: ConfigDict = { name: this.name, trainable: this.trainable };
    if (this.batchInputShape) config['batchInputShape'] = this.batchInputShape;
    if (this.dtype) config['dtype'] = this.dtype;
    return config;
  }

  /** Throws once it was disposed. */
  assertNotDisposed(): void {
    if (this._refCount === 0) throw new Error(`Layer '${this.name}' is already disposed.`);
  }
  /** Lets go of it once; the weights are freed when all its calls and models have. */
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

  /** @internal A model has it from now on. */
  hold(): void {
    this.models++;
  }
  /** @internal A model gives it back to whoever made it. */
  giveBack(): void {
    this.models--;
  }
  /** @internal A model lets go of it: the last one frees it. Gives the number of variables that were freed. */
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
  /** @internal No model has it, and nobody knows it. */
  abandon(): void {
    if (!this.isHeld) this.forgetWeights();
  }
  /** @internal */
  protected get isHeld(): boolean {
    return this.models > 0;
  }
}
