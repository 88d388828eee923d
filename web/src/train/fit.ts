import type { LayersModel } from '../models/layers_model.js';
import type { Tensor } from '../tensor/tensor.js';
import { CallbackList, History, makeRegistered, toCallbacks, type Callbacks, type Logs, type YieldEveryOptions } from './callbacks.js';
import { Data } from './data.js';
import { Averages, byName } from './averages.js';
import { ProgressBar } from './progress.js';
import { checkBatchSize, checkWholeBatches, type ClassWeight, type PerOutput, type Samples } from './samples.js';
import type { Training } from './training.js';

const kBatchSize = 32;

/** What fit() and fitDataset() share. */
export interface FitArgs {
  epochs?: number;
  /** 1 draws a bar in a terminal. */
  verbose?: 0 | 1 | 2;
  callbacks?: Callbacks;
  initialEpoch?: number;
  classWeight?: PerOutput<ClassWeight>;
  yieldEvery?: YieldEveryOptions;
}

/** How fit() trains: epochs, batches, validation, callbacks. */
export interface ModelFitArgs extends FitArgs {
  batchSize?: number;
  /** The part of the samples, the last ones, that validates. */
  validationSplit?: number;
  /** Samples that validate, with weights where there are three. */
  validationData?: [Samples, Samples] | [Samples, Samples, PerOutput<Tensor>];
  shuffle?: boolean;
  /** A weight for each sample. */
  sampleWeight?: PerOutput<Tensor>;
  /** As in TensorFlow.js, of no effect: all batches of the samples are trained on. */
  stepsPerEpoch?: number;
  /** As in TensorFlow.js, of no effect: all samples that validate are used. */
  validationSteps?: number;
}

/** How evaluate() goes about it. */
export interface ModelEvaluateArgs {
  batchSize?: number;
  /** A weight for each sample. */
  sampleWeight?: PerOutput<Tensor>;
  verbose?: number;
  steps?: number;
}

/** A part of the samples: so many from the first on. */
interface Range {
  data: Data;
  first: number;
  count: number;
}

/** Runs `body` as the model's one training. Throws when it trains already. */
export async function asTraining<T>(training: Training, body: () => Promise<T>): Promise<T> {
  if (training.isTraining) throw new Error('Cannot start training because another fit() call is ongoing.');
  training.isTraining = true;
  training.stopTraining = false;
  try {
    return await body();
  } finally {
    training.isTraining = false;
  }
}

/** Trains for a number of epochs; gives the numbers of each. */
export async function fit(model: LayersModel, training: Training, x: Samples, y: Samples, args: ModelFitArgs): Promise<History> {
  const batchSize = args.batchSize ?? kBatchSize;
  checkBatchSize(batchSize);
  return asTraining(training, async () => {
    const held: Data[] = [];
    const take = (xs: Samples, ys: Samples): Data => {
      const data = new Data(model, training, xs, ys);
      held.push(data);
      return data;
    };
    try {
      const data = take(x, y);
      checkWholeBatches(model, data.count, batchSize);
      await data.weigh(args.sampleWeight, args.classWeight);
      const { ours, validation } = await divide(data, args, take);
      return await loop(model, training, ours, validation, batchSize, args);
    } finally {
      for (const data of held) data.free();
    }
  });
}

function isGiven(value: unknown): boolean {
  return value !== undefined && value !== null;
}

/** What trains, and what validates where something does. */
async function divide(
  data: Data,
  { validationData, validationSplit }: ModelFitArgs,
  take: (x: Samples, y: Samples) => Data,
): Promise<{ ours: Range; validation?: Range }> {
  const all = { data, first: 0, count: data.count };
  if (validationData && validationData.length > 0) {
    if (validationData.length !== 2 && validationData.length !== 3) {
      throw new Error(
        `When passing validation data, it must contain 2 (valX, valY) or 3 (valX, valY, valSampleWeight) items; ` +
          `${String(validationData)} is invalid.`,
      );
    }
    const [x, y, weights] = validationData;
    const other = take(x, y);
    await other.weigh(weights, undefined);
    return { ours: all, validation: { data: other, first: 0, count: other.count } };
  }
  if (!validationSplit || validationSplit <= 0 || validationSplit >= 1) return { ours: all };
  const first = Math.floor(data.count * (1 - validationSplit));
  return { ours: { ...all, count: first }, validation: { data, first, count: data.count - first } };
}

