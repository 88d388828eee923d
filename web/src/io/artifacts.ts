// Between a model.json, whose weights are in files, and a model in memory.
import { CompositeArrayBuffer, concatenateArrayBuffers } from './buffers.js';
import type {
  ModelArtifacts,
  ModelArtifactsInfo,
  ModelDescription,
  ModelJSON,
  WeightData,
  WeightsManifestConfig,
  WeightsManifestEntry,
} from './types.js';

const kAlways = ['modelTopology', 'format', 'generatedBy', 'convertedBy'] as const;
const kWhereGiven = [
  'trainingConfig',
  'signature',
  'userDefinedMetadata',
  'modelInitializer',
  'initializerSignature',
] as const;

/** What describes a model, without its weights. */
export function descriptionOf(model: ModelDescription): ModelDescription {
  const description: Record<string, unknown> = {};
  for (const key of kAlways) description[key] = model[key];
  for (const key of kWhereGiven) if (model[key] !== undefined && model[key] !== null) description[key] = model[key];
  return description;
}

/** The model.json of a model whose weights lie in the files of a manifest. */
export function getModelJSONForModelArtifacts(artifacts: ModelArtifacts, manifest: WeightsManifestConfig): ModelJSON {
  return { ...descriptionOf(artifacts), weightsManifest: manifest };
}

/** A model of its model.json and weights. Throws when one of them is missing. */
export function getModelArtifactsForJSONSync(
  modelJSON: ModelJSON,
  weightSpecs?: WeightsManifestEntry[],
  weightData?: WeightData,
): ModelArtifacts {
  const artifacts: ModelArtifacts = descriptionOf(modelJSON);
  if (!modelJSON.weightsManifest) return artifacts;
  if (!weightSpecs) throw new Error('modelJSON has weightsManifest but weightSpecs is null');
  if (!weightData) throw new Error('modelJSON has weightsManifest but weightData is null');
  return { ...artifacts, weightSpecs, weightData };
}

/** The same, where a function gets the weights that the manifest names. */
export async function getModelArtifactsForJSON(
  modelJSON: ModelJSON,
  loadWeights: (weightsManifest: WeightsManifestConfig) => Promise<[WeightsManifestEntry[], WeightData]>,
): Promise<ModelArtifacts> {
  if (!modelJSON.weightsManifest) return getModelArtifactsForJSONSync(modelJSON);
  return getModelArtifactsForJSONSync(modelJSON, ...(await loadWeights(modelJSON.weightsManifest)));
}

/** When a model was saved, and the bytes of its parts. */
export function getModelArtifactsInfoForJSON(artifacts: ModelArtifacts): ModelArtifactsInfo {
  const { modelTopology, weightSpecs, weightData } = artifacts;
  if (modelTopology instanceof ArrayBuffer) throw new Error('Expected JSON model topology, received ArrayBuffer.');
  const bytesOf = (value: unknown) => (value ? new TextEncoder().encode(JSON.stringify(value)).byteLength : 0);
  return {
    dateSaved: new Date(),
    modelTopologyType: 'JSON',
    modelTopologyBytes: bytesOf(modelTopology),
    weightSpecsBytes: bytesOf(weightSpecs),
    weightDataBytes: weightData ? new CompositeArrayBuffer(weightData).byteLength : 0,
  };
}

/** The weights of all groups of a manifest. */
export function getWeightSpecs(weightsManifest: WeightsManifestConfig): WeightsManifestEntry[] {
  return weightsManifest.flatMap(({ weights }) => weights);
}

/** A model.json and one file of weights, as they are saved, and what the saver reports of them. */
export function packed(artifacts: ModelArtifacts, weightsPath: string, saver: string) {
  if (artifacts.modelTopology instanceof ArrayBuffer) {
    throw new Error(`${saver} does not support saving model topology in binary formats yet.`);
  }
  const manifest = [{ paths: [weightsPath], weights: artifacts.weightSpecs ?? [] }];
  return {
    json: JSON.stringify(getModelJSONForModelArtifacts(artifacts, manifest)),
    weights: artifacts.weightData ? concatenateArrayBuffers(artifacts.weightData) : undefined,
    modelArtifactsInfo: getModelArtifactsInfoForJSON(artifacts),
  };
}
