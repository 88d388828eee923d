// The entry with the wasm inlined, for single files: it needs no file, no address and no waiting.
export * from '../index.js';
import { inflateParts } from './inflate_parts.js';
import { startInlined } from './start_inlined.js';
import parts from 'tenure:parts';

startInlined(inflateParts(parts));
