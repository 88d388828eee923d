// Stands in for TensorFlow.js's jasmine_util in its specs: a scope around each spec, and the features that specs may require.
// Sets `globalThis.conformance`; runs in Node and in pages.
const inNode = typeof process === 'object' && Boolean(process.versions?.node);

globalThis.conformance = {
  ALL_ENVS: {},
  NODE_ENVS: { only: inNode },
  BROWSER_ENVS: { only: !inNode },
  CHROME_ENVS: { only: !inNode },
  SYNC_BACKEND_ENVS: {},
  HAS_WORKER: { only: !inNode },
  HAS_NODE_WORKER: { only: inNode },
  TEST_ENVS: [],
  registerTestEnv() {},
  TestKernelBackend: class {},
  platform: {
    isTypedArray: (a) => ArrayBuffer.isView(a) && !(a instanceof DataView),
    encode: (text) => new TextEncoder().encode(text),
    decode: (bytes) => new TextDecoder().decode(bytes),
  },

  /** Declares the specs of a file in a suite of its name. Jasmine refuses a suite without specs. */
  begin(file, declare) {
    const suites = [];
    const { describe } = globalThis;
    globalThis.describe = (...suite) => suites.push(suite);
    declare();
    globalThis.describe = describe;
    if (suites.length > 0) describe(file, () => suites.forEach((suite) => describe(...suite)));
  },

  describeWithFlags(name, constraints, declare) {
    if (constraints?.only === false) return;
    describe(name, () => {
      beforeEach(() => globalThis.tenure.engine().startScope());
      afterEach(() => {
        globalThis.tenure.engine().endScope();
        globalThis.tenure.disposeVariables();
      });
      const backendName = globalThis.tenure.getBackend();
      // One spec draws on the canvas context that this names, '2d' for 'cpu'.
      declare({ name: backendName === 'wasm' ? 'cpu' : backendName, backendName, isDataSync: true });
    });
  },

  runWithLock: (spec) => spec,

  /** Runs the declared specs, and returns `{ file, name, status, message }` of each. */
  async run(jasmineEnv, grep) {
    const specs = [];
    jasmineEnv.configure({ random: false, specFilter: (spec) => !grep || spec.getFullName().includes(grep) });
    jasmineEnv.clearReporters();
    jasmineEnv.addReporter({
      specDone({ fullName, status, failedExpectations }) {
        if (status === 'excluded' || status === 'pending') return;
        const [first] = fullName.split(' ', 1);
        specs.push({
          file: first,
          name: fullName.slice(first.length + 1),
          status,
          message: failedExpectations[0]?.message,
        });
      },
    });
    await jasmineEnv.execute();
    return specs;
  },
};
