// tf.layers
export { input, inputLayer } from './input_layer.js';
export { Layer } from './layer.js';
export * from './layers.js';
export { RNN, RNNCell } from './recurrent.js';
