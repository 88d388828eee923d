import type { Dataset } from '../dataset.js';
import { OpenedDataset } from '../dataset.js';
import { FunctionSource, type IteratorResultLike } from '../stages/source.js';
import { readLines } from '../text_line.js';
import { toDataSource, type RecordSource } from './records.js';
import { getErrorMessage } from '../../runtime/errors.js';
import { parseJson } from '../../util/json.js';

/**
 * Returns a dataset of the values of a file with one JSON value per line. Empty lines are skipped. A malformed line
 * throws, with its number.
 * @example
 * await tf.data.jsonLines(new TextEncoder().encode('{"x": 1}\n{"x": 2}\n')).toArray(); // [{ x: 1 }, { x: 2 }]
 */
export function jsonLines<T = unknown>(from: RecordSource): Dataset<T> {
  const source = toDataSource(from);
  return new OpenedDataset((pipeline) => {
    const values = parseLines<T>(readLines(source.chunks()), source.name);
    const next = () => values.next() as Promise<IteratorResultLike<T>>;
    return new FunctionSource(pipeline, next, () => values.return(undefined));
  }, null);
}

async function* parseLines<T>(lines: AsyncIterable<string>, name: string): AsyncGenerator<T, void> {
  let number = 0;
  for await (const line of lines) {
    number++;
    if (line.trim() !== '') yield parseLine<T>(line, `${name}, line ${number}`);
  }
}

function parseLine<T>(text: string, where: string): T {
  try {
    return parseJson<T>(text);
  } catch (error) {
    throw new Error(`[jsonLines] ${where}: ${getErrorMessage(error)}`, { cause: error });
  }
}
