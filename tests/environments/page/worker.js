import { program } from './program.mjs';
program().then(postMessage);
