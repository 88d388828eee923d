// The training configuration of files: losses, metrics and optimizer.
import { convertPythonicToTs, toCamelCase, toSnakeCase } from './config_case.js';
import { deserializeObject, type ClassConfig } from './identifiers.js';
import type { TrainingConfig } from '../io/types.js';
import { getMetricName } from '../train/compiled_losses.js';
import type { Optimizer } from '../train/optimizer.js';
import type { ModelCompileArgs } from '../train/trainer.js';

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

/** Returns the arguments of compile() for a configuration in a file. The caller owns the optimizer. Throws if a class is unknown. */
export function fromTrainingConfig(config: TrainingConfig): ModelCompileArgs {
  const { loss, metrics, optimizer_config, loss_weights }: GivenConfig = config;
  const toName = (one: unknown): unknown => (typeof one === 'string' ? toCamelCase(one) : one);
  return {
    optimizer: deserializeObject<Optimizer>(convertPythonicToTs(optimizer_config) as ClassConfig, 'optimizer'),
    loss: mapNames(loss, toName) as ModelCompileArgs['loss'],
    metrics: mapNames(metrics, toName) as ModelCompileArgs['metrics'],
    lossWeights: loss_weights ?? null,
  };
}
