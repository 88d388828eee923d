/**
 * What a worker runs: it makes instances of the engine and of its parts around the memory that it is sent, and takes ranges
 * of loops until the engine lets it look for messages. It calls nothing of JavaScript.
 */
const kWorking = `
let exports, number;
const never = () => { throw new Error('a worker of Tenure called JavaScript'); };
listen(({ engine, memory, worker, stack, parts, epoch }) => {
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
    exports.tn_run_worker(epoch, number);
  } catch (error) {
    // Nobody else can say so to the thread that waits for it.
    exports.tn_fail_worker(number);
    throw error;
  }
});`;

/** The script of a worker of a page; web/build.mjs makes a file of it. */
export const kPageWorker = `const listen = (answer) => (self.onmessage = ({ data }) => answer(data));${kWorking}\n`;
/** The same for Node. Orders are there when it starts, unless what started it was cut short: then it ends, and so may the process. */
export const kNodeWorker = `
const unwanted = setTimeout(() => process.exit(), 1000);
const listen = (answer) => require('node:worker_threads').parentPort.on('message', (orders) => {
  clearTimeout(unwanted);
  answer(orders);
});${kWorking}\n`;
