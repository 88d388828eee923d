// tf.layers
export { input, inputLayer } from './input_layer.js';
export { Layer } from './layer.js';
export type * from './layer_classes.js';
export * from './layers.js';
export { RNN } from './recurrent.js';
export { RNNCell } from './recurrent_cells.js';
export type { Bidirectional, TimeDistributed } from './wrappers.js';
