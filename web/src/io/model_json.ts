import type { ModelArtifacts, ModelJSON } from './types.js';
import { concatenateArrayBuffers } from './buffers.js';

/** Gets the bytes of one file of weights, by its name in the manifest; calls `isComing` once it is answered. */
export type ReadShard = (name: string, isComing: () => void) => Promise<ArrayBuffer>;

/** The text of a model.json as an object. Throws, naming where it came from, when it is no JSON or no model. */
export function parseModelJson(text: string, origin: string, hint: string): ModelJSON {
  let json: unknown;
  try {
    json = JSON.parse(text);
  } catch {
    const found = /^\s*</.test(text) ? ' It begins like a page of HTML.' : '';
    throw new Error(`Failed to parse model JSON of response from ${origin}.${found} ${hint}`);
  }
  const model = (json ?? {}) as ModelJSON;
  if (!model.modelTopology && !model.weightsManifest) {
    throw new Error(`The JSON from ${origin} contains neither model topology or manifest for weights.`);
  }
  return model;
}

/**
 * A model with the weights that its manifest names, each file read once, all at the same time. As in TensorFlow.js half
 * of the progress is that they come, the other half that they are there.
 */
export async function loadWeights(
  { weightsManifest, ...description }: ModelJSON,
  read: ReadShard,
  onProgress?: (fraction: number) => void,
): Promise<ModelArtifacts> {
  if (!weightsManifest) return description;
  const names = weightsManifest.flatMap((group) => group.paths);
  let steps = 0;
  const report = () => onProgress?.(++steps / (2 * names.length));
  const buffers = await Promise.all(
    names.map(async (name) => {
      const bytes = await read(name, report);
      report();
      return bytes;
    }),
  );
  if (names.length === 0) onProgress?.(1);
  return {
    ...description,
    weightSpecs: weightsManifest.flatMap((group) => group.weights),
    weightData: concatenateArrayBuffers(buffers),
  };
}
