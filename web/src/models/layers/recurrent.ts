// Recurrent layers, which run a cell over the time steps of [batch, steps, ...].
import { concat } from '../../ops/movement/concat.js';
import { cast } from '../../ops/math/cast.js';
import { zeros } from '../../ops/movement/create.js';
import { slice } from '../../ops/movement/slice.js';
import { expandDims, squeeze } from '../../ops/movement/reshape.js';
import { where } from '../../ops/movement/where.js';
import type { Shape } from '../../runtime/types.js';
import { TensorList } from '../../owner/tensor_list.js';
import type { Tensor } from '../../tensor/tensor.js';
import type { ConfigDict } from '../../util/serialization.js';
import { EngineLayer, makeLayer } from './engine_layer.js';
import type { FieldValues } from './layer_fields.js';
import type { LayerArgs, LayerInputs, LayerResult } from './layer.js';
import { toShapeList, toList } from '../../util/array_utils.js';
import { isEngineCell, type RNNCell } from './recurrent_cells.js';
import type { Kwargs, SymbolicTensor } from './symbolic_tensor.js';

const kNeedsBatch =
  'If an RNN is stateful, it needs to know its batch size. Specify the batch size of your input tensors: \n' +
  '- If using a Sequential model, specify the batch size by passing a `batchInputShape` option to your first layer.\n' +
  '- If using the functional API, specify the batch size by passing a `batchShape` option to your Input layer.';

/** Base class of recurrent layers. apply() takes the initial states as further inputs or as `initialState`. */
export abstract class RecurrentLayer extends EngineLayer {
  /** Tensors that `states` returned last; freed when it is read again. */
  readonly #returnedStates = new TensorList();

  /** @internal Number of states. */
  protected abstract get stateCount(): number;
  /**
   * The states from which the next call of a stateful layer starts; those of a bidirectional layer are the forward layer's and
   * then the backward layer's. The layer owns the tensors and frees them when `states` is read again. Null for each state of a
   * layer that is not stateful or not built.
   */
  get states(): (Tensor | null)[] {
    if (!this.stateful || !this.built) return new Array<null>(this.stateCount).fill(null);
    const states = this.readStates();
    this.#returnedStates.clear();
    for (const state of states) this.#returnedStates.push(state);
    return states;
  }
  /** Returns `states`. */
  getStates(): (Tensor | null)[] {
    return this.states;
  }
  /** Sets the states from which the next call of a stateful layer starts. The caller keeps the tensors. */
  setStates(states: Tensor[]): void {
    this.writeStates(states);
  }
  override apply(inputs: Tensor | Tensor[], kwargs?: Kwargs): Tensor | Tensor[];
  override apply(inputs: SymbolicTensor | SymbolicTensor[], kwargs?: Kwargs): SymbolicTensor | SymbolicTensor[];
  override apply(inputs: LayerInputs, kwargs?: Kwargs): LayerInputs;
  override apply(inputs: LayerInputs, kwargs: Kwargs = {}): LayerInputs {
    const { initialState, ...others } = kwargs as { initialState?: Tensor | Tensor[] };
    if (!initialState) return super.apply(inputs as Tensor, kwargs);
    return super.apply([...toList(inputs as Tensor), ...toList(initialState)], others);
  }
  /** Checks the first input only: the others are states. */
  protected override assertInputCompatibility(inputs: (Tensor | SymbolicTensor)[]): void {
    super.assertInputCompatibility(inputs.slice(0, 1));
  }
  /**
   * Sets the states from which the next call of a stateful layer starts: zeros if none are given. The caller keeps the tensors.
   * Throws if the layer is not stateful.
   */
  override resetStates(states?: Tensor | Tensor[]): void {
    if (!this.stateful) throw new Error('Cannot call resetStates() on an RNN Layer that is not stateful.');
    this.writeStates(states ? toList(states) : []);
  }
  /** @internal */
  override dropEngine(): void {
    super.dropEngine();
    this.#returnedStates.clear();
  }
}

/**
 * Recurrent layer that runs a cell, which may be written in JavaScript, over the time steps of [batch, steps, ...]. The states
 * of a stateful layer can be read and set.
 * @example
 * const layer = tf.layers.rnn({ cell: tf.layers.gruCell({ units: 2 }) });
 * layer instanceof tf.RNN; // true
 */
