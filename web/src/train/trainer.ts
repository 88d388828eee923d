import { setCurrentOp } from '../debug/ledger.js';
import { writeUpdate } from '../generated/ops.js';
import type { LayersModel as Session } from '../generated/tenure.js';
import type { TrainableModel, TrainableWeight } from './trainable_model.js';
import { Holder } from '../owner/scope.js';
import { raise, scratch, scratchFloats } from '../runtime/runtime.js';
import { takeResult } from '../tensor/create.js';
import { writeTensorIds } from '../tensor/scratch_ids.js';
import { syncCurrentScope } from '../runtime/async_scope_tracking.js';
import type { History } from './callbacks.js';
import { checkSomeTrain } from './gradients.js';
import { evalStepEager, trainStepEager } from './eager_step.js';
import { getMetricOp } from './metric_ops.js';
import { CompiledLosses, type ObjectiveArgs } from './compiled_losses.js';
import { Optimizer } from './optimizer.js';
import { train } from './optimizers.js';
import { toTensorSpecs, type Batch } from './samples.js';
import type { StepResults } from './step_results.js';

const kEpsilon = 1e-7;
const kOptimizers: Record<string, () => Optimizer> = {
  adagrad: () => train.adagrad(0.01),
  adadelta: () => train.adadelta(1, 0.95, kEpsilon),
  adam: () => train.adam(0.001, 0.9, 0.999, kEpsilon),
  adamax: () => train.adamax(0.002, 0.9, 0.999, kEpsilon, 0),
  rmsprop: () => train.rmsprop(0.001, 0.9, 0, kEpsilon),
  sgd: () => train.sgd(0.01),
};
/** Regularizers and constraints that the engine implements. */
const kRegularizers = ['L1L2'];
const kConstraints = ['MaxNorm', 'UnitNorm', 'NonNeg', 'MinMaxNorm'];

/** Arguments of compile(). */
export interface ModelCompileArgs extends ObjectiveArgs {
  /** Optimizer, or its name: the model owns one that is given by name. */
  optimizer: string | Optimizer;
}

/** Trainer of a compiled model: its losses, metrics and optimizer. It owns an optimizer that it created. */
export class Trainer extends Holder {
  objective!: CompiledLosses;
  args!: ModelCompileArgs;
  #optimizer!: Optimizer;
  #isOptimizerOwned = false;
  /** Weights that were trainable when the model was compiled. */
  #weights: readonly TrainableWeight[] = [];
  /** Engine model that the losses and metrics were compiled into. */
  #session: Session | undefined;
  /** Resources of a running fit(), freed with the model, as a suspended fit() may never resume. */
  readonly held = new Set<{ free(): void }>();
  isTraining = false;
  stopTraining = false;
  history: History | undefined;

  constructor(
    private readonly model: TrainableModel,
    args: ModelCompileArgs,
  ) {
    super();
    this.compile(args);
  }

