// The entry for webpack and bundlers of its kind, which copy the files that `new URL(..., import.meta.url)` names: the engine's
// first file is inlined, so that ops run at once, and its parts are files.
export * from '../index.js';
import { startWithFiles } from './start_with_files.js';

startWithFiles();
