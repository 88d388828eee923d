// A classic script: a global `tf`, which `await tf.ready()` loads from beside the script.
export * from '../index.js';
import { comesFrom, kFiles } from '../runtime/wasm_files.js';

const script = typeof document === 'undefined' ? undefined : (document.currentScript as HTMLScriptElement | null);
const address = script?.src ?? (typeof location === 'undefined' ? '' : location.href);
comesFrom(Object.fromEntries(kFiles.map((name) => [name, beside(name)])));

/** Nowhere, for a text that is run without an address, or in a page such as about:blank. */
function beside(name: string): string {
  try {
    return new URL(name, address).href;
  } catch {
    return '';
  }
}
