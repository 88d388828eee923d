// Helpers of the tests of tf.node.
import assert from 'node:assert/strict';
import { mkdtempSync, rmSync } from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import * as tf from '../../../dist/node.js';
import { held } from '../common.mjs';

export { assert, tf };

/** Runs `body`, and fails if tensors, scopes or memory of it are left. */
export async function leavesNothing(body) {
  const before = held(tf);
  await body();
  assert.deepEqual(held(tf), before);
}

/** Runs `body` with a new folder, which is removed afterwards. */
export async function withFolder(body) {
  const folder = mkdtempSync(path.join(os.tmpdir(), 'tenure-node-'));
  try {
    return await body(folder);
  } finally {
    rmSync(folder, { recursive: true });
  }
}

/** Returns the values of an image, and frees it. */
export function takeValues(image) {
  const list = [...image.dataSync()];
  image.dispose();
  return list;
}
