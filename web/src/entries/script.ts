// A classic script: a global `tf`, which `await tf.ready()` loads from beside the script.
export * from '../index.js';
import { comesFrom, kFiles } from '../runtime/wasm_files.js';

const script = typeof document === 'undefined' ? undefined : (document.currentScript as HTMLScriptElement | null);
const address = script?.src ?? (typeof location === 'undefined' ? '' : location.href);
comesFrom(Object.fromEntries(kFiles.map((name) => [name, new URL(name, address).href])));
