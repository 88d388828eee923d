import { raise, scratch, wasm } from '../runtime/runtime.js';

/** The reads of WebGPU: part of the module's `gpu` (device/webgpu_calls.ts). */
interface Reads {
  whenRead(): Promise<void> | undefined;
}

/**
 * Reads the bytes of a tensor that is only on the GPU, without blocking until the GPU has finished. The read pins the
 * bytes, so the tensor may be disposed meanwhile.
 */
export async function readFromDevice(id: number): Promise<Uint8Array<ArrayBuffer>> {
  const read = wasm._tn_start_read(id);
  if (read === -1) raise();
  const { gpu } = wasm as { gpu?: Reads };
  try {
    // WebGL announces no end of a read.
    while (wasm._tn_poll_read(read) === 0) await (gpu?.whenRead() ?? nextTurn());
    const address = wasm._tn_finish_read(read);
    if (address === -1) raise();
    const start = address >>> 0;
    return wasm.HEAPU8.slice(start, start + (scratch()[0]! >>> 0));
  } finally {
    wasm._tn_end_read(read);
  }
}

const pendingTurns: (() => void)[] = [];
let channel: MessageChannel | undefined;

/**
 * Resolves in the next turn of the event loop. A message arrives as soon as the loop is free; a timeout waits for
 * milliseconds. Node has setImmediate() for it, where the channel would keep the process alive.
 */
function nextTurn(): Promise<void> {
  return new Promise((resolve) => {
    if (typeof setImmediate !== 'undefined') {
      setImmediate(resolve);
      return;
    }
    if (!channel) {
      channel = new MessageChannel();
      channel.port1.onmessage = () => pendingTurns.shift()?.();
    }
    pendingTurns.push(resolve);
    channel.port2.postMessage(0);
  });
}

let hasWarned = false;

/** Warns once, in pages, that reading a GPU tensor synchronously blocks the page. Called in debug builds only. */
export function warnOfBlockingRead(id: number): void {
  if (hasWarned || typeof document === 'undefined' || wasm._tn_on_device(id) !== 1) return;
  hasWarned = true;
  console.warn('dataSync() blocks the page until the GPU has finished: await data() instead.');
}
