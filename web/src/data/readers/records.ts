import { OpenedDataset, type Dataset } from '../dataset.js';
import { DataSource, FileDataSource, URLDataSource } from '../sources.js';
import { FunctionSource, type IteratorResultLike } from '../stages/source.js';
import { ByteReader } from './byte_reader.js';

/** Where the records of a file come from: its address, in Node its path, or what has its bytes. */
export type RecordSource = DataSource | string | URL | Request | Blob | Uint8Array;

export function sourceOf(from: RecordSource): DataSource {
  if (from instanceof DataSource) return from;
  const isBytes = from instanceof Uint8Array || (typeof Blob === 'function' && from instanceof Blob);
  return isBytes ? new FileDataSource(from) : new URLDataSource(from as string | URL | Request);
}

/** What a generator makes of a file's bytes; each pass reads them anew, and ends the reading when it ends. */
export function recordsIn<T>(source: DataSource, read: (bytes: ByteReader, name: string) => AsyncGenerator<T>): Dataset<T> {
  return new OpenedDataset((pipeline) => {
    const bytes = new ByteReader(source.chunks());
    const records = read(bytes, source.name);
    pipeline.onClose(async () => {
      await records.return(undefined);
      await bytes.close();
    });
    return new FunctionSource(pipeline, () => records.next() as Promise<IteratorResultLike<T>>);
  }, null);
}
