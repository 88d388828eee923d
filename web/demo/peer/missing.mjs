// In the place of TensorFlow.js, where it could not be installed.
export const tf = undefined;
