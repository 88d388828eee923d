export {
  getModelArtifactsForJSON,
  getModelArtifactsForJSONSync,
  getModelArtifactsInfoForJSON,
  getModelJSONForModelArtifacts,
  getWeightSpecs,
} from './artifacts.js';
export { browserFiles } from './browser_files.js';
export { CompositeArrayBuffer, concatenateArrayBuffers } from './buffers.js';
export { browserHTTPRequest, http, isHTTPScheme } from './http.js';
export * from './management.js';
export * from './memory.js';
export * from './router.js';
export type * from './types.js';
export { decodeWeights, decodeWeightsStream, encodeWeights, loadWeights, weightsLoaderFactory } from './weights.js';
