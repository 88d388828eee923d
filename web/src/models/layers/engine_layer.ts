import { readJson, wasm } from '../../runtime/runtime.js';
import { writeTensorIds } from '../../tensor/scratch_ids.js';
import { syncCurrentScope } from '../../runtime/async_scope_tracking.js';
import type { Shape } from '../../runtime/types.js';
import { runInInternalScope, dispose } from '../../owner/scope.js';
import { takeResults } from '../../tensor/create.js';
import { Tensor } from '../../tensor/tensor.js';
import { SerializationMap, type ConfigDict } from '../../util/serialization.js';
import { convertTsToPythonic } from '../config_case.js';
import type { Constraint } from './constraints.js';
import { checked, inferOutputShapes, runInEngine, withJson } from './layer_bindings.js';
import {
  serializeFields,
  isEngineClass,
  normalizeArgs,
  readFields,
  readonlySetter,
  defineFieldGetters,
  type FieldValues,
} from './layer_fields.js';
import { deserializeObject, unknownClass, type ClassConfig } from '../identifiers.js';
import type { Initializer } from './initializers.js';
import { isRecurrent, acceptsMasks, getBuiltInputSpec, getUnbuiltInputSpec } from './input_spec.js';
import { Layer, type LayerArgs, type LayerResult } from './layer.js';
import { LayerVariable } from './layer_variable.js';
import { toShapeList, singletonOrArray, toList } from '../../util/array_utils.js';
import { withForgetBias } from './forget_bias.js';
import type { Kwargs } from './symbolic_tensor.js';

/** Initializer, regularizer and constraint of a weight. */
export interface WeightSettings {
  initializer: Initializer;
  regularizer: Regularizer | null;
  constraint: Constraint | null;
}
type Regularizer = NonNullable<LayerVariable['regularizer']>;

interface WeightDescription {
  id: number;
  name: string;
  shape: number[];
  dtype: number;
  trainable: boolean;
}

/** Activation of a layer, as an object with the name of the function. */
class LayerActivation {
  constructor(private readonly name: string) {}
  getClassName(): string {
    return this.name;
  }
  getConfig(): ConfigDict {
    return {};
  }
  /** Returns the activation of each element of a tensor. */
  apply(x: Tensor): Tensor {
    const layer = makeLayer<EngineLayer>('Activation', { activation: this.name });
    try {
      return layer.apply(x) as Tensor;
    } finally {
      layer.dropEngine();
    }
  }
}

const lastPart = (path: string) => path.slice(path.lastIndexOf('/') + 1);

/** Sentinel handle of a layer inside one that the engine has: the engine has checked it, and gives it no handle. */
const kNestedHandle = -1;

/** Methods whose override by a subclass keeps the layer from running in the engine. */
const kOverrides = ['call', 'computeMask'];

/** Layer that the engine computes: of a class of layers.def, or of a subclass of one. */
export class EngineLayer extends Layer {
  /** @internal */
  protected readonly values: FieldValues;
  /** @internal Class of layers.def that the layer is of or derives from. */
  protected readonly engineClass: string;
  readonly #prototype: object;
  #number: number | undefined;
  /** Layers inside that this layer created, to which nothing else refers. */
  readonly #made: Layer[] = [];
  private readonly isNested: boolean;

