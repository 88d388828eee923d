// One engine in a page of its own: answers the requests of run.mjs.
import { makeModel } from '/tests/bench/onnx_models/models.mjs';
import { answersFor } from '/tests/bench/onnx_models/session.mjs';

const asked = new URLSearchParams(location.search);
const threads = Number(asked.get('threads'));

/** Loads an engine and sets its threads, as the documentation of onnxruntime-web does. */
async function load() {
  const isPeer = asked.get('engine') === 'ort';
  const ort = await import(isPeer ? '/ort/ort.wasm.bundle.min.mjs' : '/tenure/ort/index.js');
  ort.env.wasm.numThreads = threads;
  ort.env.logLevel = 'error';
  return ort;
}

const read = async (file) => new Uint8Array(await (await fetch(`/models/${file}`)).arrayBuffer());
const answers = answersFor({ load, getModel: (name) => makeModel(name, read), peak: () => undefined });

globalThis.ask = (question, argument) => answers[question](argument);
