import { layersToTflite } from './layers_to_tflite.mjs';
import { permute } from './layout.mjs';
import { randomFloats, sizeOf } from './random.mjs';
import { tfliteModel } from './tflite.mjs';

/**
 * LiteRT.js on WebAssembly with `threads` threads: XNNPACK, with relaxed SIMD if the browser has it. It loads in pages only.
 */
export async function litertEngine(threads, litert, folder) {
  await litert.loadLiteRt(folder, { threads: threads > 1 });
  return {
    async prepare(work) {
      const made = work.model ? fromModel(work) : fromOp(work);
      if (!made) return undefined;
      const model = await litert.loadAndCompile(made.bytes, {
        accelerator: 'wasm',
        cpuOptions: { numThreads: threads },
      });
      let last;
      const run = async (read) => {
        // A prediction's input comes from JavaScript at each call, and its output goes back, as with the other engines; an op's
        // operands and results stay in the engine.
        const x = work.model
          ? new litert.Tensor(made.values, made.shape)
          : (made.tensor ??= new litert.Tensor(made.values, made.shape));
        const [y] = await model.run([x]);
        if (read) last = y.toTypedArray().slice();
        y.delete();
        if (work.model) x.delete();
      };
      return {
        call: () => run(work.model !== undefined),
        result: async () => {
          await run(true);
          return last;
        },
        end() {
          made.tensor?.delete();
          model.delete();
        },
      };
    },
  };
}

/** LiteRT.js on WebGPU in float32. An op's input and output stay on the device, as with the other engines. */
export async function litertGpuEngine(litert, folder) {
  await litert.loadLiteRt(folder, { threads: false });
  return {
    async prepare(work) {
      const made = work.model ? fromModel(work) : work.arrays ? undefined : fromOp(work);
      if (!made) return undefined;
      const options = { accelerator: 'webgpu', gpuOptions: { precision: 'fp32' } };
      const model = await litert.loadAndCompile(made.bytes, options);
      const { queue } = litert.getWebGpuDevice();
      const upload = () => new litert.Tensor(made.values, made.shape).moveTo('webgpu');
      const operand = work.model ? undefined : await upload();
      const result = async () => {
        const x = operand ?? (await upload());
        const [y] = await model.run([x]);
        const values = await y.data();
        y.delete();
        if (!operand) x.delete();
        return values;
      };
      const call = async () => {
        const [y] = await model.run([operand]);
        await queue.onSubmittedWorkDone();
        y.delete();
      };
      return {
        call: work.model ? result : call,
        result,
        end() {
          operand?.delete();
          model.delete();
        },
      };
    },
  };
}

function fromModel({ model }) {
  const files = model();
  if (JSON.stringify(files.modelTopology).includes('"LSTM"')) return undefined;
  const { bytes, shape, size } = layersToTflite(files);
  return { bytes, shape, values: randomFloats(size, 1, 0, 1) };
}

const kMakers = {
  MatMul: ([x], [b]) => {
    return { shape: [x[0], b.shape[1]], constants: [permute(b.values, b.shape, [1, 0])] };
  },
  Conv: (shapes, [filter], { strides = [1], group }) => {
    const [[batch, height, width]] = shapes;
    const [stride] = strides;
    const channels = group ?? filter.shape[3];
    const kernel = group
      ? { values: filter.values, shape: [1, ...filter.shape.slice(0, 3)] }
      : permute(filter.values, filter.shape, [3, 0, 1, 2]);
    return {
      op: group ? 'Depthwise' : 'Conv',
      shape: [batch, Math.ceil(height / stride), Math.ceil(width / stride), channels],
      constants: [kernel, { values: new Float32Array(channels), shape: [channels] }],
      options: { stride },
    };
  },
  MaxPool: ([[batch, height, width, channels]], _, { strides: [stride], kernel_shape: [window] }) => ({
    shape: [batch, Math.ceil(height / stride), Math.ceil(width / stride), channels],
    options: { stride, window },
  }),
  Softmax: ([shape]) => ({ shape }),
  Sigmoid: ([shape]) => ({ shape }),
};

function fromOp({ inputs, tflite }) {
  if (!tflite) return undefined;
  const constants = inputs.slice(1).map((shape, i) => ({ values: randomFloats(sizeOf(shape), i + 2), shape }));
  const step = { op: tflite.op, ...kMakers[tflite.op](inputs, constants, tflite.attributes ?? {}) };
  return { bytes: tfliteModel(inputs[0], [step]), shape: inputs[0], values: randomFloats(sizeOf(inputs[0]), 1) };
}
