import * as tf from 'tenure';
import { irises } from './irises.js';
import { ops } from './ops.js';

postMessage({ ops: await ops(tf), irises: await irises(tf) });
