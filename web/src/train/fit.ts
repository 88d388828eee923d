import type { TrainableModel } from './trainable_model.js';
import { mul } from '../ops/math/binary.js';
import { sum } from '../ops/math/reduce.js';
import { stack } from '../ops/movement/concat.js';
import { unstack } from '../ops/movement/split.js';
import { dispose, runInInternalScope } from '../owner/scope.js';
import type { Scalar, Tensor } from '../tensor/tensor.js';
import {
  CallbackList,
  History,
  createRegisteredCallbacks,
  toCallbacks,
  type Callbacks,
  type Logs,
  type YieldEveryOptions,
} from './callbacks.js';
import { TrainingData } from './training_data.js';
import { Averages, toLogs } from './averages.js';
import { ProgressBar } from './progress.js';
import { checkBatchSize, checkWholeBatches, type ClassWeight, type PerOutput, type Samples } from './samples.js';
import { readResults, type StepResults } from './step_results.js';
import type { Trainer } from './trainer.js';

const kBatchSize = 32;

/** Arguments that fit() and fitDataset() share. */
export interface FitArgs {
  /** Epoch at which training ends: 1 by default. */
  epochs?: number;
  /** Verbosity: 0 prints nothing, 1 (default) and 2 draw a progress bar in a terminal. */
  verbose?: 0 | 1 | 2;
  /** Callbacks, as objects or as functions. */
  callbacks?: Callbacks;
  /** Epoch at which training starts: 0 by default. */
  initialEpoch?: number;
  /** Weight of each class in the loss; for several outputs, an array or an object by name. */
  classWeight?: PerOutput<ClassWeight>;
  /** Interval of yields to the event loop: 'auto', 125 ms, by default. */
  yieldEvery?: YieldEveryOptions;
}

/** Arguments of fit(). */
export interface ModelFitArgs extends FitArgs {
  /** Number of samples in a batch: 32 by default. */
  batchSize?: number;
  /** Fraction of the samples, taken from the end, that is used for validation instead of training. */
  validationSplit?: number;
  /** Samples and targets for validation, and optionally weights of the samples. */
  validationData?: [Samples, Samples] | [Samples, Samples, PerOutput<Tensor>];
  /** True (default) to shuffle the samples before each epoch. */
  shuffle?: boolean;
  /** Weight of each sample in the loss, a vector; for several outputs, an array or an object by name. */
  sampleWeight?: PerOutput<Tensor>;
  /** Has no effect, as in TensorFlow.js: an epoch has all batches of the samples. */
  stepsPerEpoch?: number;
  /** Has no effect, as in TensorFlow.js: all validation samples are used. */
  validationSteps?: number;
}

/** Arguments of evaluate(). */
export interface ModelEvaluateArgs {
  /** Number of samples in a batch: 32 by default. */
  batchSize?: number;
  /** Weight of each sample in the loss, a vector; for several outputs, an array or an object by name. */
  sampleWeight?: PerOutput<Tensor>;
  /** Not supported: throws unless it is 0. */
  verbose?: number;
  /** Not supported: throws if it is given. */
  steps?: number;
}

/** Range of the samples: `count` of them from `first`. */
interface Range {
  data: TrainingData;
  first: number;
  count: number;
}

/** Runs `body` as the model's only training. Throws if one is already running. */
export async function runExclusively<T>(training: Trainer, body: () => Promise<T>): Promise<T> {
  if (training.isTraining) throw new Error('Cannot start training because another fit() call is ongoing.');
  training.isTraining = true;
  training.stopTraining = false;
  try {
    return await body();
  } finally {
    training.isTraining = false;
  }
}

