// In a separate file: TypeScript loses imports of a declaration file that augments another module.
import type { TrainingConfig } from '../io/types.js';
import type { Scalar, Tensor } from '../tensor/tensor.js';
import type { History } from './callbacks.js';
import type { ModelEvaluateArgs, ModelFitArgs } from './fit.js';
import type { BatchIterator, DatasetLike, ModelEvaluateDatasetArgs, ModelFitDatasetArgs } from './fit_dataset.js';
import type { NamedTensor, Optimizer } from './optimizer.js';
import type { ClassWeight, PerOutput, Samples } from './samples.js';
import type { ModelCompileArgs } from './trainer.js';

declare module '../models/layers_model.js' {
  interface LayersModel {
    /** Configures the model for training. The model owns an optimizer that is given by name. */
    compile(args: ModelCompileArgs): void;
    /**
     * Trains for a number of epochs on batches of samples. Returns the losses and metrics of each epoch.
     * @param x Samples of the inputs.
     * @param y Targets of the outputs.
     * @param args Epochs, batch size, validation and callbacks.
     */
    fit(x: Samples, y: Samples, args?: ModelFitArgs): Promise<History>;
    /** Trains for a number of epochs on the batches `{xs, ys}` of a dataset. Returns the losses and metrics of each epoch. */
    fitDataset<T>(dataset: DatasetLike<T>, args: ModelFitDatasetArgs<T>): Promise<History>;
    /**
     * Returns the loss over samples, or an array of the loss and the metrics, as scalars.
     * @param x Samples of the inputs.
     * @param y Targets of the outputs.
     * @param args Batch size and weights of the samples.
     */
    evaluate(x: Samples, y: Samples, args?: ModelEvaluateArgs): Scalar | Scalar[];
    /** Returns the loss over the batches of a dataset, or an array of the loss and the metrics, as scalars. */
    evaluateDataset(dataset: DatasetLike | BatchIterator, args?: ModelEvaluateDatasetArgs): Promise<Scalar | Scalar[]>;
    /**
     * Runs one training step on one batch. Returns the loss, or an array of the loss and the metrics.
     * @param x Samples of the inputs.
     * @param y Targets of the outputs.
     * @param sampleWeight Weight of each sample.
     * @param classWeight Weight of each class.
     */
    trainOnBatch(
      x: Samples,
      y: Samples,
      sampleWeight?: PerOutput<Tensor>,
      classWeight?: PerOutput<ClassWeight>,
    ): Promise<number | number[]>;
    /** @internal Makes the model own its optimizer. */
    ownOptimizer(): void;
    /** @internal Returns the training configuration of files, and the optimizer's state; the caller frees `iterations`. */
    trainingParts(): Promise<
      { trainingConfig: TrainingConfig; iterations: NamedTensor; slots: NamedTensor[] } | undefined
    >;
    /** Optimizer of compile(). An optimizer that is assigned stays the caller's. */
    optimizer: Optimizer;
    /** The `loss` argument of compile(). */
    readonly loss: ModelCompileArgs['loss'];
    /** The `metrics` argument of compile(). */
    readonly metrics: ModelCompileArgs['metrics'];
    /** Names of the values of a step: the total loss, the losses of several outputs, the metrics. */
    readonly metricsNames: string[];
    /** Losses and metrics of the last fit(). */
    readonly history: History;
    /** True while fit() or fitDataset() runs. */
    readonly isTraining: boolean;
    /** Set to true to end training after the current batch. */
    stopTraining: boolean;
  }
}