  constructor(args: LayerArgs & FieldValues);
  /** @internal `number` is its handle if the engine has it already. */
  constructor(args: LayerArgs & FieldValues, number?: number);
  constructor(args: LayerArgs & FieldValues, number?: number) {
    super(args);
    [this.engineClass, this.#prototype] = getBuiltInClass(this);
    const className = this.engineClass;
    this.#number = number === kNestedHandle ? undefined : number;
    this.isNested = number === kNestedHandle;
    this.values = readFields(
      className,
      normalizeArgs(className, args),
      (given) => this.nest(given),
      number !== undefined,
    );
    if (className === 'Dense' && !this.batchInputShape && typeof args['inputDim'] === 'number') {
      this.batchInputShape = [args.batchSize ?? null, args['inputDim']];
    }
    if (className === 'Embedding' && !this.batchInputShape) {
      const length = args['inputLength'] as number | Shape | null | undefined;
      this.batchInputShape = [args.batchSize ?? null, ...toList((length ?? null) as number | null)];
    }
    this._stateful = this.values['stateful'] === true;
    this.activityRegularizer = (this.values['activityRegularizer'] ?? null) as Regularizer | null;
    this.supportsMasking = acceptsMasks(className, this.values);
    this.inputSpec = getUnbuiltInputSpec(className, this.values);
    this.defineArgumentGetters();
    // Only to check the fields: a layer that is never called must not stay in the engine.
    if (number === undefined && this.hasEngine) wasm._tn_drop_layer(this.makeInEngine());
  }

  /** Defines getters for the layer's arguments, as in TensorFlow.js. */
  private defineArgumentGetters(): void {
    const className = this.engineClass;
    defineFieldGetters(this, className, this.values);
    const name = this.values['activation'];
    if (typeof name === 'string' && !isRecurrent(className))
      this.defineGetter('activation', () => new LayerActivation(name));
    const [, rank] = /^(?:Separable|Depthwise)?Conv(\d)D/.exec(className) ?? [];
    if (rank) this.defineGetter('rank', () => Number(rank));
  }
  private defineGetter(property: string, get: () => unknown): void {
    if (!(property in this))
      Object.defineProperty(this, property, { get, set: readonlySetter(this, property), configurable: true });
  }

  /** @internal */
  protected nest(given: unknown): unknown {
    if (Array.isArray(given)) return given.map((one) => this.nest(one));
    if (given instanceof Layer) return given;
    const isInside = this.#number !== undefined || this.isNested;
    const made = deserializeLayer(given as ClassConfig, undefined, isInside ? kNestedHandle : undefined);
    this.#made.push(made);
    return made;
  }

  /** @internal True if a model may run the layer, and all layers inside, in the engine. */
  get isInEngine(): boolean {
    return this.hasEngine && !this.isOverridden;
  }
  /** @internal True if the engine implements the class and the classes of all layers inside. */
  protected get hasEngine(): boolean {
    return true;
  }
  /** True if a subclass, or the object itself, overrides a method of kOverrides. */
  private get isOverridden(): boolean {
    for (let at = this as object; at !== this.#prototype; at = Object.getPrototypeOf(at) as object) {
      if (kOverrides.some((name) => Object.hasOwn(at, name))) return true;
    }
    return false;
  }
  private makeInEngine(): number {
    const json = { class_name: this.engineClass, config: convertTsToPythonic(this.engineConfig()) };
    return checked(withJson(json, (address, length) => wasm._tn_make_layer(address, length)));
  }
  /** @internal */
  override engineHandle(): number | undefined {
    return this.isInEngine ? this.getHandle() : undefined;
  }
  private getHandle(): number {
    return (this.#number ??= this.makeInEngine());
  }

  override build(inputShape: Shape | Shape[]): void {
    const [{ length: rank }] = inferOutputShapes(this.getHandle(), toShapeList(inputShape)) as [Shape];
    if (this.engineClass === 'LayerNormalization') {
      this.values['axis'] = toList(this.values['axis'] as number).map((axis) => (axis < 0 ? axis + rank : axis));
    }
    this.bindWeights();
    this.built = true;
    this.inputSpec = getBuiltInputSpec(this.engineClass, toShapeList(inputShape)[0]!, this.values) ?? this.inputSpec;
  }

  /** @internal Creates the weights that the engine has declared, or takes those that a file provides. */
  bindWeights(): void {
    const number = this.getHandle();
    const described = readJson<WeightDescription[]>(wasm._tn_layer_weights(number));
    try {
      for (const [i, weight] of described.entries()) this.bindWeight(number, i, weight);
    } catch (error) {
      // Tensors that no variable has taken yet have no owner.
      for (const { id } of described) if (id > 0) wasm._tn_dispose(id);
      throw error;
    }
  }

  private bindWeight(number: number, i: number, { id, name, shape, trainable }: WeightDescription): void {
    const path = name.startsWith(`${this.name}/`) ? name.slice(this.name.length + 1) : name;
    const { layer, name: last } = this.locate(path);
    const { initializer, regularizer, constraint } = layer.getWeightSettings(last);
    const there =
      layer === this ? undefined : layer.weights.find(({ originalName }) => originalName.endsWith(`/${last}`));
    const isBrought = there !== undefined && id > 0 && there.val.id !== id;
    if (isBrought) {
      // A model inside has already created this weight.
      using value = new Tensor(id, shape, 'float32');
      there.write(value);
    }
    const weight =
      there ??
      (id > 0
        ? new LayerVariable(new Tensor(id, shape, 'float32'), 'float32', path, trainable, constraint, true)
        : runInInternalScope(
            () => new LayerVariable(initializer.apply(shape, 'float32'), 'float32', path, trainable, constraint),
          ));
    this.keepWeight(weight, trainable, regularizer);
    this.defineWeightGetter(last);
    if (layer !== this && !there) layer.addEnclosedWeight(weight, trainable);
    if (id === 0 || isBrought) checked(wasm._tn_set_weight(number, i, weight.val.id));
  }

  /** Defines the getter of a weight, such as `layer.kernel`, as in TensorFlow.js. */
  private defineWeightGetter(name: string): void {
    const property = name.replace(/_(\w)/g, (_, letter: string) => letter.toUpperCase());
    this.defineGetter(property, () => this.weights.find(({ originalName }) => `/${originalName}`.endsWith(`/${name}`)));
  }

  /** @internal Returns the owner of the weight at a path, "kernel" or "forward_lstm/kernel", and the weight's name there. */
  locate(path: string): { layer: EngineLayer; name: string } {
    return { layer: this, name: path };
  }
  /** @internal Adds a weight that an enclosing layer has created. */
  addEnclosedWeight(weight: LayerVariable, trainable: boolean): void {
    (trainable ? this._trainableWeights : this._nonTrainableWeights).push(weight);
    this.defineWeightGetter(lastPart(weight.originalName));
    this.built = true;
  }
  /** @internal Exposes the weights of an enclosing layer, which keeps owning them. */
  exposeWeightsOf(layer: EngineLayer): void {
    this._trainableWeights = layer._trainableWeights;
    this._nonTrainableWeights = layer._nonTrainableWeights;
    for (const { originalName } of layer.weights) this.defineWeightGetter(lastPart(originalName));
    this.built = layer.built;
  }

  private getWeightSettings(path: string): WeightSettings {
    const part = path.replace(/_kernel$/, '').replace(/_(\w)/g, (_, letter: string) => letter.toUpperCase());
    const value = (kind: string) => {
      const object = this.values[part + kind];
      return (typeof object === 'object' && object !== null && 'apply' in object ? object : null) as never;
    };
    const initializer = withForgetBias(part, this.values, value('Initializer'));
    return { initializer, regularizer: value('Regularizer'), constraint: value('Constraint') };
  }

  override set trainable(trainable: boolean) {
    super.trainable = trainable;
    if (this.#number !== undefined) checked(wasm._tn_set_trainable(this.#number, trainable ? 1 : 0));
  }
  override get trainable(): boolean {
    return super.trainable;
  }

  override computeOutputShape(inputShape: Shape | Shape[]): Shape | Shape[] {
    const shapes = toShapeList(inputShape);
    if (this.#number !== undefined) return singletonOrArray(inferOutputShapes(this.#number, shapes));
    const number = this.makeInEngine();
    try {
      return singletonOrArray(inferOutputShapes(number, shapes));
    } finally {
      wasm._tn_drop_layer(number);
    }
  }

  override computeMask(
    inputs: Tensor | Tensor[],
    mask?: Tensor | (Tensor | null)[] | null,
  ): Tensor | (Tensor | null)[] | null {
    const { outputs, masks } = this.compute(toList(inputs), toList(mask ?? null), {});
    dispose(outputs);
    return singletonOrArray(masks);
  }

  /** @internal Sets the states from which the next call of a stateful layer starts; an empty array resets them. */
  protected writeStates(states: Tensor[]): void {
    if (this.#number === undefined && states.length === 0) return;
    writeTensorIds(0, states);
    checked(wasm._tn_set_states(this.getHandle(), states.length));
  }

  /** @internal Returns the states from which the next call of a stateful layer starts, as new tensors. */
  protected readStates(): Tensor[] {
    syncCurrentScope();
    return takeResults(checked(wasm._tn_layer_states(this.getHandle())));
  }

  override call(inputs: Tensor | Tensor[], kwargs: Kwargs): Tensor | Tensor[] {
    const { mask, countWeights } = kwargs as { mask?: Tensor | (Tensor | null)[]; countWeights?: Tensor };
    const given = countWeights ? [...toList(inputs), countWeights] : toList(inputs);
    return singletonOrArray(this.compute(given, mask ? toList(mask) : [], kwargs).outputs);
  }

  /** @internal */
  override run(inputs: Tensor[], masks: (Tensor | null)[], kwargs: Kwargs): LayerResult {
    this.invokeCallHook(inputs, kwargs);
    return this.isOverridden ? super.run(inputs, masks, kwargs) : this.compute(inputs, masks, kwargs);
  }
  /** @internal Computes the outputs and masks as the class defines them, in the engine if it implements the class. */
  protected compute(inputs: Tensor[], masks: (Tensor | null)[], kwargs: Kwargs): LayerResult {
    return runInEngine(this.getHandle(), this.name, inputs, masks, kwargs['training'] === true);
  }

  override getConfig(): ConfigDict {
    return this.engineConfig();
  }
  /**
   * @internal Returns the configuration from which the engine creates the layer. It is not getConfig(), which a subclass may override
   * with fields that its constructor has not set yet.
   */
  protected engineConfig(): ConfigDict {
    return { ...serializeFields(this.engineClass, this.values), ...super.getConfig() };
  }

  /** @internal */
  protected override forgetWeights(): void {
    super.forgetWeights();
    this.dropEngine();
  }
  /** @internal */
  protected override disposeWeights(): number {
    const count = super.disposeWeights();
    this.dropEngine();
    for (const layer of this.#made) layer.freeUnretained();
    return count;
  }
  /** @internal */
  override freeUnretained(): void {
    super.freeUnretained();
    if (!this.isRetained) this.dropEngine();
  }
  /** @internal Frees the layer in the engine; subclasses also free the layers inside that have handles. */
  dropEngine(): void {
    if (this.#number !== undefined) wasm._tn_drop_layer(this.#number);
    this.#number = undefined;
  }
}

type LayerClass = new (args: LayerArgs & FieldValues, number?: number) => Layer;
const classes = new Map<string, LayerClass>();

/** Returns the name and prototype of the built-in class that a layer is of or derives from. */
function getBuiltInClass(layer: Layer): [string, object] {
  let prototype = Object.getPrototypeOf(layer) as object;
  for (;;) {
    const { className } = prototype.constructor as { className?: string };
    if (className !== undefined && classes.get(className)?.prototype === prototype) return [className, prototype];
    prototype = Object.getPrototypeOf(prototype) as object;
  }
}

/** Sets the JavaScript class of a built-in class of layers. */
export function defineLayerClass(className: string, cls: LayerClass): void {
  classes.set(className, cls);
}

/** Returns the JavaScript class of a built-in class of layers: a plain subclass of EngineLayer unless one was defined. */
export function layerClass(className: string): LayerClass {
  let cls = classes.get(className);
  if (!cls) {
    cls = class extends EngineLayer {
      static readonly className = className;
    };
    classes.set(className, cls);
  }
  return cls;
}

/**
 * Creates a layer of a built-in class, whose JavaScript class the caller declares; `number` is its handle if the engine has it
 * already.
 */
export function makeLayer<T extends Layer = Layer>(
  className: string,
  args: LayerArgs | FieldValues = {},
  number?: number,
): T {
  return new (layerClass(className))(args as LayerArgs & FieldValues, number) as T;
}

/** Creates a layer of a built-in, custom or registered class from its configuration. Throws if the class is unknown. */
export function deserializeLayer(described: ClassConfig, customObjects?: object, number?: number): Layer {
  const { className } = described;
  const isCustom = Object.hasOwn(customObjects ?? {}, className) || className in SerializationMap.getMap().classNameMap;
  if (isCustom || !isEngineClass(className)) return deserializeObject(described, 'layer', customObjects);
  if (described.config === undefined) throw unknownClass('layer', className);
  return makeLayer(className, described.config, number);
}
