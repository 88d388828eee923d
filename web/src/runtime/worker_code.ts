/**
 * The code of a worker. It instantiates the engine and its parts with the memory that it is sent, and computes ranges of loops
 * until the engine lets it receive messages. The engine calls no JavaScript there. It reports a trap to the thread that waits for it.
 */
const kWorking = `
let exports, number;
const never = () => { throw Error('a worker called JavaScript'); };
listen(({ engine, memory, worker, stack, parts, generation }) => {
  if (engine) {
    number = worker;
    const imports = {};
    for (const { module, name, kind } of WebAssembly.Module.imports(engine)) {
      (imports[module] ??= {})[name] = kind === 'memory' ? memory : never;
    }
    exports = new WebAssembly.Instance(engine, imports).exports;
    exports._emscripten_stack_restore(stack);
  }
  for (const part of parts) new WebAssembly.Instance(part, { engine: exports });
  try {
    exports.tn_run_worker(generation, number);
  } catch (error) {
    exports.tn_fail_worker(number);
    throw error;
  }
});`;

/** The script of a worker in a page. web/build.mjs writes it to a file. */
export const kPageWorker = `const listen = (answer) => (self.onmessage = ({ data }) => answer(data));${kWorking}\n`;
/**
 * The script of a worker in Node. The first message is there when the worker starts, unless the code that started it was
 * interrupted. The worker ends after 1 s without a message, so that it does not keep the process alive.
 */
export const kNodeWorker = `
const unwanted = setTimeout(() => process.exit(), 1000);
const listen = (answer) => require('node:worker_threads').parentPort.on('message', (orders) => {
  clearTimeout(unwanted);
  answer(orders);
});${kWorking}\n`;