  /** Replaces the losses, metrics and optimizer. Throws during a fit() if the names of its losses and metrics would change. */
  compile(args: ModelCompileArgs): void {
    const { model } = this;
    const objective = new CompiledLosses(args, toTensorSpecs(model.outputNames, model.outputs));
    if (this.isTraining && String(objective.names) !== String(this.objective.names)) {
      throw new Error('A model cannot be compiled with other losses or metrics while fit() runs.');
    }
    const { optimizer } = args;
    const next = checked(typeof optimizer === 'string' ? createOptimizer(optimizer) : optimizer);
    if (this.#isOptimizerOwned && this.#optimizer !== next) this.#optimizer.dispose();
    this.args = args;
    this.objective = objective;
    this.#optimizer = next;
    this.#isOptimizerOwned = typeof optimizer === 'string';
    this.#weights = model.trainableWeights;
    this.#session = undefined;
  }

  get optimizer(): Optimizer {
    return this.#optimizer;
  }
  /** Replaces the optimizer; the caller keeps owning the new one. */
  setOptimizer(optimizer: Optimizer): void {
    const before = this.#optimizer;
    this.#optimizer = checked(optimizer);
    if (this.#isOptimizerOwned && before !== optimizer) before.dispose();
    this.#isOptimizerOwned = false;
  }

  /** Takes ownership of the optimizer. */
  ownOptimizer(): void {
    this.#isOptimizerOwned = true;
  }

  override [Symbol.dispose](): void {
    for (const one of [...this.held]) one.free();
    if (this.#isOptimizerOwned) this.#optimizer.dispose();
  }

  /** Runs one training step. */
  step(batch: Batch): StepResults {
    const session = this.#ready();
    const trainable = this.#trainable();
    if (!session || !this.#optimizer.isBuiltIn || !areTermsBuiltIn(this.model)) {
      return trainStepEager(this.model, this.objective, this.#optimizer, trainable, batch);
    }
    const slots = trainable.map((weight) => this.#optimizer.getSlots(weight.read()));
    const updated = trainable.flatMap((weight, i) => [weight.read(), ...slots[i]!]);
    syncCurrentScope();
    const at = writeTensorIds(writeBatch(batch), updated);
    if (__DEBUG__) setCurrentOp('fit');
    const attrs = writeUpdate(at, this.#optimizer.nextUpdate());
    const kinds = slots[0]?.length ?? 0;
    const results = takeResults(session.step(batch.first, batch.count, trainable.length, kinds, attrs));
    this.#optimizer.onUpdated();
    return results;
  }

  /** Evaluates one batch without training. */
  evalStep(batch: Batch): StepResults {
    const session = this.#ready();
    if (!session) return evalStepEager(this.model, this.objective, batch);
    syncCurrentScope();
    writeBatch(batch);
    if (__DEBUG__) setCurrentOp('evaluate');
    return takeResults(session.step(batch.first, batch.count, 0, 0, 0));
  }

  /** Warns if the number of trainable weights differs from that when the model was compiled. */
  warnIfTrainableChanged(): void {
    if (this.model.trainableWeights.length === this.#weights.length) return;
    console.warn('The trainable weights have changed since compile(): call it again.');
  }

  /**
   * Returns the weights that were trainable when the model was compiled, except those frozen since. As in TensorFlow.js, a
   * nested model that was frozen as a whole since then still trains. Throws if none is left.
   */
  #trainable(): TrainableWeight[] {
    const trainable = this.#weights.filter(({ trainable }) => trainable);
    checkSomeTrain(trainable.length, this.#weights.length);
    return trainable;
  }

  /** Returns the engine model with the losses and metrics compiled into it; undefined if the engine does not implement them. */
  #ready(): Session | undefined {
    const session = this.model.session();
    if (!session || !this.objective.isBuiltIn) return undefined;
    if (session === this.#session) return session;
    const words = scratch();
    const floats = scratchFloats();
    const { losses, metrics } = this.objective;
    losses.forEach(({ weight }, i) => {
      words[2 * i] = this.objective.getLossOp(i);
      floats[2 * i + 1] = weight;
    });
    metrics.forEach(({ fn, output }, i) => {
      words[2 * (losses.length + i)] = getMetricOp(fn)!;
      words[2 * (losses.length + i) + 1] = output;
    });
    if (session.compile(losses.length, metrics.length) === -1) raise();
    this.#session = session;
    return session;
  }
}

function createOptimizer(name: string): Optimizer {
  const known = Object.keys(kOptimizers).find((one) => one === name.toLowerCase());
  if (!known) throw new Error(`Unknown Optimizer ${name}`);
  return kOptimizers[known]!();
}

function checked(optimizer: Optimizer): Optimizer {
  if (optimizer instanceof Optimizer) return optimizer;
  throw new Error('User-defined optimizer must be an instance of tf.Optimizer.');
}

/** True if the engine implements all loss terms, regularizers and constraints of the layers and weights. */
function areTermsBuiltIn(model: TrainableModel): boolean {
  if (model.hasAddedLosses) return false;
  return model.weights.every(
    ({ regularizer, constraint }) =>
      (!regularizer || kRegularizers.includes(regularizer.getClassName())) &&
      (!constraint || kConstraints.includes(constraint.getClassName())),
  );
}

/** Writes the ids of a batch into the scratch words, and returns the index of the word after them. */
function writeBatch({ inputs, targets, weights, order }: Batch): number {
  return writeTensorIds(0, [...inputs, ...targets, ...targets.map((_, i) => weights?.[i]), order]);
}

/** Returns the results of a step of the engine, which returned their number, or 0 if they are a tensor. */
function takeResults(count: number): StepResults {
  if (count === -1) raise();
  return count === 0 ? takeResult() : [...scratchFloats().subarray(0, count)];
}
