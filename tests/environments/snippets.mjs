// Snippets of the documentation that environments consist of, by the names in their first lines.
import { readFileSync } from 'node:fs';
import path from 'node:path';
import { root } from '../../cpp/toolchain/use.mjs';

const text = readFileSync(path.join(root, 'tests/ecosystem/introduction.md'), 'utf8');
const blocks = [...text.matchAll(/^```(\w+)\n([^]*?)^```$/gm)];
const named = Object.fromEntries(blocks.map(([, , code]) => [/^\/\/ (\S+)\n/.exec(code)?.[1], code]));
const [dependent, standIn] = blocks.filter(([, language]) => language === 'json').map(([, , code]) => JSON.parse(code));

/** Returns files of the documentation, by name. */
export function snippets(...names) {
  return Object.fromEntries(names.map((name) => [name, named[name]]));
}

/** Returns the project whose npm overrides replace TensorFlow.js by Tenure. */
export function overrides() {
  const dependencies = {
    ...dependent.dependencies,
    tenure: 'file:../node_modules/tenure',
    '@tensorflow-models/knn-classifier': '1.2.6',
    '@tensorflow/tfjs-backend-cpu': 'file:./tfjs',
  };
  return {
    'package.json': JSON.stringify({ private: true, ...dependent, dependencies }),
    'tfjs/package.json': JSON.stringify(standIn),
    'tfjs/index.cjs': named['tfjs/index.cjs'],
  };
}
