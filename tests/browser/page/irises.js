import { held } from './common.mjs';

/** Predicts all irises in three ways, and counts the tensors after every turn. */
export async function irises(tf) {
  const before = held(tf);
  const model = await tf.loadLayersModel('/iris/model.json');
  const rows = await readRows('/iris/iris.csv');
  const flowers = rows.map((row) => tf.tensor2d([row.slice(0, 4)]));
  const correct = rows.filter((row, i) => row[4] === tf.tidy(() => model.predict(flowers[i]).argMax(-1).dataSync()[0]));

  const counted = (turn) =>
    flowers.map((flower) => {
      turn(flower);
      return tf.memory().numTensors;
    });
  const leaked = [];
  const report = {
    accuracy: correct.length / rows.length,
    start: tf.memory().numTensors,
    leaking: counted((flower) => leaked.push(model.predict(flower))),
    underTidy: counted((flower) => tf.tidy(() => void model.predict(flower))),
    withDispose: counted((flower) => tf.dispose(model.predict(flower))),
  };
  tf.dispose([leaked, flowers, model]);
  return { ...report, before, after: held(tf) };
}

async function readRows(url) {
  const text = await (await fetch(url)).text();
  return text
    .trim()
    .split('\n')
    .slice(1)
    .map((line) => line.split(',').map(Number));
}
