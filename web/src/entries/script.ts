// A classic script: a global `tf`, which `await tf.ready()` loads from beside the script.
export * from '../index.js';
import { comesFrom } from '../runtime/loader.js';

const script = typeof document === 'undefined' ? undefined : (document.currentScript as HTMLScriptElement | null);
const address = script?.src ?? (typeof location === 'undefined' ? '' : location.href);
comesFrom(new URL('tenure.wasm', address).href);
