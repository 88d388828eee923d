// The entry for a classic script: it defines a global `tf`, and `await tf.ready()` loads the wasm from beside the script.
export * from '../index.js';
import { kFiles } from '../generated/parts.js';
import { setWorkerScript } from '../runtime/threads.js';
import { setWasmSources } from '../runtime/wasm_files.js';

const script = typeof document === 'undefined' ? undefined : (document.currentScript as HTMLScriptElement | null);
const address = script?.src ?? (typeof location === 'undefined' ? '' : location.href);
setWasmSources(Object.fromEntries(kFiles.map((name) => [name, beside(name)])));
setWorkerScript(beside('tenure.worker.js'));

/** Returns the address of a file beside the script; '' for a script without an address, or in a page such as about:blank. */
function beside(name: string): string {
  try {
    return new URL(name, address).href;
  } catch {
    return '';
  }
}
