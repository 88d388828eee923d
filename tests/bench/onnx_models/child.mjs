// Worker process of one engine: answers the requests of run.mjs.
import { readFileSync } from 'node:fs';
import path from 'node:path';
import { root } from '../../../cpp/toolchain/use.mjs';
import { getPeakMemory } from '../process_memory.mjs';
import { answersFor } from './session.mjs';

const [engine, threads] = [process.argv[2], Number(process.argv[3])];
const atStart = process.memoryUsage().rss;

async function load() {
  if (engine === 'ort') {
    const { default: ort } = await import('onnxruntime-web');
    ort.env.wasm.numThreads = threads;
    ort.env.logLevel = 'error';
    return ort;
  }
  const tf = await import('../../../dist/index.js');
  tf.setThreadsCount(threads);
  return import('../../../dist/ort/index.js');
}

const read = (file) => new Uint8Array(readFileSync(path.join(root, 'tests/onnx/node_modules', file)));
const answers = answersFor({ load, read, peak: () => getPeakMemory() - atStart });

process.on('message', async ({ question, argument }) => {
  try {
    process.send({ value: await answers[question](argument) });
  } catch (error) {
    process.send({ error: String(error) });
  }
});
process.send({ value: 'ready' });
