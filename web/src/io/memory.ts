import type {
  IOHandler,
  IOHandlerSync,
  ModelArtifacts,
  SaveResult,
  TrainingConfig,
  WeightData,
  WeightsManifestEntry,
} from './types.js';

/**
 * Returns a handler that loads a model from memory, given whole or in parts.
 * @param modelArtifacts The artifacts, or the topology alone.
 * @param weightSpecs Names, shapes and dtypes of the weights, if the first argument is a topology.
 * @param weightData Bytes of the weights.
 * @param trainingConfig Compile arguments of the model.
 * @example
 * const handler = tf.io.fromMemory({ modelTopology: {}, weightSpecs: [], weightData: new ArrayBuffer(0) });
 * const { weightSpecs } = await handler.load();
 * weightSpecs; // []
 */
export function fromMemory(
  modelArtifacts: ModelArtifacts | object,
  weightSpecs?: WeightsManifestEntry[],
  weightData?: WeightData,
  trainingConfig?: TrainingConfig,
): IOHandler {
  const artifacts = toArtifacts([modelArtifacts, weightSpecs, weightData, trainingConfig], arguments.length);
  return { load: () => Promise.resolve(artifacts) };
}

/**
 * Returns a synchronous handler that loads a model from memory, given whole or in parts.
 * @param modelArtifacts The artifacts, or the topology alone.
 * @param weightSpecs Names, shapes and dtypes of the weights, if the first argument is a topology.
 * @param weightData Bytes of the weights.
 * @param trainingConfig Compile arguments of the model.
 * @example
 * const handler = tf.io.fromMemorySync({ modelTopology: {}, weightSpecs: [], weightData: new ArrayBuffer(0) });
 * handler.load().weightSpecs; // []
 */
export function fromMemorySync(
  modelArtifacts: ModelArtifacts | object,
  weightSpecs?: WeightsManifestEntry[],
  weightData?: WeightData,
  trainingConfig?: TrainingConfig,
): IOHandlerSync {
  const artifacts = toArtifacts([modelArtifacts, weightSpecs, weightData, trainingConfig], arguments.length);
  return { load: () => artifacts };
}

type Parts = [ModelArtifacts | object, WeightsManifestEntry[]?, WeightData?, TrainingConfig?];

function toArtifacts([model, weightSpecs, weightData, trainingConfig]: Parts, count: number): ModelArtifacts {
  const isWhole = count === 1 && ('modelTopology' in model || 'weightSpecs' in model);
  if (isWhole) return model;
  return count === 1 ? { modelTopology: model } : { modelTopology: model, weightSpecs, weightData, trainingConfig };
}

/**
 * Returns a handler that calls a function to save a model.
 * @example
 * let saved;
 * const model = tf.sequential({ layers: [tf.layers.dense({ units: 1, inputShape: [2] })] });
 * await model.save(tf.io.withSaveHandler(async (artifacts) => { saved = artifacts; return {}; }));
 * saved.weightData.byteLength; // 12: two weights and a bias
 * model.dispose();
 */
export function withSaveHandler(saveHandler: (artifacts: ModelArtifacts) => Promise<SaveResult>): IOHandler {
  return { save: (artifacts) => saveHandler(artifacts) };
}

/**
 * Returns a synchronous handler that calls a function to save a model.
 * @example
 * const handler = tf.io.withSaveHandlerSync((artifacts) => ({ modelArtifactsInfo: { weightDataBytes: artifacts.weightData.byteLength } }));
 * handler.save({ weightData: new ArrayBuffer(8) }).modelArtifactsInfo.weightDataBytes; // 8
 */
export function withSaveHandlerSync(saveHandler: (artifacts: ModelArtifacts) => SaveResult): IOHandlerSync {
  return { save: (artifacts) => saveHandler(artifacts) };
}
