// Runs checks, in parallel if they need one core each.
//   npm test               the checks before a commit
//   npm run test:ci        further checks before a change lands
//   npm run test:all       both, and slow checks: before a release
//   node tests/run.mjs native node       the named steps (--list names them)
//   node tests/run.mjs web/owner/scope   the test files whose paths contain the text
import { fork } from 'node:child_process';
import os from 'node:os';
import { steps } from './steps.mjs';
import { matchingTests, runTests } from './test_files.mjs';

/** Interval of the lines that name the running steps. */
const kNoticeMs = 10_000;
const kSets = ['test', 'ci', 'all'];

const asked = process.argv.slice(2);
if (asked[0] === '--step') await runStep(asked[1]);
else if (asked.includes('--list')) list();
else if (asked.length > 0 && asked.every((word) => word in steps)) await runSets([asked]);
else if (asked.every((word) => word.startsWith('--') && kSets.includes(word.slice(2))))
  await runSets(asked.flatMap(setsOf).map(namesIn));
else await runMatching();

function list() {
  for (const set of kSets) console.log(`${set}: ${namesIn(set).join(', ')}`);
}

/** Returns the sets that `--test`, `--ci` or `--all` selects; --all is everything. */
function setsOf(option) {
  return option === '--all' ? kSets : [option.slice(2)];
}

function namesIn(set) {
  return Object.keys(steps).filter((name) => steps[name].set === set);
}

async function runMatching() {
  const files = asked.flatMap(matchingTests);
  if (files.length === 0) {
    console.error(`No step and no test file matches ${asked.join(' ')}. Steps:`);
    list();
    process.exit(2);
  }
  process.exitCode = await runTests(files);
}

/** Runs one step in this process, on behalf of the scheduling process. */
async function runStep(name) {
  let result;
  try {
    result = (await steps[name].run((progress) => process.send?.({ progress }))) ?? {};
  } catch (error) {
    result = { error };
  }
  const { error, ...counts } = result;
  process.send({ result: { ...counts, error: error && String(error.message) } });
  process.disconnect();
}

/** Runs each list of steps after the previous one; prints a line for each step and the sum of all counts. */
async function runSets(sets) {
  const total = { passed: 0, failed: 0, skipped: 0 };
  const start = Date.now();
  for (const names of sets) {
    for (const { passed, failed, skipped } of await schedule(names)) {
      total.passed += passed;
      total.failed += failed;
      total.skipped += skipped;
    }
  }
  console.log(`total: ${secondsSince(start)} s`);
  console.log(`${total.passed} passed, ${total.failed} failed${total.skipped ? `, ${total.skipped} skipped` : ''}`);
  process.exitCode = total.failed > 0 ? 1 : 0;
}

/** Runs steps in order, as many in parallel as there are cores; returns their counts. */
async function schedule(names) {
  const cores = os.availableParallelism();
  const waiting = [...names];
  const running = new Map();
  const finished = new Map();
  const isReady = (name) => (steps[name].after ?? []).every((other) => !names.includes(other) || finished.has(other));
  const used = () => [...running.keys()].reduce((sum, name) => sum + Math.min(steps[name].cores ?? 1, cores), 0);
  const notice = setInterval(() => {
    const states = [...running].map(
      ([name, { start, progress }]) => `${name} ${secondsSince(start)} s${progress ? ` (${progress})` : ''}`,
    );
    console.log(`     running: ${states.join(', ')}`);
  }, kNoticeMs);
  try {
    while (waiting.length + running.size > 0) {
      const next = waiting.find((name) => isReady(name) && used() + Math.min(steps[name].cores ?? 1, cores) <= cores);
      if (next) {
        waiting.splice(waiting.indexOf(next), 1);
        running.set(next, start(next));
        continue;
      }
      const { name, result } = await Promise.race([...running.values()].map(({ done }) => done));
      report(name, running.get(name).start, result);
      running.delete(name);
      finished.set(name, result);
      if (result.error) dropDependents(name, waiting);
    }
  } finally {
    clearInterval(notice);
  }
  return [...finished.values()];
}

/** Removes the steps that depend on a failed step from `waiting`, and prints them. */
function dropDependents(failed, waiting) {
  const needs = (name) => (steps[name].after ?? []).includes(failed) || steps[failed].isNeeded;
  for (const name of waiting.filter(needs)) {
    if (!waiting.includes(name)) continue;
    waiting.splice(waiting.indexOf(name), 1);
    console.log(`not run: ${name}, which depends on ${failed}`);
    dropDependents(name, waiting);
  }
}

/** Starts a step in a process of its own; `done` resolves to its name and its result. */
function start(name) {
  const state = { start: Date.now(), progress: '' };
  const child = fork(import.meta.filename, ['--step', name], { stdio: ['ignore', 'pipe', 'pipe', 'ipc'] });
  let output = '';
  let result;
  for (const stream of [child.stdout, child.stderr]) stream.setEncoding('utf8').on('data', (text) => (output += text));
  child.on('message', (message) => {
    if (message.result) result = message.result;
    else state.progress = message.progress;
  });
  state.done = new Promise((resolve) => {
    child.on('close', (code, signal) => {
      result ??= { error: `The step ended with ${signal ?? `exit ${code}`} without a result.\n${output}` };
      const failed = result.failed ?? (result.error ? 1 : 0);
      resolve({ name, result: { passed: 0, skipped: 0, ...result, failed } });
    });
  });
  return state;
}

function report(name, start, { passed, failed, skipped, error, note }) {
  const counts = passed || failed || skipped ? `${passed} passed, ${failed} failed` : '';
  const details = [note, counts, skipped ? `${skipped} skipped` : ''].filter(Boolean).join(', ');
  console.log(
    `${error ? 'FAIL' : 'ok  '} ${name.padEnd(12)} ${secondsSince(start).padStart(6)} s  ${details}`.trimEnd(),
  );
  if (error) console.log(error);
}

function secondsSince(start) {
  return ((Date.now() - start) / 1000).toFixed(1);
}
