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

/** Creates the entry point. `devices` lists those that were requested, with the calls that were made. */
export function createFakeGpu() {
  const devices = [];
  const requestDevice = async () => {
    const device = createDevice();
    devices.push(device);
    return device;
  };
  const adapter = { features: new Set(), limits: kLimits, info: {}, requestDevice };
  return { devices, requestAdapter: async () => adapter };
}

function createDevice() {
  let lose;
  const lost = new Promise((resolve) => (lose = resolve));
  const device = {
    ...{ features: new Set(), limits: kLimits, lost, isDestroyed: false },
    /** Sizes of buffers that are not destroyed. */
    sizes: [],
    /** Names of the queue's calls and dispatches, in order. */
    calls: [],
    /** Functions that end the compilation of a pipeline. */
    compilations: [],
    queue: {
      submit: () => void device.calls.push('submit'),
      writeBuffer: () => void device.calls.push('write'),
    },
    createBuffer: (options) => createBuffer(device, options),
    createShaderModule: () => ({}),
    createBindGroupLayout: () => ({}),
    createPipelineLayout: () => ({}),
    createBindGroup: () => ({}),
    createComputePipeline: () => (device.calls.push('compile'), {}),
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

function createBuffer({ sizes }, { size }) {
  sizes.push(size);
  let isDestroyed = false;
  return {
    size,
    mapAsync: async () => {},
    getMappedRange: () => new ArrayBuffer(size),
    destroy: () => {
      if (!isDestroyed) sizes.splice(sizes.indexOf(size), 1);
      isDestroyed = true;
    },
  };
}

function createEncoder({ calls }) {
  const pass = { setPipeline() {}, setBindGroup() {}, end() {}, dispatchWorkgroups: () => void calls.push('dispatch') };
  return { beginComputePass: () => pass, copyBufferToBuffer: () => void calls.push('copy'), finish: () => ({}) };
}
