// The pack's models: topologies, whose weights tenure_gpu_bench makes up, and blazeface if it is available.
import { existsSync, readFileSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { mobileNet } from '../mobilenet.mjs';
import { sharedFile } from '../model_workloads.mjs';
import { trainWorkloads } from '../train_workloads.mjs';

const trained = (word) => trainWorkloads.find(({ name }) => name.startsWith(`train ${word}`)).model();

/** Topologies by the names that tests/bench/gpu/models.cpp looks for. */
const kTopologies = {
  mobilenet_100_224: () => mobileNet(),
  mobilenet_025_128: () => mobileNet({ alpha: 0.25, size: 128 }),
  lstm: () => trained('LSTM'),
  mlp: () => trained('MLP'),
  cnn: () => trained('MNIST CNN'),
};

/** Writes the models into a folder; returns the names of those that are not available. */
export function writeModels(folder) {
  for (const [name, make] of Object.entries(kTopologies)) {
    const { modelTopology } = make();
    writeFileSync(path.join(folder, `${name}.json`), JSON.stringify(modelTopology));
  }
  return writeBlazeface(folder) ? [] : ['blazeface'];
}

function writeBlazeface(folder) {
  const file = sharedFile('blazeface');
  if (!existsSync(file)) return false;
  const { modelTopology, weightsManifest } = JSON.parse(readFileSync(file, 'utf8'));
  const shards = weightsManifest
    .flatMap(({ paths }) => paths)
    .map((name) => readFileSync(path.join(path.dirname(file), name)));
  writeFileSync(path.join(folder, 'blazeface.json'), JSON.stringify(modelTopology));
  writeFileSync(
    path.join(folder, 'blazeface.weights.json'),
    JSON.stringify(weightsManifest.flatMap(({ weights }) => weights)),
  );
  writeFileSync(path.join(folder, 'blazeface.bin'), Buffer.concat(shards));
  return true;
}
