import { resizeBilinear, resizeNearestNeighbor } from '../ops/resize.js';
import { randomUniform } from '../ops/random.js';
import type { Shape } from '../runtime/types.js';
import type { Tensor, Tensor4D } from '../tensor/tensor.js';
import { EngineLayer } from './engine_layer.js';
import type { FieldValues } from './fields.js';
import type { LayerArgs, Run } from './layer.js';
import { shapeList } from './lists.js';

/** Makes images wider or narrower by chance: a shape that no plan can know. */
export class RandomWidth extends EngineLayer {
  static readonly className = 'RandomWidth';
  readonly #lower: number;
  readonly #upper: number;
  #seed: number | undefined;

  constructor(args: LayerArgs & FieldValues, number?: number) {
    super(args, number);
    const { factor, interpolation, seed } = this.values;
    if (!['bilinear', 'nearest'].includes(interpolation as string)) {
      throw new Error(`Invalid interpolation parameter: ${String(interpolation)} is not implemented`);
    }
    const isPair = Array.isArray(factor) && factor.length === 2;
    if (!isPair && !((factor as number) > 0)) {
      throw new Error(`Invalid factor: ${String(factor)}. Must be positive number or tuple of 2 numbers`);
    }
    [this.#lower, this.#upper] = isPair ? (factor as [number, number]) : [-(factor as number), factor as number];
    if (this.#lower < -1 || this.#upper < -1) throw new Error(`factor must have values larger than -1. Got: ${String(factor)}`);
    if (this.#upper < this.#lower) {
      throw new Error(
        `factor cannot have upper bound less than lower bound. Got upper bound: ${this.#upper}. Got lower bound: ${this.#lower}`,
      );
    }
    this.#seed = seed as number | undefined;
  }
  override get isInEngine(): boolean {
    return false;
  }
  override build(): void {
    this.built = true;
  }
  override computeOutputShape(inputShape: Shape | Shape[]): Shape {
    const [shape] = shapeList(inputShape) as [Shape];
    return shape.map((extent, i) => (i === shape.length - 2 ? null : extent));
  }
  override run([x]: Tensor[]): Run {
    const [height, width] = x!.shape.slice(-3) as [number, number];
    const seed = this.#seed === undefined ? undefined : this.#seed++;
    const drawn = randomUniform([1], 1 + this.#lower, 1 + this.#upper, 'float32', seed);
    const [factor] = drawn.dataSync();
    drawn.dispose();
    const resize = this.values['interpolation'] === 'nearest' ? resizeNearestNeighbor : resizeBilinear;
    return { outputs: [resize(x as Tensor4D, [height, Math.max(1, Math.round(factor! * width))])], masks: [null] };
  }
}
