import type { Tensor } from '../tensor/tensor.js';
import type { SymbolicTensor } from './layers/symbolic_tensor.js';

/** Number of characters of metadata above which save() warns. */
const kMaxMetadata = 1 << 20;

/** True if a value survives a round trip through JSON. */
function isJson(value: unknown): boolean {
  if (typeof value !== 'object' || value === null)
    return value === null || ['string', 'number', 'boolean'].includes(typeof value);
  if (Array.isArray(value)) return value.every(isJson);
  return Object.getPrototypeOf(value) === Object.prototype && Object.values(value).every(isJson);
}

/** True if a value is an object that survives a round trip through JSON. */
export function isJsonObject(value: unknown): value is Record<string, unknown> {
  return typeof value === 'object' && !Array.isArray(value) && value !== null && isJson(value);
}

/** Warns if the metadata of a model are too large to be saved with it. */
export function warnAboutLargeMetadata(model: string, metadata: Record<string, unknown> | undefined): void {
  const { length } = JSON.stringify(metadata ?? '');
  if (length <= kMaxMetadata) return;
  console.warn(
    `User-defined metadata of model "${model}" is too large in size (length=${length} when serialized). It is not recommended to store such large objects in user-defined metadata. Please make sure its serialized length is <= ${kMaxMetadata}.`,
  );
}

/** Throws if the number or a shape of the inputs is wrong; the engine checks this itself for models that it runs as a whole. */
export function checkInputs(tensors: Tensor[], inputs: SymbolicTensor[], names: string[]): void {
  if (tensors.length !== inputs.length) {
    throw new Error(
      `Error when checking model : the Array of Tensors that you are passing to your model is not the size the the model expected. Expected to see ${inputs.length} Tensor(s), but instead got ${tensors.length} Tensors(s).`,
    );
  }
  for (const [i, { shape }] of inputs.entries()) {
    const given = tensors[i]!.shape;
    if (given.length !== shape.length) {
      throw new Error(
        `Error when checking : expected ${names[i]} to have ${shape.length} dimension(s). but got array with shape ${given}`,
      );
    }
    if (shape.some((extent, d) => d > 0 && extent !== null && extent !== given[d])) {
      throw new Error(
        `Error when checking : expected ${names[i]} to have shape [${shape}], but got array with shape [${given}].`,
      );
    }
  }
}