/** Trains for a number of epochs. Returns the losses and metrics of each. */
export async function fit(
  model: TrainableModel,
  training: Trainer,
  x: Samples,
  y: Samples,
  args: ModelFitArgs,
): Promise<History> {
  const batchSize = args.batchSize ?? kBatchSize;
  checkBatchSize(batchSize);
  return runExclusively(training, async () => {
    const held: TrainingData[] = [];
    const take = (xs: Samples, ys: Samples): TrainingData => {
      const data = new TrainingData(model, training, xs, ys);
      held.push(data);
      return data;
    };
    try {
      const data = take(x, y);
      checkWholeBatches(model, data.count, batchSize);
      await data.computeSampleWeights(args.sampleWeight, args.classWeight);
      const { trainRange, validation } = await splitValidation(data, args, take);
      return await loop(model, training, trainRange, validation, batchSize, args);
    } finally {
      for (const data of held) data.free();
    }
  });
}

function isGiven(value: unknown): boolean {
  return value !== undefined && value !== null;
}

/** Returns the ranges of samples for training and, if there is any, for validation. */
async function splitValidation(
  data: TrainingData,
  { validationData, validationSplit }: ModelFitArgs,
  take: (x: Samples, y: Samples) => TrainingData,
): Promise<{ trainRange: Range; validation?: Range }> {
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
    await other.computeSampleWeights(weights, undefined);
    return { trainRange: all, validation: { data: other, first: 0, count: other.count } };
  }
  if (!validationSplit || validationSplit <= 0 || validationSplit >= 1) return { trainRange: all };
  const first = Math.floor(data.count * (1 - validationSplit));
  return { trainRange: { ...all, count: first }, validation: { data, first, count: data.count - first } };
}

async function loop(
  model: TrainableModel,
  training: Trainer,
  trainRange: Range,
  validation: Range | undefined,
  batchSize: number,
  args: ModelFitArgs,
): Promise<History> {
  const [epochs, initialEpoch, shuffle] = [args.epochs ?? 1, args.initialEpoch ?? 0, args.shuffle ?? true];
  const session = startFitSession(model, training, args, {
    samples: trainRange.count,
    steps: null,
    batchSize,
    doValidation: validation !== undefined,
  });
  await session.list.call('onTrainBegin', {});
  for (let epoch = initialEpoch; epoch < epochs && !training.stopTraining; epoch++) {
    await session.list.call('onEpochBegin', epoch, {});
    if (shuffle) trainRange.data.shuffle(trainRange.count);
    const averages = new Averages(session.names);
    const logs: Logs = {};
    for (let first = 0, batch = 0; first < trainRange.count; first += batchSize, batch++) {
      const size = Math.min(batchSize, trainRange.count - first);
      await session.list.call('onBatchBegin', batch, { batch, size });
      const results = await readResults(training.step(trainRange.data.batch(first, size)));
      averages.add(results, size);
      const isLast = first + batchSize >= trainRange.count;
      // The validation samples may follow these in the same tensors, beyond the shuffled order.
      if (isLast) trainRange.data.resetOrder();
      if (isLast && validation) Object.assign(logs, await validate(training, validation, batchSize, session));
      await session.list.call('onBatchEnd', batch, { batch, size, ...toLogs(session.names, results) });
      if (training.stopTraining) break;
    }
    trainRange.data.resetOrder();
    Object.assign(logs, averages.logs());
    await session.list.call('onEpochEnd', epoch, logs);
  }
  await session.list.call('onTrainEnd', {});
  return session.history;
}

async function validate(
  training: Trainer,
  range: Range,
  batchSize: number,
  { names, list }: FitSession,
): Promise<Logs> {
  const averages = new Averages(names.map((name) => `val_${name}`));
  for (const [results, size] of evalBatches(training, range, batchSize)) {
    averages.add(await readResults(results), size);
    await list.yieldIfDue();
  }
  return averages.logs();
}

/** Evaluates each batch. Yields its losses and metrics, and its number of samples. */
function* evalBatches(
  training: Trainer,
  { data, first, count }: Range,
  batchSize: number,
): Generator<[StepResults, number]> {
  for (let at = 0; at < count; at += batchSize) {
    const size = Math.min(batchSize, count - at);
    yield [training.evalStep(data.batch(first + at, size)), size];
  }
}

