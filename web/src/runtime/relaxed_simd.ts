import { whenLargeOpsTook } from './large_ops.js';
import { hasRelaxedPart, loadPart, loadPartSync } from './lazy_modules.js';
import { wasm, whenLoaded } from './runtime.js';
import { whenWorkersStart } from './threads.js';
import { isNode } from './node_builtins.js';
import { canCompileSync } from './wasm_files.js';

/** Total time of large ops, in ms, after which faster kernels are worth their download. */
const kThresholdMs = 20;

/** A module whose one function executes f32x4.relaxed_madd. */
const kRelaxedMadd = Uint8Array.of(
  ...[0, 0x61, 0x73, 0x6d, 1, 0, 0, 0, 1, 8, 1, 0x60, 3, 0x7b, 0x7b, 0x7b, 1, 0x7b, 3, 2, 1, 0],
  ...[10, 13, 1, 11, 0, 0x20, 0, 0x20, 1, 0x20, 2, 0xfd, 0x85, 2, 0x0b],
);

const kFile = 'tenure.relaxed.wasm';

let isAllowed = true;
let loading: Promise<void> | undefined;

/** True if WebAssembly here has relaxed SIMD: in Chrome and Edge 114, Firefox 145, Node 22, or newer. */
const isSupported = (): boolean => WebAssembly.validate(kRelaxedMadd);

/** Allows or forbids kernels with relaxed SIMD, before the engine is loaded. */
export function allowRelaxedSimd(allowed: boolean): void {
  isAllowed = allowed;
}

/** True if ops run kernels with relaxed SIMD here, at the latest after large ops. */
export const usesRelaxedSimd = (): boolean => __RELAXED__ && isAllowed && isSupported() && hasRelaxedPart();

/**
 * Loads the kernels with relaxed SIMD, which ops run from then on, unless they are loaded or cannot run here. Kernels
 * without it are always there: a failure changes nothing but speed, and is not reported.
 */
export function loadRelaxedKernels(): Promise<void> {
  if (!usesRelaxedSimd()) return Promise.resolve();
  loading ??= Promise.all([loadPart('relaxed'), loadPart('models')]).then(useRelaxedKernels, () => undefined);
  return loading;
}

/** Loads the kernels at once: nothing is downloaded, and a program may compute for long before it yields to the event loop. */
function loadInNode(): void {
  try {
    loadPartSync('relaxed');
  } catch {
    // Ops run the other kernels.
    return;
  }
  useRelaxedKernels();
}

function useRelaxedKernels(): void {
  wasm._tn_use_relaxed_kernels();
}

whenLoaded(() => {
  if (!usesRelaxedSimd()) return;
  if (isNode && canCompileSync(kFile)) {
    loadInNode();
    return;
  }
  const load = () => void loadRelaxedKernels();
  whenLargeOpsTook(kThresholdMs, load);
  // Loops of several threads are not among those ops.
  whenWorkersStart(load);
});
