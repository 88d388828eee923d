// Runs a bundle of specs in Node: `node player.mjs BUNDLE OUTPUT BACKEND [GREP]`.
import { writeFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { pathToFileURL } from 'node:url';
import './environment.js';

const [bundle, output, backend, grep] = process.argv.slice(2);
const tf = await import('../../dist/index.js');
await tf.ready();
if (!(await tf.setBackend(backend))) throw new Error(`there is no backend ${backend} here`);
// Specs install spies on their imports, which a module namespace forbids.
globalThis.tenure = { ...tf };
const { boot } = createRequire(import.meta.url)('jasmine-core');
const jasmine = boot();
await import(pathToFileURL(bundle).href);
const specs = await globalThis.conformance.run(jasmine.getEnv(), grep);
writeFileSync(output, JSON.stringify(specs));
