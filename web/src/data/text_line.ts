import { Decoder } from '../runtime/text_coding.js';
import { Dataset } from './dataset.js';
import type { Pipeline, Stage } from './pipeline.js';
import type { DataSource } from './sources.js';
import { FunctionSource } from './stages/source.js';

/**
 * A dataset of the lines of a UTF-8 text, as strings without line ends. An empty last line is left out.
 * @example
 * const source = new tf.data.FileDataSource(new Blob(['one\ntwo\n']));
 * await new tf.data.TextLineDataset(source).toArray(); // ['one', 'two']
 */
export class TextLineDataset extends Dataset<string> {
  readonly #source: DataSource;

  constructor(source: DataSource) {
    super();
    this.#source = source;
  }

  /** @internal */
  override open(pipeline: Pipeline): Promise<Stage<string>> {
    const lines = readLines(this.#source.chunks());
    const next = () => lines.next() as Promise<IteratorResult<string, null>>;
    return Promise.resolve(new FunctionSource(pipeline, next, () => lines.return(undefined)));
  }
}

/**
 * Yields the lines of a UTF-8 text that arrives in chunks, without line ends. A leading byte order mark is left out.
 */
export async function* readLines(chunks: AsyncIterable<Uint8Array>): AsyncGenerator<string, void> {
  const decoder = new Decoder();
  let rest = '';
  for await (const chunk of chunks) {
    const lines = decoder.decode(chunk, { stream: true }).split('\n');
    // The carried-over part is not searched again, which would be quadratic in the length of a line of many chunks.
    lines[0] = rest + lines[0]!;
    rest = lines.pop()!;
    for (const line of lines) yield stripCarriageReturn(line);
  }
  rest += decoder.decode();
  if (rest !== '') yield stripCarriageReturn(rest);
}

function stripCarriageReturn(line: string): string {
  return line.endsWith('\r') ? line.slice(0, -1) : line;
}
