// `node --import tenure/ort/register program.mjs`: programs for onnxruntime-web or onnxruntime-node run on tenure/ort.
import Module, { createRequire, register } from 'node:module';
import { isReplaced } from './hooks.js';

const kResolve = '_resolveFilename';

register('./hooks.js', import.meta.url);

// Hooks do not reach require() in all versions of Node.
const { resolve } = createRequire(import.meta.url);
const [ort, common] = [resolve('tenure/ort'), resolve('onnxruntime-common')];
const original: unknown = Reflect.get(Module, kResolve);
if (typeof original === 'function')
  Reflect.set(Module, kResolve, (request: string, ...rest: unknown[]) => {
    if (request === 'onnxruntime-common') return common;
    const found: unknown = isReplaced(request) ? ort : Reflect.apply(original, Module, [request, ...rest]);
    return found;
  });
