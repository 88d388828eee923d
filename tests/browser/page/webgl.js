// Everything on the GPU, small work too: the ops, the models, losing the context, and memory.
import * as tf from '/tenure/dist/index.js';
import { cases } from '/web/ops/cases.mjs';
import { held, isClose } from './common.mjs';
import { checkModels } from './models.js';
import { show } from './show.js';
import { contextLoss, crossings, parts, pixels, predictions, reads, small, worker } from './webgl_checks.js';

const kTolerance = 2e-5;

const before = held(tf);
const byDefault = tf.getBackend();
const chosen = await tf.setBackend('webgl');
const forwarded = await small(tf);
tf.env().set('WEBGL_CPU_FORWARD', false);
const models = await (await fetch('/models.json')).json();
show({
  byDefault,
  chosen,
  backend: tf.getBackend(),
  small: forwarded,
  ops: cases.map(runCase).filter(Boolean),
  models: await checkModels(tf, models),
  reads: await reads(tf),
  crossings: await crossings(tf),
  parts: await parts(tf),
  worker: await worker(),
  pixels: await pixels(tf),
  predictions: await predictions(tf),
  contextLoss: [await contextLoss(tf, '/iris/model.json'), await contextLoss(tf, '/mobilenet025/model.json')],
  before,
  after: held(tf),
});

/** Nothing, or what is wrong. */
function runCase([name, call, shape, values, dtype = 'float32'], row) {
  try {
    return tf.tidy(() => {
      const actual = call();
      const got = { dtype: actual.dtype, shape: actual.shape, values: Array.from(actual.dataSync()) };
      const fits =
        got.dtype === dtype &&
        String(got.shape) === String(shape) &&
        got.values.length === values.length &&
        got.values.every((value, i) => isClose(value, Number(values[i]), kTolerance));
      return fits ? undefined : `${name}, row ${row}: ${JSON.stringify(got)} is not ${JSON.stringify(values.map(Number))}`;
    });
  } catch (error) {
    return `${name}, row ${row}: ${error.stack}`;
  }
}
