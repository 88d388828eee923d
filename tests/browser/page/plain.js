// Without a bundler: the file as served.
import * as tf from '/tenure/dist/index.js';
import { irises } from './irises.js';
import { ops } from './ops.js';
import { show } from './show.js';

show({ ops: await ops(tf), irises: await irises(tf) });
