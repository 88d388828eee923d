import { OpenedDataset, type Dataset } from '../dataset.js';
import { DataSource, FileDataSource, URLDataSource } from '../sources.js';
import { FunctionSource, type IteratorResultLike } from '../stages/source.js';
import { ByteReader } from './byte_reader.js';

/** A source of a file's records: its URL, in Node its path, or an object with its bytes. */
export type RecordSource = DataSource | string | URL | Request | Blob | Uint8Array;

/** Returns a DataSource of the bytes of a file. */
export function toDataSource(from: RecordSource): DataSource {
  if (from instanceof DataSource) return from;
  const isBytes = from instanceof Uint8Array || (typeof Blob === 'function' && from instanceof Blob);
  return isBytes ? new FileDataSource(from) : new URLDataSource(from as string | URL | Request);
}

/**
 * Returns a dataset of what a generator yields for a file's bytes. Each pass reads them again, and ends the reading when
 * it ends.
 */
export function readRecords<T>(
  source: DataSource,
  read: (bytes: ByteReader, name: string) => AsyncGenerator<T>,
): Dataset<T> {
  return new OpenedDataset((pipeline) => {
    const bytes = new ByteReader(source.chunks());
    const records = read(bytes, source.name);
    return new FunctionSource(
      pipeline,
      () => records.next() as Promise<IteratorResultLike<T>>,
      async () => {
        await records.return(undefined);
        await bytes.close();
      },
    );
  }, null);
}
