// Layers that run a cell over the steps of [batch, steps, ...].
import { concat } from '../ops/concat.js';
import { cast } from '../ops/cast.js';
import { zeros } from '../ops/create.js';
import { slice } from '../ops/slice.js';
import { expandDims, squeeze } from '../ops/view.js';
import { where } from '../ops/where.js';
import type { Shape } from '../runtime/types.js';
import type { Tensor } from '../tensor/tensor.js';
import type { ConfigDict } from '../train/serialization.js';
import { EngineLayer, makeLayer } from './engine_layer.js';
import type { FieldValues } from './fields.js';
import { Layer, type LayerArgs, type Run } from './layer.js';
import { shapeList, toList } from './lists.js';
import { nameScope } from './names.js';
import type { Kwargs, SymbolicTensor } from './symbolic_tensor.js';

/** Takes the states to begin with as `initialState` too. */
export class RecurrentLayer extends EngineLayer {
  override apply(inputs: Tensor | Tensor[], kwargs?: Kwargs): Tensor | Tensor[];
  override apply(inputs: SymbolicTensor | SymbolicTensor[], kwargs?: Kwargs): SymbolicTensor | SymbolicTensor[];
  override apply(
    inputs: Tensor | Tensor[] | SymbolicTensor | SymbolicTensor[],
    kwargs: Kwargs = {},
  ): Tensor | Tensor[] | SymbolicTensor | SymbolicTensor[] {
    const { initialState, ...others } = kwargs as { initialState?: Tensor | Tensor[] };
    if (!initialState) return super.apply(inputs as Tensor, kwargs);
    return super.apply([...toList(inputs as Tensor), ...toList(initialState)], others);
  }
}

/** A step of a recurrent layer: call() takes [x, ...states] and gives [output, ...states]. */
export abstract class RNNCell extends Layer {
  abstract stateSize: number | number[];
}

/** Cells on top of one another. */
class StackedRNNCells extends EngineLayer {
  static readonly className = 'StackedRNNCells';
  get cells(): Layer[] {
    return this.values['cells'] as Layer[];
  }
  override locate(path: string): { layer: EngineLayer; name: string } {
    const slash = path.indexOf('/');
    const cell = this.cells[Number(path.slice('RNNCell_'.length, slash))] as EngineLayer;
    return cell.locate(path.slice(slash + 1));
  }
}

/** Runs any cell, also one that is written in JavaScript. */
class RNN extends RecurrentLayer {
  static readonly className = 'RNN';

  constructor(args: LayerArgs & FieldValues, number?: number) {
    const { cell } = args;
    super(Array.isArray(cell) ? { ...args, cell: makeLayer('StackedRNNCells', { cells: cell } as LayerArgs) } : args, number);
  }
  get cell(): Layer {
    return this.values['cell'] as Layer;
  }
  private get custom(): RNNCell | undefined {
    return this.cell instanceof EngineLayer && this.cell.isInEngine ? undefined : (this.cell as RNNCell);
  }
  override locate(path: string): { layer: EngineLayer; name: string } {
    return (this.cell as EngineLayer).locate(path);
  }
  override getConfig(): ConfigDict {
    return { ...this.cell.getConfig(), ...super.getConfig() };
  }

  override get isInEngine(): boolean {
    return !this.custom;
  }
  override build(inputShape: Shape | Shape[]): void {
    const { custom } = this;
    if (!custom) {
      super.build(inputShape);
      return;
    }
    const [[batch, , ...features]] = shapeList(inputShape) as [Shape];
    if (!custom.built) nameScope(custom.name, () => custom.build([batch!, ...features]));
    custom.built = true;
    this._trainableWeights = [...custom._trainableWeights];
    this._nonTrainableWeights = [...custom._nonTrainableWeights];
    this.built = true;
  }
  override computeOutputShape(inputShape: Shape | Shape[]): Shape | Shape[] {
    const { custom } = this;
    if (!custom) return super.computeOutputShape(inputShape);
    const [[batch, steps]] = shapeList(inputShape) as [Shape];
    const sizes = toList(custom.stateSize);
    const output = this.values['returnSequences'] ? [batch!, steps!, sizes[0]!] : [batch!, sizes[0]!];
    return this.values['returnState'] ? [output, ...sizes.map((size) => [batch!, size])] : output;
  }
  override run(inputs: Tensor[], masks: (Tensor | null)[], kwargs: Kwargs): Run {
    const { custom } = this;
    if (!custom) return super.run(inputs, masks, kwargs);
    const [x, ...given] = inputs as [Tensor, ...Tensor[]];
    const [batch, steps] = x.shape as number[];
    let states = given.length > 0 ? given : toList(custom.stateSize).map((size) => zeros([batch!, size]));
    const mask = masks[0] ?? null;
    const outputs: Tensor[] = [];
    for (let i = 0; i < steps!; i++) {
      const step = this.values['goBackwards'] ? steps! - 1 - i : i;
      const made = toList(custom.call([stepOf(x, step), ...states], kwargs));
      const next = mask ? keepMasked(mask, step, made, [outputs.at(-1), ...states]) : made;
      outputs.push(next[0]!);
      states = next.slice(1);
    }
    const output = this.values['returnSequences'] ? concat(outputs.map((y) => expandDims(y, 1)), 1) : outputs.at(-1)!;
    return {
      outputs: this.values['returnState'] ? [output, ...states] : [output],
      masks: [this.values['returnSequences'] ? mask : null],
    };
  }
}

function stepOf(x: Tensor, step: number): Tensor {
  const begin = x.shape.map((_, d) => (d === 1 ? step : 0));
  const size = x.shape.map((extent, d) => (d === 1 ? 1 : extent));
  return squeeze(slice(x, begin, size), [1]);
}

/** Where a step does not count, what was before it. */
function keepMasked(mask: Tensor, step: number, made: Tensor[], before: (Tensor | undefined)[]): Tensor[] {
  const counts = cast(slice(mask, [0, step], [mask.shape[0], 1]), 'bool');
  return made.map((y, i) => where(counts, y, before[i] ?? zeros(y.shape)));
}

export { RNN, StackedRNNCells };
