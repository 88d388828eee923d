import { raise, scratch, wasm } from '../runtime/runtime.js';

/**
 * The bytes of a tensor that is on the GPU alone, without waiting for it to finish: resolves when it has. The read pins
 * them, so the tensor may be disposed meanwhile.
 */
export async function readFromDevice(id: number): Promise<Uint8Array<ArrayBuffer>> {
  const read = wasm._tn_start_read(id);
  if (read === -1) raise();
  try {
    while (wasm._tn_poll_read(read) === 0) await nextTurn();
    const address = wasm._tn_finish_read(read);
    if (address === -1) raise();
    const start = address >>> 0;
    return wasm.HEAPU8.slice(start, start + (scratch()[0]! >>> 0));
  } finally {
    wasm._tn_end_read(read);
  }
}

const waiting: (() => void)[] = [];
let channel: MessageChannel | undefined;

/** A message comes back as soon as the event loop is free; a timeout would wait for milliseconds. */
function nextTurn(): Promise<void> {
  return new Promise((resolve) => {
    if (!channel) {
      channel = new MessageChannel();
      channel.port1.onmessage = () => waiting.shift()?.();
    }
    waiting.push(resolve);
    channel.port2.postMessage(0);
  });
}

let hasWarned = false;

/** In a debug build, tells a page once that reading a tensor of the GPU without await stops it. */
export function warnOfWaiting(id: number): void {
  if (hasWarned || typeof document === 'undefined' || wasm._tn_on_device(id) !== 1) return;
  hasWarned = true;
  console.warn('dataSync() and what uses it stop the page until the GPU has finished: await data() instead.');
}
