import * as tf from '/tenure/dist/debug/index.js';
import { leaks } from './leaks.js';
import { show } from './show.js';

show(await leaks(tf));
