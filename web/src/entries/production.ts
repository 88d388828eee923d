// The entry for production bundles of any other tool. Vite and Turbopack copy files as webpack does, and define import.meta.env;
// in bundles of the others, such as Rollup, all wasm is inside the script.
export * from '../index.js';
import { inflateParts } from './inflate_parts.js';
import { startInlined } from './start_inlined.js';
import { startWithFiles } from './start_with_files.js';
import parts from 'tenure:parts';

if (import.meta.env?.PROD) startWithFiles();
else startInlined(inflateParts(parts));
