import type { LayersModel, Tensor } from 'tenure';
import { picture } from './camera.js';
import type { Tf } from './tf.js';
import * as ways from './ways.js';

export const kWays = ['leaking', 'tidy'] as const;
export type WayName = (typeof kWays)[number];

/** The outputs of one turn, once they have been read. */
export interface Outputs {
  readonly values: Promise<ArrayLike<number>>;
}

/** The work that the loops repeat. */
export interface Work {
  /** The number of inputs before they repeat. */
  readonly numInputs: number;
  /** One turn, with the input at `index`. */
  readonly ways: Readonly<Record<WayName, (index: number) => Outputs>>;
  /** Returns a description of the outputs for the input at `index`. */
  readonly describe: (index: number, outputs: ArrayLike<number>) => string;
  /** Disposes its inputs, and its model if it has one. */
  readonly dispose: () => void;
}

const kSpecies = ['setosa', 'versicolor', 'virginica'];
const kImages = 8;

/** Prepares each kind of work that the page offers, on any of the engines. */
export const works = { camera: pictures, iris: flowers, mobilenet: noise };
export type WorkName = keyof typeof works;

function pictures(tf: Tf): Promise<Work> {
  return Promise.resolve({
    numInputs: 1,
    ways: { leaking: () => ways.camera.leaking(tf, picture), tidy: () => ways.camera.tidy(tf, picture) },
    describe: (_, outputs) => `The mean colour is rgb(${Array.from(outputs, Math.round).join(', ')}).`,
    dispose() {},
  });
}

async function flowers(tf: Tf): Promise<Work> {
  const [model, table] = await Promise.all([tf.loadLayersModel('iris/model.json'), fetch('iris/iris.csv')]);
  const lines = (await table.text()).trim().split('\n').slice(1);
  const rows = lines.map((line) => line.split(',').map(Number));
  const makeInputs = () => rows.map((row) => tf.tensor2d([row.slice(0, 4)]));
  return predicting(tf, model, makeInputs, (index, outputs) => {
    const best = highest(outputs);
    const truth = rows[index]![4]!;
    const verdict = best === truth ? 'right' : `wrong, it is ${kSpecies[truth]}`;
    return `Flower ${index + 1} of ${rows.length}: ${kSpecies[best]}, ${percent(outputs[best]!)} (${verdict})`;
  });
}

async function noise(tf: Tf): Promise<Work> {
  const model = await tf.loadLayersModel('mobilenet025/model.json');
  const shape = model.inputs[0]!.shape.slice(1) as number[];
  const makeInputs = () => Array.from({ length: kImages }, () => tf.randomUniform([1, ...shape]));
  return predicting(tf, model, makeInputs, (index, outputs) => {
    const best = highest(outputs);
    return `Noise image ${index + 1} of ${kImages}: class ${best}, ${percent(outputs[best]!)} (random weights)`;
  });
}

/** The inputs have a scope of their own: the loops' scopes are open meanwhile, and must not own them. */
function predicting(tf: Tf, model: LayersModel, makeInputs: () => Tensor[], describe: Work['describe']): Work {
  const scope = tf.scope('inputs');
  const inputs = scope.run(makeInputs);
  return {
    numInputs: inputs.length,
    ways: {
      leaking: (index) => ways.model.leaking(tf, model, inputs[index]!),
      tidy: (index) => ways.model.tidy(tf, model, inputs[index]!),
    },
    describe,
    dispose() {
      scope.close();
      model.dispose();
    },
  };
}

function highest(values: ArrayLike<number>): number {
  let best = 0;
  for (let i = 1; i < values.length; i++) if (values[i]! > values[best]!) best = i;
  return best;
}

function percent(part: number): string {
  return `${(100 * part).toFixed(1)} %`;
}
