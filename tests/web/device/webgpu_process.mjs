// Runs a program of the tests on the npm package 'webgpu', in a process of its own, as Vulkan's loader has to be found when a
// process starts.
import assert from 'node:assert/strict';
import { spawnSync } from 'node:child_process';
import path from 'node:path';
import { fileURLToPath } from 'node:url';

const { TENURE_WEBGPU: library, TENURE_VULKAN: vulkan } = process.env;

/** Why the tests are skipped; false if they are not. */
export const skip = !library && 'TENURE_WEBGPU names no library: run `bash cpp/toolchain/setup.sh --webgpu`';

/**
 * Returns the last line that a program of this folder prints, parsed as JSON: Dawn prints the errors of devices. Its first argument
 * is the folder of the npm package. Fails if it takes longer than `timeout` milliseconds.
 */
export function runProgram(name, { args = [], timeout } = {}) {
  const program = fileURLToPath(new URL(name, import.meta.url));
  const { stdout, stderr, status } = spawnSync(process.execPath, [...process.execArgv, program, library, ...args], {
    env: { ...process.env, NODE_TEST_CONTEXT: undefined, LD_LIBRARY_PATH: path.dirname(vulkan ?? '') },
    encoding: 'utf8',
    timeout,
  });
  assert.equal(status, 0, `${stdout}${stderr}`);
  return JSON.parse(stdout.trim().split('\n').at(-1));
}
