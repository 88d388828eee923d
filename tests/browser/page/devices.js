// Results of a test browser's camera and microphone, and the tensors left after they stop; and of a web worker.
import * as tf from '/tenure/dist/index.js';
import { show } from './show.js';

const held = () => [tf.memory().numTensors, tf.memory().detail.scopes];
const about = (x) => ({ dtype: x.dtype, shape: x.shape, min: x.min().dataSync()[0], max: x.max().dataSync()[0] });
const found = { before: held() };

try {
  const video = document.createElement('video');
  video.width = 320;
  video.height = 240;
  const camera = await tf.data.webcam(video, { resizeWidth: 64, resizeHeight: 48, centerCrop: true });
  found.cropped = await tf.scopeAsync(async (scope) => {
    const frame = await camera.capture();
    return scope.run(() => about(frame));
  });
  camera.stop();
  found.stopped = [(await camera.next()).done, await camera.capture(), video.srcObject];

  const hidden = await tf.data.webcam(null, { resizeWidth: 160, resizeHeight: 120 });
  found.frames = [];
  for await (const frame of tf.data
    .generator(() => hidden)
    .batch(2)
    .take(2))
    found.frames.push(tf.tidy(() => about(frame)));
  found.released = (await hidden.next()).done;

  const microphone = await tf.data.microphone({
    fftSize: 256,
    numFramesPerSpectrogram: 5,
    columnTruncateLength: 100,
    includeWaveform: true,
  });
  const { spectrogram, waveform } = await microphone.capture();
  found.audio = [spectrogram.shape, waveform.shape, microphone.getSampleRate() > 0];
  tf.dispose([spectrogram, waveform]);
  microphone.stop();
  found.silent = (await microphone.next()).done;

  const pool = tf.data.workers('./doubles.js', { workers: 2 });
  found.doubled = await tf.data
    .array([1, 2, 3])
    .map((x) => Float32Array.of(x))
    .mapAsync(pool)
    .map((x) => x[0])
    .toArray();
  found.error = await pool.map(null).catch((error) => error.stack);
  await pool.close();
} catch (error) {
  found.failed = error.stack;
}
found.after = held();
show(found);
