// The first screen: one program with a leak on TensorFlow.js and on Tenure's debug build, and experiments below it.
import { picture, takePicture } from './camera.js';
import { Listing, type Remark } from './code.js';
import { loadDebugBuild, loadReleaseBuild, loadTensorFlow } from './engines.js';
import { bytes, count } from './format.js';
import { LeakFinder, readLedger, type LineRecord } from './ledger.js';
import { byId, complain, say, setText } from './page.js';
import { makeExperiments, showDisposedInPeer, startExperiment, waitUntilSeen } from './experiments.js';
import { Race, type Runner, type Version } from './race.js';
import { dropOld, makeChart, showPeer, showTenure, type Sample } from './readouts.js';
import { measureSpeed, type Times } from './speed.js';
import type { Tf } from './tf.js';

/** The page's state, for tests. */
interface DemoState {
  readonly race: Race;
  readonly samples: Sample[];
  /** The line that the debug build has found to leak. */
  leak?: LineRecord | undefined;
  speed?: readonly Times[];
  /** True once both programs run, and the experiments have been run once. */
  isComplete?: boolean;
}

declare global {
  var tenureDemo: DemoState;
}

const kFile = 'tracker.ts';
const kMegabyte = 2 ** 20;
const asked = new URLSearchParams(location.search);
/** Bytes at which the page mends the leak of its own accord. A phone has less memory to spare. */
const kLimit = Number(asked.get('limit') ?? (matchMedia('(pointer: coarse)').matches ? 128 : 256)) * kMegabyte;
/** Seconds of leaking after which the page shows the mend; with `?manual` only its button does. */
const kShownLeak = asked.has('manual') ? Infinity : 6;
/** The least seconds for which both programs leak side by side, with the line named, before the mend. */
const kShownTogether = 3;
const isCalm = matchMedia('(prefers-reduced-motion: reduce)').matches;
const kSampleEvery = isCalm ? 1000 : 250;
const kJudgeEvery = 400;
/** Frames between two looks at the ledger, at least. */
const kFramesPerLook = 3;
const kMoment = 500;
const kOwned = 'a tidy owns the nameless tensor. What leaked stays.';

const race = new Race();
const state: DemoState = { race, samples: [] };
const listings = { peer: new Listing(byId('peer-code')), tenure: new Listing(byId('tenure-code')) };
const chart = makeChart();
let peer: Runner | undefined;
let peerTf: Tf | undefined;
/** True until a button is used: then the page mends nothing of its own accord before the limit. */
let isAlone = true;
/** Since when both programs have run and the line has been named, in seconds of running. */
let shownSince = Infinity;
let finder = new LeakFinder();
/** The frames that had run when the ledger was last read. */
let judged = 0;

globalThis.tenureDemo = state;
showVersion();
film(0);
const debugBuild = await loadDebugBuild();
const tenure = race.join(debugBuild);
sample();
byId('leak').addEventListener('click', () => choose('leaking'));
byId('mend').addEventListener('click', () => choose('mended'));
byId('pause').addEventListener('click', pause);
setInterval(sample, kSampleEvery);
setInterval(judge, kJudgeEvery);
say('The program runs on Tenure. TensorFlow.js is being loaded.');
// Before TensorFlow.js is loaded: Safari drops stack frames, so there the debug build names the line of a call only if no
// script of the page defines a function of that name. What it has named stays named.
while (race.turns < kFramesPerLook) await new Promise(requestAnimationFrame);
judge();
for (const experiment of makeExperiments(debugBuild.tf, race)) await startExperiment(experiment);
await idle();
await joinPeer().catch(complain);
state.isComplete = true;
await waitUntilSeen(byId('speed'));
await startExperiment({ id: 'speed', run: measure });

async function measure(): Promise<void> {
  const release = await loadReleaseBuild();
  state.speed = await measureSpeed(release.tf, peerTf);
}

