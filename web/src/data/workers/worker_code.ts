/** Code that sends and receives messages in a worker, in Node and in pages. */
const kNodeMessaging = `import { parentPort } from 'node:worker_threads';
const post = (message, transfer) => parentPort.postMessage(message, transfer);
const listen = (answer) => parentPort.on('message', answer);`;
const kPageMessaging = `const post = (message, transfer) => self.postMessage(message, transfer);
const listen = (answer) => (self.onmessage = ({ data }) => answer(data));`;

/**
 * Code that imports a module, and answers each value with the result of its function. Typed arrays are transferred; a
 * view of part of a buffer is copied first, so that no more than it shows is sent.
 */
const kMessageLoop = `
const packed = (value, transfer) => {
  if (typeof value !== 'object' || value === null) return value;
  if (value instanceof ArrayBuffer) return transfer.add(value), value;
  if (ArrayBuffer.isView(value)) {
    if (!(value.buffer instanceof ArrayBuffer)) return value;
    const { buffer, byteOffset, byteLength } = value;
    if (byteLength === buffer.byteLength) return transfer.add(buffer), value;
    const part = buffer.slice(byteOffset, byteOffset + byteLength);
    transfer.add(part);
    const Type = value.constructor.name === 'Buffer' ? Uint8Array : value.constructor;
    return new Type(part);
  }
  if (Array.isArray(value)) return value.map((each) => packed(each, transfer));
  if (Object.getPrototypeOf(value) !== Object.prototype) return value;
  return Object.fromEntries(Object.entries(value).map(([key, each]) => [key, packed(each, transfer)]));
};
let work;
listen(async ({ module, name, value }) => {
  try {
    work ??= (await import(module))[name];
    if (typeof work !== 'function') throw new TypeError(module + ' exports no function "' + name + '"');
    const transfer = new Set();
    const result = packed(await work(value), transfer);
    post({ result }, [...transfer]);
  } catch (error) {
    const { name, message, stack } = error instanceof Error ? error : new Error(String(error));
    post({ error: { name, message, stack } });
  }
});`;

/** Returns the script of a worker. */
export function workerCode(inNode: boolean): string {
  // The name in stack traces, which would otherwise have the whole code.
  return `${inNode ? kNodeMessaging : kPageMessaging}${kMessageLoop}\n//# sourceURL=tenure-worker.js`;
}
