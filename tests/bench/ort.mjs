import { layersToOnnx } from './layers_to_onnx.mjs';
import { kToChannelsFirst, kToChannelsLast, permute } from './layout.mjs';
import { onnxModel } from './onnx.mjs';
import { randomFloats, sizeOf } from './random.mjs';

/** ONNX Runtime on WebAssembly with `threads` threads and all graph optimizations. */
export async function ortEngine(threads, library) {
  const ort = library ?? (await import('onnxruntime-web'));
  ort.env.wasm.numThreads = threads;
  ort.env.logLevel = 'error';
  return {
    async prepare(work) {
      if (work.train || (!work.model && !work.onnx)) return undefined;
      const { bytes, input, output, restore = (values) => values } = work.model ? fromModel(work) : fromOp(work);
      const options = { executionProviders: ['wasm'], graphOptimizationLevel: 'all' };
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

function fromOp({ inputs, onnx: { op, attributes, images, constantOrder } }) {
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
