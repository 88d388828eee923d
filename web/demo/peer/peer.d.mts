import type { Tenure, Tf } from '../tf.js';

/** undefined where TensorFlow.js could not be installed when the page was built. */
export const tf: (Tf & Pick<Tenure, 'ready' | 'setBackend'>) | undefined;
