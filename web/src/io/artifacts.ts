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

/**
 * The model.json of a model whose weights lie in the files of a manifest.
 * @example
 * const { format } = tf.io.getModelJSONForModelArtifacts({ modelTopology: {}, format: 'layers-model' }, []);
 * format; // 'layers-model'
 */
export function getModelJSONForModelArtifacts(artifacts: ModelArtifacts, manifest: WeightsManifestConfig): ModelJSON {
  return { ...descriptionOf(artifacts), weightsManifest: manifest };
}

/**
 * A model of its model.json and weights. Throws when one of them is missing.
 * @example
 * const json = { modelTopology: {}, weightsManifest: [{ paths: ['w.bin'], weights: [] }] };
 * tf.io.getModelArtifactsForJSONSync(json, [], new ArrayBuffer(0)).weightData.byteLength; // 0
 */
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

/**
 * The same, where a function gets the weights that the manifest names.
 * @example
 * const json = { modelTopology: {}, weightsManifest: [{ paths: ['w.bin'], weights: [] }] };
 * const { weightData } = await tf.io.getModelArtifactsForJSON(json, async () => [[], new ArrayBuffer(0)]);
 * weightData.byteLength; // 0
 */
export async function getModelArtifactsForJSON(
  modelJSON: ModelJSON,
  loadWeights: (weightsManifest: WeightsManifestConfig) => Promise<[WeightsManifestEntry[], WeightData]>,
): Promise<ModelArtifacts> {
  if (!modelJSON.weightsManifest) return getModelArtifactsForJSONSync(modelJSON);
  return getModelArtifactsForJSONSync(modelJSON, ...(await loadWeights(modelJSON.weightsManifest)));
}

/**
 * When a model was saved, and the bytes of its parts.
 * @example
 * const info = tf.io.getModelArtifactsInfoForJSON({ modelTopology: {}, weightSpecs: [], weightData: new ArrayBuffer(8) });
 * info.weightDataBytes; // 8
 */
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

/**
 * The weights of all groups of a manifest.
 * @example
 * const weights = [{ name: 'w', shape: [2], dtype: 'float32' }];
 * tf.io.getWeightSpecs([{ paths: ['w.bin'], weights }]).map(({ name }) => name); // ['w']
 */
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
