import type { IOHandler, IOHandlerSync, ModelArtifacts, SaveResult, WeightData, WeightsManifestEntry } from './types.js';

/** A handler for a model that is in memory already: all of it, or topology, specs and bytes apart. */
export function fromMemory(
  modelArtifacts: ModelArtifacts | object,
  weightSpecs?: WeightsManifestEntry[],
  weightData?: WeightData,
  trainingConfig?: object,
): IOHandler {
  const artifacts = gathered([modelArtifacts, weightSpecs, weightData, trainingConfig], arguments.length);
  return { load: () => Promise.resolve(artifacts) };
}

/** The same, at once. */
export function fromMemorySync(
  modelArtifacts: ModelArtifacts | object,
  weightSpecs?: WeightsManifestEntry[],
  weightData?: WeightData,
  trainingConfig?: object,
): IOHandlerSync {
  const artifacts = gathered([modelArtifacts, weightSpecs, weightData, trainingConfig], arguments.length);
  return { load: () => artifacts };
}

type Parts = [ModelArtifacts | object, WeightsManifestEntry[]?, WeightData?, object?];

function gathered([model, weightSpecs, weightData, trainingConfig]: Parts, count: number): ModelArtifacts {
  const isWhole = count === 1 && ('modelTopology' in model || 'weightSpecs' in model);
  if (isWhole) return model;
  return count === 1 ? { modelTopology: model } : { modelTopology: model, weightSpecs, weightData, trainingConfig };
}

/** A handler that hands a model to be saved to a function. */
export function withSaveHandler(saveHandler: (artifacts: ModelArtifacts) => Promise<SaveResult>): IOHandler {
  return { save: (artifacts) => saveHandler(artifacts) };
}

/** The same, at once. */
export function withSaveHandlerSync(saveHandler: (artifacts: ModelArtifacts) => SaveResult): IOHandlerSync {
  return { save: (artifacts) => saveHandler(artifacts) };
}
