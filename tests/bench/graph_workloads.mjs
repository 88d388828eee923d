// Predictions of real TensorFlow graphs, each from a typed array to typed arrays, for the models that are available.
import { existsSync } from 'node:fs';
import { kGraphs } from './graphs.mjs';
import { readModel, sharedFile } from './model_workloads.mjs';

const isMissing = (name) => !existsSync(sharedFile(name));

export const missingGraphs = Object.keys(kGraphs).filter(isMissing);

export const graphWorkloads = Object.entries(kGraphs)
  .filter(([name]) => !isMissing(name))
  // The other engines' formats are converted from layers models, and TensorFlow.js's plain backend is for small workloads.
  .map(([name, graph]) => ({
    name: `predict ${name}`,
    graph,
    model: () => readModel(sharedFile(name)),
    without: ['litert', 'litert webgpu', 'ort wasm', 'ort webgpu', 'tfjs cpu'],
  }));
