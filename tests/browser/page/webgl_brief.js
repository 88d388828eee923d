// WebGL2 in browsers other than Chromium: the ops, a model, pictures and a lost context.
import * as tf from '/tenure/dist/index.js';
import { held } from './common.mjs';
import { runCases } from './op_cases.js';
import { checkModels } from './models.js';
import { show } from './show.js';
import { contextLoss, pixels, reads } from './webgl_checks.js';

await tf.ready();
const before = held(tf);
const byDefault = tf.getBackend();
const chosen = await tf.setBackend('webgl');
if (chosen) tf.env().set('WEBGL_CPU_FORWARD', false);
show({
  byDefault,
  chosen,
  ops: runCases(tf),
  models: await checkModels(tf, ['iris', 'mobilenet025']),
  reads: await reads(tf),
  pixels: await pixels(tf),
  contextLoss: await contextLoss(tf, '/iris/model.json'),
  before,
  after: held(tf),
});
