import type { Op } from '../generated/ops.js';
import { lossesByName, metricsByName } from './metric_names.js';
import { getMetricOp, type LossOrMetricFn } from './metric_ops.js';
import type { PerOutput, TensorSpec } from './samples.js';
import { getEntry } from '../util/entries.js';

/** Loss or metric: its name, or a function of targets and predictions. */
export type LossOrMetric = string | LossOrMetricFn;

/** Arguments of compile(), except the optimizer. */
export interface ObjectiveArgs {
  /** Loss of all outputs, or of each by index or name. */
  loss?: PerOutput<LossOrMetric> | null;
  /** Factor of each output's loss in the total loss: 1 by default. */
  lossWeights?: number[] | Record<string, number> | null;
  /** Metrics of all outputs, or of each by name. */
  metrics?: LossOrMetric | LossOrMetric[] | Record<string, LossOrMetric | LossOrMetric[]> | null;
}

/** Loss of an output with its factor in the total loss; `fn` is undefined for an output without a loss. */
export interface Loss {
  readonly fn: LossOrMetricFn | undefined;
  readonly weight: number;
}
export interface Metric {
  readonly fn: LossOrMetricFn;
  readonly output: number;
}

const kAccuracy = ['accuracy', 'acc'];
const kCrossentropy = ['crossentropy', 'ce'];

/** Compiled losses and metrics of a model, one loss for each output. */
export class CompiledLosses {
  readonly losses: readonly Loss[];
  readonly metrics: readonly Metric[];
  /** Names of the values of a step: the total loss, the losses of several outputs, the metrics. */
  readonly names: readonly string[];

  /** Resolves losses and metrics by name. Throws if a name is unknown or an argument does not fit the outputs. */
  constructor({ loss, lossWeights, metrics }: ObjectiveArgs, outputs: readonly TensorSpec[]) {
    const outputNames = outputs.map(({ name }) => name);
    const weights = resolveLossWeights(lossWeights, outputNames);
    this.losses = resolveLosses(loss, outputNames).map((fn, i) => ({ fn, weight: weights[i]! }));
    const found: Metric[] = [];
    const isOne = outputs.length === 1;
    const names = [
      'loss',
      ...(isOne ? [] : this.losses.flatMap(({ fn }, i) => (fn ? [`${outputNames[i]!}_loss`] : []))),
    ];
    resolveMetrics(metrics, outputNames).forEach((list, output) => {
      for (const metric of list) {
        const { fn, name } = this.#metric(metric, output, outputs[output]!);
        found.push({ fn, output });
        names.push(isOne ? name : `${outputNames[output]!}_${name}`);
      }
    });
    this.metrics = found;
    this.names = names;
  }

  /** The names, with a numeric suffix if they occur more than once. */
  get uniqueNames(): string[] {
    return this.names.map((name, i) => {
      const isRepeated = this.names.filter((other) => other === name).length > 1;
      return isRepeated ? `${name}_${this.names.slice(0, i).filter((other) => other === name).length}` : name;
    });
  }

  /** True if the engine implements all losses and metrics. */
  get isBuiltIn(): boolean {
    return [...this.losses, ...this.metrics].every(({ fn }) => !fn || getMetricOp(fn) !== undefined);
  }

  /** Returns the engine's op of an output's loss; -1 if there is none. */
  getLossOp(output: number): Op | -1 {
    return getMetricOp(this.losses[output]!.fn) ?? -1;
  }

  #metric(metric: LossOrMetric, output: number, { shape }: TensorSpec): { fn: LossOrMetricFn; name: string } {
    if (typeof metric !== 'string') return { fn: metric, name: getMetricName(metric) };
    const loss = this.losses[output]!.fn;
    const isBinary = shape.at(-1) === 1 || loss === lossesByName.binaryCrossentropy;
    const kind = isBinary
      ? 'binary'
      : loss === lossesByName.sparseCategoricalCrossentropy
        ? 'sparseCategorical'
        : 'categorical';
    if (kAccuracy.includes(metric)) return { fn: metricsByName[`${kind}Accuracy`]!, name: 'acc' };
    if (kCrossentropy.includes(metric)) return { fn: metricsByName[`${kind}Crossentropy`]!, name: 'ce' };
    const fn = getEntry(metricsByName, metric);
    if (!fn) throw new Error(`Unknown metric ${metric}`);
    return { fn, name: metric };
  }
}

/** Returns the name of a metric: of a function that is not built in, the function's name. */
export function getMetricName(metric: LossOrMetric): string {
  if (typeof metric === 'string') return metric;
  return Object.keys(metricsByName).find((name) => metricsByName[name] === metric) ?? metric.name;
}

function lossFunction(loss: LossOrMetric | null | undefined): LossOrMetricFn | undefined {
  if (typeof loss !== 'string') return loss ?? undefined;
  const fn = getEntry(lossesByName, loss);
  if (fn) return fn;
  const hint = loss.toLowerCase().includes('softmaxcrossentropy')
    ? '. Use "categoricalCrossentropy" as the string name for tf.losses.softmaxCrossEntropy'
    : '';
  throw new Error(`Unknown loss ${loss}${hint}`);
}

function resolveLosses(loss: ObjectiveArgs['loss'], outputNames: string[]): (LossOrMetricFn | undefined)[] {
  if (loss === null || loss === undefined) return outputNames.map(() => undefined);
  if (typeof loss === 'string' || typeof loss === 'function') return outputNames.map(() => lossFunction(loss));
  if (Array.isArray(loss)) {
    if (loss.length !== outputNames.length) {
      throw new Error(
        `When passing an Array as loss, it should have one entry per model output. ` +
          `The model has ${outputNames.length} output(s), but you passed loss=${loss.map(String).join()}.`,
      );
    }
    return loss.map(lossFunction);
  }
  for (const name of Object.keys(loss)) {
    if (!outputNames.includes(name)) {
      throw new Error(
        `Unknown entry in loss dictionary: "${name}". Only expected the following keys: ${outputNames.join()}`,
      );
    }
  }
  return outputNames.map((name) => {
    if (!loss[name]) {
      console.warn(
        `Output "${name}" is missing from loss dictionary. We assume this was done on purpose, ` +
          `and we will not be expecting data to be passed to ${name} during training`,
      );
    }
    return lossFunction(loss[name]);
  });
}

function resolveLossWeights(weights: ObjectiveArgs['lossWeights'], outputNames: string[]): number[] {
  if (!weights) return outputNames.map(() => 1);
  const list = Array.isArray(weights) ? weights : outputNames.map((name) => weights[name] ?? 1);
  const isFitting = list.length === outputNames.length && list.every((weight) => Number.isFinite(weight));
  if (!isFitting)
    throw new Error(
      `lossWeights must have a number for each of ${outputNames.length} output(s), got ${list.map(String).join()}`,
    );
  return list;
}

function resolveMetrics(metrics: ObjectiveArgs['metrics'], outputNames: string[]): LossOrMetric[][] {
  if (metrics === null || metrics === undefined) return outputNames.map(() => []);
  if (typeof metrics === 'string' || typeof metrics === 'function') return outputNames.map(() => [metrics]);
  if (Array.isArray(metrics)) return outputNames.map(() => metrics);
  if (typeof metrics !== 'object') {
    throw new TypeError(
      `Type of metrics argument not understood. Expected an string,function, Array, or Object, found: ${String(metrics)}`,
    );
  }
  return outputNames.map((name) => [metrics[name] ?? []].flat());
}
