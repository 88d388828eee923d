// Models saved as downloads of a page, and loaded from files that its user has chosen.
import { getModelArtifactsForJSON, getWeightSpecs, serializeArtifacts } from './artifacts.js';
import { parseModelJson } from './model_json.js';
import type { IOHandler, ModelArtifacts, WeightsManifestConfig } from './types.js';

const kScheme = 'downloads://';

/** Returns a handler for `downloads://name` in pages, else null. Saving downloads name.json and name.weights.bin. */
export function downloadsRouter(url: string | string[]): IOHandler | null {
  if (typeof document === 'undefined' || Array.isArray(url) || !url.startsWith(kScheme)) return null;
  const name = url.slice(kScheme.length) || 'model';
  return {
    save: async (artifacts) => {
      const saver = 'BrowserDownloads.save()';
      const { json, weights, modelArtifactsInfo } = serializeArtifacts(artifacts, `./${name}.weights.bin`, saver);
      await download(`${name}.json`, new Blob([json], { type: 'application/json' }));
      if (weights) await download(`${name}.weights.bin`, new Blob([weights], { type: 'application/octet-stream' }));
      return { modelArtifactsInfo };
    },
  };
}

/** Starts a download by a click, in a separate task: some browsers start only the last download of a task. */
async function download(name: string, content: Blob): Promise<void> {
  await new Promise((resolve) => setTimeout(resolve));
  const anchor = document.createElement('a');
  anchor.download = name;
  anchor.href = URL.createObjectURL(content);
  anchor.dispatchEvent(new MouseEvent('click'));
  // The browser reads the URL after the click.
  setTimeout(() => URL.revokeObjectURL(anchor.href), 60_000);
}

/**
 * Returns a handler that loads a model from files of an <input>: model.json first, then its weight files in any order.
 * Throws if there are none.
 * @example
 * const topology = { modelTopology: { class_name: 'Sequential', config: [] }, weightsManifest: [] };
 * const file = new File([JSON.stringify(topology)], 'model.json'); // as an <input> gives it
 * const { modelTopology } = await tf.io.browserFiles([file]).load();
 * modelTopology.class_name; // 'Sequential'
 */
export function browserFiles(files: File[]): IOHandler {
  if (!files || files.length < 1) {
    throw new Error(
      `When calling browserFiles, at least 1 file is required, but received ${files ? 'none' : String(files)}`,
    );
  }
  const [json, ...weights] = files as [File, ...File[]];
  return { load: () => load(json, weights) };
}

async function load(file: File, weightFiles: File[]): Promise<ModelArtifacts> {
  const model = parseModelJson(await file.text(), `file ${file.name}`, 'The first file must be the model.json.');
  if (!model.modelTopology) throw new Error(`modelTopology field is missing from file ${file.name}`);
  if (!model.weightsManifest) throw new Error(`weightManifest field is missing from file ${file.name}`);
  if (weightFiles.length === 0) return { modelTopology: model.modelTopology };
  return getModelArtifactsForJSON(model, async (manifest) => {
    const chosen = matchFiles(manifest, weightFiles);
    return [getWeightSpecs(manifest), await Promise.all(chosen.map((one) => one.arrayBuffer()))];
  });
}

/**
 * Returns the file for each path of a manifest, matched by the last part of their names. Throws unless the files are
 * exactly those of the manifest.
 */
function matchFiles(manifest: WeightsManifestConfig, files: File[]): File[] {
  const names = manifest.flatMap(({ paths }) => paths.map(lastPart));
  const repeated = names.find((name, i) => names.indexOf(name) !== i);
  if (repeated) throw new Error(`Duplicate file basename found in weights manifest: '${repeated}'`);
  const chosen = names.map((name) => {
    const found = files.find((file) => lastPart(file.name) === name);
    if (!found) throw new Error(`Weight file with basename '${name}' is not provided.`);
    return found;
  });
  if (names.length !== files.length) {
    throw new Error(
      `Mismatch in the number of files in weights manifest (${names.length}) ` +
        `and the number of weight files provided (${files.length}).`,
    );
  }
  return chosen;
}

function lastPart(path: string): string {
  return path.trim().replace(/\/+$/, '').split('/').pop()!;
}
