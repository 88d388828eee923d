// A TensorFlow.js program on `tenure/tfjs`.
import * as tf from 'tenure/tfjs';
import { irises } from './irises.js';
import { ops } from './ops.js';
import { show } from './show.js';

if (location.search === '?ready') await tf.ready();
show({ ops: await ops(tf), irises: await irises(tf) });
