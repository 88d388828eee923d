import type { InferenceSession } from 'onnxruntime-common';
import type { OnnxExternalData } from '../index.js';

type ExternalData = NonNullable<InferenceSession.SessionOptions['externalData']>[number];

/** Converts an element of the option externalData. An element that is a string is both the path and the address. */
export async function readExternalData(file: ExternalData): Promise<OnnxExternalData> {
  if (typeof file === 'string') return { path: pathInModel(file), data: file };
  const { data, path } = file;
  const bytes = data instanceof Blob ? await data.arrayBuffer() : data;
  // loadOnnxModel() takes, and checks, buffers of any kind.
  return { path: pathInModel(path), data: bytes as ArrayBuffer };
}

/** Returns the path by which a model names a file: its name alone, if it is given by a URL or an absolute path. */
function pathInModel(path: string): string {
  return /^\/|:/.test(path) ? path.slice(path.search(/[^/\\]*$/)) : path.replace(/^\.\//, '');
}
