// Worker process of one engine: answers the requests of run.mjs.
import { readFileSync } from 'node:fs';
import { getPeakMemory } from '../process_memory.mjs';
import { answersFor } from './session.mjs';

const [engine, threads] = [process.argv[2], Number(process.argv[3])];
const atStart = process.memoryUsage().rss;

/** Loads an engine and sets its threads, as the documentation of onnxruntime-web does. */
async function load() {
  const ort = await import(engine === 'ort' ? 'onnxruntime-web' : '../../../dist/ort/index.js');
  ort.env.wasm.numThreads = threads;
  ort.env.logLevel = 'error';
  return ort.default ?? ort;
}

function getModel({ file, feeds }) {
  const { buffer, byteOffset, length } = readFileSync(file);
  return { bytes: new Uint8Array(buffer, byteOffset, length), feeds };
}
const answers = answersFor({ load, getModel, peak: () => getPeakMemory() - atStart });

process.on('message', async ({ question, argument }) => {
  try {
    process.send({ value: await answers[question](argument) });
  } catch (error) {
    process.send({ error: String(error) });
  }
});
process.send({ value: 'ready' });
