// Specs of TensorFlow.js's packages that pass over its own core but not over Tenure's, with reasons.
const numbers = 'Adam keeps its two powers of beta as numbers, where TensorFlow.js has two tensors';

export const reasons = {
  layers: {
    'engine/training: LayersModel.fit Model.dispose() cleans up owned optimizer: Functional': numbers,
    'engine/training: LayersModel.fit Model.dispose() cleans up owned optimizer: Sequential': numbers,
  },
};
