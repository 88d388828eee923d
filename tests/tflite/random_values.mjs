// Random numbers, and random inputs, weights and constants of quantized nodes.
import { quantizationFor } from './quantized_cases.mjs';

export const kRanges = { int8: [-128, 127], uint8: [0, 255], int16: [-32768, 32767] };

const kWeightRanges = { int8: [-127, 127], uint8: [0, 255], int4: [-7, 7] };

export const kEight = ['int8', 'int8', 'uint8'];

export const sizeOf = (shape) => shape.reduce((a, b) => a * b, 1);

export const range = (count) => Array.from({ length: count }, (_, i) => i);

export const load = (stored, { scale, zeroPoint }) => stored.map((value) => Math.fround(scale * (value - zeroPoint)));

/** A source of random numbers. */
export class Random {
  #state;

  constructor(seed) {
    this.#state = Math.imul(seed + 1, 0x9e3779b1) >>> 0;
  }

  /** Returns a number in [0, 1). */
  next() {
    this.#state = (this.#state + 0x6d2b79f5) >>> 0;
    let t = Math.imul(this.#state ^ (this.#state >>> 15), this.#state | 1);
    t ^= t + Math.imul(t ^ (t >>> 7), t | 61);
    return ((t ^ (t >>> 14)) >>> 0) / 2 ** 32;
  }

  /** Returns an integer in [low, high]. */
  int(low, high) {
    return low + Math.floor(this.next() * (high - low + 1));
  }

  float(low, high) {
    return low + this.next() * (high - low);
  }

  pick(list) {
    return list[this.int(0, list.length - 1)];
  }

  chance(share) {
    return this.next() < share;
  }

  shape(minRank, maxRank, extent = 5) {
    return range(this.int(minRank, maxRank)).map(() => this.int(1, extent));
  }

  shuffled(list) {
    const result = [...list];
    for (let i = result.length - 1; i > 0; --i) {
      const k = this.int(0, i);
      [result[i], result[k]] = [result[k], result[i]];
    }
    return result;
  }

  /** Returns the quantization of a random range around 0. */
  quantization(type) {
    const spread = 10 ** this.float(-1, 1);
    const low = this.chance(0.2) ? 0 : -spread * this.float(0.1, 1);
    const high = this.chance(0.2) && low < 0 ? 0 : spread * this.float(0.1, 1);
    return quantizationFor(low, high, type);
  }

  /** Returns a quantized input. */
  input(shape, type = 'int8', quantization = this.quantization(type)) {
    const stored = range(sizeOf(shape)).map(() => this.int(...kRanges[type]));
    return { shape, type, quantization, stored, values: load(stored, quantization) };
  }

  /** Returns an input whose real numbers are in [low, high]. */
  within(shape, type, low, high) {
    return this.input(shape, type, quantizationFor(low, high, type));
  }

  /** Returns a constant. */
  fixed(...args) {
    return { ...this.input(...args), isConstant: true };
  }

  /** Returns constant weights, with a scale for each index of `dimension` unless it is undefined. */
  weights(shape, dimension, type = 'int8') {
    const [low, high] = kWeightRanges[type];
    const inner = dimension === undefined ? 1 : sizeOf(shape.slice(dimension + 1));
    const count = dimension === undefined ? 1 : shape[dimension];
    const scale = range(count).map(() => Math.fround(this.float(0.1, 1) / high));
    const zeroPoint = range(count).map(() => (type === 'uint8' ? this.int(90, 150) : 0));
    const channel = (i) => (count === 1 ? 0 : Math.floor(i / inner) % count);
    const stored = range(sizeOf(shape)).map(() => this.int(low, high));
    return {
      shape,
      type,
      stored,
      values: stored.map((value, i) => Math.fround((value - zeroPoint[channel(i)]) * scale[channel(i)])),
      quantization: { scale, zeroPoint, dimension: dimension ?? 0 },
      isConstant: true,
    };
  }

  /** Returns a bias of products of x and weights. */
  bias(x, filter, count, type = 'int32') {
    const scale = [filter.quantization.scale].flat().map((factor) => Math.fround(factor * x.quantization.scale));
    const each = range(count).map((i) => scale[scale.length === 1 ? 0 : i]);
    const stored = each.map((step) => Math.round(this.float(-1, 1) / step));
    return {
      shape: [count],
      type,
      stored,
      values: stored.map((value, i) => value * each[i]),
      quantization: { scale, zeroPoint: scale.map(() => 0) },
      isConstant: true,
    };
  }
}

export const plain = (shape, values, type = 'int32') => ({ shape, type, values, isConstant: true });

export const list = (values) => plain([values.length], values);
