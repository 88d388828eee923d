// Cells of recurrent layers: one time step, from [x, ...states] to [output, ...states].
import type { Shape } from '../../runtime/types.js';
import type { Tensor } from '../../tensor/tensor.js';
import { EngineLayer, defineLayerClass } from './engine_layer.js';
import { Layer } from './layer.js';
import { toShapeList, toList } from '../../util/array_utils.js';
import { nameScope } from '../names.js';
import type { Kwargs } from './symbolic_tensor.js';

/**
 * Base class of recurrent cells, which compute one time step: call() takes [x, ...states] and returns [output, ...states].
 * @example
 * tf.layers.gruCell({ units: 2 }).stateSize; // 2
 */
export abstract class RNNCell extends Layer {
  /** Number of features of the state, or of each state. */
  abstract stateSize: number | number[];
}

/** True if the engine computes the cell and all cells inside. */
export function isEngineCell(cell: Layer): cell is EngineLayer {
  return cell instanceof EngineLayer && cell.isInEngine;
}

/** Base class of SimpleRNNCell, GRUCell, LSTMCell and ConvLSTM2DCell. */
abstract class EngineCell extends EngineLayer {
  protected abstract readonly stateCount: number;
  get stateSize(): number | number[] {
    const size = (this.values['units'] ?? this.values['filters']) as number;
    return this.stateCount === 1 ? size : new Array<number>(this.stateCount).fill(size);
  }
}

for (const [className, stateCount] of Object.entries({
  SimpleRNNCell: 1,
  GRUCell: 1,
  LSTMCell: 2,
  ConvLSTM2DCell: 2,
})) {
  defineLayerClass(
    className,
    class extends EngineCell {
      static readonly className = className;
      protected readonly stateCount = stateCount;
    },
  );
}

/** Cell that runs several cells in sequence, each on the output of the previous one. */
export class StackedRNNCells extends EngineLayer {
  /** Name of the class in saved configurations. */
  static readonly className = 'StackedRNNCells';
  /** Cells, in the order in which they run. */
  get cells(): RNNCell[] {
    return this.values['cells'] as RNNCell[];
  }
  /** Sizes of the states, from the last cell to the first, so that the first state is the output. */
  get stateSize(): number[] {
    return [...this.cells].reverse().flatMap(({ stateSize }) => stateSize);
  }
  /** @internal */
  protected override get hasEngine(): boolean {
    return this.cells.every(isEngineCell);
  }
  /** @internal */
  override locate(path: string): { layer: EngineLayer; name: string } {
    const slash = path.indexOf('/');
    const cell = this.cells[Number(path.slice('RNNCell_'.length, slash))] as unknown as EngineLayer;
    return cell.locate(path.slice(slash + 1));
  }
  override build(inputShape: Shape | Shape[]): void {
    if (this.hasEngine) {
      super.build(inputShape);
      return;
    }
    let [shape] = toShapeList(inputShape) as [Shape];
    for (const [i, cell] of this.cells.entries()) {
      nameScope(`RNNCell_${i}`, () => cell.build(shape));
      cell.built = true;
      shape = [shape[0]!, toList(cell.stateSize)[0]!];
    }
    this._trainableWeights = this.cells.flatMap((cell) => cell._trainableWeights);
    this._nonTrainableWeights = this.cells.flatMap((cell) => cell._nonTrainableWeights);
    this.built = true;
  }
  /** @internal */
  override dropEngine(): void {
    super.dropEngine();
    for (const cell of this.cells) if (cell instanceof EngineLayer) cell.dropEngine();
  }
  override call(inputs: Tensor | Tensor[], kwargs: Kwargs): Tensor | Tensor[] {
    if (this.hasEngine) return super.call(inputs, kwargs);
    let [output, ...states] = toList(inputs) as [Tensor, ...Tensor[]];
    let next: Tensor[] = [];
    for (const cell of this.cells) {
      const count = toList(cell.stateSize).length;
      const made = toList(cell.call([output, ...states.slice(-count)], kwargs));
      states = states.slice(0, -count);
      output = made[0]!;
      next = [...made.slice(1), ...next];
    }
    return [output, ...next];
  }
}
