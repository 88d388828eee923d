// Runs everything on WebGPU, small workloads included: the ops, models, reads of both kinds, device loss, and memory.
import * as tf from '/tenure/dist/index.js';
import { held } from './common.mjs';
import { checkModels } from './models.js';
import { runCases } from './op_cases.js';
import { sharedBuffers } from './device/shared_buffers.mjs';
import { show } from './show.js';
import { parts, predictions, reads, small } from './webgl_checks.js';
import { blockingReads, compiledAhead, deviceLoss, devices, timing, training, worker } from './webgpu_checks.js';

const byDefault = tf.getBackend();
const chosen = await tf.setBackend('webgpu');
const before = held(tf);
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
  compiledAhead: await compiledAhead(tf),
  timing: await timing(tf),
  reads: await reads(tf),
  blockingReads: blockingReads(tf),
  parts: await parts(tf),
  shared: await sharedBuffers(tf),
  worker: await worker(),
  predictions: await predictions(tf),
  training: await training(tf),
  deviceLoss: await deviceLoss(tf),
  devices: devices.length,
  before,
  after: held(tf),
});
