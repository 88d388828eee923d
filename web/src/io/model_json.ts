import type { ModelArtifacts, ModelJSON } from './types.js';
import { concatenateArrayBuffers } from './buffers.js';

/** Gets the bytes of one file of weights, by its name in the manifest. */
export type ReadShard = (name: string) => Promise<ArrayBuffer>;

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

/** A model with the weights that its manifest names, each file read once, all at the same time. */
export async function loadWeights(
  { weightsManifest, ...description }: ModelJSON,
  read: ReadShard,
  onProgress?: (fraction: number) => void,
): Promise<ModelArtifacts> {
  if (!weightsManifest) return description;
  const names = weightsManifest.flatMap((group) => group.paths);
  let arrived = 0;
  const report = () => onProgress?.(names.length === 0 ? 1 : arrived / names.length);
  report();
  const buffers = await Promise.all(
    names.map(async (name) => {
      const bytes = await read(name);
      arrived++;
      report();
      return bytes;
    }),
  );
  return {
    ...description,
    weightSpecs: weightsManifest.flatMap((group) => group.weights),
    weightData: concatenateArrayBuffers(buffers),
  };
}
