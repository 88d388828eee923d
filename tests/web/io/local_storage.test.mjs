// Models in localStorage: a fake with a quota, which counts characters as browsers do.
import { test } from 'node:test';
import { assert, tf } from '../expect.mjs';

class QuotaStorage {
  items = new Map();
  writes = 0;
  failsFrom = Infinity;
  constructor(quota = Infinity) {
    this.quota = quota;
  }
  get length() {
    return this.items.size;
  }
  get used() {
    return [...this.items].reduce((sum, [key, text]) => sum + key.length + text.length, 0);
  }
  key(i) {
    return [...this.items.keys()][i] ?? null;
  }
  getItem(key) {
    return this.items.get(key) ?? null;
  }
  setItem(key, text) {
    const others = this.used - (this.items.has(key) ? key.length + this.items.get(key).length : 0);
    if (++this.writes === this.failsAt || others + key.length + text.length > this.quota) {
      throw new DOMException('no room', 'QuotaExceededError');
    }
    this.items.set(key, text);
  }
  removeItem(key) {
    this.items.delete(key);
  }
}

async function withStorage(storage, body) {
  globalThis.window = { localStorage: storage };
  try {
    await body(storage);
  } finally {
    delete globalThis.window;
  }
}

const modelOf = (count, extra = '') => ({
  modelTopology: { class_name: 'Sequential', config: { name: `of_${count}`, layers: [], extra } },
  format: 'layers-model',
  weightSpecs: [{ name: 'w', shape: [count], dtype: 'float32' }],
  weightData: new Float32Array(count).fill(count).buffer,
});
const save = (name, model) => tf.io.getSaveHandlers(`localstorage://${name}`)[0].save(model);
const load = (name) => tf.io.getLoadHandlers(`localstorage://${name}`)[0].load();

async function assertHolds(name, model) {
  const loaded = await load(name);
  assert.deepEqual(loaded.modelTopology, model.modelTopology);
  assert.deepEqual(new Float32Array(loaded.weightData), new Float32Array(model.weightData));
}

test('a model that exceeds the quota leaves the former one of its name', () =>
  withStorage(new QuotaStorage(2500), async (storage) => {
    const first = modelOf(10);
    await save('m', first);
    const before = new Map(storage.items);
    await assert.rejects(
      save('m', modelOf(1000)),
      /Failed to save model 'm' to local storage: size quota.*weightDataBytes=4000/,
    );
    await assert.rejects(save('m', modelOf(1, 'x'.repeat(3000))), /Failed to save model 'm'/);
    assert.deepEqual(storage.items, before);
    await assertHolds('m', first);
    await assert.rejects(save('new', modelOf(1000)), /Failed to save model 'new'/);
    assert.deepEqual(storage.items, before, 'and a new name leaves nothing');
  }));

test('a write that fails at any point leaves the old model, or nothing of a new one', async () => {
  for (let failsAt = 1; failsAt <= 5; failsAt++) {
    await withStorage(new QuotaStorage(), async (storage) => {
      const first = modelOf(10);
      await save('m', first);
      const before = new Map(storage.items);
      for (const name of ['m', 'new']) {
        storage.writes = 0;
        storage.failsAt = failsAt;
        await assert.rejects(save(name, modelOf(20, 'more')), /Failed to save/);
        assert.deepEqual(storage.items, before, `${name}, write ${failsAt}`);
      }
      await assertHolds('m', first);
    });
  }
});

test('a model may use the space of the one that it replaces', () =>
  withStorage(new QuotaStorage(4300), async () => {
    const [weights, topology] = [modelOf(600), modelOf(10, 'x'.repeat(3100))];
    for (const model of [weights, topology, weights]) {
      await save('m', model);
      await assertHolds('m', model);
    }
  }));

test('models of any name are listed', () =>
  withStorage(new QuotaStorage(), async () => {
    for (const name of ['__proto__', 'constructor', 'a/b']) await save(name, modelOf(1));
    const urls = ['__proto__', 'constructor', 'a/b'].map((name) => `localstorage://${name}`);
    assert.deepEqual(Object.keys(await tf.io.listModels()), urls);
    await tf.io.copyModel('localstorage://__proto__', 'localstorage://copy');
    for (const url of urls) await tf.io.removeModel(url);
    assert.deepEqual(Object.keys(await tf.io.listModels()), ['localstorage://copy']);
  }));
