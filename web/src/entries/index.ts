// The package as a browser loads it: its wasm lies beside it, and importing waits for it.
export * from '../index.js';
import { comesFrom, load } from '../runtime/loader.js';

comesFrom(new URL('tenure.wasm', import.meta.url).href);
// What goes wrong is told by the first op and by ready(), where a program can catch it.
await load().catch(() => {});
