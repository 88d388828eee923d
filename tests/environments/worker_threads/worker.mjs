import { parentPort } from 'node:worker_threads';
import { program } from './program.mjs';
parentPort.postMessage(await program());
