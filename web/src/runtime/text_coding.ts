import { nodeBuiltin } from './node_builtins.js';

type Coders = { TextDecoder: typeof TextDecoder; TextEncoder: typeof TextEncoder };

// jsdom has no coders of its own: Node's are in a module.
const { TextDecoder: Decoder, TextEncoder: Encoder } =
  (typeof TextDecoder === 'undefined' && (nodeBuiltin('node:util') as Coders | undefined)) || globalThis;

/** The platform's classes TextDecoder and TextEncoder. */
export { Decoder, Encoder };
