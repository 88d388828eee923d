// tf.node, with the API of tfjs-node. Only the package for Node has it.
export { decodeBmp, decodeGif, decodeImage, decodeJpeg, decodePng, encodeJpeg, encodePng } from './image.js';
export { getMetaGraphsFromSavedModel, getNumOfSavedModels, loadSavedModel, TFSavedModel } from './saved_model.js';
export { summaryFileWriter, type SummaryFileWriter } from './summary_writer.js';
export { tensorBoard, type TensorBoardCallback, type TensorBoardCallbackArgs } from './tensor_board.js';
