import assert from 'node:assert/strict';
import { spawnSync } from 'node:child_process';
import { existsSync } from 'node:fs';
import path from 'node:path';
import { test } from 'node:test';
import { fileURLToPath } from 'node:url';

const root = fileURLToPath(new URL('../../..', import.meta.url));
const models = path.resolve(root, process.env.TENURE_SHARED ?? '../shared', 'models');
const check = path.join(models, 'check.mjs');

/** Real and made models whose outputs TensorFlow.js has written down. */
const kModels = [
  'iris',
  'abalone',
  'embedding-gru',
  'dense-legacy',
  'mobilenet025',
  'mobilenet025-uint8',
  'mnist-cnn-float16-sharded',
  'lstm',
  'functional-two-heads',
];

for (const model of kModels) {
  const skip = existsSync(check) ? false : `${models} is not there: set TENURE_SHARED`;
  test(`${model} predicts what it predicts in TensorFlow.js, and leaks nothing`, { skip }, () => {
    const args = [check, path.join(root, 'dist/index.js'), '--backend', 'wasm', '--dir', path.join(models, model)];
    const { status, stdout, stderr } = spawnSync(process.execPath, args, { encoding: 'utf8' });
    assert.equal(status, 0, stdout + stderr);
    assert.match(stdout, /^1 passed, 0 failed$/m);
  });
}
