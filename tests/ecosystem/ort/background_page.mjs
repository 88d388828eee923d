// Removes the background of a picture with @bunnio/rembg-web: the program of a page.
import { newSession, remove } from '@bunnio/rembg-web';
import * as ort from 'onnxruntime-web';

const kSize = [64, 48];

/** Returns the picture without its background, as numbers from 0 to 1. */
export async function removeBackground() {
  ort.env.wasm.wasmPaths = '/ort/';
  // The package warns that it knows neither the size nor the hash of a model of one's own.
  console.warn = () => {};
  const session = await newSession(
    'u2net_custom',
    { modelPath: '/models/u2net.onnx', inputSize: [40, 40] },
    { numThreads: 1, executionProviders: ['wasm'], bypassModelCache: true },
  );
  const cut = await remove(draw(), { session });
  await session.dispose();
  const canvas = new OffscreenCanvas(...kSize);
  const context = canvas.getContext('2d');
  context.drawImage(await createImageBitmap(cut), 0, 0);
  return Array.from(context.getImageData(0, 0, ...kSize).data, (value) => value / 255);
}

/** Returns a picture of a disc on a gradient. */
function draw() {
  const canvas = document.createElement('canvas');
  [canvas.width, canvas.height] = kSize;
  const context = canvas.getContext('2d');
  const gradient = context.createLinearGradient(0, 0, ...kSize);
  gradient.addColorStop(0, '#204060');
  gradient.addColorStop(1, '#d0c0a0');
  context.fillStyle = gradient;
  context.fillRect(0, 0, ...kSize);
  context.fillStyle = '#e03020';
  context.arc(30, 22, 14, 0, 2 * Math.PI);
  context.fill();
  return canvas;
}
