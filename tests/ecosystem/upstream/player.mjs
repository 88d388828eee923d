// Runs a bundle of specs: `node player.mjs BUNDLE OUTPUT [GREP]`.
import { writeFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import '../../conformance/environment.js';

const [bundle, output, grep] = process.argv.slice(2);
const require = createRequire(import.meta.url);
const tfjs = require('../../../dist/tfjs/node.cjs');
await tfjs.ready();
await tfjs.setBackend('cpu');
globalThis.tenure = { ...tfjs };
const jasmine = createRequire(new URL('../../conformance/', import.meta.url))('jasmine-core').boot();
require(bundle);
const specs = await globalThis.conformance.run(jasmine.getEnv(), grep);
writeFileSync(output, JSON.stringify(specs));
