import assert from 'node:assert/strict';
import { spawnSync } from 'node:child_process';
import { existsSync } from 'node:fs';
import path from 'node:path';
import { test } from 'node:test';
import { root } from '../../../cpp/toolchain/use.mjs';
import { kGoldenGraphs, kGoldenModels, modelsFolder } from '../../golden_models.mjs';

const check = path.join(modelsFolder, 'check.mjs');

for (const model of [...kGoldenModels, ...kGoldenGraphs]) {
  const skip = existsSync(check) ? false : `${modelsFolder} is not there: set TENURE_SHARED`;
  test(`${model} matches TensorFlow.js, and leaks nothing`, { skip }, () => {
    const args = [
      check,
      path.join(root, 'dist/index.js'),
      '--backend',
      'wasm',
      '--dir',
      path.join(modelsFolder, model),
    ];
    const { status, stdout, stderr } = spawnSync(process.execPath, args, { encoding: 'utf8' });
    assert.equal(status, 0, stdout + stderr);
    assert.match(stdout, /^1 passed, 0 failed$/m);
  });
}
