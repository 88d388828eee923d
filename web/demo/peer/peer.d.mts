import type { Tf } from '../tf.js';

/** Its version, and its engine, in which the loop's tensors are counted. */
interface Peer extends Omit<Tf, 'version_core'> {
  readonly version_core: string;
}

/** undefined where TensorFlow.js could not be installed when the page was built. */
export const tf: Peer | undefined;
