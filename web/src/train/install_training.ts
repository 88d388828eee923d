import { LayersModel } from '../models/layers_model.js';
import { singletonOrArray } from '../models/array_utils.js';
import { scalar } from '../ops/movement/tensor_creation.js';
import { runInInternalScope } from '../owner/scope.js';
import type { Scalar } from '../tensor/tensor.js';
import { evaluate, fit, trainOnBatch } from './fit.js';
import { evaluateDataset, fitDataset } from './fit_dataset.js';
import { Trainer } from './trainer.js';
import { toTrainingConfig } from './training_config.js';
import type {} from './model_methods.js';

const trainings = new WeakMap<LayersModel, Trainer>();

function getTrainer(model: LayersModel): Trainer {
  const training = trainings.get(model);
  if (!training) {
    throw new Error('You must compile a model before training/testing. Use LayersModel.compile(modelCompileArgs).');
  }
  return training;
}

function scalars(values: number[]): Scalar | Scalar[] {
  return runInInternalScope(() => singletonOrArray(values.map((value) => scalar(value))));
}

/** Adds compile(), fit() and the other methods of training to models of layers. */
export function installTraining(): void {
  const methods: Partial<LayersModel> & ThisType<LayersModel> = {
    compile(args) {
      const ongoing = trainings.get(this);
      if (ongoing?.isTraining) {
        ongoing.compile(args);
        return;
      }
      // Builds a sequential model, which has no outputs before.
      this.session();
      const training = new Trainer(this, args);
      trainings.get(this)?.[Symbol.dispose]();
      trainings.set(this, training);
      this.owned.set('training', training);
    },
    // Awaited, so that the debug build attributes tensors to 'fit'.
    async fit(x, y, args = {}) {
      return await fit(this, getTrainer(this), x, y, args);
    },
    async fitDataset(dataset, args) {
      return await fitDataset(this, getTrainer(this), dataset, args);
    },
    evaluate(x, y, args = {}) {
      return scalars(evaluate(this, getTrainer(this), x, y, args));
    },
    async evaluateDataset(dataset, args = {}) {
      return scalars(await evaluateDataset(this, getTrainer(this), dataset, args));
    },
    ownOptimizer() {
      getTrainer(this).ownOptimizer();
    },
    async trainingParts() {
      const training = trainings.get(this);
      if (!training) return undefined;
      const trainingConfig = toTrainingConfig(training.args, training.optimizer);
      const [iterations, ...slots] = await training.optimizer.getWeights();
      return { trainingConfig, iterations: iterations!, slots };
    },
    async trainOnBatch(...args) {
      return singletonOrArray(await trainOnBatch(this, getTrainer(this), ...args));
    },
  };
  const prototype = LayersModel.prototype;
  for (const [name, value] of Object.entries(methods))
    Object.defineProperty(prototype, name, { value, writable: true, configurable: true });
  const read = (
    name: string,
    get: (training: Trainer) => unknown,
    set?: (training: Trainer, value: never) => void,
  ): void => {
    Object.defineProperty(prototype, name, {
      get(this: LayersModel) {
        const training = trainings.get(this);
        return training && get(training);
      },
      set:
        set &&
        function (this: LayersModel, value: never) {
          set(getTrainer(this), value);
        },
      configurable: true,
    });
  };
  read(
    'optimizer',
    ({ optimizer }) => optimizer,
    (training, value) => training.setOptimizer(value),
  );
  read('loss', ({ args }) => args.loss);
  read('metrics', ({ args }) => args.metrics);
  read('metricsNames', ({ objective }) => [...objective.names]);
  read('history', ({ history }) => history);
  read('isTraining', ({ isTraining }) => isTraining);
  read(
    'stopTraining',
    ({ stopTraining }) => stopTraining,
    (training, value) => (training.stopTraining = value),
  );
}
