// Wrapper layers, which map weight paths of the engine to the layers inside.
import type { Shape } from '../../runtime/types.js';
import { dispose } from '../../owner/scope.js';
import type { Tensor } from '../../tensor/tensor.js';
import type { ConfigDict } from '../../util/serialization.js';
import { Container } from '../container.js';
import { EngineLayer, deserializeLayer } from './engine_layer.js';
import type { FieldValues } from './layer_fields.js';
import { InputLayer } from './input_layer.js';
import type { Layer, LayerArgs, LayerResult } from './layer.js';
import { toShapeList, toList } from '../../util/array_utils.js';
import { RNN, RecurrentLayer } from './recurrent.js';
import type { Kwargs } from './symbolic_tensor.js';

/** Returns the layer, `layer` or one inside, that owns the weight at `path`, and the weight's name there. Throws if none does. */
export function locateWeight(layer: Layer, path: string): { layer: EngineLayer; name: string } {
  if (layer instanceof EngineLayer) return layer.locate(path);
  const inner = layer instanceof Container && layer.layers.find(({ name }) => path.startsWith(`${name}/`));
  if (!inner) throw new Error(`No layer of "${layer.name}" has the weight ${path}.`);
  return locateWeight(inner, path.slice(inner.name.length + 1));
}

/** True if neither the layer nor any layer inside is written in JavaScript. */
function isInEngine(layer: Layer): boolean {
  return layer instanceof Container
    ? layer.layers.every(isInEngine)
    : layer instanceof EngineLayer
      ? layer.isInEngine
      : layer instanceof InputLayer;
}

/** Wrapper that applies a layer to every time step of [batch, steps, ...], as to one batch of batch * steps. */
class TimeDistributed extends EngineLayer {
  /** Name of the class in saved configurations. */
  static readonly className = 'TimeDistributed';
  /** The layer that is applied to each step. */
  get layer(): Layer {
    return this.values['layer'] as Layer;
  }
  /** @internal */
  override locate(path: string): { layer: EngineLayer; name: string } {
    return locateWeight(this.layer, path);
  }
  /** @internal */
  protected override get hasEngine(): boolean {
    return isInEngine(this.layer);
  }
  override build(inputShape: Shape | Shape[]): void {
    const [shape] = toShapeList(inputShape);
    if (this.hasEngine) {
      super.build(inputShape);
      return;
    }
    const { layer } = this;
    if (!layer.built) layer.build([shape![0]!, ...shape!.slice(2)]);
    layer.built = true;
    this._trainableWeights = [...layer._trainableWeights];
    this._nonTrainableWeights = [...layer._nonTrainableWeights];
    this.built = true;
  }
  override computeOutputShape(inputShape: Shape | Shape[]): Shape | Shape[] {
    if (this.hasEngine) return super.computeOutputShape(inputShape);
    const [shape] = toShapeList(inputShape);
    const [first] = toShapeList(this.layer.computeOutputShape([shape![0]!, ...shape!.slice(2)]));
    return [first![0]!, shape![1]!, ...first!.slice(1)];
  }
  /** @internal */
  protected override compute(inputs: Tensor[], masks: (Tensor | null)[], kwargs: Kwargs): LayerResult {
    if (this.hasEngine) return super.compute(inputs, masks, kwargs);
    const [x] = inputs as [Tensor];
    const [batch, steps, ...rest] = x.shape as number[];
    const merged = x.reshape([batch! * steps!, ...rest]);
    const outputs = toList(this.layer.call(merged, kwargs));
    return { outputs: outputs.map((y) => y.reshape([batch!, steps!, ...y.shape.slice(1)])), masks: [masks[0] ?? null] };
  }
  /** @internal */
  override dropEngine(): void {
    super.dropEngine();
    if (this.layer instanceof EngineLayer) this.layer.dropEngine();
  }
}

/** Wrapper that runs two copies of a recurrent layer over the time steps, in opposite directions. */
class Bidirectional extends RecurrentLayer {
  /** Name of the class in saved configurations. */
  static readonly className = 'Bidirectional';
  /** The wrapped layer, of which both directions are copies. */
  declare readonly layer: Layer;
  /** How the outputs of both directions are merged; null if both are returned. */
  declare readonly mergeMode: 'sum' | 'mul' | 'concat' | 'ave' | null;
  /** The copy that runs from the first time step to the last. */
  readonly forwardLayer: RNN;
  /** The copy that runs from the last time step to the first. */
  readonly backwardLayer: RNN;

  constructor(args: LayerArgs & FieldValues, number?: number) {
    super(args, number);
    // mergeMode is the only field with a meaning for null, which readFields() takes for a missing value.
    if (args['mergeMode'] === null) this.values['mergeMode'] = null;
    const layer = this.values['layer'] as Layer;
    const { goBackwards } = layer.getConfig() as { goBackwards?: boolean };
    this.forwardLayer = cloneLayer(layer, {});
    this.backwardLayer = cloneLayer(layer, { goBackwards: goBackwards !== true });
    this.forwardLayer.name = `forward_${layer.name}`;
    this.backwardLayer.name = `backward_${layer.name}`;
    this._stateful = layer.stateful;
    this.forwardLayer.readStatesFrom(() => this.readHalf(0));
    this.backwardLayer.readStatesFrom(() => this.readHalf(1));
  }
  /** @internal */
  protected override get stateCount(): number {
    return 2 * toList(this.forwardLayer.cell.stateSize).length;
  }
  /** @internal */
  override dropEngine(): void {
    super.dropEngine();
    this.forwardLayer.dropEngine();
    this.backwardLayer.dropEngine();
  }
  /** Returns the states of the forward layer, for `half` 0, or of the backward layer, for 1. */
  private readHalf(half: number): Tensor[] {
    const states = this.readStates();
    const kept = states.splice((half * states.length) / 2, states.length / 2);
    dispose(states);
    return kept;
  }
  /** True if the layer returns the outputs of all time steps, as the wrapped layer does. */
  get returnSequences(): boolean {
    return this.wrapped.returnSequences;
  }
  /** True if the layer also returns its last states. */
  get returnState(): boolean {
    return this.wrapped.returnState;
  }
  private get wrapped(): Layer & { returnSequences: boolean; returnState: boolean } {
    return this.values['layer'] as never;
  }
  /** @internal */
  override locate(path: string): { layer: EngineLayer; name: string } {
    // The wrapped layer may have another name in the engine, or none: only the direction's prefix counts.
    const inner = path.startsWith('forward_') ? this.forwardLayer : this.backwardLayer;
    return locateWeight(inner, path.slice(path.indexOf('/') + 1));
  }
}

function cloneLayer(layer: Layer, changed: ConfigDict): RNN {
  const clone = deserializeLayer({ className: layer.getClassName(), config: { ...layer.getConfig(), ...changed } });
  if (clone instanceof RNN) return clone;
  throw new Error(`The layer of a bidirectional layer must be recurrent, got ${layer.getClassName()}.`);
}

export { TimeDistributed, Bidirectional };
