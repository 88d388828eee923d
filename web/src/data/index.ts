// tf.data
import type { TensorContainer } from '../owner/scope.js';
import { assert } from '../util/checks.js';
import { Dataset, OpenedDataset } from './dataset.js';
import { isIterable } from './element.js';
import type { Stage } from './pipeline.js';
import { ZipStage } from './stages/join.js';
import { ArraySource, FunctionSource, type IteratorResultLike } from './stages/source.js';

export { Dataset, type InterleaveOptions, type MapAsyncOptions, type PrefetchOptions } from './dataset.js';
export type { DatasetIterator } from './iterator.js';
export type { PipelineOptions, PipelineSnapshot, PipelineStats, ProgressOptions } from './options.js';
export { csv, CSVDataset, type ColumnConfig, type CSVConfig } from './csv.js';
export { microphone, type AudioData, type MicrophoneConfig, type MicrophoneIterator } from './devices/microphone.js';
export { webcam, type WebcamConfig, type WebcamIterator } from './devices/webcam.js';
export {
  imageFolder,
  type ImageDecoder,
  type ImageFolderDataset,
  type ImageFolderOptions,
  type LabelledImage,
} from './readers/image_folder.js';
export { jsonLines } from './readers/json_lines.js';
export { npy } from './readers/npy.js';
export type { RecordSource } from './readers/records.js';
export { tfRecord, type FeatureSpec, type TFRecordOptions } from './readers/tf_record.js';
export { TextLineDataset } from './text_line.js';
export { workers, type WorkerPool, type WorkersOptions } from './workers/pool.js';
export { FileDataSource, URLDataSource, type DataSource } from './sources.js';

/**
 * Returns a dataset of the items of an array. Tensors in them stay the caller's: each pass creates new handles of them.
 * @example
 * await tf.data.array([1, 2, 3]).map((x) => x * x).toArray(); // [1, 4, 9]
 */
export function array<T>(items: readonly T[]): Dataset<T> {
  assert(Array.isArray(items), () => 'The argument to array() must be an array.');
  return new OpenedDataset((pipeline) => new ArraySource(pipeline, items), items.length);
}

/**
 * Returns a dataset of what a function returns, called once per element until `done` is true. A pass continues where
 * the last one stopped.
 * @example
 * let i = 0;
 * const counting = tf.data.func(() => ({ value: i++, done: i > 3 }));
 * await counting.toArray(); // [0, 1, 2]
 */
export function func<T>(f: () => IteratorResultLike<T> | Promise<IteratorResultLike<T>>): Dataset<T> {
  checkFunction('func', f);
  return new OpenedDataset((pipeline) => new FunctionSource(pipeline, f), null);
}

type AnyIterator<T> = Iterator<T> | AsyncIterator<T>;

/**
 * Returns a dataset of what a generator function yields, synchronous or not. Each pass calls the function again, and
 * ends the generator when the pass ends.
 * @example
 * const numbers = tf.data.generator(function* () {
 *   yield 1;
 *   yield 2;
 * });
 * await numbers.toArray(); // [1, 2]
 */
export function generator<T>(make: () => AnyIterator<T> | Promise<AnyIterator<T>>): Dataset<T> {
  checkFunction('generator', make);
  return new OpenedDataset(async (pipeline) => {
    const iterator = await pipeline.run(() => make());
    assert(
      typeof iterator?.next === 'function',
      () => `expected an iterator of the generator's function, got ${typeof iterator}`,
    );
    return new FunctionSource(
      pipeline,
      () => iterator.next() as IteratorResultLike<T> | Promise<IteratorResultLike<T>>,
      () => iterator.return?.(),
    );
  }, null);
}

/**
 * Returns a dataset of one element of each dataset in a structure of arrays and objects, in that structure. It ends
 * with the shortest dataset, and frees what was read of the others by then.
 * @example
 * const xs = tf.data.array([1, 2]);
 * const ys = tf.data.array([10, 20]);
 * await tf.data.zip({ xs, ys }).toArray(); // [{ xs: 1, ys: 10 }, { xs: 2, ys: 20 }]
 */
export function zip<O = TensorContainer>(datasets: unknown): Dataset<O> {
  if (!(datasets instanceof Dataset || isIterable(datasets)))
    throw new Error('The argument to zip() must be an object or array.');
  const leaves = collectDatasets(datasets);
  const sizes = [...leaves].map(({ size }) => size);
  const size = sizes.length === 0 || sizes.includes(null) ? null : Math.min(...(sizes as number[]));
  return new OpenedDataset(
    async (pipeline) => {
      const stages = new Map<unknown, Stage>();
      for (const leaf of leaves) stages.set(leaf, await leaf.open(pipeline));
      return new ZipStage(pipeline, datasets, stages) as Stage<O>;
    },
    size,
    [...leaves],
  );
}

function collectDatasets(structure: unknown, found = new Set<Dataset>(), ancestors = new Set<unknown>()): Set<Dataset> {
  if (structure instanceof Dataset) return found.add(structure);
  if (ancestors.has(structure)) throw new Error('Circular references are not supported.');
  if (!isIterable(structure)) {
    throw new Error('Leaves of the structure passed to zip() must be Datasets, not primitives.');
  }
  ancestors.add(structure);
  for (const key in structure) collectDatasets(structure[key], found, ancestors);
  ancestors.delete(structure);
  return found;
}

function checkFunction(where: string, f: unknown): void {
  assert(typeof f === 'function', () => `The argument to ${where}() must be a function, got ${String(f)}`);
}