async function loop(
  model: LayersModel,
  training: Training,
  ours: Range,
  validation: Range | undefined,
  batchSize: number,
  args: ModelFitArgs,
): Promise<History> {
  const [epochs, initialEpoch, shuffle] = [args.epochs ?? 1, args.initialEpoch ?? 0, args.shuffle ?? true];
  const watch = startWatching(model, training, args, {
    samples: ours.count,
    steps: null,
    batchSize,
    doValidation: validation !== undefined,
  });
  await watch.list.call('onTrainBegin', {});
  for (let epoch = initialEpoch; epoch < epochs && !training.stopTraining; epoch++) {
    await watch.list.call('onEpochBegin', epoch, {});
    if (shuffle) ours.data.shuffle(ours.count);
    const averages = new Averages(watch.names);
    const logs: Logs = {};
    for (let first = 0, batch = 0; first < ours.count; first += batchSize, batch++) {
      const size = Math.min(batchSize, ours.count - first);
      await watch.list.call('onBatchBegin', batch, { batch, size });
      const results = training.step(ours.data.batch(first, size));
      averages.add(results, size);
      const isLast = first + batchSize >= ours.count;
      // Those that validate may lie behind these.
      if (isLast) ours.data.sort();
      if (isLast && validation) Object.assign(logs, await validate(training, validation, batchSize, watch));
      await watch.list.call('onBatchEnd', batch, { batch, size, ...byName(watch.names, results) });
      if (training.stopTraining) break;
    }
    ours.data.sort();
    Object.assign(logs, averages.logs());
    await watch.list.call('onEpochEnd', epoch, logs);
  }
  await watch.list.call('onTrainEnd', {});
  return watch.history;
}

async function validate(training: Training, range: Range, batchSize: number, { names, list }: Watch): Promise<Logs> {
  const averages = new Averages(names.map((name) => `val_${name}`));
  for (const [results, size] of judged(training, range, batchSize)) {
    averages.add(results, size);
    await list.breathe();
  }
  return averages.logs();
}

/** The numbers of each batch, and how many samples it has. */
function* judged(training: Training, { data, first, count }: Range, batchSize: number): Generator<[number[], number]> {
  for (let at = 0; at < count; at += batchSize) {
    const size = Math.min(batchSize, count - at);
    yield [training.judge(data.batch(first + at, size)), size];
  }
}

/** The callbacks of a training, and what its numbers are called. */
export interface Watch {
  list: CallbackList;
  history: History;
  names: string[];
}

/** Tells the callbacks of a training what is to come. */
export function startWatching(
  model: LayersModel,
  training: Training,
  args: FitArgs,
  params: { samples: number | null; steps: number | null; batchSize: number | null; doValidation: boolean },
): Watch {
  const { callbacks, yieldEvery } = args;
  const [verbose, epochs, initialEpoch] = [args.verbose ?? 1, args.epochs ?? 1, args.initialEpoch ?? 0];
  const names = training.objective.uniqueNames;
  const history = new History();
  const list = new CallbackList([
    ...(verbose ? [new ProgressBar()] : []),
    ...makeRegistered(verbose),
    ...toCallbacks(callbacks, yieldEvery ?? undefined),
    history,
  ]);
  training.warnOfChanges();
  const metrics = params.doValidation ? [...names, ...names.map((name) => `val_${name}`)] : names;
  for (const callback of list.callbacks) {
    callback.setParams({ epochs, initialEpoch, verbose, metrics, ...params });
    callback.setModel(model);
  }
  training.history = history;
  return { list, history, names };
}

/** The loss, the losses of several outputs and the metrics over all samples. */
export function evaluate(model: LayersModel, training: Training, x: Samples, y: Samples, args: ModelEvaluateArgs): number[] {
  const batchSize = args.batchSize ?? kBatchSize;
  checkBatchSize(batchSize);
  if (args.verbose) throw new Error('Verbose mode is not implemented yet.');
  if (isGiven(args.steps)) throw new Error('steps mode in testLoop() is not implemented yet');
  const data = new Data(model, training, x, y);
  try {
    checkWholeBatches(model, data.count, batchSize);
    data.weighSamples(args.sampleWeight);
    const averages = new Averages(training.objective.names);
    for (const [results, size] of judged(training, { data, first: 0, count: data.count }, batchSize)) averages.add(results, size);
    return averages.values();
  } finally {
    data.free();
  }
}

/** The same by names, with turns for the page. */
export async function validateOn(model: LayersModel, training: Training, x: Samples, y: Samples, batchSize: number, watch: Watch): Promise<Logs> {
  checkBatchSize(batchSize);
  const data = new Data(model, training, x, y);
  try {
    return await validate(training, { data, first: 0, count: data.count }, batchSize, watch);
  } finally {
    data.free();
  }
}

/** One step on one batch; gives its numbers. */
export async function trainOnBatch(
  model: LayersModel,
  training: Training,
  x: Samples,
  y: Samples,
  sampleWeight?: PerOutput<Tensor>,
  classWeight?: PerOutput<ClassWeight>,
): Promise<number[]> {
  const data = new Data(model, training, x, y);
  try {
    if (sampleWeight || classWeight) await data.weigh(sampleWeight, classWeight);
    return training.step(data.batch(0, data.count));
  } finally {
    data.free();
  }
}
