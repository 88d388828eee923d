// `node tests/ecosystem/ort/run.mjs [words]`: runs programs for ONNX Runtime on it and on tenure/ort, and compares what they
// compute. Prints a line for each; fails if a result differs by more than kTolerance.
import { execFileSync } from 'node:child_process';
import { mkdirSync, readFileSync } from 'node:fs';
import path from 'node:path';
import { root, useTestPackages } from '../../../cpp/toolchain/use.mjs';
import { skip } from '../../browser/chrome.mjs';
import { programs } from './programs.mjs';

const kTolerance = 1e-4;
const here = path.join(root, 'tests/ecosystem/ort');
const folder = path.join(root, 'build/ecosystem/ort');
const words = process.argv.slice(2);
mkdirSync(folder, { recursive: true });
// Scripts of packages would download variants of ONNX Runtime for GPUs.
useTestPackages('tests/ecosystem/ort');
for (const [file, { name, inPage, inPages, tolerance }] of Object.entries(programs)) {
  if (words.length > 0 && !words.some((word) => name.includes(word))) continue;
  const { version } = JSON.parse(readFileSync(path.join(here, 'node_modules', name, 'package.json'), 'utf8'));
  const error = await (inPages ? comparePages(inPages, tolerance) : compare(file, inPage));
  console.log(`${error === undefined ? 'ok  ' : 'FAIL'} ${name} ${version}${error === undefined ? '' : `: ${error}`}`);
  if (error !== undefined) process.exitCode = 1;
}

/** Returns how the results of a program differ, in Node and, where there is a browser, in a page; undefined if they agree. */
async function compare(file, inPage) {
  try {
    const expected = runProgram(file);
    const found = runProgram(file, '--import', path.join(root, 'dist/ort/register.js'));
    return (
      differenceOf(found, expected) ?? (inPage && !skip ? differenceOf(await inPage(folder), expected) : undefined)
    );
  } catch (error) {
    return error.stderr || error.stack;
  }
}

/** Returns how the results of a page differ on the two runtimes; undefined if they agree, or there is no browser. */
async function comparePages(compute, tolerance) {
  if (skip) return undefined;
  try {
    return differenceOf(await compute(folder, true), await compute(folder, false), tolerance);
  } catch (error) {
    return error.stack;
  }
}

/** Returns the numbers that a program prints. */
function runProgram(file, ...options) {
  const args = [...options, path.join(here, file), folder];
  const output = execFileSync(process.execPath, args, { encoding: 'utf8', stdio: 'pipe' });
  return JSON.parse(output.trim().split('\n').at(-1));
}

function differenceOf(found, expected, tolerance = kTolerance) {
  if (expected.length !== found.length) return `${found.length} numbers, ${expected.length} were expected`;
  const at = expected.findIndex((value, i) => !(Math.abs(value - found[i]) <= tolerance));
  return at < 0 ? undefined : `number ${at} is ${found[at]}, ${expected[at]} was expected`;
}
