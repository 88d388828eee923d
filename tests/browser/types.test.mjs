// A user's TypeScript against the package's types, as both kinds of module resolution find them.
import path from 'node:path';
import test from 'node:test';
import { root, run } from '../../cpp/toolchain/use.mjs';
import { projectOf } from './packed.mjs';

const project = projectOf({
  'tests/types': '.',
  // A dependency of tenure/ort that npm does not install by itself.
  'node_modules/onnxruntime-common': 'node_modules/onnxruntime-common',
});
const tsc = path.join(root, 'node_modules/typescript/bin/tsc');

for (const [module, moduleResolution] of [
  ['esnext', 'bundler'],
  ['node16', 'node16'],
]) {
  test(`a program compiles with moduleResolution ${moduleResolution}`, () => {
    run('node', [tsc, '-p', project, '--module', module, '--moduleResolution', moduleResolution], { quiet: true });
  });
}
