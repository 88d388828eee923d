// TensorBoard's event files: TFRecords of tensorflow.Event. Field numbers are those of TensorFlow's event.proto, summary.proto,
// tensor.proto and tensor_shape.proto.
import { maskedCrc32c } from '../data/readers/crc32c.js';
import { MessageWriter } from './protobuf_writer.js';

const kFileVersion = 'brain.Event:2';
/** tensorflow.DataType of float32 and float64. */
const kFloat = 1;
const kDouble = 2;
/** tensorflow.DataClass: what a summary is for readers that do not know its plugin. */
const kScalarClass = 1;
const kTensorClass = 2;

/** Returns the record that an event file begins with. */
export function encodeFileVersion(seconds: number): Uint8Array {
  return frameRecord(new MessageWriter().double(1, seconds).text(3, kFileVersion).finish());
}

/**
 * Returns the record of a scalar: as a number, which all readers know, or with a description as TensorFlow 2 writes it.
 * @param tag Name of the series.
 * @param value Value, which is rounded to float32.
 * @param step Step of the value, an integer.
 * @param seconds Time of the value, in seconds since 1970.
 * @param description Text that TensorBoard shows with the series.
 */
export function encodeScalar(
  tag: string,
  value: number,
  step: number,
  seconds: number,
  description?: string,
): Uint8Array {
  const summary = new MessageWriter().text(1, tag);
  if (description)
    summary
      .message(8, encodeTensor(kFloat, [], Float32Array.of(value)))
      .message(9, encodeMetadata('scalars', kScalarClass, description));
  else summary.float(2, value);
  return encodeSummary(summary, step, seconds);
}

/**
 * Returns the record of a histogram.
 * @param tag Name of the series.
 * @param buckets Left edge, right edge and count of each bucket: [buckets, 3] by rows.
 * @param step Step of the histogram, an integer.
 * @param seconds Time of the histogram, in seconds since 1970.
 * @param description Text that TensorBoard shows with the series.
 */
export function encodeHistogram(
  tag: string,
  buckets: Float64Array<ArrayBuffer>,
  step: number,
  seconds: number,
  description?: string,
): Uint8Array {
  const tensor = encodeTensor(kDouble, [buckets.length / 3, 3], buckets);
  const metadata = encodeMetadata('histograms', kTensorClass, description);
  return encodeSummary(new MessageWriter().text(1, tag).message(8, tensor).message(9, metadata), step, seconds);
}

function encodeTensor(
  dtype: number,
  shape: readonly number[],
  values: Float32Array<ArrayBuffer> | Float64Array<ArrayBuffer>,
): MessageWriter {
  const sizes = new MessageWriter();
  for (const size of shape) sizes.message(2, new MessageWriter().int(1, size));
  return new MessageWriter()
    .int(1, dtype)
    .message(2, sizes)
    .bytes(4, new Uint8Array(values.buffer, values.byteOffset, values.byteLength));
}

function encodeMetadata(plugin: string, dataClass: number, description?: string): MessageWriter {
  const metadata = new MessageWriter().message(1, new MessageWriter().text(1, plugin));
  if (description) metadata.text(3, description);
  return metadata.int(4, dataClass);
}

function encodeSummary(value: MessageWriter, step: number, seconds: number): Uint8Array {
  const summary = new MessageWriter().message(1, value);
  return frameRecord(new MessageWriter().double(1, seconds).int(2, step).message(5, summary).finish());
}

/** Returns a TFRecord: length (8 bytes) and its checksum (4), data and its checksum (4), all little-endian. */
function frameRecord(data: Uint8Array): Uint8Array {
  const record = new Uint8Array(data.length + 16);
  const view = new DataView(record.buffer);
  view.setBigUint64(0, BigInt(data.length), true);
  view.setUint32(8, maskedCrc32c(record.subarray(0, 8)), true);
  record.set(data, 12);
  view.setUint32(data.length + 12, maskedCrc32c(data), true);
  return record;
}
