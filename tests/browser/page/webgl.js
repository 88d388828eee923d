// Runs everything on the GPU, small workloads included: the ops, the models, context loss, and memory.
import * as tf from '/tenure/dist/index.js';
import { held } from './common.mjs';
import { checkModels } from './models.js';
import { runCases } from './op_cases.js';
import { show } from './show.js';
import { contextLoss, crossings, parts, pixels, predictions, reads, small, worker } from './webgl_checks.js';

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
  ops: runCases(tf),
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
