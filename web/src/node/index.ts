// tf.node, with the API of tfjs-node. Only the package for Node has it.
export { decodeBmp, decodeGif, decodeImage, decodeJpeg, decodePng, encodeJpeg, encodePng } from './image.js';
