import { Chart, type Line, type Spread } from './chart.js';
import { bytes, count, duration } from './format.js';
import type { LineRecord } from './ledger.js';
import { byId, setText } from './page.js';
import type { Race, Runner } from './race.js';

/** The bytes that the programs hold; `time` is in seconds of running. */
export interface Sample {
  readonly time: number;
  readonly tenure: number;
  /** undefined until TensorFlow.js is loaded. */
  readonly peer: number | undefined;
}

const kSpan = 60;
const kMinSpan = 12;
const kMinBytes = 2 ** 20;
const kDots = [2, 6];
const kPowersOfTwo = Array.from({ length: 40 }, (_, exponent) => 2 ** exponent);

const running: Spread<Sample> = {
  words: 'over the time of running',
  place: ({ time }) => time,
  range: (end) => [Math.max(0, end - kSpan), Math.max(kMinSpan, end)],
  format: (seconds) => `${seconds} s`,
  increments: [2, 5, 10],
};

const lines: Line<Sample>[] = [
  { name: 'Tenure', color: '--band', width: 7, value: ({ tenure }) => tenure },
  {
    // Another name where TensorFlow.js is not installed.
    get name() {
      return byId('peer-legend').textContent ?? '';
    },
    color: '--text',
    dash: kDots,
    value: ({ peer }) => peer,
  },
];

/** Makes the chart of the programs' bytes. */
export function makeChart(): Chart<Sample> {
  return new Chart(byId('chart-bytes'), {
    name: 'Bytes of tensors',
    spread: running,
    lines,
    format: bytes,
    least: kMinBytes,
    increments: kPowersOfTwo,
  });
}

/** Removes the samples that the chart does not show any more. One before its edge remains, so that its lines reach it. */
export function dropOld(samples: Sample[]): void {
  const end = samples.at(-1)?.time ?? 0;
  while (samples.length > 1 && samples[1]!.time < end - kSpan) samples.shift();
}

/** Shows what a program on TensorFlow.js tells: a number. */
export function showPeer(race: Race, runner: Runner): void {
  byId('peer').classList.add('started');
  setText('peer-score', bytes(runner.numBytes));
  setText('peer-facts', facts(race, runner, ''));
  setText(
    'peer-answer',
    race.version === 'leaking' ? 'Which line? tf.memory() cannot say.' : 'The number stands still.',
  );
}

/** Shows what the program on Tenure's debug build tells: the line that leaks, if there is one, as found after `turns` frames. */
export function showTenure(
  race: Race,
  runner: Runner,
  file: string,
  leak: LineRecord | undefined,
  turns: number,
): void {
  byId('tenure').classList.toggle('started', leak !== undefined || race.version === 'mended');
  const held = bytes(runner.numBytes);
  if (leak) {
    setText('tenure-score', `${file}:${leak.line}`);
    const each = Math.round(leak.numTensors / turns);
    setText('tenure-answer', `${leak.ops.join(', ')}: ${count(each)} ${each === 1 ? 'tensor' : 'tensors'} a frame.`);
  } else if (race.version === 'mended') {
    setText('tenure-score', 'No line leaks');
    setText('tenure-answer', 'No line gains tensors.');
  } else {
    setText('tenure-score', 'Watching');
    setText('tenure-answer', 'Reading the ledger.');
  }
  setText('tenure-facts', facts(race, runner, `${held} `));
}

function facts(race: Race, runner: Runner, amount: string): string {
  const tensors = `${amount}in ${count(runner.numTensors)} tensors`;
  const seconds = race.secondsLeft(runner);
  if (race.version === 'mended') return `${tensors}, and no more. Never full.`;
  return Number.isNaN(seconds) ? `${tensors}, and growing.` : `${tensors}. Tab full in ${duration(seconds)}.`;
}
