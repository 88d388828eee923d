import { getErrorMessage } from '../runtime/errors.js';

const kMagic = [0x1f, 0x8b];

/**
 * Yields bytes, decompressed if they are gzip and `gzip`, or by default the name, says so. A name alone is not enough,
 * as a server may have decompressed the bytes already. Throws if `gzip` is true and the bytes are not gzip.
 */
export async function* gunzip(
  chunks: AsyncIterable<Uint8Array>,
  name: string,
  gzip?: boolean,
): AsyncGenerator<Uint8Array, void> {
  if (!(gzip ?? /\.gz($|\?|#)/.test(name))) {
    for await (const chunk of chunks) yield chunk;
    return;
  }
  const iterator = chunks[Symbol.asyncIterator]() as AsyncIterator<Uint8Array, undefined>;
  try {
    let first = (await iterator.next()).value ?? new Uint8Array();
    while (first.length < 2) {
      const { value, done } = await iterator.next();
      if (done) break;
      first = Uint8Array.from([...first, ...value]);
    }
    const isZipped = kMagic.every((byte, i) => first[i] === byte);
    if (!isZipped && gzip) throw new Error('expected gzip data: the first bytes are not those of a gzip member');
    const all = { [Symbol.asyncIterator]: () => prepend(first, iterator) };
    if (!isZipped) return yield* all;
    const format = new DecompressionStream('gzip') as ReadableWritablePair<Uint8Array, Uint8Array>;
    yield* readChunks(toReadableStream(all[Symbol.asyncIterator]()).pipeThrough(format));
  } catch (error) {
    throw new Error(`Cannot unzip ${name}: ${getErrorMessage(error)}`, { cause: error });
  } finally {
    await iterator.return?.();
  }
}

/** Yields the chunks of a stream, and cancels the stream if the loop is left early. */
export async function* readChunks(stream: ReadableStream<Uint8Array>): AsyncGenerator<Uint8Array, void> {
  const reader = stream.getReader();
  try {
    for (;;) {
      const { value, done } = await reader.read();
      if (done) return;
      yield value;
    }
  } finally {
    await reader.cancel().catch(() => undefined);
  }
}

async function* prepend(
  first: Uint8Array,
  iterator: AsyncIterator<Uint8Array, undefined>,
): AsyncGenerator<Uint8Array, void> {
  if (first.length > 0) yield first;
  for (;;) {
    const { value, done } = await iterator.next();
    if (done) return;
    yield value;
  }
}

function toReadableStream(iterator: AsyncGenerator<Uint8Array, void>): ReadableStream<Uint8Array> {
  return new ReadableStream({
    async pull(controller) {
      const { value, done } = await iterator.next();
      if (done) controller.close();
      else controller.enqueue(value);
    },
    async cancel() {
      await iterator.return();
    },
  });
}
