import { Loop } from './loop.js';
import type { Tf } from './tf.js';
import { works } from './works.js';

/** TensorFlow.js, running the camera's loop beside Tenure's. */
export interface Rival {
  readonly loop: Loop;
  readonly version: string;
  readonly setBackend: (name: string) => Promise<boolean>;
  readonly start: () => Promise<void>;
}

/** Loads TensorFlow.js; resolves to undefined if the page was built without it. */
export async function loadRival(backend: string, onError: (error: unknown) => void): Promise<Rival | undefined> {
  const { tf } = await import('./peer/peer.mjs');
  if (!tf) return undefined;
  await tf.setBackend(backend);
  await tf.ready();
  // The closest that TensorFlow.js has to a scope. Nothing else makes tensors in it.
  const open = () => {
    tf.engine().startScope();
    return {
      run: <T>(fn: () => T) => fn(),
      get numTensors() {
        return tf.memory().numTensors;
      },
      get numBytes() {
        return tf.memory().numBytes;
      },
      close: () => tf.engine().endScope(),
    };
  };
  const loop = new Loop({ name: 'peer', way: 'tidy', open, onError });
  return {
    loop,
    version: String(tf.version_core),
    setBackend: (name) => tf.setBackend(name),
    start: async () => loop.start(await works.camera(tf as unknown as Tf)),
  };
}
