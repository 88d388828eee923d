// Predictions of real graphs of TensorFlow, each from a typed array to typed arrays; those that the folder of models has.
import { existsSync } from 'node:fs';
import { kGraphs } from './graphs.mjs';
import { readModel, sharedFile } from './model_works.mjs';

const isMissing = (name) => !existsSync(sharedFile(name));

export const missingGraphs = Object.keys(kGraphs).filter(isMissing);

export const graphWorks = Object.entries(kGraphs)
  .filter(([name]) => !isMissing(name))
  // The formats of the other engines are written of models of layers, and TensorFlow.js's plain backend is for small work.
  .map(([name, graph]) => ({ name: `predict ${name}`, graph, model: () => readModel(sharedFile(name)), without: ['litert', 'ort wasm', 'tfjs cpu'] }));
