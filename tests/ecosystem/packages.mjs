// The packages under test, and what runs of each without a network: on their own models if they bring them, on those of
// ../shared/models, or without any. Results are compared with those on TensorFlow.js.
import { readFileSync } from 'node:fs';
import path from 'node:path';
import jpeg from 'jpeg-js';
import { modelsFolder } from '../golden_models.mjs';

const picture = (name) => {
  const { width, height, data } = jpeg.decode(readFileSync(path.join(modelsFolder, '../images', name)), {
    useTArray: true,
  });
  return { width, height, data: new Uint8Array(data) };
};
/** Loads a picture without its alpha channel. */
const image = (tf, name) =>
  tf.tidy(() => {
    const { width, height, data } = picture(name);
    return tf.tensor3d(data, [height, width, 4], 'int32').slice([0, 0, 0], [-1, -1, 3]);
  });
const numbers = (tensor) => Array.from(tensor.dataSync());

const faces = (list) =>
  list.map(({ box, keypoints }) => ({ box, keypoints: keypoints.slice(0, 20).map(({ x, y }) => [x, y]) }));

/**
 * By name: `run` if something can run, `what` describes it, `models` lists the models of ../shared that it needs, `entry` is
 * set if the bundlers' entry contains TensorFlow.js, and `inside` if all entries do.
 */
