// Builds a C++ program outside this tree that finds the installed package, links it and predicts: `node
// tests/install_test.mjs`.
import assert from 'node:assert/strict';
import { rmSync } from 'node:fs';
import path from 'node:path';
import { root, run, useToolchain } from '../cpp/toolchain/use.mjs';

const quiet = { quiet: true };
const at = (...parts) => path.join(root, 'build/install', ...parts);

useToolchain('native');
run('cmake', ['--preset', 'native-release', '-B', at('engine'), '-DTENURE_TESTS=OFF'], quiet);
run('cmake', ['--build', at('engine')], quiet);
// A header that is no longer installed must not be found.
rmSync(at('prefix'), { recursive: true, force: true });
run('cmake', ['--install', at('engine'), '--prefix', at('prefix')], quiet);

const configure = ['-G', 'Ninja', '-DCMAKE_BUILD_TYPE=Release', `-DCMAKE_PREFIX_PATH=${at('prefix')}`];
run('cmake', ['--fresh', '-S', path.join(root, 'examples/native'), '-B', at('iris'), ...configure], quiet);
run('cmake', ['--build', at('iris')], quiet);

const output = run(at('iris/iris'), [path.join(root, 'examples/iris/model.json')], quiet);
assert.match(output, /^setosa 0\.\d{4}\nversicolor 0\.\d{4}\n$/);
console.log(output.trimEnd());
