// tfjs-node's functions for SavedModels, which only TensorFlow itself can run. Each throws an error that says what to do.

function refusal(name: string): Error {
  return new Error(
    `[${name}] SavedModels are run by TensorFlow, which is not part of this package: convert the model once with ` +
      "'tensorflowjs_converter --input_format=tf_saved_model --output_format=tfjs_graph_model FOLDER OUTPUT' and load OUTPUT/model.json " +
      'with tf.loadGraphModel()',
  );
}

/**
 * Rejects: convert the SavedModel with tensorflowjs_converter, and load the result with tf.loadGraphModel().
 * @param _path Folder of the SavedModel.
 * @param _tags Tags of the meta graph.
 * @param _signature Name of the signature.
 * @example
 * await tf.node.loadSavedModel('saved_model'); // throws Error: [loadSavedModel] SavedModels are run by TensorFlow
 */
export function loadSavedModel(_path: string, _tags?: string[], _signature?: string): Promise<TFSavedModel> {
  return Promise.reject(refusal('loadSavedModel'));
}

/**
 * Rejects: convert the SavedModel with tensorflowjs_converter; tf.loadGraphModel() gives its inputs, outputs and signature.
 * @example
 * await tf.node.getMetaGraphsFromSavedModel('saved_model'); // throws Error: [getMetaGraphsFromSavedModel] SavedModels are run by TensorFlow
 */
export function getMetaGraphsFromSavedModel(_path: string): Promise<never> {
  return Promise.reject(refusal('getMetaGraphsFromSavedModel'));
}

/**
 * Throws: there are no SavedModels to count; tf.memory() counts the tensors of graph models.
 * @example
 * tf.node.getNumOfSavedModels(); // throws Error: [getNumOfSavedModels] SavedModels are run by TensorFlow
 */
export function getNumOfSavedModels(): number {
  throw refusal('getNumOfSavedModels');
}

/**
 * A SavedModel of tfjs-node; its constructor throws. Use a tf.GraphModel.
 * @example
 * new tf.node.TFSavedModel(); // throws Error: [TFSavedModel] SavedModels are run by TensorFlow
 */
export class TFSavedModel {
  constructor() {
    throw refusal('TFSavedModel');
  }
}
