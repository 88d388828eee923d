// The small experiments below the first screen: mistakes that the debug build explains.
import { picture } from './camera.js';
import { Listing, type Remark } from './code.js';
import { bytes, count } from './format.js';
import { grownLines, readLedger } from './ledger.js';
import * as mistakes from './mistakes.js';
import { byId, complain, setText } from './page.js';
import type { Race } from './race.js';
import { showBars } from './bars.js';
import type { Tenure, Tf } from './tf.js';

const kFile = 'mistakes.ts';
/** Calls that wait for an answer at the same time. */
const kCalls = 10;
/** Bytes that the program without memory may take. */
const kBudget = 24 * 2 ** 20;
const kShownGroups = 3;
const kThumbnail = new ImageData(64, 64);
const kShowEvery = 250;

/** An experiment, which shows its outcome in the element `id`, where its button is, too. */
export interface Experiment {
  readonly id: string;
  readonly run: () => Promise<void>;
}

/** Makes the experiments on the debug build, in which `race` runs. */
export function makeExperiments(tf: Tenure, race: Race): Experiment[] {
  return [awaitExperiment(tf, kThumbnail), disposeExperiment(tf, kThumbnail), memoryExperiment(tf, race)];
}

/** Runs an experiment, and again whenever its button is pressed. Resolves after the first run; shows its errors. */
export async function startExperiment({ id, run }: Experiment): Promise<void> {
  let isBusy = false;
  const start = async () => {
    if (isBusy) return;
    isBusy = true;
    await run().catch(complain);
    isBusy = false;
  };
  byId(`${id}-run`).addEventListener('click', () => void start());
  await start();
}

/** Resolves when an element comes into view. */
export function waitUntilSeen(element: HTMLElement): Promise<void> {
  return new Promise((resolve) => {
    const watch = new IntersectionObserver((entries) => {
      if (!entries.some(({ isIntersecting }) => isIntersecting)) return;
      watch.disconnect();
      resolve();
    });
    watch.observe(element);
  });
}

/** Runs a function with an await many times at once, without an owner and in a scope. */
function awaitExperiment(tf: Tenure, frame: ImageData): Experiment {
  const listing = new Listing(byId('await-code'));
  const leave = async (fn: (tf: Tenure, frame: ImageData) => Promise<unknown>) => {
    const before = readLedger(tf, kFile);
    await Promise.all(Array.from({ length: kCalls }, () => fn(tf, frame)));
    return grownLines(before, readLedger(tf, kFile)).map(({ line, ops, numTensors }) => ({
      line,
      text: `${ops[0]} leaves ${count(numTensors - (before.get(line)?.numTensors ?? 0))} tensors`,
    }));
  };
  return {
    id: 'await',
    async run() {
      const lost = await leave(mistakes.unowned);
      listing.remark(new Map(lost.map(({ line, text }) => [line, leaks(text)])));
      const kept = await leave(mistakes.owned);
      setText(
        'await-outcome',
        `${kCalls} calls at once: without an owner, ${lost.length} lines leak. ` +
          `In scopeAsync, ${kept.length === 0 ? 'none does' : `${kept.length} do`}.`,
      );
    },
  };
}

/** Uses a disposed tensor. */
function disposeExperiment(tf: Tenure, frame: ImageData): Experiment {
  const listing = new Listing(byId('dispose-code'));
  return {
    id: 'dispose',
    run() {
      setText(
        'dispose-outcome',
        messageOf(() => mistakes.disposed(tf, frame)),
      );
      const use = tf.debug
        .events()
        .filter(({ kind }) => kind === 'use-after-dispose')
        .at(-1);
      const [made, freed] = [...(use?.message.matchAll(/mistakes\.ts:(\d+):\d+/g) ?? [])].map(([, line]) =>
        Number(line),
      );
      const used = Number(/mistakes\.ts:(\d+):\d+$/.exec(use?.site ?? '')?.[1]);
      listing.remark(
        new Map<number, Remark>([
          [made ?? 0, { kind: 'mended', text: 'made here' }],
          [freed ?? 0, leaks('disposed here')],
          [used, leaks('used here')],
        ]),
      );
      return Promise.resolve();
    },
  };
}

/** Shows what TensorFlow.js says about the use of a disposed tensor. */
export function showDisposedInPeer(tf: Tf): void {
  setText(
    'dispose-peer',
    messageOf(() => mistakes.disposed(tf, kThumbnail)),
  );
}

/** Runs out of memory, and shows the largest tensors, and the frames that the page has run since. */
function memoryExperiment(tf: Tenure, race: Race): Experiment {
  let failedAt: number | undefined;
  setInterval(() => {
    if (failedAt === undefined) return;
    setText('memory-since', `The page goes on: ${count(race.turns - failedAt)} frames since.`);
  }, kShowEvery);
  return {
    id: 'memory',
    run() {
      try {
        tf.setMemoryBudget(tf.memory().detail.heapUsed + kBudget);
        tf.tidy(() => mistakes.hoarding(tf, picture));
      } catch (error) {
        if (!(error instanceof tf.OutOfMemoryError)) throw error;
        failedAt = race.turns;
        setText('memory-outcome', `${error.name}: ${error.message.split('. The largest: ')[0]}.`);
        showBars(
          byId('memory-bars'),
          error.largestTensors.slice(0, kShownGroups).map(({ count: number, dtype, shape, site, bytes: size }) => ({
            label: `${count(number)} × ${dtype}[${shape}]${site.replace('web/demo/', '')}`,
            value: size,
            text: bytes(size),
          })),
        );
      } finally {
        tf.setMemoryBudget(null);
        tf.trim();
      }
      return Promise.resolve();
    },
  };
}

function leaks(text: string): Remark {
  return { kind: 'leaks', text };
}

/** Returns the message of the error that `fn` throws. */
function messageOf(fn: () => unknown): string {
  try {
    fn();
  } catch (error) {
    return error instanceof Error ? `${error.name}: ${error.message}` : String(error);
  }
  return 'No error.';
}
