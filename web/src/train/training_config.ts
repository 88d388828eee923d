// The training configuration of files: losses, metrics and optimizer.
import { convertPythonicToTs, toCamelCase, toSnakeCase } from '../models/config_case.js';
import { deserializeObject, type ClassConfig } from '../models/identifiers.js';
import type { LayersModel } from '../models/layers_model.js';
import type { ModelArtifacts, TrainingConfig } from '../io/types.js';
import { decodeWeights } from '../io/weights.js';
import { dispose } from '../owner/scope.js';
import { getMetricName } from './compiled_losses.js';
import type { Optimizer } from './optimizer.js';
import type { ModelCompileArgs } from './trainer.js';
import { getErrorMessage } from '../runtime/errors.js';

type Names = string | (string | null)[] | Record<string, unknown> | null;

/** Configuration for training in a file by any writer. */
interface GivenConfig {
  loss?: Names;
  metrics?: Names;
  optimizer_config?: unknown;
  loss_weights?: ModelCompileArgs['lossWeights'];
}

/** Returns the arguments of compile() in the form of files. Throws if a loss is a function. */
export function toTrainingConfig(
  { loss, metrics, lossWeights }: ModelCompileArgs,
  optimizer: Optimizer,
): TrainingConfig {
  return {
    loss: mapNames(loss, (one) => {
      if (typeof one === 'string') return toSnakeCase(one);
      throw new Error('Serialization of non-string loss is not supported.');
    }) as TrainingConfig['loss'],
    metrics: mapNames(typeof metrics === 'string' || typeof metrics === 'function' ? [metrics] : metrics, (one) =>
      toSnakeCase(getMetricName(one as never)),
    ) as NonNullable<TrainingConfig['metrics']>,
    optimizer_config: { class_name: optimizer.getClassName(), config: optimizer.getConfig() },
    ...(lossWeights ? { loss_weights: lossWeights } : {}),
  };
}

/** Returns a copy of a structure with a new name for each leaf; null for a missing one. */
function mapNames(value: unknown, rename: (one: unknown) => unknown): unknown {
  if (value === null || value === undefined) return null;
  if (Array.isArray(value)) return value.map((one) => mapNames(one, rename));
  if (typeof value !== 'object') return rename(value);
  return Object.fromEntries(Object.entries(value).map(([name, one]) => [name, mapNames(one, rename)]));
}

/**
 * Compiles a model with the training configuration of its file, and restores the optimizer's state. If the configuration has
 * an unknown class or name, a warning is printed and the model is left uncompiled: it can still predict.
 */
export async function restoreTraining(
  model: LayersModel,
  { trainingConfig, weightSpecs, weightData }: ModelArtifacts,
): Promise<void> {
  if (!trainingConfig) return;
  const { loss, metrics, optimizer_config, loss_weights } = trainingConfig as GivenConfig;
  const toName = (one: unknown): unknown => (typeof one === 'string' ? toCamelCase(one) : one);
  try {
    const optimizer = deserializeObject<Optimizer>(convertPythonicToTs(optimizer_config) as ClassConfig, 'optimizer');
    model.compile({
      optimizer,
      loss: mapNames(loss, toName) as ModelCompileArgs['loss'],
      metrics: mapNames(metrics, toName) as ModelCompileArgs['metrics'],
      lossWeights: loss_weights ?? null,
    });
    model.ownOptimizer();
  } catch (error) {
    console.warn(`The model is not compiled as its file says: ${getErrorMessage(error)}`);
    return;
  }
  const names = weightSpecs?.filter(({ group }) => group === 'optimizer').map(({ name }) => name) ?? [];
  if (names.length === 0 || !weightData) return;
  // All weights are decoded, as the model's come before the optimizer's in the data.
  const weights = decodeWeights(weightData, weightSpecs!);
  try {
    await model.optimizer.setWeights(names.map((name) => ({ name, tensor: weights[name]! })));
  } finally {
    dispose(weights);
  }
}