export const packages = {
  '@tensorflow-models/knn-classifier': {
    what: 'adds examples, classifies, and gives its data set',
    async run(knn, tf) {
      const classifier = knn.create();
      const examples = [
        [1, 0, 0],
        [0.9, 0.1, 0],
        [0, 1, 0],
        [0, 0.8, 0.2],
      ].map((values) => tf.tensor1d(values));
      examples.forEach((example, i) => classifier.addExample(example, i < 2 ? 'a' : 'b'));
      const x = tf.tensor1d([0.7, 0.3, 0]);
      const result = await classifier.predictClass(x, 3);
      const kept = Object.fromEntries(
        Object.entries(classifier.getClassifierDataset()).map(([label, data]) => [label, numbers(data)]),
      );
      const counts = classifier.getClassExampleCount();
      tf.dispose([x, ...examples]);
      classifier.dispose();
      return { result, kept, counts };
    },
  },
  '@tensorflow-models/blazeface': {
    what: 'finds the faces of two photographs',
    models: ['facemesh-detection-short'],
    async run(blazeface, tf) {
      const model = await blazeface.load({ modelUrl: 'http://models/facemesh-detection-short/model.json' });
      const found = [];
      for (const name of ['portrait.jpg', 'three_people.jpg']) {
        const x = image(tf, name);
        found.push(await model.estimateFaces(x, false));
        x.dispose();
      }
      model.dispose();
      return found;
    },
  },
  '@tensorflow-models/face-detection': {
    what: "finds the faces of two photographs ('tfjs' runtime)",
    models: ['facemesh-detection-short'],
    async run(detection, tf) {
      const detector = await detection.createDetector('MediaPipeFaceDetector', {
        runtime: 'tfjs',
        detectorModelUrl: 'http://models/facemesh-detection-short/model.json',
      });
      const found = [];
      for (const name of ['portrait.jpg', 'three_people.jpg']) {
        const x = image(tf, name);
        found.push(faces(await detector.estimateFaces(x)));
        x.dispose();
      }
      detector.dispose();
      return found;
    },
  },
  '@tensorflow-models/face-landmarks-detection': {
    what: "the landmarks of a photograph's face ('tfjs' runtime)",
    models: ['facemesh-detection-short', 'facemesh'],
    async run(detection, tf) {
      const detector = await detection.createDetector('MediaPipeFaceMesh', {
        runtime: 'tfjs',
        refineLandmarks: false,
        detectorModelUrl: 'http://models/facemesh-detection-short/model.json',
        landmarkModelUrl: 'http://models/facemesh/model.json',
      });
      const x = image(tf, 'portrait.jpg');
      const found = faces(await detector.estimateFaces(x, { staticImageMode: true }));
      x.dispose();
      detector.dispose();
      return found;
    },
  },
  '@tensorflow-models/body-segmentation': {
    what: "a mask over a graph of the model's shapes ('tfjs' runtime)",
    async run(segmentation, tf, { standIn }) {
      const modelUrl = standIn('selfie', { input: ['DT_FLOAT', [1, 256, 256, 3]] }, { mask: [1, 256, 256, 2] });
      const segmenter = await segmentation.createSegmenter('MediaPipeSelfieSegmentation', {
        runtime: 'tfjs',
        modelType: 'general',
        modelUrl,
      });
      const x = image(tf, 'portrait.jpg');
      const people = await segmenter.segmentPeople(x);
      const masks = [];
      for (const { mask } of people) {
        const tensor = await mask.toTensor();
        masks.push({ shape: tensor.shape, mean: numbers(tensor).reduce((a, b) => a + b, 0) / tensor.size });
        tensor.dispose();
      }
      x.dispose();
      segmenter.dispose();
      return masks;
    },
  },
  '@teachablemachine/image': {
    what: 'the features of a photograph by a truncated MobileNet',
    models: ['mobilenet025'],
    async run(machine, tf) {
      const options = {
        checkpointUrl: 'http://models/mobilenet025/model.json',
        trainingLayer: 're_lu_ReLU21',
        alpha: 0.25,
      };
      const truncated = await machine.loadTruncatedMobileNet(options);
      const x = tf.tidy(() =>
        tf.image.resizeBilinear(image(tf, 'portrait.jpg'), [96, 96]).toFloat().div(127.5).sub(1).expandDims(),
      );
      const y = truncated.predict(x);
      const result = { shape: y.shape, some: numbers(y).slice(0, 500) };
      tf.dispose([x, y]);
      truncated.dispose();
      return result;
    },
  },
  nsfwjs: {
    what: 'classifies a photograph with the MobileNetV2 that it brings',
    models: ['../images'],
    entry: "export { NSFWJS, load } from 'nsfwjs/core'; export { MobileNetV2Model } from 'nsfwjs/models/mobilenet_v2';",
    async run({ load, MobileNetV2Model }, tf) {
      const model = await load('MobileNetV2', { modelDefinitions: [MobileNetV2Model] });
      const x = image(tf, 'portrait.jpg');
      const found = await model.classify(x);
      x.dispose();
      model.dispose?.();
      return Object.fromEntries(found.map(({ className, probability }) => [className, probability]));
    },
  },
  '@spotify/basic-pitch': {
    what: 'the notes of a second of sound, with the model that it brings',
    async run({ BasicPitch, outputToNotesPoly, noteFramesToTime }, tf) {
      const model = tf.loadGraphModel('http://packages/@spotify/basic-pitch/model/model.json');
      const sound = Float32Array.from({ length: 22050 }, (_, i) => 0.5 * Math.sin((2 * Math.PI * 440 * i) / 22050));
      const [frames, onsets] = [[], []];
      await new BasicPitch(model).evaluateModel(
        sound,
        (f, o) => {
          frames.push(...f);
          onsets.push(...o);
        },
        () => {},
      );
      const notes = noteFramesToTime(outputToNotesPoly(frames, onsets, 0.25, 0.25, 5));
      (await model).dispose();
      return { size: [frames.length, frames[0].length], frame: frames[40], notes };
    },
  },
  upscaler: {
    what: 'doubles a picture, in patches, with the model of @upscalerjs/default-model',
    models: ['../images'],
    entry:
      "export { default as Upscaler } from 'upscaler'; export { default as model } from '@upscalerjs/default-model';",
    async run({ Upscaler, model }, tf) {
      const path = 'http://packages/@upscalerjs/default-model/models/model.json';
      const upscaler = new Upscaler({ model: { ...model, path } });
      const x = tf.tidy(() => tf.image.resizeBilinear(image(tf, 'portrait.jpg'), [48, 40]));
      const y = await upscaler.execute(x, { output: 'tensor', patchSize: 32, padding: 2 });
      const found = { shape: y.shape, pixels: numbers(y).filter((_, i) => i % 97 === 0) };
      tf.dispose([x, y]);
      await upscaler.dispose();
      return found;
    },
  },
  '@vladmandic/face-api': {
    what: 'faces, landmarks, expressions and descriptors of a photograph, with the models that it brings',
    models: ['../images'],
    entry: "export * from '@vladmandic/face-api/dist/face-api.esm-nobundle.js';",
    async run(faceapi, tf) {
      const folder = 'http://packages/@vladmandic/face-api/model';
      const nets = ['tinyFaceDetector', 'faceLandmark68Net', 'faceExpressionNet', 'faceRecognitionNet', 'ageGenderNet'];
      for (const net of nets) await faceapi.nets[net].loadFromUri(folder);
      const x = image(tf, 'portrait.jpg');
      const found = await faceapi
        .detectAllFaces(x, new faceapi.TinyFaceDetectorOptions({ inputSize: 416, scoreThreshold: 0.3 }))
        .withFaceLandmarks()
        .withFaceExpressions()
        .withAgeAndGender()
        .withFaceDescriptors();
      x.dispose();
      return found.map(({ detection, landmarks, expressions, age, gender, descriptor }) => ({
        box: [detection.box.x, detection.box.y, detection.box.width, detection.box.height],
        points: landmarks.positions.slice(0, 10).map((point) => [point.x, point.y]),
        expressions: { ...expressions },
        age,
        gender,
        descriptor: Array.from(descriptor),
      }));
    },
  },
  scikitjs: {
    what: 'fits a line, and scales columns',
    async run(sk, tf) {
      sk.setBackend(tf);
      const X = [
        [1, 2],
        [2, 1],
        [3, 5],
        [4, 3],
        [5, 8],
      ];
      const y = [3, 4, 8, 9, 13];
      const line = await new sk.LinearRegression({ fitIntercept: true }).fit(X, y);
      const predicted = line.predict([[6, 7]]);
      const scaled = new sk.StandardScaler().fitTransform(X);
      const result = {
        predicted: numbers(predicted).map((value) => Math.round(value * 10) / 10),
        scaled: numbers(scaled),
      };
      tf.dispose([predicted, scaled]);
      return result;
    },
  },
  '@tensorflow/tfjs-vis': {
    what: 'its metrics: accuracy, accuracy by class, confusion matrix',
    async run(vis, tf) {
      const [labels, predictions] = [tf.tensor1d([0, 1, 2, 1, 0], 'int32'), tf.tensor1d([0, 2, 2, 1, 1], 'int32')];
      const { metrics } = vis;
      const result = [
        await metrics.accuracy(labels, predictions),
        await metrics.perClassAccuracy(labels, predictions),
        await metrics.confusionMatrix(labels, predictions),
      ];
      tf.dispose([labels, predictions]);
      return result;
    },
  },
  '@tensorflow-models/coco-ssd': {
    what: 'an image through a graph of its shapes',
    async run(ssd, tf, { standIn }) {
      const url = standIn(
        'ssd',
        { image_tensor: ['DT_INT32', [1, -1, -1, 3]] },
        { scores: [1, 20, 3], boxes: [1, 20, 1, 4] },
      );
      const model = await ssd.load({ modelUrl: url });
      const x = image(tf, 'portrait.jpg');
      const found = await model.detect(x, 5, 0.1);
      x.dispose();
      model.dispose();
      return found;
    },
  },
  '@tensorflow-models/mobilenet': {
    what: 'an image through a graph of its shapes: classes and an embedding',
    async run(mobilenet, tf, { standIn }) {
      const url = standIn(
        'mobilenet',
        { input: ['DT_FLOAT', [-1, 224, 224, 3]] },
        { 'module_apply_default/MobilenetV1/Logits/output': [1, 1001] },
      );
      const model = await mobilenet.load({ version: 1, alpha: 0.25, modelUrl: url, inputRange: [-1, 1] });
      const x = image(tf, 'portrait.jpg');
      const classes = await model.classify(x);
      x.dispose();
      return classes;
    },
  },
  '@tensorflow-models/pose-detection': {
    what: 'MoveNet over a graph of its shapes',
    async run(detection, tf, { standIn }) {
      const modelUrl = standIn('movenet', { input: ['DT_INT32', [1, 192, 192, 3]] }, { output_0: [1, 1, 17, 3] });
      const detector = await detection.createDetector('MoveNet', {
        modelType: 'SinglePose.Lightning',
        modelUrl,
        enableSmoothing: false,
      });
      const x = image(tf, 'portrait.jpg');
      const poses = await detector.estimatePoses(x);
      x.dispose();
      detector.dispose();
      return poses;
    },
  },
  '@tensorflow-models/universal-sentence-encoder': {
    what: "its tokenizer, and sentences through a graph of the model's shapes",
    async run(use, tf, { standIn, serve }) {
      const words = ['\u2581', 'a', '\u2581he', 'llo', 'l', 'o', 'h', 'e', '\u2581w', 'or', 'ld'].map((word, i) => [
        word,
        -i,
      ]);
      const tokenizer = new use.Tokenizer(words);
      const tokens = ['hello world', 'a hole'].map((text) => tokenizer.encode(text));
      const modelUrl = standIn(
        'use',
        { indices: ['DT_INT32', [-1, 2]], values: ['DT_INT32', [-1]] },
        { embeddings: [2, 512] },
      );
      const encoder = await use.load({ modelUrl, vocabUrl: serve('use/vocab.json', JSON.stringify(words)) });
      const embeddings = await encoder.embed(['hello world', 'a hole']);
      const result = { tokens, shape: embeddings.shape, values: numbers(embeddings).slice(0, 50) };
      embeddings.dispose();
      return result;
    },
  },
  '@tensorflow-models/posenet': {
    what: "a pose over a graph of the model's shapes",
    async run(posenet, tf, { standIn }) {
      const shapes = {
        offsets: [1, 17, 17, 34],
        heatmaps: [1, 17, 17, 17],
        forward: [1, 17, 17, 32],
        backward: [1, 17, 17, 32],
      };
      const modelUrl = standIn('posenet', { input: ['DT_FLOAT', [1, -1, -1, 3]] }, shapes);
      const net = await posenet.load({
        architecture: 'MobileNetV1',
        outputStride: 16,
        inputResolution: 257,
        multiplier: 0.5,
        modelUrl,
      });
      const x = image(tf, 'portrait.jpg');
      const poses = [await net.estimateSinglePose(x), await net.estimateMultiplePoses(x, { maxDetections: 2 })];
      x.dispose();
      net.dispose();
      return poses;
    },
  },
  '@tensorflow-models/speech-commands': {
    what: "a spectrogram through a model of the recognizer's shapes",
    async run(commands, tf, { serve }) {
      const weights = Float32Array.from({ length: 43 * 232 * 3 }, (_, i) => Math.sin(i) / 100);
      const layers = [
        { class_name: 'Flatten', config: { name: 'flatten', batch_input_shape: [null, 43, 232, 1], dtype: 'float32' } },
        { class_name: 'Dense', config: { name: 'dense', units: 3, activation: 'softmax', use_bias: false } },
      ];
      const modelTopology = {
        class_name: 'Sequential',
        config: { name: 'speech', layers },
        keras_version: 'tfjs-layers',
      };
      const weightsManifest = [
        { paths: ['weights.bin'], weights: [{ name: 'dense/kernel', shape: [43 * 232, 3], dtype: 'float32' }] },
      ];
      serve('speech/weights.bin', Buffer.from(weights.buffer));
      const model = serve('speech/model.json', JSON.stringify({ modelTopology, weightsManifest }));
      const metadata = serve(
        'speech/metadata.json',
        JSON.stringify({ wordLabels: ['_background_noise_', 'yes', 'no'] }),
      );
      const recognizer = commands.create('BROWSER_FFT', null, model, metadata);
      await recognizer.ensureModelLoaded();
      const x = tf.tidy(() =>
        tf
          .range(0, 43 * 232)
          .sin()
          .reshape([1, 43, 232, 1]),
      );
      const { scores } = await recognizer.recognize(x);
      x.dispose();
      return { labels: recognizer.wordLabels(), scores: Array.from(scores) };
    },
  },
  '@tensorflow-models/body-pix': {},
  '@tensorflow-models/deeplab': {},
  '@tensorflow-models/depth-estimation': {},
  '@tensorflow-models/hand-pose-detection': {},
  '@tensorflow-models/handpose': {},
  '@tensorflow-models/qna': {},
  '@tensorflow-models/toxicity': {},
  '@tensorflow/tfjs-automl': {},
  '@teachablemachine/pose': {},
  '@upscalerjs/default-model': {},
  ml5: { inside: true },
};
