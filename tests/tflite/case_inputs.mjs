// Inputs of cases of single nodes.

export const x = (shape, values, type = 'float32') => ({ shape, values, type });
export const constant = (shape, values, type = 'int32') => ({ shape, values, type, isConstant: true });
export const f = (shape, type = 'float32') => ({ shape, type });
export const ramp = (count, from = -1, to = 1) =>
  Array.from({ length: count }, (_, i) => from + ((to - from) * i) / (count - 1 || 1));
export const weights = (shape) => ({
  shape,
  isConstant: true,
  values: Array.from({ length: shape.reduce((a, b) => a * b, 1) }, (_, i) => Math.sin(3 * i + 1)),
});
export const v = () => x([2, 3], ramp(6, -2, 2.5));
export const positive = () => x([2, 3], ramp(6, 0.2, 2.5));
export const w = () => x([2, 3], [3, -1, 0.5, 2, -2, 1.5]);
export const bools = (values) => x([values.length], values, 'bool');
export const image = (size = 5, channels = 2) => x([1, size, size, channels], weights([size * size * channels]).values);
export const none = [];
