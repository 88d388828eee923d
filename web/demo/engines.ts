import type { Tenure, Tf } from './tf.js';

/** Owns what a program leaves behind, so that the page can free it when the program starts over. */
export interface Net {
  run<T>(fn: () => T): T;
  close(): void;
}

/** An engine for the program, and how to open a net in it. */
export interface Engine<T extends Tf = Tf> {
  readonly tf: T;
  readonly name: string;
  readonly openNet: () => Net;
}

/** Loads Tenure's debug build. */
export async function loadDebugBuild(): Promise<Engine<Tenure>> {
  const tf: Tenure = await import('tenure/debug');
  return prepare(tf, 'Tenure, debug build');
}

/** Loads Tenure's release build, with one thread, as TensorFlow.js has here. */
export async function loadReleaseBuild(): Promise<Engine<Tenure>> {
  const tf: Tenure = await import('tenure');
  tf.setThreadsCount(1);
  return prepare(tf, 'Tenure, release build');
}

/** Loads TensorFlow.js; resolves to undefined if the page was built without it. */
export async function loadTensorFlow(): Promise<Engine | undefined> {
  const { tf } = await import('./peer/peer.mjs');
  if (!tf) return undefined;
  await tf.setBackend('wasm');
  await tf.ready();
  const openNet = () => {
    // Nothing else on the page leaves tensors in TensorFlow.js.
    tf.engine().startScope();
    return { run: <T>(fn: () => T) => fn(), close: () => tf.engine().endScope() };
  };
  return { tf, name: `TensorFlow.js ${tf.version_core}`, openNet };
}

async function prepare(tf: Tenure, name: string): Promise<Engine<Tenure>> {
  await tf.ready();
  await tf.setBackend('wasm');
  return { tf, name, openNet: () => tf.scope('tracker') };
}
