// An implementation of WebGPU that computes nothing, for tests of the engine's calls.

/** Bytes of the largest buffer. */
export const kMaxBytes = 2 ** 32 - 4;

const kLimits = {
  maxBufferSize: kMaxBytes,
  maxStorageBufferBindingSize: kMaxBytes,
  maxStorageBuffersPerShaderStage: 8,
  maxComputeWorkgroupStorageSize: 2 ** 14,
  maxComputeInvocationsPerWorkgroup: 256,
};

/**
 * Creates the entry point. `devices` lists those that were requested, with the calls that were made. `onDevice` is called with
 * each before it is used. `limits` replaces limits.
 */
export function createFakeGpu(onDevice = () => {}, limits = {}) {
  const devices = [];
  const requestDevice = async () => {
    const device = createDevice({ ...kLimits, ...limits });
    onDevice(device);
    devices.push(device);
    return device;
  };
  const adapter = { features: new Set(), limits: { ...kLimits, ...limits }, info: {}, requestDevice };
  return { devices, requestAdapter: async () => adapter };
}

function createDevice(limits) {
  let lose;
  const lost = new Promise((resolve) => (lose = resolve));
  const device = {
    ...{ features: new Set(), limits, lost, isDestroyed: false },
    /** Sizes of buffers that are not destroyed. */
    sizes: [],
    /** Names of the queue's calls and dispatches, in order. */
    calls: [],
    /** If set, a promise that mapping buffers waits for. */
    mapping: undefined,
    /** Functions that end the compilation of a pipeline. */
    compilations: [],
    /** Called with the name of each call that is recorded in `calls`, and of those for buffers, before it is made. */
    onCall: () => {},
    queue: {
      submit: () => record(device, 'submit'),
      writeBuffer: () => record(device, 'write'),
    },
    createBuffer: (options) => createBuffer(device, options),
    createShaderModule: () => ({}),
    createBindGroupLayout: () => ({}),
    createPipelineLayout: () => ({}),
    createBindGroup: () => ({}),
    createComputePipeline: () => (record(device, 'compile'), {}),
    createComputePipelineAsync: () =>
      new Promise((resolve, reject) =>
        device.compilations.push({ end: () => resolve({}), fail: () => reject(new Error()) }),
      ),
    createCommandEncoder: () => createEncoder(device),
    destroy: () => {
      device.isDestroyed = true;
      lose({ reason: 'destroyed', message: 'destroyed' });
    },
  };
  return device;
}

function record(device, name) {
  device.onCall(name);
  device.calls.push(name);
}

function createBuffer(device, { size }) {
  const { sizes } = device;
  device.onCall('create');
  sizes.push(size);
  let isDestroyed = false;
  return {
    size,
    mapAsync: async () => {
      device.onCall('map');
      await device.mapping;
      if (device.isDestroyed) throw new Error('the device is lost');
    },
    getMappedRange: () => {
      device.onCall('range');
      if (device.isDestroyed) throw new Error('the buffer is not mapped');
      return new ArrayBuffer(size);
    },
    destroy: () => {
      if (!isDestroyed) sizes.splice(sizes.indexOf(size), 1);
      isDestroyed = true;
    },
  };
}

function createEncoder(device) {
  const pass = { setPipeline() {}, setBindGroup() {}, end() {}, dispatchWorkgroups: () => record(device, 'dispatch') };
  return { beginComputePass: () => pass, copyBufferToBuffer: () => record(device, 'copy'), finish: () => ({}) };
}
