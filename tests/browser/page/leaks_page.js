import * as tf from 'tenure/debug';
import { leaks } from './leaks.js';
import { show } from './show.js';

if (location.search === '?ready') await tf.ready();
show(await leaks(tf));
