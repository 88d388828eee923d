/**
 * Real graphs by the folders of their models: the shape of the input, whose values are from 0 to `range`. `dynamic` ones have
 * ops whose output shapes depend on values. Equal scores of `anyOrder` may swap positions. The probabilities of `logarithmic`
 * are so near 0 that only their orders of magnitude can be compared.
 */
export const kGraphs = {
  blazeface: { shape: [1, 256, 256, 3], range: 1 },
  facemesh: { shape: [1, 192, 192, 3], range: 1 },
  selfie: { shape: [1, 256, 256, 3], range: 1, logarithmic: true },
  'eye-iris': { shape: [1, 64, 64, 3], range: 1 },
  handtrack: { shape: [1, 64, 64, 3], dtype: 'int32', range: 255, dynamic: true, anyOrder: true },
  faceboxes: { shape: [1, 64, 64, 3], dtype: 'int32', range: 255, dynamic: true },
};
