import { kGraphs } from '/bench/graphs.mjs';
import { mobileNet, mobileNetCost } from '/bench/mobilenet.mjs';
import { opWorkloads } from '/bench/op_workloads.mjs';
import { trainWorkloads } from '/bench/train_workloads.mjs';

export const pageWorkloads = [
  ...opWorkloads,
  {
    name: 'transposed conv 3x3 s2 28x28x64->32',
    inputs: [
      [1, 28, 28, 64],
      [3, 3, 32, 64],
    ],
    call: (tf, x, filter) => tf.conv2dTranspose(x, filter, [1, 56, 56, 32], 2, 'same'),
  },
  { name: 'upload, add 1 and read 1 MB', inputs: [[1 << 18]], call: (tf, x) => tf.add(x, 1), arrays: true },
  { name: 'predict iris 4-10-3', read: () => readModel('/iris') },
  { name: 'predict mobilenet025', read: () => readModel('/models/mobilenet025') },
  { name: 'predict lstm', read: () => readModel('/models/lstm') },
  ...trainWorkloads,
  { name: 'predict MobileNetV1 1.0 224', read: () => mobileNet(), ...mobileNetCost },
  ...Object.entries(kGraphs).map(([name, graph]) => ({
    name: `predict ${name}`,
    graph,
    read: () => readModel(`/models/${name}`),
  })),
];

/** Returns a model's files as an IOHandler's load() does. */
async function readModel(url) {
  const { weightsManifest, ...json } = await (await fetch(`${url}/model.json`)).json();
  const shards = weightsManifest
    .flatMap(({ paths }) => paths)
    .map(async (name) => (await fetch(`${url}/${name}`)).blob());
  const weightData = await new Blob(await Promise.all(shards)).arrayBuffer();
  return { ...json, weightSpecs: weightsManifest.flatMap(({ weights }) => weights), weightData };
}