export class RNN extends RecurrentLayer {
  /** Name of the class in saved configurations. */
  static readonly className: string = 'RNN';
  /** True if the layer returns the outputs of all time steps instead of the last one only. */
  declare readonly returnSequences: boolean;
  /** True if the layer returns its last states after its output. */
  declare readonly returnState: boolean;
  /** True if the layer runs from the last time step to the first. */
  declare readonly goBackwards: boolean;
  /** Kept for configurations only: it does not change how the time steps are run. */
  declare readonly unroll: boolean;
  /** Reads the states of a layer inside another one, which has them in the engine. */
  #readFromOuter: (() => Tensor[]) | undefined;
  /** States from which the next call of a stateful layer starts, if its cell is written in JavaScript. */
  readonly #carriedStates = new TensorList();
  #stateShapes: number[][] = [];

  constructor(args: LayerArgs & FieldValues);
  /** @internal `number` is its handle if the engine has it already. */
  constructor(args: LayerArgs & FieldValues, number?: number);
  constructor(args: LayerArgs & FieldValues, number?: number) {
    const { cell } = args;
    super(Array.isArray(cell) ? { ...args, cell: makeLayer('StackedRNNCells', { cells: cell }) } : args, number);
    if (this.custom && this.custom.stateSize === undefined) {
      throw new Error(
        'The RNN cell should have an attribute `stateSize` (tuple of integers, one integer per RNN state).',
      );
    }
  }

  /** The cell that is run at each time step; it has the layer's weights. */
  get cell(): RNNCell {
    return this.given!;
  }
  /** The `cell` argument; undefined for SimpleRNN, GRU, LSTM and ConvLSTM2D, whose cell exists in the engine only. */
  private get given(): RNNCell | undefined {
    return this.values['cell'] as RNNCell | undefined;
  }
  private get custom(): RNNCell | undefined {
    return this.given && !isEngineCell(this.given) ? this.given : undefined;
  }
  /** @internal */
  override locate(path: string): { layer: EngineLayer; name: string } {
    return this.given ? (this.given as unknown as EngineLayer).locate(path) : super.locate(path);
  }
  /** @internal */
  protected override engineConfig(): ConfigDict {
    return { ...this.given?.getConfig(), ...super.engineConfig() };
  }

  /** @internal */
  protected override get stateCount(): number {
    return toList(this.cell.stateSize).length;
  }
  override computeMask(
    _inputs: Tensor | Tensor[],
    mask?: Tensor | (Tensor | null)[] | null,
  ): Tensor | (Tensor | null)[] | null {
    const ofOutput = this.values['returnSequences'] ? (toList(mask ?? null)[0] ?? null) : null;
    return this.values['returnState'] ? [ofOutput, ...toList(this.cell.stateSize).map(() => null)] : ofOutput;
  }
  /** @internal Sets the function that reads the states, for a layer inside another one. */
  readStatesFrom(read: () => Tensor[]): void {
    this.#readFromOuter = read;
  }
  /** Returns states of zeros for inputs of shape [batch, steps, ...]. */
  getInitialState(inputs: Tensor): Tensor[] {
    const [output] = toShapeList(this.computeOutputShape(inputs.shape)) as [number[]];
    const begin = this.values['returnSequences'] ? [output[0]!, ...output.slice(2, -1)] : output.slice(0, -1);
    return toList(this.cell.stateSize).map((size) => zeros([...begin, size]));
  }

