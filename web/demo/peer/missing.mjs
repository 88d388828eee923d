// Stands in for TensorFlow.js if it could not be installed.
export const tf = undefined;
