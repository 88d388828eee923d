import * as tf from 'tenure';
import { takePicture } from './camera.js';
import { kFile, lightUp, showCode } from './code.js';
import { backendName, on, openDevice } from './device.js';
import { count } from './format.js';
import { History } from './history.js';
import type { Loop } from './loop.js';
import { byId, chosenText, complain, say, setText } from './page.js';
import { charts, kSpoken, showEngine, showLoop, showRatio, showSamples } from './readouts.js';
import { loadRival, type Rival } from './rival.js';
import { SiteTable } from './sites.js';
import { loadWitness, type Witness } from './witness.js';
import { Workbench } from './workbench.js';
import type { WayName, WorkName } from './works.js';

declare global {
  /** The charts' state, for tests. */
  var tenureDemo: { charts: typeof charts; history: History };
}

const kMegabyte = 2 ** 20;
const asked = new URLSearchParams(location.search);
// A phone has less memory to spare, and the engine itself has room for 2^20 tensors.
const kLimits = {
  bytes: (matchMedia('(pointer: coarse)').matches ? 256 : 512) * kMegabyte,
  tensors: Number(asked.get('most-tensors') ?? 250_000),
};
const isCalm = matchMedia('(prefers-reduced-motion: reduce)').matches;
const kSampleEvery = isCalm ? 1000 : 250;
const kSitesEvery = 1000;
const kMillisecond = 1e-3;
const kMoment = 500;

const workChoice = byId<HTMLSelectElement>('work');
const paceChoice = byId<HTMLSelectElement>('pace');
const history = new History();
const bench = new Workbench(workChoice.value as WorkName, kLimits, complain);
let rival: Rival | undefined;
let witness: Witness | undefined;
globalThis.tenureDemo = { charts, history };

showCode(bench.workName);
await openDevice((name) => rival?.setBackend(name));
for (const loop of bench.loops) on(`${loop.name}-toggle`, 'click', () => toggle(loop));
on('peer-toggle', 'click', toggleRival);
on('peer-way', 'change', changeRival);
on('dispose', 'click', disposeAll);
on('work', 'change', changeWork);
on('pace', 'change', changePace);

changePace();
film(0);
if (!asked.has('wait')) await bench.start();
sample();
setInterval(sample, kSampleEvery);
const doing = bench.leaking.isRunning ? 'Both loops run' : 'Start a loop';
say(`Ready: the release build on ${backendName()}. ${doing}.`);
whenIdle(() => void loadWitness(report, complain).then(testify, complain));

/** Calls `task` when the page is idle; after a moment in Safari, which has no requestIdleCallback(). */
function whenIdle(task: () => void): void {
  if (typeof requestIdleCallback === 'function') requestIdleCallback(task);
  else setTimeout(task, kMoment);
}

/** Animates the picture. Everything pauses in a hidden tab, and the picture for users who prefer reduced motion. */
function film(time: number): void {
  takePicture(isCalm ? 0 : time * kMillisecond);
  requestAnimationFrame(film);
}

async function toggle(loop: Loop): Promise<string> {
  await bench.toggle(loop);
  return told(loop);
}

async function toggleRival(): Promise<string> {
  if (!rival) {
    say('Loading TensorFlow.js.');
    rival = await loadRival(tf.getBackend(), complain);
    if (!rival) return 'TensorFlow.js could not be installed when this page was built.';
    rival.loop.flatOut = isFlatOut();
    setText('peer-version', rival.version);
    byId('peer').classList.add('loaded');
  }
  const { loop } = rival;
  if (loop.isRunning) await loop.stop();
  else await rival.start();
  sample();
  return told(loop);
}

async function changeRival(): Promise<string> {
  const choice = byId<HTMLSelectElement>('peer-way');
  if (!rival) return 'TensorFlow.js is not loaded.';
  const { loop } = rival;
  const { isRunning } = loop;
  await loop.dispose();
  loop.way = choice.value as WayName;
  if (isRunning) await rival.start();
  return `TensorFlow.js runs its loop ${chosenText(choice)}.`;
}

async function disposeAll(): Promise<string> {
  await rival?.loop.dispose();
  await bench.disposeAll();
  sample();
  return `Everything is disposed: tf.memory().numTensors is ${count(tf.memory().numTensors)}.`;
}

async function changeWork(): Promise<string> {
  await bench.changeWork(workChoice.value as WorkName);
  showCode(bench.workName);
  void witness?.watch(bench.workName).catch(complain);
  return `The loops do other work: ${chosenText(workChoice)}.`;
}

function changePace(): string {
  bench.flatOut = isFlatOut();
  if (rival) rival.loop.flatOut = isFlatOut();
  return `The pace: ${chosenText(paceChoice)}.`;
}

function isFlatOut(): boolean {
  return paceChoice.value === 'flat-out';
}

function told({ name, isRunning, numTensors }: Loop): string {
  const spoken = kSpoken[name].replace('the', 'The');
  return `${spoken} ${isRunning ? 'runs' : `has stopped. It holds ${count(numTensors)} tensors`}.`;
}

async function testify(loaded: Witness): Promise<void> {
  witness = loaded;
  const table = new SiteTable(loaded.tf, byId<HTMLTableSectionElement>('site-rows'));
  setInterval(() => table.update(), kSitesEvery);
  await loaded.watch(bench.workName);
}

function report(): void {
  if (!witness) return;
  const lines = witness.linesOf(kFile);
  lightUp(lines);
  const [worst] = lines.sort((a, b) => b.numBytes - a.numBytes);
  if (!worst) return;
  setText('named', `${kFile}:${worst.line}`);
  setText('verdict', "leaks, says the debug build's report");
}

function sample(): void {
  const loops = [...bench.loops, ...(rival ? [rival.loop] : [])];
  history.take(bench.leaking, bench.tidy, rival?.loop);
  showSamples(history, loops);
  loops.forEach(showLoop);
  if (rival) showRatio(rival.loop, rival.loop.way === 'tidy' ? bench.tidy : bench.leaking);
  showEngine();
  const limit = bench.limitReached;
  if (limit) void stopAt(limit);
  if (rival && rival.loop.isRunning && rival.loop.numBytes >= kLimits.bytes) void rival.loop.stop();
}

async function stopAt(limit: string): Promise<void> {
  await bench.leaking.stop();
  sample();
  setText('leaking-forecast', `Stopped for your tab's sake`);
  say(
    `Stopped the leaking loop at ${limit}, so that the tab lives. It may go on to as much again, or dispose everything.`,
    true,
  );
}
