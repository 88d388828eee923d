import * as tf from 'tenure/debug';
import { lines } from './lines.js';
import { show } from './show.js';

show(await lines(tf));