  /** @internal */
  protected override get hasEngine(): boolean {
    return !this.custom;
  }
  override build(inputShape: Shape | Shape[]): void {
    const { custom } = this;
    if (!custom) {
      super.build(inputShape);
      return;
    }
    const [[batch, , ...features]] = toShapeList(inputShape) as [Shape];
    if (this.stateful) {
      if (typeof batch !== 'number') throw new Error(kNeedsBatch);
      this.#stateShapes = toList(custom.stateSize).map((size) => [batch, size]);
    }
    if (!custom.built) custom.build([batch!, ...features]);
    custom.built = true;
    this._trainableWeights = [...custom._trainableWeights];
    this._nonTrainableWeights = [...custom._nonTrainableWeights];
    this.built = true;
  }
  override computeOutputShape(inputShape: Shape | Shape[]): Shape | Shape[] {
    const { custom } = this;
    if (!custom) return super.computeOutputShape(inputShape);
    const [[batch, steps]] = toShapeList(inputShape) as [Shape];
    const sizes = toList(custom.stateSize);
    const output = this.values['returnSequences'] ? [batch!, steps!, sizes[0]!] : [batch!, sizes[0]!];
    return this.values['returnState'] ? [output, ...sizes.map((size) => [batch!, size])] : output;
  }
  /** @internal */
  protected override compute(inputs: Tensor[], masks: (Tensor | null)[], kwargs: Kwargs): LayerResult {
    const { custom } = this;
    if (!custom) return super.compute(inputs, masks, kwargs);
    const [x, ...given] = inputs as [Tensor, ...Tensor[]];
    let states = this.initialStates(custom, x.shape[0], given);
    const mask = masks[0] ?? null;
    const steps = x.shape[1]!;
    const outputs: Tensor[] = [];
    for (let i = 0; i < steps; i++) {
      const step = this.values['goBackwards'] ? steps - 1 - i : i;
      const made = toList(custom.call([sliceTimeStep(x, step), ...states], kwargs));
      const next = mask ? selectByMask(mask, step, made, [states[0]!, ...states]) : made;
      outputs.push(next[0]!);
      states = next.slice(1);
    }
    if (this.stateful) this.storeCarriedStates(states);
    const output = this.values['returnSequences']
      ? concat(
          outputs.map((y) => expandDims(y, 1)),
          1,
        )
      : outputs.at(-1)!;
    return {
      outputs: this.values['returnState'] ? [output, ...states] : [output],
      masks: [this.values['returnSequences'] ? mask : null],
    };
  }

  private initialStates(custom: RNNCell, batch: number, given: Tensor[]): Tensor[] {
    const states = given.length > 0 || !this.stateful ? given : [...this.#carriedStates];
    return states.length > 0 ? states : toList(custom.stateSize).map((size) => zeros([batch, size]));
  }
  /** @internal */
  protected override readStates(): Tensor[] {
    if (this.#readFromOuter) return this.#readFromOuter();
    const { custom } = this;
    if (!custom) return super.readStates();
    if (this.#carriedStates.length > 0) return [...this.#carriedStates].map((state) => state.clone());
    return this.#stateShapes.map((shape) => zeros(shape));
  }
  /** @internal */
  protected override writeStates(states: Tensor[]): void {
    if (!this.custom) {
      super.writeStates(states);
      return;
    }
    if (states.length > 0) this.checkStates(states);
    this.storeCarriedStates(states);
  }
  private checkStates(states: Tensor[]): void {
    const wanted = this.#stateShapes;
    if (states.length !== wanted.length) {
      throw new Error(
        `Layer ${this.name} expects ${wanted.length} state(s), but it received ${states.length} state value(s).`,
      );
    }
    for (const [i, { shape }] of states.entries()) {
      if (String(shape) !== String(wanted[i])) {
        throw new Error(
          `State ${i} is incompatible with layer ${this.name}: expected shape=${wanted[i]}, received shape=${shape}`,
        );
      }
    }
  }
  private storeCarriedStates(states: Tensor[]): void {
    const next = states.map((state) => state.clone());
    this.#carriedStates.clear();
    for (const state of next) this.#carriedStates.push(state);
  }
  /** @internal */
  override dropEngine(): void {
    super.dropEngine();
    this.#carriedStates.clear();
    if (this.given instanceof EngineLayer) this.given.dropEngine();
  }
}

/**
 * Base class of SimpleRNN, GRU, LSTM and ConvLSTM2D. In the engine the cell is part of the layer; here `cell` is a layer that
 * exposes the same weights.
 */
export abstract class BuiltInRecurrent extends RNN {
  #cell: EngineLayer | undefined;
  override get cell(): RNNCell {
    this.#cell ??= this.nest({ className: `${this.engineClass}Cell`, config: this.getConfig() }) as EngineLayer;
    this.#cell.exposeWeightsOf(this);
    return this.#cell as unknown as RNNCell;
  }
}

function sliceTimeStep(x: Tensor, step: number): Tensor {
  const begin = x.shape.map((_, d) => (d === 1 ? step : 0));
  const size = x.shape.map((extent, d) => (d === 1 ? 1 : extent));
  return squeeze(slice(x, begin, size), [1]);
}

/** Returns the new outputs and states for the examples that the mask includes at a step, and the previous ones for the others. */
function selectByMask(mask: Tensor, step: number, made: Tensor[], before: Tensor[]): Tensor[] {
  const counts = cast(slice(mask, [0, step], [mask.shape[0], 1]), 'bool');
  return made.map((y, i) => where(counts, y, before[i]!));
}
