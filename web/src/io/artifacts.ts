// Conversion between a model.json, whose weights are in files, and the artifacts of a model in memory.
import { Encoder } from '../runtime/text_coding.js';
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

const kRequiredFields = ['modelTopology', 'format', 'generatedBy', 'convertedBy'] as const;
const kOptionalFields = [
  'trainingConfig',
  'signature',
  'userDefinedMetadata',
  'modelInitializer',
  'initializerSignature',
] as const;

/** Returns the fields that describe a model, without its weights. Optional fields without a value are left out. */
export function pickDescription(model: ModelDescription): ModelDescription {
  const description: Record<string, unknown> = {};
  for (const key of kRequiredFields) description[key] = model[key];
  for (const key of kOptionalFields) if (model[key] !== undefined && model[key] !== null) description[key] = model[key];
  return description;
}

/**
 * Returns the model.json of a model whose weights are in the files of a manifest.
 * @example
 * const { format } = tf.io.getModelJSONForModelArtifacts({ modelTopology: {}, format: 'layers-model' }, []);
 * format; // 'layers-model'
 */
export function getModelJSONForModelArtifacts(artifacts: ModelArtifacts, manifest: WeightsManifestConfig): ModelJSON {
  return { ...pickDescription(artifacts), weightsManifest: manifest };
}

/**
 * Returns the artifacts of a model from its model.json and weights. Throws if the model.json has a manifest, and
 * `weightSpecs` or `weightData` is missing.
 * @param modelJSON Contents of model.json.
 * @param weightSpecs Names, shapes and dtypes of the weights.
 * @param weightData Bytes of the weights.
 * @example
 * const json = { modelTopology: {}, weightsManifest: [{ paths: ['w.bin'], weights: [] }] };
 * tf.io.getModelArtifactsForJSONSync(json, [], new ArrayBuffer(0)).weightData.byteLength; // 0
 */
export function getModelArtifactsForJSONSync(
  modelJSON: ModelJSON,
  weightSpecs?: WeightsManifestEntry[],
  weightData?: WeightData,
): ModelArtifacts {
  const artifacts: ModelArtifacts = pickDescription(modelJSON);
  if (!modelJSON.weightsManifest) return artifacts;
  if (!weightSpecs) throw new Error('modelJSON has weightsManifest but weightSpecs is null');
  if (!weightData) throw new Error('modelJSON has weightsManifest but weightData is null');
  return { ...artifacts, weightSpecs, weightData };
}

/**
 * Resolves to the artifacts of a model from its model.json. If it has a manifest, `loadWeights` is called to load the
 * weights.
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
 * Returns the current date and the number of bytes of each part of a model, as a save reports them. Throws if the
 * topology is binary.
 * @example
 * const info = tf.io.getModelArtifactsInfoForJSON({ modelTopology: {}, weightSpecs: [], weightData: new ArrayBuffer(8) });
 * info.weightDataBytes; // 8
 */
export function getModelArtifactsInfoForJSON(artifacts: ModelArtifacts): ModelArtifactsInfo {
  const { modelTopology, weightSpecs, weightData } = artifacts;
  if (modelTopology instanceof ArrayBuffer) throw new Error('Expected JSON model topology, received ArrayBuffer.');
  const jsonByteLength = (value: unknown) => (value ? new Encoder().encode(JSON.stringify(value)).byteLength : 0);
  return {
    dateSaved: new Date(),
    modelTopologyType: 'JSON',
    modelTopologyBytes: jsonByteLength(modelTopology),
    weightSpecsBytes: jsonByteLength(weightSpecs),
    weightDataBytes: weightData ? new CompositeArrayBuffer(weightData).byteLength : 0,
  };
}

/**
 * Returns the weights of all groups of a manifest.
 * @example
 * const weights = [{ name: 'w', shape: [2], dtype: 'float32' }];
 * tf.io.getWeightSpecs([{ paths: ['w.bin'], weights }]).map(({ name }) => name); // ['w']
 */
export function getWeightSpecs(weightsManifest: WeightsManifestConfig): WeightsManifestEntry[] {
  return weightsManifest.flatMap(({ weights }) => weights);
}

/**
 * Returns the text of a model.json, the bytes of its only weight file, and the info that a save reports. Throws if the
 * topology is binary.
 * @param artifacts The model.
 * @param weightsPath Path of the weight file in the manifest.
 * @param saver Name of the caller, for messages.
 */
export function serializeArtifacts(artifacts: ModelArtifacts, weightsPath: string, saver: string) {
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
