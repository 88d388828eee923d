import * as tf from '/tenure/dist/debug/index.js';
import { lines } from './lines.js';
import { show } from './show.js';

show(await lines(tf));