/** State of a running training: its callbacks, its history, and the names of its losses and metrics. */
export interface FitSession {
  list: CallbackList;
  history: History;
  names: string[];
}

/** Creates the callbacks of a training and sets their parameters and model. */
export function startFitSession(
  model: TrainableModel,
  training: Trainer,
  args: FitArgs,
  params: { samples: number | null; steps: number | null; batchSize: number | null; doValidation: boolean },
): FitSession {
  const { callbacks, yieldEvery } = args;
  const [verbose, epochs, initialEpoch] = [args.verbose ?? 1, args.epochs ?? 1, args.initialEpoch ?? 0];
  const names = training.objective.uniqueNames;
  const history = new History();
  const list = new CallbackList([
    ...(verbose ? [new ProgressBar()] : []),
    ...createRegisteredCallbacks(verbose),
    ...toCallbacks(callbacks, yieldEvery ?? undefined),
    history,
  ]);
  training.warnIfTrainableChanged();
  const metrics = params.doValidation ? [...names, ...names.map((name) => `val_${name}`)] : names;
  for (const callback of list.callbacks) {
    callback.setParams({ epochs, initialEpoch, verbose, metrics, ...params });
    callback.setModel(model);
  }
  training.history = history;
  return { list, history, names };
}

/** Returns the total loss, the losses of several outputs and the metrics over all samples: scalars if they are on the GPU. */
export function evaluate(
  model: TrainableModel,
  training: Trainer,
  x: Samples,
  y: Samples,
  args: ModelEvaluateArgs,
): number[] | Scalar[] {
  const batchSize = args.batchSize ?? kBatchSize;
  checkBatchSize(batchSize);
  if (args.verbose) throw new Error('Verbose mode is not implemented yet.');
  if (isGiven(args.steps)) throw new Error('steps mode in testLoop() is not implemented yet');
  const data = new TrainingData(model, training, x, y);
  const batches: [StepResults, number][] = [];
  try {
    checkWholeBatches(model, data.count, batchSize);
    data.setSampleWeights(args.sampleWeight);
    for (const batch of evalBatches(training, { data, first: 0, count: data.count }, batchSize)) batches.push(batch);
    if (batches.some(([results]) => !Array.isArray(results))) return averageOnGpu(batches);
    const averages = new Averages(training.objective.names);
    for (const [results, size] of batches) averages.add(results as number[], size);
    return averages.values();
  } finally {
    for (const [results] of batches) dispose(results);
    data.free();
  }
}

/** Returns the means of results as scalars, each batch weighted by its number of samples. */
function averageOnGpu(batches: readonly [StepResults, number][]): Scalar[] {
  return runInInternalScope(() => {
    const seen = batches.reduce((total, [, size]) => total + size, 0);
    const parts = batches.map(([results, size]) => mul(results, size / seen));
    return unstack(sum(stack(parts), 0)) as Scalar[];
  });
}

/** Evaluates samples for validation, yielding to the event loop. Returns the losses and metrics by name. */
export async function validateSamples(
  model: TrainableModel,
  training: Trainer,
  x: Samples,
  y: Samples,
  batchSize: number,
  session: FitSession,
): Promise<Logs> {
  checkBatchSize(batchSize);
  const data = new TrainingData(model, training, x, y);
  try {
    return await validate(training, { data, first: 0, count: data.count }, batchSize, session);
  } finally {
    data.free();
  }
}

/** Runs one training step on one batch. Returns its losses and metrics. */
export async function trainOnBatch(
  model: TrainableModel,
  training: Trainer,
  x: Samples,
  y: Samples,
  sampleWeight?: PerOutput<Tensor>,
  classWeight?: PerOutput<ClassWeight>,
): Promise<number[]> {
  const data = new TrainingData(model, training, x, y);
  try {
    if (sampleWeight || classWeight) await data.computeSampleWeights(sampleWeight, classWeight);
    return await readResults(training.step(data.batch(0, data.count)));
  } finally {
    data.free();
  }
}
