import * as tf from 'tenure';

/** A model, and inputs to predict. */
export interface Workload {
  readonly model: tf.LayersModel;
  /** Each a batch of one. */
  readonly inputs: readonly tf.Tensor[];
  /** What owns the inputs: the loops' scopes are open meanwhile, and must not. */
  readonly scope: tf.Scope;
  /** What the outputs say of the input at `index`, in words. */
  readonly describe: (index: number, outputs: ArrayLike<number>) => string;
}

const kSpecies = ['setosa', 'versicolor', 'virginica'];
const kImages = 8;

/** How to load each model that the page offers. */
export const models = { iris: loadIris, mobilenet: loadMobileNet };
export type ModelName = keyof typeof models;

async function loadIris(): Promise<Workload> {
  const [model, table] = await Promise.all([tf.loadLayersModel('iris/model.json'), fetch('iris/iris.csv')]);
  const lines = (await table.text()).trim().split('\n').slice(1);
  const rows = lines.map((line) => line.split(',').map(Number));
  const scope = tf.scope('irises');
  return {
    model,
    scope,
    inputs: scope.run(() => rows.map((row) => tf.tensor2d([row.slice(0, 4)]))),
    describe(index, outputs) {
      const best = highest(outputs);
      const truth = rows[index]![4]!;
      const verdict = best === truth ? 'right' : `wrong, it is ${kSpecies[truth]}`;
      return `Flower ${index + 1} of ${rows.length}: ${kSpecies[best]}, ${percent(outputs[best]!)} (${verdict})`;
    },
  };
}

async function loadMobileNet(): Promise<Workload> {
  const model = await tf.loadLayersModel('mobilenet025/model.json');
  const shape = model.inputs[0]!.shape.slice(1) as number[];
  const scope = tf.scope('images');
  return {
    model,
    scope,
    inputs: scope.run(() => Array.from({ length: kImages }, () => tf.randomUniform([1, ...shape]))),
    describe(index, outputs) {
      const best = highest(outputs);
      return `Noise image ${index + 1} of ${kImages}: class ${best}, ${percent(outputs[best]!)} (random weights)`;
    },
  };
}

/** Frees the model and its inputs. */
export function disposeWorkload({ model, scope }: Workload): void {
  scope.close();
  model.dispose();
}

function highest(values: ArrayLike<number>): number {
  let best = 0;
  for (let i = 1; i < values.length; i++) if (values[i]! > values[best]!) best = i;
  return best;
}

function percent(probability: number): string {
  return `${(100 * probability).toFixed(1)} %`;
}
