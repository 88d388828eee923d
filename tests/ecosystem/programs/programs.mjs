import { classification } from './classification.mjs';
import { custom } from './custom.mjs';
import { regression } from './regression.mjs';
import { sequences } from './sequences.mjs';

/**
 * Programs of the kind of those in tfjs-examples, with synthetic data. By name: `what` describes it, and `run(tf, kit)` runs it
 * on a library and returns its losses and other numbers, which must not depend on the library. It disposes all its tensors.
 */
export const programs = { ...regression, ...classification, ...sequences, ...custom };
