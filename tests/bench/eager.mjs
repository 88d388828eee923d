import { randomFloats, sizeOf } from './random.mjs';

/**
 * Adapts an engine with the TensorFlow.js API. A prepared workload has `call`, `result` (of the last call) and `end`.
 * `readsFirst`: the results of which one element is read, which waits for deferred ops: 'all' on a GPU, 'large' where large
 * results are deferred. Engines whose ops are synchronous read nothing, because TensorFlow.js's wasm backend copies a whole
 * tensor to return one element. `awaits`: true if results are read by data(), as programs on WebGPU do, instead of dataSync().
 */
export function eagerEngine(tf, { readsFirst, awaits = false } = {}) {
  return {
    prepare: (work) =>
      work.train
        ? prepareTraining(tf, work)
        : work.graph
          ? prepareGraph(tf, work, awaits)
          : work.model
            ? (awaits ? prepareAwaitedModel : prepareModel)(tf, work)
            : awaits
              ? prepareAwaitedOp(tf, work)
              : prepareOp(tf, work, readsFirst),
    memory: () => ({ numTensors: tf.memory().numTensors, numBytes: tf.memory().numBytes }),
    peak: async (call) => {
      const { peakBytes } = await tf.profile(call);
      return tf.memory().detail?.peakBytes ?? peakBytes;
    },
  };
}

/** Returns one element of a result in its present layout: an engine may repack what is reshaped. */
export function first(tf, y) {
  return y.rank === 0
    ? y
    : tf.slice(
        y,
        y.shape.map(() => 0),
        y.shape.map(() => 1),
      );
}

/** Returns an op's operands, and a function that returns them with the first made of an array again if `arrays`. */
function operandsOf(tf, { inputs, arrays }) {
  const values = inputs.map((shape, i) => randomFloats(sizeOf(shape), i + 1));
  const tensors = inputs.map((shape, i) => tf.tensor(values[i], shape));
  return { tensors, given: () => (arrays ? [tf.tensor(values[0], inputs[0]), ...tensors.slice(1)] : tensors) };
}

function prepareOp(tf, work, readsFirst) {
  const { call, arrays, tiny } = work;
  const { tensors, given } = operandsOf(tf, work);
  let result;
  // Nothing is returned from tidy: TensorFlow.js searches every element of a typed array for tensors.
  const run = (read) =>
    tf.tidy(() => {
      const y = call(tf, ...given());
      if (read) result = y.dataSync();
      else if (readsFirst === 'all' || (readsFirst === 'large' && !tiny)) first(tf, y).dataSync();
    });
  return {
    call: () => run(arrays),
    result: () => {
      run(true);
      return result;
    },
    end: () => tf.dispose(tensors),
  };
}

function prepareAwaitedOp(tf, work) {
  const { tensors, given } = operandsOf(tf, work);
  const run = async (read) => {
    const y = tf.tidy(() => {
      const whole = work.call(tf, ...given());
      return read ? whole : first(tf, whole);
    });
    const values = await y.data();
    y.dispose();
    return values;
  };
  return { call: () => run(work.arrays), result: () => run(true), end: () => tf.dispose(tensors) };
}

async function prepareAwaitedModel(tf, { model: read }) {
  const model = await tf.loadLayersModel({ load: async () => read() });
  const shape = [1, ...model.inputs[0].shape.slice(1)];
  const values = randomFloats(sizeOf(shape), 1, 0, 1);
  const call = async () => {
    const y = tf.tidy(() => model.predict(tf.tensor(values, shape)));
    const result = await y.data();
    y.dispose();
    return result;
  };
  return { call, result: call, end: () => model.dispose() };
}

async function prepareModel(tf, { model: read }) {
  const model = await tf.loadLayersModel({ load: async () => read() });
  const shape = [1, ...model.inputs[0].shape.slice(1)];
  const values = randomFloats(sizeOf(shape), 1, 0, 1);
  let result;
  const call = () =>
    tf.tidy(() => {
      result = model.predict(tf.tensor(values, shape)).dataSync();
    });
  return {
    call,
    result: () => {
      call();
      return result;
    },
    end: () => model.dispose(),
  };
}

async function prepareGraph(tf, { model: read, graph }, awaits) {
  const { shape, dtype, range, dynamic, anyOrder, logarithmic } = graph;
  const model = await tf.loadGraphModel({ load: async () => read() });
  const floats = randomFloats(sizeOf(shape), 1, 0, range);
  const values = dtype === 'int32' ? Int32Array.from(floats) : floats;
  let results;
  const readAll = (outputs) => {
    const list = Array.isArray(outputs) ? outputs : [outputs];
    results = list.map((output) => output.dataSync());
    tf.dispose(list);
  };
  const callAwaited = async () => {
    const x = tf.tensor(values, shape, dtype);
    const outputs = dynamic ? await model.executeAsync(x) : model.execute(x);
    const list = Array.isArray(outputs) ? outputs : [outputs];
    results = await Promise.all(list.map((output) => output.data()));
    tf.dispose([x, list]);
  };
  const callSync = () => {
    const x = tf.tensor(values, shape, dtype);
    if (!dynamic) {
      readAll(model.execute(x));
      x.dispose();
      return undefined;
    }
    return model.executeAsync(x).then((outputs) => {
      readAll(outputs);
      x.dispose();
    });
  };
  const call = awaits ? callAwaited : callSync;
  return {
    call,
    result: async () => {
      await call();
      if (anyOrder) return results.map(({ length }) => length);
      const all = results.flatMap((list) => [...list]);
      return logarithmic ? all.map((value) => Math.log(value + 1e-30)) : all;
    },
    end: () => model.dispose(),
  };
}

async function prepareTraining(tf, { model: read, train: { input, classes } }) {
  const model = await tf.loadLayersModel({ load: async () => read() });
  const optimizer = tf.train.adam(0.001);
  model.compile({ optimizer, loss: 'categoricalCrossentropy' });
  const x = tf.tensor(randomFloats(sizeOf(input), 1, 0, 1), input);
  const labels = Float32Array.from({ length: input[0] * classes }, (_, i) => (i % classes === (i * 7) % 3 ? 1 : 0));
  const y = tf.tensor(labels, [input[0], classes]);
  return {
    call: () => model.trainOnBatch(x, y),
    result: async () => [await model.trainOnBatch(x, y)],
    end: () => {
      tf.dispose([x, y]);
      model.dispose();
      optimizer.dispose();
    },
  };
}
