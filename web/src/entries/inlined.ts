// The package with its wasm inside, which needs no file, no address and no waiting: for bundlers, and for single files.
export * from '../index.js';
import { comesFrom, loadNow } from '../runtime/loader.js';
import wasm from 'tenure:wasm';

comesFrom(wasm);
loadNow();
