// In a file of its own: TypeScript loses imports of a declaration file that augments another module.
import type { TrainingConfig } from '../io/types.js';
import type { Scalar, Tensor } from '../tensor/tensor.js';
import type { History } from './callbacks.js';
import type { ModelEvaluateArgs, ModelFitArgs } from './fit.js';
import type { BatchIterator, DatasetLike, ModelEvaluateDatasetArgs, ModelFitDatasetArgs } from './fit_dataset.js';
import type { NamedTensor, Optimizer } from './optimizer.js';
import type { ClassWeight, PerOutput, Samples } from './samples.js';
import type { ModelCompileArgs } from './training.js';

declare module '../models/layers_model.js' {
  interface LayersModel {
    /** Says how the model trains. An optimizer given by name belongs to the model. */
    compile(args: ModelCompileArgs): void;
    /** Trains for a number of epochs on samples in batches; gives the numbers of each epoch. */
    fit(x: Samples, y: Samples, args?: ModelFitArgs): Promise<History>;
    /** Trains on what a dataset gives: batches `{xs, ys}`. */
    fitDataset<T>(dataset: DatasetLike<T>, args: ModelFitDatasetArgs<T>): Promise<History>;
    /** The loss and the metrics over samples. */
    evaluate(x: Samples, y: Samples, args?: ModelEvaluateArgs): Scalar | Scalar[];
    /** The same over what a dataset gives. */
    evaluateDataset(dataset: DatasetLike | BatchIterator, args?: ModelEvaluateDatasetArgs): Promise<Scalar | Scalar[]>;
    /** One step; gives the loss, or the loss and the metrics. */
    trainOnBatch(
      x: Samples,
      y: Samples,
      sampleWeight?: PerOutput<Tensor>,
      classWeight?: PerOutput<ClassWeight>,
    ): Promise<number | number[]>;
    /** @internal From now on the optimizer goes with the model. */
    ownOptimizer(): void;
    /** @internal How it trains, as a file says it, and what the optimizer remembers; the number of updates is yours to free. */
    trainingParts(): Promise<{ trainingConfig: TrainingConfig; iterations: NamedTensor; slots: NamedTensor[] } | undefined>;
    /** What compile() was given. */
    optimizer: Optimizer;
    readonly loss: ModelCompileArgs['loss'];
    readonly metrics: ModelCompileArgs['metrics'];
    /** What the numbers of a step are called. */
    readonly metricsNames: string[];
    /** Of the last fit(). */
    readonly history: History;
    /** Whether a fit() is at work. */
    readonly isTraining: boolean;
    /** Ends the training after the batch that it is at. */
    stopTraining: boolean;
  }
}
