// The package as a browser loads it: its wasm lies beside it, and importing waits for it.
export * from '../index.js';
import { namePublicApi } from '../public_api.js';
import { load } from '../runtime/loader.js';
import { comesFrom } from '../runtime/wasm_files.js';
import { besideThis } from './beside.js';

namePublicApi();
comesFrom(besideThis());
// What goes wrong is told by the first op and by ready(), where a program can catch it.
await load().catch(() => {});
