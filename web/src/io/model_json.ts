import type { ModelArtifacts, ModelJSON } from './types.js';
import { concatenateArrayBuffers } from './buffers.js';

/** A function that reads a weight file by its name in the manifest. It calls `onResponse` when the response begins. */
export type ReadShard = (name: string, onResponse: () => void) => Promise<ArrayBuffer>;

/**
 * Parses the text of a model.json. Throws if it is not JSON or not a model.
 * @param text The text.
 * @param origin Where the text came from, for messages.
 * @param hint The end of the message for text that is not JSON.
 */
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
 * Resolves to a model with the weights of its manifest. Reads all files concurrently, and each one once. As in
 * TensorFlow.js, half of the progress counts responses that have begun, the other half those that are complete.
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
