import type { Tensor, Tensor2D, Tensor4D } from 'tenure';
import { showBars, type Bar } from './bars.js';
import { milliseconds } from './format.js';
import { byId, setText } from './page.js';
import type { Tf } from './tf.js';

/** An op on inputs of given shapes, which both libraries compute. */
interface Work {
  readonly name: string;
  readonly shapes: readonly (readonly number[])[];
  readonly run: (tf: Tf, inputs: readonly Tensor[]) => Tensor;
}

const kWorks: readonly Work[] = [
  {
    name: 'matMul, 512 × 512',
    shapes: [
      [512, 512],
      [512, 512],
    ],
    run: (tf, [a, b]) => tf.matMul(a!, b!),
  },
  {
    name: 'conv2d 3 × 3, 56 × 56 × 64',
    shapes: [
      [1, 56, 56, 64],
      [3, 3, 64, 64],
    ],
    run: (tf, [x, filter]) => tf.conv2d(x as Tensor4D, filter as Tensor4D, 1, 'same'),
  },
  { name: 'softmax, 1024 × 1000', shapes: [[1024, 1000]], run: (tf, [x]) => tf.softmax(x as Tensor2D) },
  {
    name: 'add, a million floats',
    shapes: [
      [1000, 1000],
      [1000, 1000],
    ],
    run: (tf, [a, b]) => tf.add(a!, b!),
  },
];
/** Milliseconds for which each engine runs a work before it is measured, so that it is compiled for speed. */
const kWarmUp = 400;
const kRuns = 20;
/** Milliseconds of work between two frames of the page. */
const kSlice = 25;

/** The shortest times of a work in milliseconds. `peer` is undefined without TensorFlow.js. */
export interface Times {
  readonly name: string;
  readonly tenure: number;
  readonly peer: number | undefined;
}

/** Measures the works on both libraries in turn, and shows each as soon as it is measured. */
export async function measureSpeed(tenure: Tf, peer: Tf | undefined): Promise<Times[]> {
  const times: Times[] = [];
  for (const work of kWorks) {
    setText('speed-outcome', `Measuring ${work.name}.`);
    const [own, other] = await race(work, peer ? [tenure, peer] : [tenure]);
    times.push({ name: work.name, tenure: own!, peer: other });
    show(times.at(-1)!, times.length - 1);
  }
  setText('speed-outcome', `Each is the fastest of ${kRuns} runs or more.`);
  return times;
}

/** Returns the shortest time of a work on each engine, which other programs on the machine disturb the least. The engines
 * take turns. */
async function race({ shapes, run }: Work, engines: readonly Tf[]): Promise<number[]> {
  // Kept: the page may free what the program has left in TensorFlow.js meanwhile.
  const inputs = engines.map((tf) => shapes.map((shape) => tf.keep(tf.randomUniform([...shape]))));
  const times: number[][] = engines.map(() => []);
  const spent = engines.map(() => 0);
  const isWarm = () => spent.every((milliseconds) => milliseconds >= kWarmUp);
  while (times.some((all) => all.length < kRuns)) {
    const counts = isWarm();
    for (const [engine, tf] of engines.entries()) {
      await new Promise(requestAnimationFrame);
      const end = performance.now() + kSlice;
      do {
        const start = performance.now();
        // The tidy returns nothing: TensorFlow.js looks for tensors in each number of an array that it returns.
        tf.tidy(() => void run(tf, inputs[engine]!).dataSync());
        const time = performance.now() - start;
        spent[engine]! += time;
        if (counts) times[engine]!.push(time);
      } while (performance.now() < end);
    }
  }
  for (const [engine, tf] of engines.entries()) tf.dispose(inputs[engine]);
  return times.map((all) => Math.min(...all));
}

/** Shows the times of the work at `index`, in the place of its earlier ones. */
function show({ name, tenure, peer }: Times, index: number): void {
  const group = document.createElement('div');
  const heading = document.createElement('h4');
  const list = document.createElement('ul');
  heading.textContent = peer === undefined ? name : `${name}: ${ratio(peer / tenure)}`;
  list.className = 'bars';
  const bars: Bar[] = [{ label: 'Tenure', value: tenure, text: milliseconds(tenure), kind: 'tenure' }];
  if (peer !== undefined) bars.push({ label: 'TensorFlow.js', value: peer, text: milliseconds(peer), kind: 'peer' });
  showBars(list, bars);
  group.append(heading, list);
  const groups = byId('speed-bars');
  groups.replaceChildren(
    ...Array.from(groups.children).map((child, i) => (i === index ? group : child)),
    ...(groups.children.length > index ? [] : [group]),
  );
}

/** Returns "2.3 times as fast", or "0.9 times as fast" where Tenure is slower. */
function ratio(value: number): string {
  return `${value.toFixed(1)} times as fast`;
}
