import { layersToOnnx } from './layers_to_onnx.mjs';
import { kToChannelsFirst, kToChannelsLast, permute } from './layout.mjs';
import { onnxModel } from './onnx.mjs';
import { randomFloats, sizeOf } from './random.mjs';

/**
 * ONNX Runtime on WebAssembly with `threads` threads, or on `provider`, with all graph optimizations. On 'webgpu' an op's input
 * and output stay on the device, as with the other engines.
 */
export async function ortEngine(threads, library, provider = 'wasm') {
  const ort = library ?? (await import('onnxruntime-web'));
  ort.env.wasm.numThreads = threads;
  ort.env.logLevel = 'error';
  return {
    async prepare(work) {
      // On a device an op's operands need not be copied in at each call, so that it is the same work as the other engines'.
      const onnx = provider === 'webgpu' && !work.arrays ? work.tflite : work.onnx;
      if (work.train || (!work.model && !onnx)) return undefined;
      const { bytes, input, output, restore = (values) => values } = work.model ? fromModel(work) : fromOp(work, onnx);
      const options = { executionProviders: [provider], graphOptimizationLevel: 'all' };
      if (provider === 'webgpu' && !work.model && !work.arrays)
        return prepareOnDevice(ort, { bytes, input, output, restore }, options);
      const session = await ort.InferenceSession.create(bytes, options);
      let last;
      const call = async () => {
        const x = new ort.Tensor('float32', input.values, input.shape);
        last = (await session.run({ [input.name]: x }))[output];
      };
      return {
        call,
        result: async () => {
          await call();
          return restore(last.data, last.dims);
        },
        end: () => session.release(),
      };
    },
  };
}

async function prepareOnDevice(ort, { bytes, input, output, restore }, options) {
  const session = await ort.InferenceSession.create(bytes, { ...options, preferredOutputLocation: 'gpu-buffer' });
  const device = await ort.env.webgpu.device;
  const usage = GPUBufferUsage.STORAGE | GPUBufferUsage.COPY_DST | GPUBufferUsage.COPY_SRC;
  const buffer = device.createBuffer({ size: input.values.byteLength, usage });
  device.queue.writeBuffer(buffer, 0, input.values);
  const x = ort.Tensor.fromGpuBuffer(buffer, { dataType: 'float32', dims: input.shape });
  const run = async () => (await session.run({ [input.name]: x }))[output];
  return {
    async call() {
      const y = await run();
      await device.queue.onSubmittedWorkDone();
      y.dispose();
    },
    async result() {
      const y = await run();
      const { dims } = y;
      return restore(await y.getData(true), dims);
    },
    async end() {
      await session.release();
      buffer.destroy();
    },
  };
}

function fromModel({ model }) {
  const { bytes, input, output } = layersToOnnx(model());
  const images = input.shape.length === 4;
  // The other engines take the same picture with its channels last.
  const shape = images ? kToChannelsLast.map((axis) => input.shape[axis]) : input.shape;
  const values = randomFloats(sizeOf(shape), 1, 0, 1);
  return {
    bytes,
    output,
    input: { ...input, values: images ? permute(values, shape, kToChannelsFirst).values : values },
  };
}

function fromOp({ inputs }, { op, attributes, images, constantOrder }) {
  const tensors = inputs.map((shape, i) => ({ values: randomFloats(sizeOf(shape), i + 1), shape }));
  const first = images ? permute(tensors[0].values, tensors[0].shape, kToChannelsFirst) : tensors[0];
  const constants = Object.fromEntries(
    tensors.slice(1).map(({ values, shape }, i) => {
      return [`c${i}`, constantOrder ? permute(values, shape, constantOrder) : { values, shape }];
    }),
  );
  const input = { name: 'x', ...first };
  const nodes = [{ op, inputs: ['x', ...Object.keys(constants)], outputs: ['y'], attributes }];
  return {
    bytes: onnxModel({ nodes, constants, input, output: { name: 'y' } }),
    input,
    output: 'y',
    restore: (values, shape) => (images ? permute(values, shape, kToChannelsLast).values : values),
  };
}
