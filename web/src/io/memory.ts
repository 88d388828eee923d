import type { IOHandler, ModelArtifacts, SaveResult, WeightsManifestEntry } from './types.js';

/** A handler for a model that is in memory already: all of it, or topology, specs and bytes apart. */
export function fromMemory(
  modelArtifacts: ModelArtifacts | object,
  weightSpecs?: WeightsManifestEntry[],
  weightData?: ArrayBuffer | ArrayBuffer[],
  trainingConfig?: object,
): IOHandler {
  const isWhole = arguments.length === 1 && ('modelTopology' in modelArtifacts || 'weightSpecs' in modelArtifacts);
  const artifacts: ModelArtifacts = isWhole
    ? modelArtifacts
    : { modelTopology: modelArtifacts, weightSpecs, weightData, trainingConfig };
  return { load: () => Promise.resolve(artifacts) };
}

/** A handler that hands a model to be saved to a function. */
export function withSaveHandler(saveHandler: (artifacts: ModelArtifacts) => Promise<SaveResult>): IOHandler {
  return { save: saveHandler };
}
