import * as tf from 'tenure';
import { ContextSwitch } from './context.js';
import { count } from './format.js';
import { History } from './history.js';
import { Learner, showDigits } from './learner.js';
import type { Loop } from './loop.js';
import type { ModelName } from './models.js';
import { byId, explain, say, setText } from './page.js';
import { charts, learningCharts, showEngine, showLearner, showLoop, showSamples } from './readouts.js';
import { SiteTable } from './sites.js';
import { Workbench } from './workbench.js';

declare global {
  /** What the charts show, for tests. */
  var tenureDemo: { charts: typeof charts & typeof learningCharts; history: History; learner: Learner };
}

// The engine itself has room for 2^20 tensors.
const kLimits = {
  bytes: 512 * 2 ** 20,
  tensors: Number(new URLSearchParams(location.search).get('most-tensors') ?? 250_000),
};
const isCalm = matchMedia('(prefers-reduced-motion: reduce)').matches;
const kSampleEvery = isCalm ? 1000 : 250;
const kSitesEvery = 1000;
const kNoCollector = 'Browsers hide it: start Chrome with --js-flags=--expose-gc.';

const modelChoice = byId<HTMLSelectElement>('model');
const backendChoice = byId<HTMLSelectElement>('backend');
const paceChoice = byId<HTMLSelectElement>('pace');
const history = new History();
const bench = new Workbench(modelChoice.value as ModelName, kLimits, complain);
const learner = new Learner(() => showLearner(learner), complain);
const context = new ContextSwitch(contextChanged);
globalThis.tenureDemo = { charts: { ...charts, ...learningCharts }, history, learner };
let actions = Promise.resolve();

// When work pays on the GPU is not what this page is about: here WebGL means the GPU, however small the work.
tf.env().set('WEBGL_CPU_FORWARD', false);
await tf.ready();

for (const loop of bench.loops) on(`${loop.name}-toggle`, 'click', () => toggle(loop));
on('learn-toggle', 'click', toggleLearning);
on('dispose', 'click', disposeAll);
on('collect', 'click', collect);
on('context', 'click', switchContext);
on('model', 'change', changeModel);
on('backend', 'change', changeBackend);
on('pace', 'change', changePace);

backendChoice.value = tf.getBackend();
changePace();
explain('collect', globalThis.gc ? '' : kNoCollector, "Frees JavaScript's objects, not the tensors behind them.");
showContext();
showDigits(byId<HTMLCanvasElement>('learn-digits'), learner.unseen.images);
if (tf.debug.enabled) showSites();
sample();
setInterval(sample, kSampleEvery);
document.querySelector('main')!.inert = false;
say(`Ready, with the ${tf.debug.enabled ? 'debug' : 'release'} build on ${backendName()}. Start a loop.`);

/** Lets a control act when all that was asked for before is done, and tells what came of it. */
function on(id: string, event: string, action: () => string | Promise<string>): void {
  byId(id).addEventListener(event, () => {
    actions = actions.then(action).then(say, complain).finally(sample);
  });
}

async function toggle(loop: Loop): Promise<string> {
  await bench.toggle(loop);
  const name = loop === bench.tidy ? 'The loop under tidy' : 'The leaking loop';
  return `${name} ${loop.isRunning ? 'runs' : `has stopped. It holds ${count(loop.numTensors)} tensors`}.`;
}

async function toggleLearning(): Promise<string> {
  if (learner.isRunning) await learner.stop();
  else learner.start();
  showLearner(learner);
  return learner.isRunning ? 'The training runs.' : 'The training has stopped. What was learned stays.';
}

async function disposeAll(): Promise<string> {
  await learner.dispose();
  showLearner(learner);
  await bench.disposeAll();
  return `Everything is disposed: tf.memory().numTensors is ${count(tf.memory().numTensors)}.`;
}

async function collect(): Promise<string> {
  if (!globalThis.gc) return kNoCollector;
  const before = tf.memory().numTensors;
  await globalThis.gc({ type: 'major', execution: 'async' });
  const after = tf.memory().numTensors;
  return `Garbage is collected. Tensors before: ${count(before)}, after: ${count(after)}. Only dispose and scopes free them.`;
}

async function changeModel(): Promise<string> {
  await bench.changeModel(modelChoice.value as ModelName);
  return `The model is ${chosenText(modelChoice)}.`;
}

async function changeBackend(): Promise<string> {
  const isThere = await tf.setBackend(backendChoice.value);
  backendChoice.value = tf.getBackend();
  showContext();
  return isThere ? `Ops run on ${backendName()}.` : 'This browser has no WebGL2, or none that draws to floats.';
}

function changePace(): string {
  bench.flatOut = paceChoice.value === 'flat-out';
  return `The pace: ${chosenText(paceChoice)}.`;
}

function switchContext(): string {
  if (context.obstacle) return context.obstacle;
  context.toggle();
  return context.isLost ? 'Asked for the context.' : 'Gave the context away.';
}

function contextChanged(): void {
  showContext();
  say(
    context.isLost
      ? 'The GPU context is lost. Outputs that only the GPU had are gone; the loops go on, on the CPU.'
      : 'The GPU context is back. The weights went up again from their copies, and the loops go on on the GPU.',
  );
}

function showContext(): void {
  setText('context', context.isLost ? 'Restore the GPU context' : 'Lose the GPU context');
  explain('context', context.obstacle, 'As a driver does when it restarts.');
}

function showSites(): void {
  byId('sites-release').hidden = true;
  byId('sites').hidden = false;
  const table = new SiteTable(byId<HTMLTableSectionElement>('site-rows'));
  table.update();
  setInterval(() => table.update(), kSitesEvery);
}

function sample(): void {
  history.take(bench.leaking, bench.tidy);
  showSamples(history.samples);
  bench.loops.forEach(showLoop);
  showEngine();
  const limit = bench.limitReached;
  if (limit) void stopAt(limit);
}

async function stopAt(limit: string): Promise<void> {
  await bench.leaking.stop();
  sample();
  say(`Stopped the leaking loop at ${limit}, so that the tab lives. Dispose everything to begin anew.`, true);
}

function complain(error: unknown): void {
  console.error(error);
  say(error instanceof Error ? `${error.name}: ${error.message}` : String(error), true);
}

function backendName(): string {
  return chosenText(backendChoice);
}

function chosenText(choice: HTMLSelectElement): string {
  return choice.selectedOptions[0]!.text;
}
