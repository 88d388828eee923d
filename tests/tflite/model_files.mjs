// The .tflite files that tests and benchmarks compare with LiteRT.js.
import { existsSync, readFileSync, readdirSync } from 'node:fs';
import path from 'node:path';
import { root } from '../../cpp/toolchain/use.mjs';

/** Models that LiteRT.js cannot run: it gives zeros for custom ops that it lacks. */
export const kNotRunByPeer = /face_landmark_with_attention/;

/** Returns the .tflite files of a package by name, also those in its packed assets. */
function modelsOf(folder) {
  const files = {};
  for (const name of readdirSync(folder)) {
    if (name.endsWith('.tflite')) files[name] = new Uint8Array(readFileSync(path.join(folder, name)));
    if (!name.endsWith('_packed_assets_loader.js')) continue;
    const data = path.join(folder, name.replace('_loader.js', '.data'));
    if (!existsSync(data)) continue;
    const bytes = readFileSync(data);
    const listed = /"?files"?:\s*(\[[^\]]*\])/.exec(readFileSync(path.join(folder, name), 'utf8'))?.[1] ?? '[]';
    for (const [, filename, start, end] of listed.matchAll(
      /filename"?:\s*"([^"]*)",\s*"?start"?:\s*(\d+),\s*"?end"?:\s*(\d+)/g,
    ))
      if (filename.endsWith('.tflite'))
        files[path.basename(filename)] = new Uint8Array(bytes.subarray(Number(start), Number(end)));
  }
  return files;
}

/** Returns the models of npm packages and of TENURE_SHARED, { name, bytes }: the name is that of the folder and of the file. */
export function findModels() {
  const models = [];
  const scope = path.join(root, 'tests/tflite/node_modules/@mediapipe');
  const folders = [
    ...readdirSync(scope).map((name) => path.join(scope, name)),
    path.resolve(root, process.env.TENURE_SHARED ?? '../shared', 'models_tflite'),
  ];
  for (const folder of folders.filter((one) => existsSync(one)))
    for (const [name, bytes] of Object.entries(modelsOf(folder)))
      models.push({ name: `${path.basename(folder)}/${name}`, bytes });
  return models;
}
