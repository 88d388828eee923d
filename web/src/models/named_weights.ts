import type { NamedTensorMap } from '../tensor/tensor.js';
import type { LayerVariable } from './layers/layer_variable.js';

/**
 * Assigns tensors to a model's weights by name. Throws, with TensorFlow.js's messages, if a shape differs or, if `strict`, if a
 * tensor or a weight has no counterpart.
 */
export function loadNamedWeights(
  model: { readonly weights: LayerVariable[] },
  tensors: NamedTensorMap,
  strict: boolean,
): void {
  const left = new Map<string, LayerVariable>();
  for (const weight of model.weights) {
    if (left.has(weight.originalName)) throw new Error(`Duplicate weight name: ${weight.originalName}`);
    left.set(weight.originalName, weight);
  }
  const count = left.size;
  for (const [name, tensor] of Object.entries(tensors)) {
    const parts = name.split('/');
    const weight = left.get(name) ?? left.get([...parts.slice(0, -2), parts.at(-1)!].join('/'));
    if (weight) {
      weight.write(tensor);
      left.delete(weight.originalName);
    } else if (strict) {
      throw new Error(`Provided weight data has no target variable: ${name}`);
    }
  }
  if (strict && left.size > 0) throw new Error(`${left.size} of ${count} weights are not set: ${[...left.keys()]}`);
}