/** Resolves when the page is idle; after a moment in Safari, which has no requestIdleCallback(). */
function idle(): Promise<unknown> {
  return new Promise((resolve) => {
    if (typeof requestIdleCallback === 'function') requestIdleCallback(resolve, { timeout: kMoment });
    else setTimeout(resolve, kMoment);
  });
}

/**
 * Starts the program on TensorFlow.js. A page that was built without it runs Tenure's release build in its place: its
 * memory() has the same numbers.
 */
async function joinPeer(): Promise<void> {
  const loaded = await loadTensorFlow();
  const engine = loaded ?? (await loadReleaseBuild());
  peerTf = loaded?.tf;
  peer = race.join(engine);
  setText('peer-name', loaded ? engine.name : `${engine.name} (TensorFlow.js is not installed)`);
  if (loaded) showDisposedInPeer(loaded.tf);
  else setText('peer-legend', engine.name);
  say('Both programs leak, and both will fill the tab. Only one says where.');
}

/** Animates the picture, and runs the programs on it. Both pause in a hidden tab, the picture if less motion is preferred. */
function film(time: number): void {
  takePicture(isCalm ? 0 : time / 1000);
  try {
    race.tick(time, picture);
  } catch (error) {
    race.isRunning = false;
    complain(error);
  }
  requestAnimationFrame(film);
}

function choose(version: Version): void {
  isAlone = false;
  if (version === 'mended') {
    mend(`Both are mended: ${kOwned}`);
  } else {
    race.leak();
    state.samples.length = 0;
    chart.mark(undefined);
    finder = new LeakFinder();
    judged = 0;
    state.leak = undefined;
    showVersion();
    say('Started over, with the leak.');
  }
  resume();
  sample();
}

function mend(words: string): void {
  if (race.version === 'mended') return;
  race.mend();
  showVersion();
  chart.mark(race.seconds, 'mended');
  say(words);
}

/** Shows the version of the program that runs. */
function showVersion(): void {
  const { version } = race;
  byId('leak').setAttribute('aria-pressed', String(version === 'leaking'));
  byId('mend').setAttribute('aria-pressed', String(version === 'mended'));
  document.body.classList.toggle('mended', version === 'mended');
  const mended = new Map<number, Remark>(
    listings.tenure
      .linesThatDiffer('mended', 'leaking')
      .map((line) => [line, { kind: 'mended', text: 'Owned and freed by tf.tidy.' }]),
  );
  for (const listing of Object.values(listings)) {
    listing.show(version);
    listing.remark(version === 'mended' ? mended : new Map());
  }
}

function pause(): void {
  race.isRunning = !race.isRunning;
  setText('pause', race.isRunning ? 'Pause' : 'Go on');
}

function resume(): void {
  if (!race.isRunning) pause();
}

/** Looks for the line that leaks, once there are frames since the last look. */
function judge(): void {
  if (race.turns < judged + kFramesPerLook) return;
  judged = race.turns;
  state.leak = finder.look(readLedger(debugBuild.tf, kFile));
  showPrograms();
  if (!state.leak || race.version === 'mended') return;
  const { line, numTensors, numBytes } = state.leak;
  const text = `${count(numTensors)} tensors made here are alive: ${bytes(numBytes)}`;
  listings.tenure.remark(new Map([[line, { kind: 'leaks', text }]]));
}

function sample(): void {
  if (race.isRunning) {
    state.samples.push({ time: race.seconds, tenure: tenure.numBytes, peer: peer?.numBytes });
    dropOld(state.samples);
  }
  chart.show(state.samples);
  showPrograms();
  if (peer && state.leak && shownSince === Infinity) shownSince = race.seconds;
  if (tenure.numBytes >= kLimit) {
    mend(`Mended at ${bytes(kLimit)}: ${kOwned}`);
  } else if (isAlone && race.seconds >= Math.max(kShownLeak, shownSince + kShownTogether)) {
    mend(`Both are mended: ${kOwned}`);
  }
}

/** Shows both programs at the same frame. */
function showPrograms(): void {
  showTenure(race, tenure, kFile, state.leak, judged);
  if (peer) showPeer(race, peer);
}
